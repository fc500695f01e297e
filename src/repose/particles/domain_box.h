#pragma once

#include <array>
#include <cmath>

#include "repose/math/vec.h"

namespace repose {

/// The part of the domain that neighbour search needs to know: along which axes space closes on itself.
/// Other axes are unbounded, whatever min and max say.
struct DomainBox {
  Vec3d min{0, 0, 0}, max{0, 0, 0};  ///< [m]
  std::array<bool, 3> periodic{false, false, false};

  bool any_periodic() const { return periodic[0] || periodic[1] || periodic[2]; }

  /// The shortest of all images of the difference d of two positions [m]. minimum_image(-d) is
  /// -minimum_image(d), to the bit.
  Vec3d minimum_image(Vec3d d) const {
    // Adding and taking off 1.5 * 2^52 rounds to the nearest whole number, and vectorises on any machine.
    constexpr double kRound = 6755399441055744.0;
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (!periodic[axis]) continue;
      const double length = max[axis] - min[axis];
      d[axis] -= length * ((d[axis] / length + kRound) - kRound);
    }
    return d;
  }
};

/// minimum_image for many differences: without divisions and branches.
struct ShortestImage {
  Vec3d length{0, 0, 0}, inverse{0, 0, 0};  ///< 0 along axes that are not periodic

  explicit ShortestImage(const DomainBox& box) {
    for (unsigned axis = 0; axis < 3; ++axis)
      if (box.periodic[axis]) {
        length[axis] = box.max[axis] - box.min[axis];
        inverse[axis] = 1 / length[axis];
      }
  }
  /// of(-d) is -of(d), to the bit.
  Vec3d of(const Vec3d& d) const {
    constexpr double kRound = 6755399441055744.0;
    return {d.x - length.x * ((d.x * inverse.x + kRound) - kRound),
            d.y - length.y * ((d.y * inverse.y + kRound) - kRound),
            d.z - length.z * ((d.z * inverse.z + kRound) - kRound)};
  }
};

/// Brings a position back into the box along its periodic axes: to min at least, and below max.
inline void wrap_into(const DomainBox& box, Vec3d& x) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    const double low = box.min[axis], high = box.max[axis];
    if (!box.periodic[axis] || (x[axis] >= low && x[axis] < high)) continue;
    const double length = high - low;
    const double inside = x[axis] - length * std::floor((x[axis] - low) / length);
    // Rounding may put it on the far face, which is the near one.
    x[axis] = inside < high ? inside : low;
  }
}

}  // namespace repose
