// What friction needs to know of the grid before any stress: which faces matter moves, how much edges count,
// and how long steps may be.

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "repose/grid/field.h"
#include "repose/grid/friction_kernel.h"
#include "repose/grid/friction_stress.h"

namespace repose {
using namespace friction;
namespace {

constexpr float kAir = 0, kMatter = 1, kClosed = 2;

/// Faces with less matter around them are air; the others count at least kLeastMass, lest they make steps
/// short.
constexpr float kLeastShare = 0.1F, kLeastMass = 0.2F;
/// Largest eigenvalue of the strain's square: that of a wave along the diagonal of the grid.
constexpr float kStiffness = 8;

}  // namespace

FrictionSystem::FrictionSystem(const TileSet& tiles, const std::vector<float>& phi, double cell,
                               const SolidCells& solids, const FaceWeight& weight, Threads& threads,
                               const FaceVelocity* density)
    : tiles_(tiles), phi_(phi), solids_(solids), threads_(threads), cell_(static_cast<float>(cell)) {
  rank_.assign(tiles.size(), kNoTile);
  std::vector<std::uint8_t> is_near(tiles.size());
  for (std::uint32_t tile = 0; tile < tiles.size(); ++tile) {
    if (!has_matter(tile)) continue;
    rank_[tile] = static_cast<std::uint32_t>(active_.size());
    active_.emplace_back().index = tile;
    for (std::size_t slot = 0; slot < 27; ++slot)
      if (const std::uint32_t near = tiles.neighbor(tile, slot); near != kNoTile) is_near[near] = 1;
  }
  for (std::uint32_t tile = 0; tile < tiles.size(); ++tile)
    if (is_near[tile] != 0) near_.push_back(tile);
  pushes_.resize(active_.size());
  force_.resize(tiles.cell_count());
  gain_.resize(tiles.cell_count());
  find_faces(weight, density);
  threads_.for_each(
      active_.size(),
      [&](std::size_t k) {
        Tile& tile = active_[k];
        tile.limit.fill(0);
        for (std::size_t i = 0; i < kTileCells; ++i)
          if (is_matter(tile.index * kTileCells + i)) tile.has_matter[i / kLayer] = true;
        find_weights(tile);
        find_steps(tile);
        tile.now.resize(kTileEdge);
        tile.last.resize(kTileEdge);
      },
      1);
}

FrictionSystem::~FrictionSystem() = default;

bool FrictionSystem::has_matter(std::size_t tile) const {
  for (std::size_t i = tile * kTileCells; i < (tile + 1) * kTileCells; ++i)
    if (is_matter(i)) return true;
  return false;
}

void FrictionSystem::find_faces(const FaceWeight& weight, const FaceVelocity* density) {
  kind_.resize(tiles_.cell_count());
  inverse_mass_.resize(tiles_.cell_count());
  threads_.for_each(
      near_.size(),
      [&](std::size_t k) {
        const std::size_t tile = near_[k];
        BlockValues phi;
        TileBlock<1>::fill(tiles_, tile, phi_, phi.data());
        const auto inside = [&](int x, int y, int z) {
          return depth_inside(phi[TileBlock<1>::place(x, y, z)] / cell_);
        };
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const auto [sx, sy, sz] = kAxisStep[axis];
          for (int z = 0; z < 8; ++z)
            for (int y = 0; y < 8; ++y)
              for (int x = 0; x < 8; ++x) {
                const std::size_t face = tile * kTileCells + cell_in_tile(x, y, z);
                const float open = solids_.open[axis][face];
                const float high = inside(x, y, z), low = inside(x - sx, y - sy, z - sz);
                const float matter = open * share_of_matter(0.5F * (low + high));
                float& kind = kind_.u[axis][face];
                if (open <= 0)
                  kind = kClosed;
                else if (high > 1 || low > 1 || (matter > kLeastShare && weight.u[axis][face] > 0))
                  kind = kMatter;
                if (kind != kMatter) continue;
                const float inverse = 1 / std::max(matter, kLeastMass);
                inverse_mass_.u[axis][face] = density ? inverse / density->u[axis][face] : inverse;
              }
        }
      },
      1);
}

