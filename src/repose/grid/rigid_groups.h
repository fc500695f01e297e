#pragma once
// Groups of cells that move as one piece (Zhu 2005, section 2.3.4). Cells that are marked rigid and meet at a
// face belong to one group; groups that meet at an edge or a corner are separate.
//
// A group's motion is the one that comes nearest to the velocities on its faces: of all v + w x (x - c) it
// has the least sum of m (u - u_rigid)^2. That is an orthogonal projection, so it keeps linear and angular
// momentum, never adds energy, and leaves no strain in the group. (Zhu's eq. 2.7 lacks the inertia tensor,
// and the cross product after it is reversed; what they stand for are these sums.)
//
// A group that reaches around a periodic domain cannot turn about the other two axes.

#include <cstdint>
#include <vector>

#include "repose/core/joined_places.h"
#include "repose/exec/threads.h"
#include "repose/grid/tiles.h"
#include "repose/grid/transfer.h"
#include "repose/math/mat6.h"
#include "repose/math/vec.h"

namespace repose {

/// One group. Lengths in cells, from the corner of cell (0, 0, 0) of the grid.
struct RigidGroup {
  Vec3d center{0, 0, 0};  ///< of its mass
  Mat6 mass{};            ///< of its faces: linear and angular momentum about the centre over `motion`
  Vec6 momentum{};        ///< before, and after
  Vec6 motion{};          ///< velocity of the centre, and spin [1/cells times that of velocities]
};

struct RigidGroups {
  std::vector<RigidGroup> groups;
  std::vector<std::uint32_t> of_cell;  ///< which group each cell is in, or kNoPart
};

/// Groups of the cells with is_rigid != 0, and makes `velocity` on their faces that of their motion. Faces
/// without mass (in solids) take no part and stay as they are.
RigidGroups make_rigid(const TileSet& tiles, const std::vector<std::uint8_t>& is_rigid,
                       const FaceWeight& mass, Threads& threads, FaceVelocity& velocity);

}  // namespace repose
