#include "repose/grid/rigid_groups.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace repose {
namespace {

/// Pivots below this share of a group's mass are rounding: it has nothing that could turn that way.
constexpr double kLeastPivot = 1e-9;

/// The cell before one along an axis.
struct CellBefore {
  std::size_t cell;
  bool exists;
  bool is_around;  ///< through the end of a periodic domain
};

class Grid {
 public:
  explicit Grid(const TileSet& tiles) : tiles_(tiles) {}

  static Vec3i within(std::size_t cell) {
    const auto in = static_cast<int>(cell % kTileCells);
    return {in % 8, in / 8 % 8, in / 64};
  }
  Vec3i coordinate(std::size_t cell) const {
    return kTileEdge * tiles_.coordinate(cell / kTileCells) + within(cell);
  }
  CellBefore before(std::size_t cell, std::size_t axis) const {
    Vec3i at = within(cell);
    int& along = at[static_cast<int>(axis)];
    const std::size_t tile = cell / kTileCells;
    if (along > 0) {
      --along;
      return {tile * kTileCells + cell_in_tile(at.x, at.y, at.z), true, false};
    }
    const auto [dx, dy, dz] = kAxisStep[axis];
    const std::uint32_t next = tiles_.neighbor(tile, neighbor_slot(-dx, -dy, -dz));
    if (next == kNoTile) return {0, false, false};
    along = kTileEdge - 1;
    const bool is_around =
        tiles_.coordinate(next)[static_cast<int>(axis)] >= tiles_.coordinate(tile)[static_cast<int>(axis)];
    return {next * kTileCells + cell_in_tile(at.x, at.y, at.z), true, is_around};
  }
  std::size_t tile_count() const { return tiles_.size(); }
  /// In cells, after which the grid repeats.
  Vec3i period() const {
    const TilePeriod tiles = tiles_.period();
    return kTileEdge * Vec3i(tiles[0], tiles[1], tiles[2]);
  }

 private:
  const TileSet& tiles_;
};

/// A step from one piece to another through the end of a periodic domain.
struct Seam {
  std::uint32_t from, to;
  std::size_t axis;
  int side;
};

/// Pieces within the domain, joined to groups around it.
struct Pieces {
  std::vector<std::uint32_t> of_cell;      ///< number of each cell's piece, or kNoPart
  std::vector<std::uint32_t> group;        ///< of each piece
  std::vector<Vec3i> shift;                ///< of each piece, in periods
  std::vector<std::array<bool, 3>> wraps;  ///< by group and axis: it reaches around the domain
};

/// From the first cell of each to numbers from 0 on, in the same order.
std::size_t number_pieces(std::vector<std::uint32_t>& of_cell) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < of_cell.size(); ++i)
    if (of_cell[i] != kNoPart) of_cell[i] = of_cell[i] == i ? count++ : of_cell[of_cell[i]];
  return count;
}

/// The groups and where their pieces stand, from piece to piece along the seams.
void join_pieces(const std::vector<Seam>& seams, std::size_t count, Pieces& pieces) {
  std::vector<std::vector<Seam>> around(count);
  for (const Seam& seam : seams) {
    around[seam.from].push_back(seam);
    around[seam.to].push_back({seam.to, seam.from, seam.axis, -seam.side});
  }
  pieces.group.assign(count, kNoPart);
  pieces.shift.assign(count, Vec3i(0, 0, 0));
  for (std::uint32_t first = 0; first < count; ++first) {
    if (pieces.group[first] != kNoPart) continue;
    const auto group = static_cast<std::uint32_t>(pieces.wraps.size());
    pieces.wraps.emplace_back().fill(false);
    pieces.group[first] = group;
    for (std::vector<std::uint32_t> open{first}; !open.empty();) {
      const std::uint32_t piece = open.back();
      open.pop_back();
      for (const Seam& seam : around[piece]) {
        Vec3i shift = pieces.shift[piece];
        shift[static_cast<int>(seam.axis)] += seam.side;
        if (pieces.group[seam.to] == kNoPart) {
          pieces.group[seam.to] = group;
          pieces.shift[seam.to] = shift;
          open.push_back(seam.to);
        }
        for (int axis = 0; axis < 3; ++axis)
          if (pieces.shift[seam.to][axis] != shift[axis])
            pieces.wraps[group][static_cast<std::size_t>(axis)] = true;
      }
    }
  }
}