/// Edges with a face in the air count nothing; at solids the cells outside of them count for all.
void FrictionSystem::find_weights(Tile& tile) const {
  std::array<BlockValues, 3> kind;
  BlockValues outside;
  for (std::size_t axis = 0; axis < 3; ++axis)
    TileBlock<1>::fill(tiles_, tile.index, kind_.u[axis], kind[axis].data());
  TileBlock<1>::fill(tiles_, tile.index, solids_.distance, outside.data());
  bool is_plain = true;
  for (float& d : outside) {
    d = std::clamp(0.5F + d / cell_, 0.0F, 1.0F);
    is_plain = is_plain && d == 1;
  }
  for (const BlockValues& faces : kind)
    is_plain = is_plain && std::all_of(faces.begin(), faces.end(), [](float k) { return k == kMatter; });
  const auto at = [](const BlockValues& field, const Vec3i& c) {
    return field[TileBlock<1>::place(c.x, c.y, c.z)];
  };
  for (int c = 0; c < static_cast<int>(kTileCells); ++c)
    tile.outside[static_cast<std::size_t>(c)] = at(outside, {c % 8, c / 8 % 8, c / 64});
  tile.touches.fill(0);
  if (is_plain) return;
  tile.weight = std::make_unique<EdgeWeights>();
  // The edge at the lower corner of a cell where faces across a and across b meet.
  const auto weigh = [&](const Vec3i& edge, std::size_t a, std::size_t b, bool& touches) {
    const Vec3i step_a(kAxisStep[a][0], kAxisStep[a][1], kAxisStep[a][2]),
        step_b(kAxisStep[b][0], kAxisStep[b][1], kAxisStep[b][2]);
    const std::array<float, 4> faces{at(kind[a], edge), at(kind[a], edge - step_b), at(kind[b], edge),
                                     at(kind[b], edge - step_a)};
    touches = std::any_of(faces.begin(), faces.end(), [](float f) { return f == kClosed; });
    const bool counts = std::all_of(faces.begin(), faces.end(), [](float f) { return f != kAir; });
    const float sum = (at(outside, edge) + at(outside, edge - step_a)) +
                      (at(outside, edge - step_b) + at(outside, edge - step_a - step_b));
    return counts && sum > 0 ? 1 / (kShareOfSample * sum) : 0.0F;
  };
  // Bit 0, 1, 2: whether the edge across z, y, x at the lower corner of a cell is at a solid.
  std::array<std::uint8_t, 9 * 9 * 9> at_solid{};
  const auto corner = [](int x, int y, int z) { return static_cast<std::size_t>(x + 9 * (y + 9 * z)); };
  for (int z = 0; z < 9; ++z)
    for (int y = 0; y < 9; ++y)
      for (int x = 0; x < 9; ++x) {
        std::array<bool, 3> touches{};
        const float xy = weigh({x, y, z}, 0, 1, touches[0]), xz = weigh({x, y, z}, 0, 2, touches[1]),
                    yz = weigh({x, y, z}, 1, 2, touches[2]);
        const auto level = static_cast<std::size_t>(z);
        for (std::size_t side = 0; side < 2; ++side) {
          const int along = x - static_cast<int>(side);
          if (along < 0 || along > 7) continue;
          if (z < 8) tile.weight->in[level].xy[side].row(y)[along] = xy;
          tile.weight->on[level].xz[side].row(y)[along] = xz;
        }
        if (x < 8) tile.weight->on[level].yz.row(y)[x] = yz;
        at_solid[corner(x, y, z)] =
            static_cast<std::uint8_t>((touches[0] ? 1 : 0) | (touches[1] ? 2 : 0) | (touches[2] ? 4 : 0));
      }
  for (int c = 0; c < static_cast<int>(kTileCells); ++c)
    for (std::size_t k = 0; k < kStressSamples; ++k) {
      const int x = c % 8, y = c / 8 % 8, z = c / 64;
      const auto [i, j, l] = kCorner[k];
      if ((at_solid[corner(x + i, y + j, z)] & 1) != 0 || (at_solid[corner(x + i, y, z + l)] & 2) != 0 ||
          (at_solid[corner(x, y + j, z + l)] & 4) != 0)
        tile.touches[static_cast<std::size_t>(c)] |= 1U << k;
    }
}

/// A step that is short enough for the lightest face that the cell's samples move.
void FrictionSystem::find_steps(Tile& tile) const {
  std::array<BlockValues, 3> inverse;
  for (std::size_t axis = 0; axis < 3; ++axis)
    TileBlock<1>::fill(tiles_, tile.index, inverse_mass_.u[axis], inverse[axis].data());
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x) {
        float most = 0, ratio = 1;
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (int c = -1; c < 2; ++c)
            for (int b = -1; b < 2; ++b)
              for (int a = -1; a < 2; ++a) {
                const int along = axis == 0 ? a : axis == 1 ? b : c;
                if (along < 0) continue;
                most = std::max(most, inverse[axis][TileBlock<1>::place(x + a, y + b, z + c)]);
              }
        const std::size_t i = cell_in_tile(x, y, z);
        if (tile.weight)
          for (const auto& corner : kCorner)
            for (const float weight : edges_of(*tile.weight, x, y, z, corner))
              ratio = std::max(ratio, tile.outside[i] * weight);
        tile.stiffness[i] = kStiffness * ratio * (most > 0 ? most : 1.0F);
        tile.step[i] = 1 / tile.stiffness[i];
      }
}

void FrictionSystem::set_slip_walls(std::vector<SlipFace> faces, std::vector<WallTraction> tractions) {
  slip_walls_.set(std::move(faces), std::move(tractions), inverse_mass_);
  // Stress about slip faces also moves the faces that these go by.
  std::vector<float> stiffer(tiles_.cell_count());
  for (std::size_t g = 0; g < slip_walls_.faces().size(); ++g) {
    const SlipFace& at = slip_walls_.faces()[g];
    for (int z = -1; z < 2; ++z)
      for (int y = -1; y < 2; ++y)
        for (int x = -1; x < 2; ++x)
          if (const std::size_t cell = cell_near(tiles_, at.face, {x, y, z}); cell != kNoCell)
            stiffer[cell] = std::max(stiffer[cell], slip_walls_.stiffening()[g]);
  }
  for (Tile& tile : active_)
    for (std::size_t i = 0; i < kTileCells; ++i)
      if (const float more = stiffer[tile.index * kTileCells + i]; more > 0) {
        tile.stiffness[i] += kStiffness * more;
        tile.step[i] = 1 / tile.stiffness[i];
      }
}

std::vector<std::uint32_t> FrictionSystem::wall_cells() const {
  std::vector<std::uint32_t> cells;
  for (const Tile& tile : active_)
    for (std::size_t i = 0, at = tile.index * kTileCells; i < kTileCells; ++i, ++at)
      if (tile.touches[i] != 0 && phi_[at] < 0) cells.push_back(static_cast<std::uint32_t>(at));
  return cells;
}

}  // namespace repose
