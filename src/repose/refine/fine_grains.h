#pragma once
// Fine grains in memory: 28 bytes each, so that tens of millions fit. They know nothing of each other; a
// grain's id tells its guide (id / ratio) and with it material and colour.
//
// Positions are whole numbers of a unit that is a small part of the guides' spacing: as exact far from the
// origin as near it, cells are bits of them, and differences are exact.

#include <cmath>
#include <cstdint>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/math/vec.h"

namespace repose {

/// How whole numbers lie in space.
struct FinePlace {
  /// Units in the radius of influence: 2^20, so that what rounding takes from a step is far below what is
  /// seen.
  static constexpr int kInfluenceBits = 20;

  Vec3d origin{0, 0, 0};  ///< of (0, 0, 0) [m]
  double unit = 1;        ///< [m]

  Vec3d to_world(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return origin + unit * Vec3d(x, y, z);
  }
  /// The nearest one; a coordinate that is out of range ends at the range's border, 2000 radii of
  /// influence away.
  std::int32_t from_world(double coordinate, int axis) const {
    const double units = std::round((coordinate - origin[axis]) / unit);
    return static_cast<std::int32_t>(std::fmax(-kMost, std::fmin(kMost, units)));
  }
  static constexpr double kMost = 2147483000;
};

/// The fine grains of one frame, in any order.
struct FineGrains {
  FinePlace place;
  double radius = 0;                  ///< of every grain [m]
  std::uint32_t ratio = 1;            ///< fine grains a guide
  std::vector<std::int32_t> x, y, z;  ///< FinePlace
  std::vector<float> vx, vy, vz;      ///< [m/s]
  std::vector<std::uint32_t> id;      ///< guide's id * ratio + number within the guide

  std::size_t size() const { return id.size(); }
  void resize(std::size_t count) {
    for (auto* column : {&x, &y, &z}) column->resize(count);
    for (auto* column : {&vx, &vy, &vz}) column->resize(count);
    id.resize(count);
  }
};

/// Equal for equal grains in any order in memory, up to the bits.
std::uint64_t hash_grains(const FineGrains& grains, Threads& threads);

}  // namespace repose
