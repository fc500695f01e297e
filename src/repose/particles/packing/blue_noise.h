#pragma once
// Points spread evenly over a shape and yet without any order: what continuum solvers start from. No lattice
// shows, and no two points are close.
//
// A periodic tile of points is strewn at random and pushed apart (crowd.h) by balls wide enough that each
// meets its whole first shell of neighbours; it freezes like a glass. Then it is laid over the shape and
// carved (carve.h) so that the number of points is volume / spacing^3 to half a point: with a mass of density
// x spacing^3 each, the points hold density x volume.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/geometry/shape.h"
#include "repose/particles/packing/carve.h"

namespace repose {

struct BlueNoise {
  double spacing = 0.01;           ///< mean distance of points [m]
  std::span<const Shape> walls{};  ///< solids without points in them, in the world
  DomainBox box{};  ///< along periodic axes that the shape spans the points close on themselves
  /// Box in the world that the points lie in.
  Box3d bounds{Vec3d(-std::numeric_limits<double>::infinity()),
               Vec3d(std::numeric_limits<double>::infinity())};
  std::uint64_t seed = 1;
};

/// Points in the world, the same for any number of threads. No two are nearer than kBlueNoiseDistance
/// spacings. Throws Error(bad_scene) where shape and bounds together have no bounds.
std::vector<Vec3d> sample_blue_noise(const Shape& shape, const BlueNoise& noise, Threads& threads);

inline constexpr double kBlueNoiseDistance = 0.75;

/// The tile alone: points in a cell of the given lengths (0: about 13 spacings), from the origin.
Tile make_blue_noise_tile(double spacing, const Vec3d& lengths, std::uint64_t seed, Threads& threads);

}  // namespace repose
