#include "repose/solvers/flip/askew_walls.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "repose/solvers/flip/solids.h"
#include "repose/solvers/flip/thin_solids.h"

namespace repose {
namespace {

/// Of the sine of the angle to the grid.
constexpr double kAlong = 1e-6;
/// How far before a solid's surface the matter is looked at, in cells: where it stands at a floor along the
/// grid. Further out in steps of as much where there is too little.
constexpr double kBefore = 0.5;
constexpr int kMostTries = 3;
/// How far matter is looked for in any direction if that fails, in cells.
constexpr int kAround = 3;
/// The least mass that a mean is taken of, over that of a full cell.
constexpr float kLeastSum = 0.15F;
/// How far along the solid what presses on a face is spread, and the cells that this may be, in cells.
constexpr double kLoadReach = 2;
constexpr int kLoadCells = 3;
/// Closed faces deeper than this are not met by any strain, in cells.
constexpr double kDeepest = 3;

bool is_axis(const Vec3d& v) {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}) > 1 - 0.5 * kAlong * kAlong;
}

class Finder {
 public:
  Finder(const FlipModel& model, const Bodies& bodies, std::span<const BodyVelocity> motion,
         std::span<const std::uint32_t> part, const FlipScratch& scratch, const FrictionSystem& friction)
      : model_(model),
        bodies_(bodies),
        motion_(motion),
        part_(part),
        scratch_(scratch),
        friction_(friction),
        h_(model.place.cell) {}

  void find_in_tile(std::size_t tile, AskewWalls& walls) const {
    const TileSet& tiles = scratch_.cells.tiles;
    for_each_closed_face(model_.place, tiles, scratch_.solids, tile, [&](const ClosedFace& at) {
      if (scratch_.askew[at.owner] == 0 ||
          !is_closed_to_sand(scratch_.solids, scratch_.askew, at.axis, at.face))
        return;
      if (std::optional<SlipFace> face = slip_face(at)) walls.faces.push_back(std::move(*face));
    });
    // Cells beyond know no strain.
    const auto far = static_cast<float>(kDeepest * h_);
    for (std::size_t cell = tile * kTileCells; cell < (tile + 1) * kTileCells; ++cell)
      if (scratch_.phi[cell] < 0 && std::abs(scratch_.solids.distance[cell]) < far)
        if (std::optional<WallTraction> at = traction(cell)) walls.tractions.push_back(std::move(*at));
  }

  /// What presses on a slip face is the load of the tractions near it, by their area.
  void share_out(const std::vector<WallTraction>& tractions, const std::vector<std::uint32_t>& index,
                 SlipFace& face) const {
    const SurfacePoint s = bodies_.nearest(face.owner, face.center);
    const Vec3d surface = face.center - s.distance * s.normal;
    float sum = 0;
    for (int z = -kLoadCells; z <= kLoadCells; ++z)
      for (int y = -kLoadCells; y <= kLoadCells; ++y)
        for (int x = -kLoadCells; x <= kLoadCells; ++x) {
          const std::size_t cell = cell_near(scratch_.cells.tiles, face.face, {x, y, z});
          if (cell == kNoCell || index[cell] == kNoTile) continue;
          const WallTraction& at = tractions[index[cell]];
          const double near = 1 - (at.point - surface).length2() / (kLoadReach * kLoadReach * h_ * h_);
          if (at.owner != face.owner || near <= 0) continue;
          const auto share = static_cast<float>(near * near) * at.area;
          face.bears.push_back({index[cell], share});
          sum += share;
        }
    for (TractionShare& one : face.bears) one.share /= sum;
  }

 private:
  Vec3d center_of(std::size_t cell) const {
    const auto in = static_cast<int>(cell % kTileCells);
    return tile_corner(model_.place, scratch_.cells.tiles.coordinate(cell / kTileCells)) +
           h_ * (Vec3d(Vec3i(in % 8, in / 8 % 8, in / 64)) + Vec3d(0.5));
  }

