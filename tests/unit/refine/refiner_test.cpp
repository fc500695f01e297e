// Fine grains over frames made by hand.

#include "repose/refine/refiner.h"

#include <algorithm>
#include <cmath>

#include "guide_frames.h"
#include <gtest/gtest.h>

#include "repose/physics/upsampling.h"

namespace repose {
namespace {

constexpr double kFrame = 0.04;  // [s]

struct Grain {
  Vec3d position;
  Vec3d velocity;
};

/// By id.
std::vector<Grain> grains_of(const Refiner& refiner) {
  const FineGrains& g = refiner.grains();
  std::vector<std::uint32_t> order(g.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return g.id[a] < g.id[b]; });
  std::vector<Grain> grains;
  for (const std::uint32_t i : order)
    grains.push_back(
        {refiner.model().place.to_world(g.x[i], g.y[i], g.z[i]), Vec3d(g.vx[i], g.vy[i], g.vz[i])});
  return grains;
}

std::uint64_t hash_of(const Refiner& refiner) {
  ArchiveWriter out;
  refiner.save(out);
  return out.hash();
}

TEST(Refiner, GrainsOfABlockGoWithIt) {
  Threads threads(2);
  Scene scene = refined_scene(64);
  scene.info.gravity = {0, 0, 0};
  const Frame from = guide_block(6, 0.1, {3, -2, 1}), to = moved_on(from, kFrame);
  Refiner refiner(scene, ParticleKind::grains);
  refiner.start(from, threads);
  EXPECT_EQ(refiner.grains().size(), 64U * 216U);
  const std::vector<Grain> before = grains_of(refiner);
  refiner.advance(from, to, threads);
  const std::vector<Grain> after = grains_of(refiner);
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_LT((after[i].position - before[i].position - kFrame * Vec3d(3, -2, 1)).length(), 1e-6);
}

TEST(Refiner, GrainWithoutGuidesFliesBallistically) {
  Threads threads(1);
  Scene scene = refined_scene(1);
  Frame from;
  // The grain starts with its guide, which then leaps away.
  add_guide(from, 0, {0, 0, 0}, {1, 0, 4}, 0.05F);
  Refiner refiner(scene, ParticleKind::grains);
  refiner.start(from, threads);
  Frame away = from;
  away.position[0] = {50, 0, 0};
  away.velocity[0] = {0, 0, 0};
  const Grain before = grains_of(refiner)[0];
  Frame to = away;
  for (int frame = 1; frame <= 25; ++frame) {
    to.time = frame * kFrame;
    away.time = to.time - kFrame;
    refiner.advance(away, to, threads);
  }
  const Grain after = grains_of(refiner)[0];
  // Steps of 10 ms, velocity first: z = v t - g t (t + dt) / 2.
  EXPECT_LT((after.position - before.position - Vec3d(1, 0, 4 - 0.5 * 9.81 * 1.01)).length(), 1e-4);
  EXPECT_LT((after.velocity - Vec3d(1, 0, 4 - 9.81)).length(), 1e-4);
}

/// One step of a grain by the formulas, over all guides, in double.
Vec3d velocity_by_hand(const Frame& frame, const Grain& grain, double h, double dt) {
  double sum = 0, most = 0;
  Vec3d led(0);
  for (std::size_t j = 0; j < frame.particle_count(); ++j) {
    const Vec3d apart = grain.position - frame.position[j];
    const double w = ihmsen2013_weight(apart.dot(apart) / (h * h));
    sum += w;
    most = std::max(most, w);
    led += w * Vec3d(frame.velocity[j]);
  }
  const double own = ihmsen2013_own_share(most, sum);
  const Vec3d flown = grain.velocity + dt * Vec3d(0, 0, -9.81);
  return (1 - own) * (sum > 0 ? led / sum : Vec3d(0)) + own * flown;
}

TEST(Refiner, OneStepIsTheFormulasOverAllGuides) {
  Threads threads(2);
  Scene scene = refined_scene(40);
  scene.refine.step = 0.01;
  scene.refine.spread = false;
  Frame from = guide_block(5, 0.1, {0, 0, 0}, 0.5);
  for (std::size_t j = 0; j < from.particle_count(); ++j) {
    const Vec3d x = from.position[j];
    from.velocity[j] = to_float(Vec3d(x.y, -x.x, 2 * x.z));
  }
  const Frame to = moved_on(from, 0.01);
  Refiner refiner(scene, ParticleKind::grains);
  refiner.start(from, threads);
  const std::vector<Grain> before = grains_of(refiner);
  refiner.advance(from, to, threads);
  const std::vector<Grain> after = grains_of(refiner);
  int led = 0, flown = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Vec3d due = velocity_by_hand(from, before[i], 0.15, 0.01);
    // At the borders of the cases of the own share rounding decides.
    const double error = (after[i].velocity - due).length();
    EXPECT_LT(error, 2e-5) << i;
    EXPECT_LT((after[i].position - before[i].position - 0.01 * after[i].velocity).length(), 1e-6);
    ((due - before[i].velocity).length() > 0.05 ? led : flown) += 1;
  }
  EXPECT_GT(led, 100);
  EXPECT_GT(flown, 100);
}

