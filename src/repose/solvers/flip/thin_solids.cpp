#include "repose/solvers/flip/thin_solids.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose {
namespace {

/// The width of a cell along its longest diagonal, in edges: plates of this thickness keep any two sides
/// apart by the corners of faces alone.
constexpr double kWidest = 1.7320508075688772;
/// Up to this thickness, in cells, the corners of faces do not tell sides apart where a body ends at a wall
/// that stands within a cell: no corner lies deeper in the body than the wall in its cell.
constexpr double kSheet = 3;
/// How near to a surface a way counts as at it, in cells.
constexpr double kTouch = 1e-3;
/// Of roundings, in cells.
constexpr double kRounding = 1e-6;
/// How far from other solids the points of cells stand that these cover, in cells.
constexpr double kMargin = 0.01;
constexpr int kMostMoves = 4;  ///< of such a point, by half a cell
/// Surfaces look away from each other if the product of their normals is below this: those at an edge of a
/// box do not.
constexpr double kApart = -0.25;
/// Inside a sheet a cell is of one side only if it clearly is.
constexpr double kAlike = 0.5;
/// Steps of a way along distances: more are taken only where it grazes a surface.
constexpr int kMostSteps = 64;

std::size_t slot(int x, int y, int z) {
  return static_cast<std::size_t>((x + 1) + 9 * ((y + 1) + 9 * (z + 1)));
}

/// Whether a body may be thinner than this somewhere [m].
bool may_be_thinner(const Body& body, double widest) {
  const Shape& shape = body.shape;
  if (shape.kind == ShapeKind::mesh || shape.kind == ShapeKind::heightfield || shape.kind == ShapeKind::lathe)
    return true;
  if (shape.thickness > 0) return shape.thickness < widest;
  return !shape.invert && body.thinness < widest;
}

}  // namespace

bool may_be_thin(const Body& body, double cell) { return may_be_thinner(body, (kWidest + kRounding) * cell); }

bool may_be_sheet(const Body& body, double cell) { return may_be_thinner(body, (kSheet + kRounding) * cell); }

ThinSolid::ThinSolid(const Bodies& bodies, std::uint16_t body, double growth,
                     std::span<const std::uint16_t> near, const GridPlace& place, const Vec3i& tile)
    : bodies_(bodies), body_(body), growth_(growth), h_(place.cell), corner_(tile_corner(place, tile)) {
  // By the cell's place in the whole grid, so that two tiles agree on a cell to the last bit.
  for (int z = -1; z < 8; ++z)
    for (int y = -1; y < 8; ++y)
      for (int x = -1; x < 8; ++x) {
        const Vec3d cell = Vec3d(kTileEdge * tile + Vec3i(x, y, z)) + Vec3d(0.5);
        cells_[slot(x, y, z)] = look_at(place.origin + h_ * cell, near);
      }
}

SurfacePoint ThinSolid::nearest(const Vec3d& point) const {
  SurfacePoint s = bodies_.nearest(body_, point);
  s.distance -= growth_;
  return s;
}

ThinSolid::Cell ThinSolid::look_at(const Vec3d& middle, std::span<const std::uint16_t> near) const {
  const SurfacePoint s = nearest(middle);
  Cell cell{middle, s.distance, s.normal};
  if (cell.distance > 2 * kWidest * h_) return cell;
  // Where another solid covers the middle, what is left of the cell lies beside that one.
  for (int round = 0; round < 2; ++round)
    for (const std::uint16_t other : near) {
      if (other == body_) continue;
      const SurfacePoint o = bodies_.nearest(other, cell.point);
      if (o.distance < kMargin * h_ && o.distance > -kWidest * h_)
        cell.point += (kMargin * h_ - o.distance) * o.normal;
    }
  const auto measure = [&] {
    const SurfacePoint at = nearest(cell.point);
    cell.distance = at.distance;
    cell.normal = at.normal;
  };
  if (cell.point != middle) measure();
  // The end of a plate at a wall is no side of it: further inside, one of the sides is nearest.
  for (int k = 0; k < kMostMoves && cell.distance <= 0; ++k) {
    const Vec3d surface = cell.point - cell.distance * cell.normal;
    const auto covers = std::find_if(near.begin(), near.end(), [&](std::uint16_t other) {
      return other != body_ && bodies_.nearest(other, surface).distance < kMargin * h_;
    });
    if (covers == near.end()) break;
    cell.point += 0.5 * h_ * bodies_.nearest(*covers, surface).normal;
    measure();
  }
  if (cell.distance > 0) return cell;
  const Vec3d& n = cell.normal;
  const double thickness = thickness_at(cell);
  cell.is_in_sheet = thickness < (kSheet + kRounding) * h_;
  cell.is_cut = thickness < (std::abs(n.x) + std::abs(n.y) + std::abs(n.z) + kRounding) * h_;
  return cell;
}