  /// Adds the mean of the matter's faces across an axis around a point that is `way` from the middle of a
  /// cell, times a factor, unless there is too little matter.
  bool add_mean(std::size_t axis, std::size_t cell, const Vec3d& way, float factor,
                std::vector<FaceTerm>& terms) const {
    Vec3d at = way / h_;
    at[static_cast<int>(axis)] += 0.5;  // faces stand before their cells
    const Vec3i low(static_cast<int>(std::floor(at.x)), static_cast<int>(std::floor(at.y)),
                    static_cast<int>(std::floor(at.z)));
    const Vec3d share = at - Vec3d(low);
    std::array<FaceTerm, 8> found;
    std::size_t count = 0;
    float sum = 0;
    for (int n = 0; n < 8; ++n) {
      const Vec3i upper(n & 1, n >> 1 & 1, n >> 2);
      const std::size_t face = cell_near(scratch_.cells.tiles, cell, low + upper);
      if (face == kNoCell) continue;
      double weight = friction_.mass(axis, face);
      for (int i = 0; i < 3; ++i) weight *= upper[i] == 1 ? share[i] : 1 - share[i];
      if (!(weight > 0)) continue;
      found[count++] = {static_cast<std::uint32_t>(axis), static_cast<std::uint32_t>(face),
                        static_cast<float>(weight)};
      sum += static_cast<float>(weight);
    }
    if (sum < kLeastSum) return false;
    for (std::size_t k = 0; k < count; ++k) {
      found[k].weight *= factor / sum;
      terms.push_back(found[k]);
    }
    return true;
  }

  /// Terms of the sum over axes of factor times U, in front of a surface; none where there is no matter.
  bool add_mean(const Vec3f& factor, std::size_t cell, const Vec3d& surface, const Vec3d& normal,
                std::vector<FaceTerm>& terms) const {
    const Vec3d middle = center_of(cell);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float f = factor[static_cast<int>(axis)];
      if (f == 0) continue;
      bool found = false;
      for (int k = 1; k <= kMostTries && !found; ++k)
        found = add_mean(axis, cell, surface + k * kBefore * h_ * normal - middle, f, terms);
      if (!found && !add_mean_around(axis, cell, surface - middle, f, terms)) return false;
    }
    return true;
  }

  /// At the rim of the matter there may be none right before the solid: the mean of what is near.
  bool add_mean_around(std::size_t axis, std::size_t cell, const Vec3d& way, float factor,
                       std::vector<FaceTerm>& terms) const {
    Vec3d at = way / h_;
    at[static_cast<int>(axis)] += 0.5;
    const std::size_t first = terms.size();
    double sum = 0;
    for (int z = -kAround; z <= kAround; ++z)
      for (int y = -kAround; y <= kAround; ++y)
        for (int x = -kAround; x <= kAround; ++x) {
          const std::size_t face = cell_near(scratch_.cells.tiles, cell, {x, y, z});
          if (face == kNoCell) continue;
          const double mass = friction_.mass(axis, face), d2 = (Vec3d(x, y, z) - at).length2();
          if (!(mass > 0) || d2 > kAround * kAround) continue;
          const double near = 1 - d2 / (kAround * kAround), weight = mass * near * near * near * near;
          terms.push_back({static_cast<std::uint32_t>(axis), static_cast<std::uint32_t>(face),
                           static_cast<float>(weight)});
          sum += weight;
        }
    if (!(sum > 1e-6)) {
      terms.resize(first);
      return false;
    }
    for (std::size_t k = first; k < terms.size(); ++k) terms[k].weight *= factor / static_cast<float>(sum);
    return true;
  }

  std::optional<SlipFace> slip_face(const ClosedFace& at) const {
    const SurfacePoint s = bodies_.nearest(at.owner, at.center);
    if (std::abs(s.distance) > kDeepest * h_) return std::nullopt;
    const int axis = static_cast<int>(at.axis);
    SlipFace face;
    face.axis = static_cast<std::uint32_t>(at.axis);
    face.face = static_cast<std::uint32_t>(at.face);
    face.owner = at.owner;
    face.part = part_[at.owner];
    face.center = at.center;
    const auto slips = [&](const Vec3d& surface, const Vec3d& n) {
      face.terms.clear();
      face.across = to_float(n[axis] * n);
      face.normal = static_cast<float>(n[axis]);
      Vec3f along = -face.across;
      along[axis] += 1;
      return add_mean(along, at.face, surface, n, face.terms);
    };
    Vec3d n = s.normal;
    if (!slips(at.center - s.distance * n, n)) {
      // The matter may lie on the other side of a thin body.
      if (!may_be_thin(bodies_[at.owner], h_)) return std::nullopt;
      n = -n;
      if (!slips(at.center, n)) return std::nullopt;
    }
    const BodyVelocity& motion = motion_[at.owner];
    face.solid = static_cast<float>(n[axis] * n.dot(motion.at(at.center)));
    face.row = row_of(n[axis] * n, at.center - motion.center);
    return face;
  }

  /// Of the area in the cell that askew solids close, the part across n, over h^2.
  double closed_across(std::size_t cell, const Vec3d& n) const {
    double sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto [sx, sy, sz] = kAxisStep[axis];
      for (int side = 0; side < 2; ++side) {
        const std::size_t face = cell_near(scratch_.cells.tiles, cell, side * Vec3i(sx, sy, sz));
        if (face == kNoCell) continue;
        const std::uint16_t owner = scratch_.solids.owner[axis][face];
        if (owner == kNoSolid || scratch_.askew[owner] == 0) continue;
        sum += (side == 0 ? 1 : -1) * n[static_cast<int>(axis)] *
               static_cast<double>(1 - scratch_.solids.open[axis][face]);
      }
    }
    return sum;
  }

  std::optional<WallTraction> traction(std::size_t cell) const {
    const Vec3d middle = center_of(cell);
    double nearest = kDeepest * h_;
    std::optional<std::size_t> body;
    SurfacePoint s;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      if (scratch_.askew[b] == 0 || bodies_.distance_bound(b, middle) >= nearest) continue;
      const SurfacePoint at = bodies_.nearest(b, middle);
      if (at.distance < nearest) nearest = at.distance, body = b, s = at;
    }
    if (!body) return std::nullopt;
    const double area = closed_across(cell, s.normal);
    if (!(area > 0)) return std::nullopt;
    WallTraction at;
    at.cell = static_cast<std::uint32_t>(cell);
    at.owner = static_cast<std::uint16_t>(*body);
    at.part = part_[*body];
    at.normal = to_float(s.normal);
    at.area = static_cast<float>(area);
    at.distance = static_cast<float>(s.distance);
    at.point = middle - s.distance * s.normal;
    if (!add_mean(Vec3f(1), cell, at.point, s.normal, at.terms)) return std::nullopt;
    Vec3d velocity = motion_[*body].at(at.point);
    if (has_belt(bodies_[*body])) velocity += bodies_.belt_velocity(*body, s.normal);
    at.velocity = to_float(velocity);
    at.arm = at.point - motion_[*body].center;
    return at;
  }

  const FlipModel& model_;
  const Bodies& bodies_;
  std::span<const BodyVelocity> motion_;
  std::span<const std::uint32_t> part_;
  const FlipScratch& scratch_;
  const FrictionSystem& friction_;
  double h_;
};

}  // namespace

