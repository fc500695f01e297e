#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "repose/exec/threads.h"
#include "repose/math/vec.h"

namespace repose {

/// The smallest box that holds a set of points.
struct Extent {
  Vec3d min, max;  ///< [m]
};

/// Points that are not finite do not count: one of them must not spoil the cells of all others. Without any
/// points the box is the origin.
inline Extent find_extent(Threads& threads, std::span<const Vec3d> positions) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto join = [](Extent a, const Extent& b) {
    for (unsigned axis = 0; axis < 3; ++axis) {
      a.min[axis] = std::min(a.min[axis], b.min[axis]);
      a.max[axis] = std::max(a.max[axis], b.max[axis]);
    }
    return a;
  };
  const Extent nothing{Vec3d(kInfinity), Vec3d(-kInfinity)};
  const Extent all = threads.reduce(
      positions.size(), nothing,
      [&](std::size_t begin, std::size_t end) {
        Extent e = nothing;
        for (std::size_t i = begin; i < end; ++i) {
          const Vec3d& x = positions[i];
          if (std::isfinite(x.x) && std::isfinite(x.y) && std::isfinite(x.z)) e = join(e, {x, x});
        }
        return e;
      },
      join, 16384);
  return all.min.x <= all.max.x ? all : Extent{Vec3d(0.0), Vec3d(0.0)};
}

}  // namespace repose