Pieces find_pieces(const Grid& grid, const std::vector<std::uint8_t>& is_rigid, Threads& threads) {
  JoinedPlaces places(is_rigid.size());
  threads.for_each(
      is_rigid.size(), [&](std::size_t i) { places.start(i, is_rigid[i] != 0); }, kTileCells);
  // Within tiles first, on all threads; what lies between tiles after that, on one.
  const auto join = [&](std::size_t i, bool across) {
    if (is_rigid[i] == 0) return;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if ((Grid::within(i)[static_cast<int>(axis)] == 0) != across) continue;
      const CellBefore low = grid.before(i, axis);
      if (low.exists && !low.is_around && is_rigid[low.cell] != 0) places.join(i, low.cell);
    }
  };
  threads.for_each(
      is_rigid.size(), [&](std::size_t i) { join(i, false); }, kTileCells);
  for (std::size_t i = 0; i < is_rigid.size(); ++i) join(i, true);

  Pieces pieces;
  pieces.of_cell = places.take_roots();
  const std::size_t count = number_pieces(pieces.of_cell);
  std::vector<Seam> seams;
  for (std::size_t i = 0; i < is_rigid.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (is_rigid[i] == 0 || Grid::within(i)[static_cast<int>(axis)] != 0) continue;
      const CellBefore low = grid.before(i, axis);
      if (!low.exists || !low.is_around || is_rigid[low.cell] == 0) continue;
      const Seam seam{pieces.of_cell[i], pieces.of_cell[low.cell], axis, -1};
      const bool is_known = !seams.empty() && seams.back().from == seam.from && seams.back().to == seam.to &&
                            seams.back().axis == axis;
      if (!is_known) seams.push_back(seam);
    }
  join_pieces(seams, count, pieces);
  return pieces;
}

/// Calls f(group, axis, face, middle of the face [cells]) for the faces with mass of a tile's cells that lie
/// in groups: every face of a group once over all tiles.
class GroupFaces {
 public:
  GroupFaces(const Grid& grid, const Pieces& pieces, const FaceWeight& mass)
      : grid_(grid), pieces_(pieces), mass_(mass) {}

  template <class F>
  void for_each(std::size_t tile, const F& f) const {
    for (std::size_t i = tile * kTileCells; i < (tile + 1) * kTileCells; ++i)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!(mass_.u[axis][i] > 0)) continue;
        std::uint32_t piece = pieces_.of_cell[i];
        Vec3i cell = grid_.coordinate(i);
        if (piece == kNoPart) {
          const CellBefore low = grid_.before(i, axis);
          if (!low.exists || (piece = pieces_.of_cell[low.cell]) == kNoPart) continue;
          cell = grid_.coordinate(low.cell);
          ++cell[static_cast<int>(axis)];
        }
        const Vec3i shift = pieces_.shift[piece], period = grid_.period();
        Vec3d middle = Vec3d(cell) + Vec3d(0.5);
        for (int a = 0; a < 3; ++a) middle[a] += shift[a] * period[a];
        middle[static_cast<int>(axis)] -= 0.5;
        f(pieces_.group[piece], axis, i, middle);
      }
  }

 private:
  const Grid& grid_;
  const Pieces& pieces_;
  const FaceWeight& mass_;
};

/// Sums by group over all tiles, in the order of the tiles whatever the threads: add(sum, axis, face,
/// middle).
template <class Sum, class Add, class Join>
std::vector<Sum> sum_by_group(const GroupFaces& faces, std::size_t tiles, std::size_t groups,
                              Threads& threads, const Add& add, const Join& join) {
  std::vector<std::map<std::uint32_t, Sum>> parts(tiles);
  threads.for_each(
      tiles,
      [&](std::size_t tile) {
        faces.for_each(tile,
                       [&](std::uint32_t group, std::size_t axis, std::size_t face, const Vec3d& middle) {
                         add(parts[tile][group], group, axis, face, middle);
                       });
      },
      1);
  std::vector<Sum> sums(groups);
  for (const auto& part : parts)
    for (const auto& [group, sum] : part) join(sums[group], sum);
  return sums;
}

