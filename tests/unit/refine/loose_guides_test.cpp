// Grains of guides in flight part as the guides do.

#include "repose/refine/loose_guides.h"

#include <algorithm>
#include <cmath>

#include "guide_frames.h"
#include <gtest/gtest.h>

#include "repose/refine/refiner.h"

namespace repose {
namespace {

constexpr double kFrame = 0.04;   // [s]
constexpr double kRate = 0.5;     // at which the cloud opens at first [1/s]
constexpr double kSpacing = 0.1;  // diameter of a guide [m]

/// A cloud whose guides are four diameters apart and fly away from its middle: x = X (1 + kRate t).
Frame open_cloud(int n, double time) {
  Frame frame = guide_block(n, 4 * kSpacing, {0, 0, 0}, 0.3);
  frame.time = time;
  for (std::size_t i = 0; i < frame.particle_count(); ++i) {
    const Vec3d from_middle = frame.position[i] - Vec3d(2 * kSpacing * (n - 1));
    frame.position[i] = (1 + kRate * time) * from_middle;
    frame.velocity[i] = to_float(kRate * from_middle);
    frame.radius[i] = static_cast<float>(0.5 * kSpacing);
  }
  return frame;
}

RefineModel weightless() {
  Scene scene = refined_scene(1);
  scene.info.gravity = {0, 0, 0};
  return make_refine_model(scene, ParticleKind::grains);
}

LooseGuides loose_guides_of(const RefineModel& model, const Frame& frame, Threads& threads) {
  const Frame next = moved_on(frame, 0.01);
  const GuidePaths paths = find_paths(model, frame, next);
  return find_loose_guides(model, guides_over_step(model, paths, 0, 1, threads), 0.01, threads);
}

Vec3d gradient_column(const LooseGuide& guide, std::size_t k) { return Vec3d(guide.gradient[k]); }

TEST(LooseGuides, FindTheRateAtWhichACloudOpens) {
  Threads threads(2);
  const RefineModel model = weightless();
  const LooseGuides loose = loose_guides_of(model, open_cloud(5, 0), threads);
  ASSERT_EQ(loose.guides.size(), 125U);
  for (const LooseGuide& guide : loose.guides) {
    EXPECT_EQ(guide.looseness, 1);
    for (std::size_t k = 0; k < 3; ++k) {
      Vec3d due(0);
      due[static_cast<int>(k)] = kRate;
      EXPECT_LT((gradient_column(guide, k) - due).length(), 1e-4);
    }
  }
}

TEST(LooseGuides, FindTheShearOfACloudOfMany) {
  // v_x = 3 z. The guess that gradients are alike in all directions takes a part of it.
  Threads threads(2);
  const RefineModel model = weightless();
  Frame frame = guide_block(9, 2.5 * kSpacing, {0, 0, 0}, 0.2);
  for (std::size_t i = 0; i < frame.particle_count(); ++i)
    frame.velocity[i] = {static_cast<float>(3 * frame.position[i].z), 0, 0};
  const LooseGuides loose = loose_guides_of(model, frame, threads);
  const Vec3d middle = Vec3d(10 * kSpacing);
  int looked_at = 0;
  for (const LooseGuide& guide : loose.guides) {
    if ((model.place.to_world(guide.x, guide.y, guide.z) - middle).length() > 3 * kSpacing) continue;
    ++looked_at;
    EXPECT_GT(gradient_column(guide, 2).x, 0.75 * 3);
    EXPECT_LT(gradient_column(guide, 2).x, 3.01);
    EXPECT_LT(std::abs(gradient_column(guide, 0).x), 0.1);
    EXPECT_LT(std::abs(gradient_column(guide, 0).z), 0.1);
    EXPECT_LT(gradient_column(guide, 1).length(), 0.1);
  }
  EXPECT_GT(looked_at, 3);
}

TEST(LooseGuides, NoneInABed) {
  Threads threads(2);
  const RefineModel model = weightless();
  const LooseGuides loose = loose_guides_of(model, guide_block(8, 0.955 * kSpacing, {0, 0, 0}), threads);
  // Some at its edges and corners count as half loose, at most.
  for (const LooseGuide& guide : loose.guides) {
    const Vec3d x = model.place.to_world(guide.x, guide.y, guide.z);
    int borders = 0;
    for (int axis = 0; axis < 3; ++axis) borders += x[axis] < 0.06 || x[axis] > 0.61 ? 1 : 0;
    EXPECT_GE(borders, 2);
    EXPECT_LT(guide.looseness, 0.6);
  }
}

TEST(LooseGuides, NoneThatDoesNotFall) {
  // Guides that go on at the same speed although there is gravity lie on something.
  Threads threads(1);
  const RefineModel model = make_refine_model(refined_scene(1), ParticleKind::grains);
  EXPECT_EQ(loose_guides_of(model, open_cloud(3, 0), threads).guides.size(), 0U);
}

TEST(LooseGuides, GrainsTakeHalfTheScatter) {
  // Velocities by chance, 0.7 m/s along each axis.
  Threads threads(2);
  const RefineModel model = weightless();
  Frame frame = guide_block(9, 2.5 * kSpacing, {0, 0, 0}, 0.2);
  for (std::size_t i = 0; i < frame.particle_count(); ++i) {
    Random random(3, Stream::test, 1, i);
    for (int axis = 0; axis < 3; ++axis) frame.velocity[i][axis] = random.uniform() < 0.5 ? -0.7F : 0.7F;
  }
  const LooseGuides loose = loose_guides_of(model, frame, threads);
  ASSERT_EQ(loose.guides.size(), 729U);
  double mean = 0;
  for (const LooseGuide& guide : loose.guides) mean += static_cast<double>(guide.scatter) / 729;
  // Differences of two have sqrt(2) times the scatter of one; the fit explains a little of it.
  EXPECT_NEAR(mean, 0.5 * std::sqrt(2.0) * 0.7, 0.05);
}

TEST(LooseGuides, OneAloneLetsItsGrainsFly) {
  Threads threads(1);
  const RefineModel model = weightless();
  Frame frame;
  add_guide(frame, 0, {0, 0, 0}, {1, 0, 0}, 0.05F);
  const LooseGuides loose = loose_guides_of(model, frame, threads);
  ASSERT_EQ(loose.guides.size(), 1U);
  FineGrains grains;
  grains.resize(1);
  grains.x[0] = model.place.from_world(0.03, 0);
  std::vector<float> x{1}, y{0}, z{0}, own_share{0.2F}, weights{0.5F};
  weights[0] = static_cast<float>(std::pow(1 - 0.04, 3));
  std::vector<std::uint32_t> rows;
  loose.find_near({Vec3d(0.03, 0, 0), Vec3d(0.03, 0, 0)}, model.influence, rows);
  EXPECT_EQ(rows.size(), 1U);
  loose.spread(model, rows, grains, 0, {.x = x, .y = y, .z = z, .own_share = own_share, .weights = weights});
  EXPECT_EQ(x[0], 1);
  EXPECT_NEAR(own_share[0], 1, 1e-5);
}

/// The grains of a guide that are among those given: their mean and mean squared distance from it [m, m2].
struct Clump {
  Vec3d center{0, 0, 0};
  double square = 0;
  int count = 0;
};

std::vector<Clump> clumps_of(const Refiner& refiner, const Frame& frame, const std::vector<bool>& among) {
  const FineGrains& g = refiner.grains();
  std::vector<Clump> clumps(frame.particle_count());
  for (std::size_t i = 0; i < g.size(); ++i) {
    if (!among[g.id[i]]) continue;
    const std::size_t guide = g.id[i] / g.ratio;
    const Vec3d apart = g.place.to_world(g.x[i], g.y[i], g.z[i]) - frame.position[guide];
    clumps[guide].center += apart;
    clumps[guide].square += apart.dot(apart);
    ++clumps[guide].count;
  }
  for (Clump& clump : clumps) clump.center /= clump.count, clump.square /= clump.count;
  return clumps;
}

/// By id, those within a radius of their guide: those farther away are hardly led, and keep the velocity that
/// they had at the start.
std::vector<bool> grains_near_guides(const Refiner& refiner, const Frame& frame) {
  const FineGrains& g = refiner.grains();
  std::vector<bool> near(g.size());
  for (std::size_t i = 0; i < g.size(); ++i)
    near[g.id[i]] = (g.place.to_world(g.x[i], g.y[i], g.z[i]) - frame.position[g.id[i] / g.ratio]).length() <
                    0.5 * kSpacing;
  return near;
}

/// Through the frames of a cloud of `side` guides along each edge up to frame `last`, from where `frame` is.
void fly(int side, int last, Threads& threads, Refiner& refiner, Frame& frame) {
  for (int k = frame.index + 1; k <= last; ++k) {
    Frame next = open_cloud(side, k * kFrame);
    next.index = k;
    refiner.advance(frame, next, threads);
    frame = next;
  }
}

TEST(LooseGuides, GrainsFillACloudThatOpens) {
  for (const RefineMethod method : {RefineMethod::ihmsen2013, RefineMethod::takahashi2014}) {
    Threads threads(2);
    Scene scene = refined_scene(100, kSpacing);
    scene.info.gravity = {0, 0, 0};
    scene.refine.method = method;
    Refiner refiner(scene, ParticleKind::grains);
    Frame frame = open_cloud(5, 0);
    refiner.start(frame, threads);
    const std::vector<bool> near = grains_near_guides(refiner, frame);
    // Grains start with the velocity of their guide and take on the cloud's in some steps.
    fly(5, 25, threads, refiner, frame);
    const std::vector<Clump> before = clumps_of(refiner, frame, near);
    fly(5, 50, threads, refiner, frame);
    const std::vector<Clump> after = clumps_of(refiner, frame, near);
    const double due = (1 + 50 * kFrame * kRate) / (1 + 25 * kFrame * kRate);
    for (std::size_t i = 0; i < after.size(); ++i) {
      // Guides at the border have few around them: their grains take longer to come up with the cloud.
      const std::size_t x = i % 5, y = i / 5 % 5, z = i / 25;
      if (std::min({x, y, z}) == 0 || std::max({x, y, z}) == 4) continue;
      EXPECT_NEAR(std::sqrt(after[i].square / before[i].square), due, 0.03 * due) << i;
      // What the centre is off by goes with the cloud, too.
      EXPECT_LT((after[i].center - due * before[i].center).length(), 0.25 * 0.5 * kSpacing);
    }
  }
}

TEST(LooseGuides, WithoutThemGrainsFlyAsABall) {
  Threads threads(2);
  Scene scene = refined_scene(100, kSpacing);
  scene.info.gravity = {0, 0, 0};
  scene.refine.spread = false;
  Refiner refiner(scene, ParticleKind::grains);
  Frame frame = open_cloud(3, 0);
  refiner.start(frame, threads);
  const std::vector<bool> near = grains_near_guides(refiner, frame);
  const double before = clumps_of(refiner, frame, near)[13].square;
  fly(3, 25, threads, refiner, frame);
  EXPECT_NEAR(clumps_of(refiner, frame, near)[13].square / before, 1, 1e-3);
}

}  // namespace
}  // namespace repose
