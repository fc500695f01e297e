#include "repose/solvers/flip/spread_surface.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "repose/grid/padded_tile.h"
#include "repose/grid/tile_block.h"

namespace repose {
namespace {

// In cells, of which a spacing is half.
/// How deep cells are whose particles are spread: anywhere, and by solids, where depths are known less well.
constexpr float kDepth = 1, kDepthBySolids = 0.5F;
constexpr float kReach = 0.75F;      ///< how near particles make room for each other
constexpr float kTopLayer = 0.5F;    ///< whose particles are drawn to its middle
constexpr float kClearance = 0.25F;  ///< how near to solids they go: nobody stands in those to push back
constexpr float kMostWay = 0.05F;    ///< in a step
/// Way over that against the neighbours: of two that stand in one place, and what of it a particle is drawn
/// by that is one cell too high.
constexpr float kRoom = 2, kDraw = 1;

/// The particles of some cells of a tile and of the layer around it, row by row along x. After each row there
/// are lanes of nobody: who reads a row in whole lanes sees none of the next.
class Crowd {
 public:
  using Block = TileBlock<1>;
  using Wanted = std::array<bool, Block::kCells>;

  void fill(const FlipModel& model, const ParticleCells& cells, const FlipState& state, std::size_t tile,
            const Wanted& is_wanted) {
    for (std::vector<float>* values : {&x_, &y_, &z_, &u_, &v_, &w_}) values->clear();
    for (int z = -1; z <= kTileEdge; ++z)
      for (int y = -1; y <= kTileEdge; ++y) {
        for (int x = -1; x <= kTileEdge; ++x) {
          first_[Block::place(x, y, z)] = x_.size();
          if (is_wanted[Block::place(x, y, z)]) add_cell(model, cells, state, tile, Vec3i(x, y, z));
        }
        row_end_[row(y, z)] = x_.size();
        for (std::size_t l = 0; l < kLanes; ++l) add(Vec3f(kFar), Vec3f(0));
      }
  }

  /// Where a particle of a cell of the tile is, in cells from the tile's corner.
  Vec3f at(const Vec3i& cell, std::size_t k) const {
    const std::size_t i = first(cell) + k;
    return {x_[i], y_[i], z_[i]};
  }

  /// Where the others push it, and the largest speed of one of them against it [m/s].
  struct Push {
    Vec3f way{0, 0, 0};
    float speed = 0;
  };
  Push push(const Vec3i& cell, std::size_t k) const {
    const std::size_t i = first(cell) + k;
    const auto low = [](float p) { return static_cast<int>(std::floor(p - kReach)); };
    const auto high = [](float p) { return static_cast<int>(std::floor(p + kReach)); };
    Sums sums;
    for (int z = low(z_[i]); z <= high(z_[i]); ++z)
      for (int y = low(y_[i]); y <= high(y_[i]); ++y) {
        const std::size_t begin = first(Vec3i(cell.x - 1, y, z)),
                          end = cell.x + 2 <= kTileEdge ? first(Vec3i(cell.x + 2, y, z)) : row_end(y, z);
        for (std::size_t from = begin; from < end; from += kLanes) add_pushes(i, from, sums);
      }
    Push push;
    for (std::size_t l = 0; l < kLanes; ++l) {
      push.way += Vec3f(sums.x[l], sums.y[l], sums.z[l]);
      push.speed = std::max(push.speed, sums.most[l]);
    }
    push.speed = std::sqrt(push.speed);
    return push;
  }

 private:
  static constexpr std::size_t kLanes = 8;
  static constexpr float kFar = 1e3F, kTiny = 1e-12F;
  struct Sums {
    std::array<float, kLanes> x{}, y{}, z{}, most{};
  };

  static std::size_t row(int y, int z) { return Block::place(-1, y, z) / Block::kEdge; }
  std::size_t row_end(int y, int z) const { return row_end_[row(y, z)]; }
  std::size_t first(const Vec3i& cell) const { return first_[Block::place(cell.x, cell.y, cell.z)]; }

  void add(const Vec3f& at, const Vec3f& velocity) {
    x_.push_back(at.x), y_.push_back(at.y), z_.push_back(at.z);
    u_.push_back(velocity.x), v_.push_back(velocity.y), w_.push_back(velocity.z);
  }
  void add_cell(const FlipModel& model, const ParticleCells& cells, const FlipState& state, std::size_t tile,
                const Vec3i& cell) {
    for_each_run(cells, tile, cell, cell, [&](std::uint32_t begin, std::uint32_t end, const Vec3i& offset) {
      // Its own corner: in a periodic domain it may lie at the other end.
      const std::uint32_t from = cells.tiles.neighbor(tile, neighbor_slot(offset.x, offset.y, offset.z));
      const Vec3d corner = tile_corner(model.place, cells.tiles.coordinate(from));
      const Vec3f shift = 8.0F * Vec3f(offset);
      for (std::uint32_t p = begin; p < end; ++p)
        add(in_tile(model.place, corner, state.position[p]) + shift, state.velocity[p]);
    });
  }
  /// What the lanes from `from` on do to particle i; itself nothing.
  void add_pushes(std::size_t i, std::size_t from, Sums& sums) const {
    const float *xs = &x_[from], *ys = &y_[from], *zs = &z_[from], *us = &u_[from], *vs = &v_[from],
                *ws = &w_[from];
    const float x = x_[i], y = y_[i], z = z_[i], u = u_[i], v = v_[i], w = w_[i];
    for (std::size_t l = 0; l < kLanes; ++l) {
      const float dx = x - xs[l], dy = y - ys[l], dz = z - zs[l];
      const float inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + kTiny);
      const bool is_near = inverse > 1 / kReach;
      const float push = is_near ? inverse - 1 / kReach : 0.0F;  // times the way: 1 - r / kReach
      sums.x[l] += push * dx, sums.y[l] += push * dy, sums.z[l] += push * dz;
      const float du = u - us[l], dv = v - vs[l], dw = w - ws[l];
      const float square = is_near ? du * du + dv * dv + dw * dw : 0.0F;
      sums.most[l] = square > sums.most[l] ? square : sums.most[l];
    }
  }

