#pragma once

#include <vector>

#include "repose/exec/threads.h"
#include "repose/geometry/triangle_mesh.h"
#include "repose/grid/particle_cells.h"

namespace repose {

struct SurfaceNet {
  TriangleMesh mesh;                ///< with normals by vertex, the gradient of phi
  std::vector<std::uint32_t> tile;  ///< that each vertex belongs to
};

/// The zero of phi, given at the middle of the cells; where there is no tile phi is above zero, and so are
/// the outermost cells. Vertices in the order of tiles and cells.
SurfaceNet surface_net(const TileSet& tiles, const GridPlace& place, const std::vector<float>& phi,
                       Threads& threads);

}  // namespace repose