bool lies_along_grid(const Body& body) {
  const Quatd& q = body.pose.rotation;
  const Vec3d x = rotate(q, Vec3d(1, 0, 0)), z = rotate(q, Vec3d(0, 0, 1));
  if (body.shape.kind == ShapeKind::plane) return is_axis(z);
  return body.shape.kind == ShapeKind::box && is_axis(x) && is_axis(z);
}

std::vector<std::uint8_t> find_askew(const Bodies& bodies) {
  std::vector<std::uint8_t> askew;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    askew.push_back(bodies[b].present && !bodies[b].is_free && !lies_along_grid(bodies[b]) ? 1 : 0);
  if (std::find(askew.begin(), askew.end(), 1) == askew.end()) askew.clear();
  return askew;
}

SolidCells closed_to_sand(const SolidCells& solids, std::span<const std::uint8_t> askew, Threads& threads) {
  SolidCells closed = solids;
  for (std::size_t axis = 0; axis < 3; ++axis)
    threads.for_each(
        closed.open[axis].size(),
        [&](std::size_t i) {
          if (is_closed_to_sand(solids, askew, axis, i)) closed.open[axis][i] = 0;
        },
        kTileCells);
  return closed;
}

AskewWalls find_askew_walls(const FlipModel& model, const Bodies& bodies,
                            std::span<const BodyVelocity> motion, std::span<const std::uint32_t> part,
                            const FlipScratch& scratch, const FrictionSystem& friction, Threads& threads) {
  const Finder finder(model, bodies, motion, part, scratch, friction);
  AskewWalls walls;
  if (scratch.askew.empty()) return walls;
  std::vector<AskewWalls> by_tile(scratch.cells.tiles.size());
  threads.for_each(
      by_tile.size(), [&](std::size_t tile) { finder.find_in_tile(tile, by_tile[tile]); }, 1);
  std::vector<std::uint32_t> index(scratch.cells.tiles.cell_count(), kNoTile);
  for (AskewWalls& tile : by_tile) {
    std::move(tile.faces.begin(), tile.faces.end(), std::back_inserter(walls.faces));
    std::move(tile.tractions.begin(), tile.tractions.end(), std::back_inserter(walls.tractions));
  }
  for (std::size_t k = 0; k < walls.tractions.size(); ++k)
    index[walls.tractions[k].cell] = static_cast<std::uint32_t>(k);
  threads.for_each(
      walls.faces.size(), [&](std::size_t g) { finder.share_out(walls.tractions, index, walls.faces[g]); },
      64);
  return walls;
}

}  // namespace repose