  std::array<std::size_t, Block::kCells> first_;
  std::array<std::size_t, Block::kCells / Block::kEdge> row_end_;
  std::vector<float> x_, y_, z_;  ///< in cells from the tile's corner
  std::vector<float> u_, v_, w_;  ///< [m/s]
};

/// The surface as a cell sees it: a plane.
struct Surface {
  float depth;   ///< of the cell's middle [cells]
  Vec3f normal;  ///< outwards; zero where there is none

  Surface(PaddedTile<float>& phi, const Vec3i& c, float h) : depth(-phi.row(c.y, c.z)[c.x] / h), normal(0) {
    const float* row = phi.row(c.y, c.z) + c.x;
    const Vec3f rise(row[1] - row[-1], phi.row(c.y + 1, c.z)[c.x] - phi.row(c.y - 1, c.z)[c.x],
                     phi.row(c.y, c.z + 1)[c.x] - phi.row(c.y, c.z - 1)[c.x]);
    slope = rise * (0.5F / h);
    if (const float length = rise.length(); length > 0) normal = rise / length;
  }
  /// `way`: from the cell's middle [cells].
  float depth_at(const Vec3f& way) const { return depth - slope.dot(way); }

 private:
  Vec3f slope;
};

/// What spread_surface() does in one tile.
class TileSpread {
 public:
  TileSpread(const FlipModel& model, double dt, const FlipScratch& scratch, const FlipState& state)
      : model_(model),
        scratch_(scratch),
        state_(state),
        h_(static_cast<float>(model.place.cell)),
        rate_(static_cast<float>(dt / model.place.cell)) {}

  void run(std::size_t tile, std::vector<Vec3f>& spread) {
    const ParticleCells& cells = scratch_.cells;
    if (!choose_cells(tile)) return;
    crowd_.fill(model_, cells, state_, tile, is_wanted_);
    phi_.fill(
        cells.tiles, tile, [&](std::size_t i) { return scratch_.phi[i]; },
        static_cast<float>(model_.support));
    for (const int c : chosen_) {
      const std::size_t i = tile * kTileCells + static_cast<std::size_t>(c);
      const Vec3i cell(c % 8, c / 8 % 8, c / 64);
      const Surface surface(phi_, cell, h_);
      for (std::uint32_t p = cells.cell_first[i]; p < cells.cell_first[i + 1]; ++p)
        spread[p] = h_ * way(cell, p - cells.cell_first[i], surface, i);
    }
  }

 private:
  /// Cells near the surface with particles in them, and those around; whether there are any.
  bool choose_cells(std::size_t tile) {
    chosen_.clear();
    is_wanted_.fill(false);
    for (int c = 0; c < static_cast<int>(kTileCells); ++c) {
      const std::size_t i = tile * kTileCells + static_cast<std::size_t>(c);
      const bool is_by_solid = scratch_.solids.shift[i] != Vec3f(0);
      if (scratch_.cells.cell_first[i] == scratch_.cells.cell_first[i + 1] ||
          scratch_.phi[i] < -(is_by_solid ? kDepthBySolids : kDepth) * h_)
        continue;
      chosen_.push_back(c);
      const int x = c % 8, y = c / 8 % 8, z = c / 64;
      for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy)
          std::fill_n(&is_wanted_[Crowd::Block::place(x - 1, y + dy, z + dz)], 3, true);
    }
    return !chosen_.empty();
  }

  /// Of particle k of a cell [cells].
  Vec3f way(const Vec3i& cell, std::size_t k, const Surface& surface, std::size_t i) const {
    const Vec3f from_middle = crowd_.at(cell, k) - Vec3f(cell) - Vec3f(0.5F);
    const Crowd::Push push = crowd_.push(cell, k);
    Vec3f way = kRoom * (push.way - surface.normal * surface.normal.dot(push.way));
    const float depth = surface.depth_at(from_middle);
    if (std::abs(depth) < kTopLayer) way += kDraw * (depth - kTopLayer / 2) * surface.normal;
    way *= rate_ * push.speed;
    way *= kMostWay / std::max(way.length(), kMostWay);
    const Vec3f shift = scratch_.solids.shift[i];
    if (!(shift.dot(shift) > 0)) return way;
    const Vec3f away = shift / shift.length();
    const float room = scratch_.solids.distance[i] / h_ + away.dot(from_middle) - kClearance;
    return way + std::max(0.0F, -away.dot(way) - std::max(0.0F, room)) * away;
  }

  const FlipModel& model_;
  const FlipScratch& scratch_;
  const FlipState& state_;
  float h_, rate_;
  std::vector<int> chosen_;
  Crowd::Wanted is_wanted_;
  Crowd crowd_;
  PaddedTile<float> phi_;
};

}  // namespace

std::vector<Vec3f> spread_surface(const FlipModel& model, double dt, Threads& threads,
                                  const FlipScratch& scratch, const FlipState& state) {
  const std::vector<std::uint32_t>& occupied = scratch.cells.occupied;
  std::vector<Vec3f> spread(state.size(), Vec3f(0));
  threads.for_each(
      occupied.size(), [&](std::size_t k) { TileSpread(model, dt, scratch, state).run(occupied[k], spread); },
      1);
  return spread;
}

}  // namespace repose