TEST(Refiner, BitsDependOnNeitherThreadsNorMemory) {
  Scene scene = refined_scene(30);
  scene.domain = {.given = true, .min = {-2, -2, -0.1}, .max = {2, 2, 2}};
  Frame from = guide_block(7, 0.1, {1, 2, -1}, 0.4), to = moved_on(from, kFrame);
  std::vector<std::uint64_t> hashes;
  for (const int count : {1, 2, 4}) {
    Threads threads(count);
    Refiner refiner(scene, ParticleKind::grains);
    refiner.model().bodies.fill_rows(from.bodies, 0);
    to.bodies = from.bodies;
    refiner.start(from, threads);
    refiner.advance(from, to, threads);
    refiner.advance(to, moved_on(to, kFrame), threads);
    hashes.push_back(hash_of(refiner));
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

TEST(Refiner, GoesOnToTheBitAfterASave) {
  Threads threads(2);
  const Scene scene = refined_scene(30);
  const Frame first = guide_block(5, 0.1, {1, 2, -1}), second = moved_on(first, kFrame),
              third = moved_on(second, kFrame);
  Refiner whole(scene, ParticleKind::grains);
  whole.start(first, threads);
  whole.advance(first, second, threads);
  ArchiveWriter out;
  whole.save(out);
  whole.advance(second, third, threads);

  Refiner resumed(scene, ParticleKind::grains);
  ArchiveReader in(out.bytes());
  resumed.load(in);
  EXPECT_TRUE(in.at_end());
  resumed.advance(second, third, threads);
  EXPECT_EQ(hash_of(whole), hash_of(resumed));
}

TEST(Refiner, GrainsComeAndGoWithTheirGuides) {
  Threads threads(1);
  Refiner refiner(refined_scene(10), ParticleKind::grains);
  Frame from, to;
  add_guide(from, 2, {0, 0, 0}, {0, 0, 0}, 0.05F);
  add_guide(from, 5, {1, 0, 0}, {0, 0, 0}, 0.05F);
  to.time = kFrame;
  add_guide(to, 5, {1, 0, 0}, {0, 0, 0}, 0.05F);
  add_guide(to, 9, {2, 0, 0}, {0, 0, 0}, 0.05F);
  add_guide(to, 11, {3, 0, 0}, {0, 0, 0}, 0.05F);
  refiner.start(from, threads);
  refiner.advance(from, to, threads);
  std::vector<std::uint32_t> guides;
  for (const std::uint32_t id : refiner.grains().id) guides.push_back(id / 10);
  EXPECT_EQ(guides.size(), 30U);
  EXPECT_EQ(std::count(guides.begin(), guides.end(), 5U), 10);
  EXPECT_EQ(std::count(guides.begin(), guides.end(), 9U), 10);
  EXPECT_EQ(std::count(guides.begin(), guides.end(), 11U), 10);
}

TEST(Refiner, PeriodicBlockStaysAPeriodicBlock) {
  Threads threads(2);
  Scene scene = refined_scene(50);
  scene.info.gravity = {0, 0, 0};
  scene.domain = {.given = true, .min = {0, 0, 0}, .max = {0.8, 0.8, 0.8}};
  scene.refine.density_limit = false;
  scene.domain.faces.fill(FaceKind::periodic);
  Frame from = guide_block(8, 0.1, {5, 3, 1}, 0.1);
  for (Vec3d& x : from.position) x += Vec3d(0.05);
  Refiner refiner(scene, ParticleKind::grains);
  refiner.start(from, threads);
  const std::vector<Grain> before = grains_of(refiner);
  Frame last = from;
  for (int frame = 0; frame < 5; ++frame) {
    Frame next = moved_on(last, kFrame);
    for (Vec3d& x : next.position)
      for (int axis = 0; axis < 3; ++axis) x[axis] -= 0.8 * std::floor(x[axis] / 0.8);
    refiner.advance(last, next, threads);
    last = next;
  }
  const std::vector<Grain> after = grains_of(refiner);
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    Vec3d gone = after[i].position - before[i].position - 5 * kFrame * Vec3d(5, 3, 1);
    for (int axis = 0; axis < 3; ++axis) {
      gone[axis] -= 0.8 * std::round(gone[axis] / 0.8);
      EXPECT_GE(after[i].position[axis], 0);
      EXPECT_LT(after[i].position[axis], 0.8);
    }
    EXPECT_LT(gone.length(), 1e-5) << i;
  }
}

TEST(Refiner, EveryMethodFollowsABedThatTurns) {
  // A quarter of a turn. The grains' centre stays with the bed within a quarter of a guide's radius. One
  // grain may wander by more: a weighted mean of velocities is not exact where they change from place to
  // place.
  for (const RefineMethod method :
       {RefineMethod::ihmsen2013, RefineMethod::alduan2009, RefineMethod::takahashi2014}) {
    Threads threads(2);
    Scene scene = refined_scene(20);
    scene.info.gravity = {0, 0, 0};
    scene.refine.method = method;
    scene.refine.density_limit = false;
    Frame from = guide_block(8, 0.1, {0, 0, 0});
    const Vec3d middle(0.35, 0.35, 0.35);
    const double turn = 0.5 * kPi;  // [rad/s]
    const auto set_velocities = [&](Frame& frame) {
      for (std::size_t i = 0; i < frame.particle_count(); ++i) {
        const Vec3d arm = frame.position[i] - middle;
        frame.velocity[i] = to_float(turn * Vec3d(-arm.y, arm.x, 0));
      }
    };
    set_velocities(from);
    Refiner refiner(scene, ParticleKind::grains);
    refiner.start(from, threads);
    const std::vector<Grain> before = grains_of(refiner);
    for (int k = 0; k < 25; ++k) {
      Frame to = from;
      to.time += kFrame;
      const double angle = turn * kFrame;
      for (Vec3d& p : to.position) {
        const Vec3d arm = p - middle;
        p = middle + Vec3d(std::cos(angle) * arm.x - std::sin(angle) * arm.y,
                           std::sin(angle) * arm.x + std::cos(angle) * arm.y, arm.z);
      }
      set_velocities(to);
      refiner.advance(from, to, threads);
      from = to;
    }
    const std::vector<Grain> after = grains_of(refiner);
    ASSERT_EQ(after.size(), before.size());
    Vec3d center(0);
    double worst = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      center += after[i].position / static_cast<double>(after.size());
      const Vec3d arm = before[i].position - middle;
      if (std::max({std::abs(arm.x), std::abs(arm.y), std::abs(arm.z)}) > 0.25) continue;
      worst = std::max(worst, (after[i].position - middle - Vec3d(-arm.y, arm.x, arm.z)).length());
    }
    EXPECT_LT((center - middle).length(), 0.0125) << static_cast<int>(method);
    EXPECT_LT(worst, 0.075) << static_cast<int>(method);
  }
}

}  // namespace
}  // namespace repose
