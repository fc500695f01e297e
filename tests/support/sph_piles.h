#pragma once
// Piles of sand that are poured under sph, for validation.

#include <algorithm>
#include <cmath>

#include "support/sph_scenes.h"

#include "repose/measure/pile.h"

namespace repose::test {

/// A pile on a rough floor: what it is made of, and how many particles are poured.
struct PouredPile {
  double angle = 30;    ///< of the sand [deg]
  double count = 7000;  ///< of particles
};

inline constexpr double kPileSpacing = 0.01;  ///< [m]

/// Radius of a cone of so many particles at the angle of the sand [m].
inline double cone_radius(const PouredPile& pile) {
  return kPileSpacing * std::cbrt(3 * pile.count / (3.141592653589793 * std::tan(radians(pile.angle))));
}

/// How long it is poured: as long whatever its size, in units of the time to fall [s].
inline double pouring_time(const PouredPile& pile) { return 42 * std::sqrt(cone_radius(pile) / 9.81); }

/// Out of a tube that ends a little above where the pile's top comes to be, so that what comes last falls
/// from a small height, and little by little: sand flows down a pile that is steeper than it can stand. If
/// all of that stops at once, its flanks come down together and come to lie as much too flat.
inline Scene poured_pile_scene(const PouredPile& pile) {
  const double radius = cone_radius(pile), height = radius * std::tan(radians(pile.angle)), wide = 2 * radius;
  Scene scene = under_sph(sand_tank({1, 1, 1}, kPileSpacing, pile.angle));
  scene.domain.min = {-wide, -wide, 0};
  scene.domain.max = {wide, wide, 1.5 * height};
  scene.domain.friction.fill(1);
  Emitter stream;
  stream.name = "stream";
  stream.material = scene.materials[0].name;
  stream.shape.kind = ShapeKind::cylinder;
  stream.shape.radius = 0.2 * radius;
  stream.shape.height = 2 * kPileSpacing;
  stream.shape.pose.position.z = 0.95 * height;  // of the round top it stays clear
  stream.stop = pouring_time(pile);
  stream.fade = 0.6 * *stream.stop;
  const double volume =
      pile.count * std::pow(kPileSpacing, 3) / (*stream.stop - 0.5 * stream.fade);  // [m3/s]
  stream.rate = scene.materials[0].density * volume;
  stream.velocity.z = -volume / (3.141592653589793 * stream.shape.radius * stream.shape.radius);
  scene.emitters.push_back(stream);
  return scene;
}

/// Of what lies there a quarter of the pouring time after it ended [deg].
inline double poured_pile_angle(const PouredPile& pile, Threads& threads, std::uint64_t seed = 1) {
  Scene scene = poured_pile_scene(pile);
  scene.info.seed = seed;
  SphSolver solver(scene, threads, {});
  EXPECT_EQ(advance(solver, 1.25 * pouring_time(pile)), "");
  EXPECT_GT(static_cast<double>(solver.state().size()), 0.98 * pile.count);
  Frame frame;
  solver.fill_frame(frame);
  const Shape all = box_shape(2.0 * (scene.domain.max - scene.domain.min), Vec3d(0));
  const DomainBox box{scene.domain.min, scene.domain.max};
  return degrees(read_pile(all, PileAxis::radius, frame, GrainTable(scene, {}), box, threads).angle);
}

}  // namespace repose::test