/// From the nearest surface straight on through the cell until the way leads out again [m]; infinite if that
/// is more than a sheet.
double ThinSolid::thickness_at(const Cell& cell) const {
  double way = -cell.distance;
  for (int k = 0; k < kMostSteps && way < (kSheet + kRounding) * h_; ++k) {
    const double distance = nearest(cell.point - (way + cell.distance) * cell.normal).distance;
    if (k > 0 && distance > -kRounding * h_) return way;
    way += std::max(-distance, kTouch * h_);
  }
  return std::numeric_limits<double>::infinity();
}

/// The normal of the surface that is met first on the way from a cell outside the body to another; none if
/// none is met.
std::optional<Vec3d> ThinSolid::first_surface(const Cell& from, const Cell& to) const {
  const Vec3d way = to.point - from.point;
  const double length = way.length();
  double gone = from.distance;
  Vec3d normal = from.normal;
  for (int k = 0; k < kMostSteps; ++k) {
    if (gone > length) return std::nullopt;
    const SurfacePoint s = nearest(from.point + (gone / length) * way);
    normal = s.normal;
    if (s.distance <= kTouch * h_) return normal;
    gone += s.distance;
  }
  return normal;
}

void ThinSolid::take_side(std::size_t axis, int x, int y, int z, std::array<double, 4>& corners) const {
  const auto [sx, sy, sz] = kAxisStep[axis];
  const auto [ux, uy, uz] = kAxisStep[(axis + 1) % 3];
  const auto [vx, vy, vz] = kAxisStep[(axis + 2) % 3];
  const std::array<Vec3i, 4> nodes{Vec3i(x, y, z), Vec3i(x + ux, y + uy, z + uz),
                                   Vec3i(x + ux + vx, y + uy + vy, z + uz + vz),
                                   Vec3i(x + vx, y + vy, z + vz)};
  bool is_first = true;
  for (const Cell* cell : {&cells_[slot(x - sx, y - sy, z - sz)], &cells_[slot(x, y, z)]}) {
    if (!cell->is_cut) continue;
    for (std::size_t k = 0; k < 4; ++k) {
      const Vec3d node = corner_ + h_ * Vec3d(nodes[k]);
      const double distance =
          cell->distance + growth_ + cell->normal.dot(node - cell->point) - kRounding * h_;
      corners[k] = is_first ? distance : std::min(corners[k], distance);
    }
    is_first = false;
  }
}

bool ThinSolid::parts(std::size_t axis, int x, int y, int z) const {
  const auto [sx, sy, sz] = kAxisStep[axis];
  const Cell &a = cells_[slot(x - sx, y - sy, z - sz)], &b = cells_[slot(x, y, z)];
  const bool a_inside = a.distance <= 0, b_inside = b.distance <= 0;
  if (a_inside && b_inside) return (a.is_in_sheet || b.is_in_sheet) && a.normal.dot(b.normal) < kAlike;
  if (a_inside || b_inside) {
    const Cell &in = a_inside ? a : b, &out = a_inside ? b : a;
    if (!in.is_in_sheet) return false;
    const std::optional<Vec3d> entry = first_surface(out, in);
    return !entry || entry->dot(in.normal) < kAlike;
  }
  if (a.distance + b.distance > (b.point - a.point).length()) return false;
  const std::optional<Vec3d> entry = first_surface(a, b);
  if (!entry) return false;
  const std::optional<Vec3d> exit = first_surface(b, a);
  return exit && entry->dot(*exit) < kApart;
}

std::optional<Vec3d> first_entry(const Shape& shape, const Vec3d& from, const Vec3d& to, double tolerance) {
  const Vec3d way = to - from;
  const double length = way.length();
  double gone = 0;
  Vec3d at = from;
  for (int k = 0; k < kMostSteps; ++k) {
    const SurfacePoint s = distance_in_own_frame(shape, at);
    if (s.distance <= tolerance && s.normal.dot(way) <= 0) return at;
    gone += std::max(s.distance, tolerance);
    if (gone > length) return std::nullopt;
    at = from + (gone / length) * way;
  }
  return at;  // it grazes the surface all along
}

}  // namespace repose