Vec3d unit_along(std::size_t axis) {
  Vec3d unit(0);
  unit[static_cast<int>(axis)] = 1;
  return unit;
}

void find_motion(const std::array<bool, 3>& wraps, RigidGroup& group) {
  Mat6 a = group.mass;
  Vec6 b = group.momentum;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!wraps[(axis + 1) % 3] && !wraps[(axis + 2) % 3]) continue;
    for (std::size_t i = 0; i < 6; ++i) a[i][3 + axis] = a[3 + axis][i] = 0;
    b[3 + axis] = 0;
  }
  group.motion = solve_semidefinite(a, b, kLeastPivot * std::max({a[0][0], a[1][1], a[2][2]}));
}

}  // namespace

RigidGroups make_rigid(const TileSet& tiles, const std::vector<std::uint8_t>& is_rigid,
                       const FaceWeight& mass, Threads& threads, FaceVelocity& velocity) {
  const Grid grid(tiles);
  const Pieces pieces = find_pieces(grid, is_rigid, threads);
  const GroupFaces faces(grid, pieces, mass);

  RigidGroups out;
  out.groups.resize(pieces.wraps.size());
  out.of_cell = pieces.of_cell;
  for (std::uint32_t& piece : out.of_cell)
    if (piece != kNoPart) piece = pieces.group[piece];

  struct Moment {
    double mass = 0;
    Vec3d first{0, 0, 0};
  };
  const auto moments = sum_by_group<Moment>(
      faces, tiles.size(), out.groups.size(), threads,
      [&](Moment& sum, std::uint32_t, std::size_t axis, std::size_t face, const Vec3d& middle) {
        const double m = mass.u[axis][face];
        sum.mass += m;
        sum.first += m * middle;
      },
      [](Moment& sum, const Moment& part) {
        sum.mass += part.mass;
        sum.first += part.first;
      });
  for (std::size_t g = 0; g < out.groups.size(); ++g)
    if (moments[g].mass > 0) out.groups[g].center = (1 / moments[g].mass) * moments[g].first;

  const auto sums = sum_by_group<RigidGroup>(
      faces, tiles.size(), out.groups.size(), threads,
      [&](RigidGroup& sum, std::uint32_t g, std::size_t axis, std::size_t face, const Vec3d& middle) {
        const Vec6 row = row_of(unit_along(axis), middle - out.groups[g].center);
        const double m = mass.u[axis][face], u = velocity.u[axis][face];
        for (std::size_t i = 0; i < 6; ++i) {
          for (std::size_t j = 0; j < 6; ++j) sum.mass[i][j] += m * row[i] * row[j];
          sum.momentum[i] += m * row[i] * u;
        }
      },
      [](RigidGroup& sum, const RigidGroup& part) {
        for (std::size_t i = 0; i < 6; ++i) {
          for (std::size_t j = 0; j < 6; ++j) sum.mass[i][j] += part.mass[i][j];
          sum.momentum[i] += part.momentum[i];
        }
      });
  for (std::size_t g = 0; g < out.groups.size(); ++g) {
    out.groups[g].mass = sums[g].mass;
    out.groups[g].momentum = sums[g].momentum;
    find_motion(pieces.wraps[g], out.groups[g]);
  }

  threads.for_each(
      tiles.size(),
      [&](std::size_t tile) {
        faces.for_each(tile, [&](std::uint32_t g, std::size_t axis, std::size_t face, const Vec3d& middle) {
          const Vec6 row = row_of(unit_along(axis), middle - out.groups[g].center);
          velocity.u[axis][face] = static_cast<float>(dot(row, out.groups[g].motion));
        });
      },
      1);
  return out;
}

}  // namespace repose
