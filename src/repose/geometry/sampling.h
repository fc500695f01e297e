#pragma once
// Filling shapes with points. Points stand on a cubic lattice in the shape's own frame, centred in its
// bounds, so that symmetric shapes give symmetric samples and turned shapes turned ones; or each is moved at
// random within its own cell of the lattice ("jittered"), by a random number that belongs to the cell. The
// result is the same for any number of threads; its order goes by blocks of cells.

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "repose/core/random.h"
#include "repose/exec/threads.h"
#include "repose/geometry/shape.h"

namespace repose {

struct VolumeSampling {
  double spacing = 0.01;  ///< of the lattice [m]
  bool jittered = false;
  /// Jittered points never come nearer to each other than this, at most `spacing` [m]. Each moves by up to
  /// (spacing - min_distance) / 2 along each axis: 0 lets it go anywhere in its cell.
  double min_distance = 0;
  /// Balls of this radius about the points lie wholly inside the shape [m]. With 0 a point stands for its
  /// cell: the number of points follows volume / spacing^3, and the phase of a thin lattice is chosen for
  /// that. With more the shape takes as many balls as the lattice can hold, and a jittered ball that does not
  /// fit is tried elsewhere in its cell.
  double radius = 0;
  /// Box in the world that the points themselves lie in.
  Box3d region{Vec3d(-std::numeric_limits<double>::infinity()),
               Vec3d(std::numeric_limits<double>::infinity())};
  std::span<const Shape> obstacles;  ///< posed in the world
  double clearance = 0;              ///< least distance of the points to every obstacle [m]
  std::uint64_t seed = 1;
  std::uint32_t substream = 0;  ///< tells fills apart: random numbers are of (seed, substream, cell)
};

/// Points in the world. Throws Error(bad_scene) where shape and region together have no bounds, or would hold
/// more points than can be told apart. Distances count as kept when they are within 1e-9 spacing.
std::vector<Vec3d> sample_volume(const Shape& shape, const VolumeSampling& sampling, Threads& threads);

/// A point in the world, uniform over the places inside the shape that are at least `inset` [m] from its
/// surface; none where the shape is unbounded or 10,000 tries found no such place.
std::optional<Vec3d> sample_point(const Shape& shape, Random& random, double inset = 0);

}  // namespace repose
