// Grains that drift from where they are too many.

#include "repose/refine/crowding.h"

#include <algorithm>
#include <cmath>

#include "guide_frames.h"
#include <gtest/gtest.h>

#include "repose/refine/refiner.h"

namespace repose {
namespace {

constexpr double kFrame = 0.04;  // [s]

/// How full the fullest cells are: the mean over the fullest tenth of the grains.
double fullest(const Refiner& refiner, Threads& threads) {
  const FineGrains& g = refiner.grains();
  Crowding crowding(refiner.model(), 1);
  crowding.count(g, kFrame, threads);
  std::vector<double> fills;
  for (std::size_t i = 0; i < g.size(); ++i) fills.push_back(crowding.fill(g.x[i], g.y[i], g.z[i]));
  std::sort(fills.begin(), fills.end());
  double sum = 0;
  const std::size_t from = fills.size() - fills.size() / 10;
  for (std::size_t i = from; i < fills.size(); ++i) sum += fills[i];
  return sum / static_cast<double>(fills.size() - from);
}

/// A block whose guides are pressed to half its width along x within a second and then rest.
double fill_of_a_pressed_block(bool limits) {
  Threads threads(2);
  Scene scene = refined_scene(60);
  scene.info.gravity = {0, 0, 0};
  scene.refine.density_limit = limits;
  Frame from = guide_block(5, 0.1, {0, 0, 0});
  for (std::size_t i = 0; i < from.particle_count(); ++i)
    from.velocity[i].x = -0.5F * static_cast<float>(from.position[i].x);
  Refiner refiner(scene, ParticleKind::grains);
  refiner.start(from, threads);
  for (int frame = 0; frame < 150; ++frame) {
    if (frame == 25) std::fill(from.velocity.begin(), from.velocity.end(), Vec3f(0));
    const Frame to = moved_on(from, kFrame);
    refiner.advance(from, to, threads);
    from = to;
  }
  return fullest(refiner, threads);
}

TEST(Crowding, KeepsPressedGrainsNearTheRoomOfABed) {
  EXPECT_GT(fill_of_a_pressed_block(false), 1.9);
  EXPECT_LT(fill_of_a_pressed_block(true), 1.7);
}

TEST(Crowding, LeavesABedAlone) {
  Threads threads(2);
  Scene scene = refined_scene(100);
  scene.info.gravity = {0, 0, 0};
  const Frame bed = guide_block(8, 0.1, {0, 0, 0}, 0.1);
  Refiner refiner(scene, ParticleKind::grains);
  refiner.start(bed, threads);
  Frame from = bed;
  const auto go = [&] {
    const Frame to = moved_on(from, kFrame);
    refiner.advance(from, to, threads);
    from = to;
  };
  // Chance made some cells too full in the beginning.
  for (int frame = 0; frame < 50; ++frame) go();
  Crowding crowding(refiner.model(), 1);
  crowding.count(refiner.grains(), kFrame, threads);
  const FineGrains& g = refiner.grains();
  std::size_t drifting = 0;
  for (std::size_t i = 0; i < g.size(); ++i) drifting += crowding.drift(g.x[i], g.y[i], g.z[i]) != Vec3f(0);
  EXPECT_LT(static_cast<double>(drifting), 0.01 * static_cast<double>(g.size()));
}

TEST(Crowding, DoesNotDependOnThreadsOrTheOrderInMemory) {
  std::vector<std::uint64_t> hashes;
  for (const int count : {1, 2, 4}) {
    Threads threads(count);
    Scene scene = refined_scene(60);
    const Frame from = guide_block(6, 0.06, {0, 0, 0}), to = moved_on(from, kFrame);
    Refiner refiner(scene, ParticleKind::grains);
    refiner.start(from, threads);
    refiner.advance(from, to, threads);
    hashes.push_back(hash_grains(refiner.grains(), threads));
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

}  // namespace
}  // namespace repose
