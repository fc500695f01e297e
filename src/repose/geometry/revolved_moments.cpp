#include "repose/geometry/revolved_moments.h"

#include <algorithm>
#include <cmath>

#include "repose/geometry/profile.h"
#include "repose/math/quadrature.h"

namespace repose {
namespace {

/// A square of the half-plane (r, z).
struct Cell {
  double r, z, half;  ///< middle, and half the edge [m]
};

/// Unsigned distance to the surface that a shell lies around.
double distance_to_surface(const Shape& plain, double r, double z) {
  if (plain.kind == ShapeKind::lathe) return open_profile_distance(plain.profile, r, z).distance;
  return std::abs(distance_in_own_frame(plain, {r, 0, z}).distance);
}

/// Adds the part of a cell that is within t of the surface. Cells that the distance shows to be all in or all
/// out are done; the others are cut in four, and in the smallest the surface counts as straight.
void add_shell(RevolvedMoments& sum, const Shape& plain, double t, const Cell& cell, int depth) {
  const double d = distance_to_surface(plain, cell.r, cell.z);
  const double edge = 2 * cell.half, reach = std::sqrt(2.0) * cell.half;
  if (d > t + reach) return;
  if (depth > 0 && d > t - reach) {
    const double h = 0.5 * cell.half;
    for (const double z : {cell.z - h, cell.z + h})
      for (const double r : {cell.r - h, cell.r + h}) add_shell(sum, plain, t, {r, z, h}, depth - 1);
    return;
  }
  const double share =
      d < t - reach ? 1.0 : (std::min(d + cell.half, t) - std::max(d - cell.half, -t)) / edge;
  sum.add_square(cell.r, cell.z, cell.half, std::clamp(share, 0.0, 1.0));
}

}  // namespace

/// `piece(t)` gives the point at t in [0, 1] and its derivative; Gauss' rule of 16 nodes is exact for lines
/// and good to rounding for arcs of a quarter turn. Green: the integral of r^a z^b over a region is that of
/// r^(a+1) z^b / (a + 1) dz along its outline.
template <class Piece>
void RevolvedMoments::integrate(const Piece& piece) {
  const auto rule = gauss_legendre<16>();
  for (const auto& [t, weight] : rule) {
    const auto [p, derivative] = piece(t);
    const double half_rr = 0.5 * p.x * p.x * derivative.y * weight;
    r_ += half_rr;
    rz_ += half_rr * p.y;
    rzz_ += half_rr * p.y * p.y;
    rrr_ += 0.5 * half_rr * p.x * p.x;
  }
}

void RevolvedMoments::add_line(const Vec2d& from, const Vec2d& to) {
  integrate([&](double t) { return std::pair<Vec2d, Vec2d>(from + t * (to - from), to - from); });
}

void RevolvedMoments::add_arc(const Vec2d& center, double radius, double from, double to) {
  const int parts = std::max(1, static_cast<int>(std::ceil(std::abs(to - from) / (0.5 * kPi) - 1e-9)));
  const double span = (to - from) / parts;
  for (int k = 0; k < parts; ++k)
    integrate([&](double t) {
      const double angle = from + (k + t) * span, c = std::cos(angle), s = std::sin(angle);
      return std::pair<Vec2d, Vec2d>(center + radius * Vec2d(c, s), radius * span * Vec2d(-s, c));
    });
}

void RevolvedMoments::add_polyline(std::span<const Vec2d> points) {
  for (std::size_t i = 0; i + 1 < points.size(); ++i) add_line(points[i], points[i + 1]);
}

void RevolvedMoments::add_square(double r, double z, double half_edge, double share) {
  const double edge = 2 * half_edge, area = share * edge * edge, hh = half_edge * half_edge;
  r_ += r * area;
  rz_ += r * z * area;
  rzz_ += r * (z * z + hh / 3) * area;
  rrr_ += r * (r * r + hh) * area;
}

VolumeMoments RevolvedMoments::moments() const {
  // x^2 is r^2 cos^2, which is half of r^2 on the mean over a turn.
  return {2 * kPi * r_, {0, 0, 2 * kPi * rz_}, {kPi * rrr_, kPi * rrr_, 2 * kPi * rzz_}, {0, 0, 0}};
}

VolumeMoments revolved_shell_moments(const Shape& shape, double reach) {
  Shape plain = shape;
  plain.pose = Pose{};
  plain.scale = 1;
  plain.thickness = 0;
  plain.invert = false;
  const Box3d box = bounds(plain);
  const double height = box.max.z - box.min.z + 2 * reach, width = box.max.x + reach;
  const double half = 0.5 * std::max(height, width);
  RevolvedMoments sum;
  add_shell(sum, plain, reach, {half, box.center().z, half}, 11);
  return sum.moments();
}

}  // namespace repose
