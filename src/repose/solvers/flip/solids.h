#pragma once
// Bodies and walls as the grid sees them (grid/solid_cells.h), and as particles meet them.
//
// The open share of a face comes from the distances at its four corners. A body thinner than a cell would
// slip between corners; there it is taken as one cell thick, its sides are told apart cell by cell
// (thin_solids.h), and its particles still stop at its true surface.

#include <optional>
#include <span>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/grid/extrapolate.h"
#include "repose/grid/particle_cells.h"
#include "repose/grid/solid_cells.h"
#include "repose/grid/transfer.h"
#include "repose/solvers/continuum/free_bodies.h"

namespace repose {

/// The body or wall that is nearest to a point, if one is nearer than `reach` [m].
struct NearestSolid {
  std::size_t body;
  SurfacePoint point;
};
std::optional<NearestSolid> nearest_solid(const Bodies& bodies, const Vec3d& point, double reach);

/// What is left of the velocity along a wall, `along`, where `into` is the speed at which matter meets it
/// (Zhu 2005, eq. 2.8).
Vec3d rub_at_wall(const Vec3d& along, double into, double friction);

/// `support` is R of the liquid's distance [m].
void find_solids(const Bodies& bodies, const GridPlace& place, const TileSet& tiles, double support,
                 Threads& threads, SolidCells& solids);

/// A face that a solid closes, in part or whole, or that it is near to.
struct ClosedFace {
  std::size_t axis, face;
  std::uint16_t owner;
  double closed;      ///< share of its area
  double taken;       ///< share of the cube about it
  Vec3d center;       ///< [m]
  std::uint32_t low;  ///< the cell before it, or kNoTile where there is none; the one after it is `face`
};

/// Calls f(face) for those of a tile.
template <class F>
void for_each_closed_face(const GridPlace& place, const TileSet& tiles, const SolidCells& solids,
                          std::size_t tile, F&& f) {
  const Vec3d corner = tile_corner(place, tiles.coordinate(tile));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [sx, sy, sz] = kAxisStep[axis];
    const std::uint32_t before = tiles.neighbor(tile, neighbor_slot(-sx, -sy, -sz));
    for (int z = 0; z < 8; ++z)
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) {
          const std::size_t face = tile * kTileCells + cell_in_tile(x, y, z);
          if (solids.owner[axis][face] == kNoSolid) continue;
          const int lx = x - sx, ly = y - sy, lz = z - sz;
          const std::size_t from = lx >= 0 && ly >= 0 && lz >= 0 ? tile : before;
          const std::size_t low =
              from == kNoTile ? kNoTile : from * kTileCells + cell_in_tile(lx & 7, ly & 7, lz & 7);
          Vec3d center = corner + place.cell * Vec3d(x + 0.5, y + 0.5, z + 0.5);
          center[static_cast<int>(axis)] -= 0.5 * place.cell;
          f(ClosedFace{axis, face, solids.owner[axis][face], 1 - solids.open[axis][face],
                       solids.taken[axis][face], center, static_cast<std::uint32_t>(low)});
        }
  }
}

/// Faces that askew bodies leave open by less than this count as closed for friction and for what sand does
/// beside them: the pressure of the sliver behind one says nothing of the sand before it.
inline constexpr float kSliver = 0.2F;

/// Whether a face is such a sliver, or closed. `askew` is by body; empty: none is.
inline bool is_closed_to_sand(const SolidCells& solids, std::span<const std::uint8_t> askew, std::size_t axis,
                              std::size_t face) {
  if (solids.open[axis][face] <= 0) return true;
  const std::uint16_t owner = solids.owner[axis][face];
  return !askew.empty() && owner != kNoSolid && askew[owner] != 0 && solids.open[axis][face] < kSliver;
}

/// At faces that solids close whole, or to sand: what flows along them stays, what flows into or out of them
/// becomes their own velocity. For velocities that were carried on into solids; without friction.
void slide_along_solids(const Bodies& bodies, std::span<const BodyVelocity> motion, const GridPlace& place,
                        const TileSet& tiles, const SolidCells& solids, std::span<const std::uint8_t> askew,
                        const KnownFaces& known, Threads& threads, FaceVelocity& velocity);

/// The same of liquids that stick: at faces that solids close whole the velocity is such that it goes in a
/// straight line to that of the solid at its surface, where particles read it.
void stick_to_solids(const GridPlace& place, const TileSet& tiles, const SolidCells& solids, Threads& threads,
                     FaceVelocity& velocity);

/// Moves particles that came into a solid on their way to just outside of it. Bodies stand where they are
/// after the step; `poses` are those before it, `start` where the particles were. `solids` tells which need
/// not be looked at.
void keep_out_of_solids(const Bodies& bodies, std::span<const Pose> poses, const GridPlace& place,
                        const ParticleCells& cells, const SolidCells& solids, double clearance,
                        std::span<const Vec3d> start, Threads& threads, std::span<Vec3d> positions);

}  // namespace repose
