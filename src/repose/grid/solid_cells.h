#pragma once
// What a grid solver knows of solids: which share of each face they leave open, how fast they move there, and
// what they take from the neighbourhood of each cell. Who fills it in knows bodies (solvers/flip/solids.h);
// who reads it (projection.h) needs to know nothing of them.

#include <array>
#include <cstdint>
#include <vector>

#include "repose/grid/tiles.h"
#include "repose/math/vec.h"

namespace repose {

inline constexpr std::uint16_t kNoSolid = 0xffff;

struct SolidCells {
  // By axis and face as FaceVelocity.
  std::array<std::vector<float>, 3> open;      ///< share of the area, 0 to 1 [-]
  std::array<std::vector<float>, 3> velocity;  ///< of the solid at the face, along the axis [m/s]
  std::array<std::vector<float>, 3> belt;      ///< of its surface on top of that; empty where none runs [m/s]
  std::array<std::vector<float>, 3> taken;     ///< share of the cube about the face inside solids [-]
  std::array<std::vector<std::uint16_t>, 3>
      owner;  ///< the solid that closes most of it, or takes of its cube; kNoSolid where there is none

  // By cell, at its middle.
  std::vector<float> distance;  ///< to the nearest solid, at most `reach` [m]
  std::vector<Vec3f> shift;     ///< of the mean of matter all around by what solids take away [m]
  std::vector<float> room;      ///< share of a hat about the cell that is open [-]
  float reach = 0;              ///< how far distances are known [m]

  /// Of the solid's surface, along which friction acts [m/s].
  float surface_velocity(std::size_t axis, std::size_t face) const {
    return belt[axis].empty() ? velocity[axis][face] : velocity[axis][face] + belt[axis][face];
  }

  /// All open.
  void resize(std::size_t cell_count, float far, bool has_belts = false) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      belt[axis].assign(has_belts ? cell_count : 0, 0.0F);
      open[axis].assign(cell_count, 1.0F);
      velocity[axis].assign(cell_count, 0.0F);
      taken[axis].assign(cell_count, 0.0F);
      owner[axis].assign(cell_count, kNoSolid);
    }
    distance.assign(cell_count, far);
    shift.assign(cell_count, Vec3f(0));
    room.assign(cell_count, 1.0F);
    reach = far;
  }
};

}  // namespace repose
