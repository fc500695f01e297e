#include "repose/solvers/flip/liquid.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "repose/grid/padded_tile.h"
#include "repose/physics/level_set.h"

namespace repose {
namespace {

constexpr float kPerCell = 8;  ///< particles
/// A cell with more particles than this for its room is liquid, wherever in it they stand: even ones would be
/// this many a third of a cell below the surface.
constexpr float kSurelyFull = 0.8F;
/// Cells with this many particles, among 26 that have as many, are well inside, however these stand.
constexpr std::uint32_t kAllAroundFrom = 4;
constexpr float kLeastRoom = 0.2F;  ///< cells with less say nothing of how crowded they are

/// Where a wall cuts the neighbourhood, the mean of what is left lies further from a surface across the wall:
/// by this share where the wall is nearest to a third of R away (from the integral of k over the cut ball).
constexpr float kFurther = 0.015F;

/// The way to the mean of the matter without what solids take from one side: up to `shift`, and nothing where
/// the mean lies towards them, as that of a thin sheet on a floor does.
Vec3f without_shift(const Vec3f& way, const Vec3f& shift, float R) {
  const float length2 = shift.dot(shift);
  if (!(length2 > 0)) return way;
  const float along = way.dot(shift) / length2;
  const Vec3f across = way - along * shift;
  // From none of the neighbourhood to half of it, where the wall is at the middle; wall by wall in a corner.
  float further = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const float x = std::min(1.0F, std::abs(shift[axis]) / (static_cast<float>(kBorderRadius) * R));
    further *= 1 + 4 * kFurther * x * (1 - x);
  }
  return across / further + (along - std::clamp(along, 0.0F, 1.0F)) * shift;
}

/// A tile among its neighbours: who is air, who is liquid, and the faces between.
struct Surroundings {
  PaddedTile<float> air, liquid;
  std::array<PaddedTile<float>, 3> open;  ///< 1 where a face lets anything through

  void fill(const TileSet& tiles, const SolidCells& solids, const std::vector<float>& phi, std::size_t tile) {
    air.fill(
        tiles, tile, [&](std::size_t i) { return phi[i] < 0 || solids.distance[i] < 0 ? 0.0F : 1.0F; }, 1.0F);
    liquid.fill(
        tiles, tile, [&](std::size_t i) { return phi[i] < 0 ? 1.0F : 0.0F; }, 0.0F);
    for (std::size_t axis = 0; axis < 3; ++axis)
      open[axis].fill(
          tiles, tile, [&](std::size_t i) { return solids.open[axis][i] > 0 ? 1.0F : 0.0F; }, 1.0F);
  }
  /// Whether all open faces of a cell lead to liquid or into solids, and at least one to liquid.
  bool is_hole(int x, int y, int z) {
    float to_air = 0, to_liquid = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto [sx, sy, sz] = kAxisStep[axis];
      const float lower = open[axis].row(y, z)[x], upper = open[axis].row(y + sy, z + sz)[x + sx];
      to_air += lower * air.row(y - sy, z - sz)[x - sx] + upper * air.row(y + sy, z + sz)[x + sx];
      to_liquid += lower * liquid.row(y - sy, z - sz)[x - sx] + upper * liquid.row(y + sy, z + sz)[x + sx];
    }
    return to_air == 0 && to_liquid > 0;
  }
};

/// Cells outside that are open to liquid and not to air join the liquid: gaps between particles, and cells
/// that a solid fills but for a thin layer of liquid.
void close_holes(const TileSet& tiles, const SolidCells& solids, float inside, Threads& threads,
                 std::vector<float>& phi) {
  std::vector<std::vector<std::uint16_t>> holes(tiles.size());
  threads.for_each(
      tiles.size(),
      [&](std::size_t tile) {
        const float* own = &phi[tile * kTileCells];
        if (std::all_of(own, own + kTileCells, [](float p) { return p < 0; })) return;
        Surroundings around;
        around.fill(tiles, solids, phi, tile);
        for (int z = 0; z < 8; ++z)
          for (int y = 0; y < 8; ++y)
            for (int x = 0; x < 8; ++x)
              if (own[cell_in_tile(x, y, z)] >= 0 && around.is_hole(x, y, z))
                holes[tile].push_back(static_cast<std::uint16_t>(cell_in_tile(x, y, z)));
      },
      4);
  for (std::size_t tile = 0; tile < tiles.size(); ++tile)
    for (const std::uint16_t cell : holes[tile]) phi[tile * kTileCells + cell] = inside;
}

}  // namespace

void find_liquid(const FlipModel& model, const FlipState& state, Threads& threads, FlipScratch& scratch) {
  find_near_matter(state.position, scratch.cells, model.place, model.support, kAllAroundFrom, threads,
                   scratch.near);
  const auto R = static_cast<float>(model.support), full = -0.2F * R;
  scratch.phi.resize(scratch.near.size());
  threads.for_each(
      scratch.near.size(),
      [&](std::size_t i) {
        const NearMatter& near = scratch.near[i];
        scratch.phi[i] =
            near.weight > 0
                ? -R * half_space_depth(without_shift(near.way, scratch.solids.shift[i], R).length() / R)
                : R;
        if (scratch.solids.room[i] > kLeastRoom && scratch.crowding[i] > kSurelyFull)
          scratch.phi[i] = std::min(scratch.phi[i], full);
      },
      kTileCells);
  close_holes(scratch.cells.tiles, scratch.solids, full, threads, scratch.phi);
}

void find_crowding(const FlipModel& model, const FlipState& state, Threads& threads, FlipScratch& scratch) {
  particles_to_cells(state.position, scratch.cells, model.place, threads, scratch.crowding);
  threads.for_each(
      scratch.crowding.size(),
      [&](std::size_t i) {
        const float room = scratch.solids.room[i];
        scratch.crowding[i] = room > kLeastRoom ? scratch.crowding[i] / (kPerCell * room) : 1;
      },
      kTileCells);
}

}  // namespace repose
