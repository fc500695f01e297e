#include "repose/measure/slope.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "repose/measure/deposit.h"

namespace repose {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kColumnWidth = 2;     ///< in mean diameters
constexpr double kMiddle = 0.6;        ///< of the extent along the slope
constexpr std::size_t kLeastTops = 6;  ///< in the middle part
constexpr int kRounds = 4;             ///< the middle part depends on the direction, and that on it

/// The highest particle of each column: its place, and its top. Columns that a wall cuts, with less than half
/// as many particles near the top as others have, are left out: the highest of a few is lower than that of
/// many.
std::vector<Vec3d> find_tops(const std::vector<std::uint32_t>& deposit, const Frame& frame, double width) {
  struct Column {
    Vec3d top;
    std::size_t near = 0;  ///< particles within a column's width below the top
  };
  std::map<std::pair<long, long>, Column> columns;
  const auto column_of = [&](const Vec3d& x) {
    return std::pair<long, long>(std::lround(std::floor(x.x / width)), std::lround(std::floor(x.y / width)));
  };
  for (const std::uint32_t i : deposit) {
    Vec3d top = frame.position[i];
    top.z += frame.radius[i];
    const auto [place, is_new] = columns.try_emplace(column_of(top), Column{top});
    if (top.z > place->second.top.z) place->second.top = top;
  }
  for (const std::uint32_t i : deposit) {
    Column& column = columns[column_of(frame.position[i])];
    if (frame.position[i].z + frame.radius[i] > column.top.z - width) ++column.near;
  }
  std::vector<std::size_t> counts;
  for (const auto& [place, column] : columns) counts.push_back(column.near);
  const auto middle = counts.begin() + static_cast<std::ptrdiff_t>(counts.size() / 2);
  std::nth_element(counts.begin(), middle, counts.end());
  std::vector<Vec3d> tops;
  for (const auto& [place, column] : columns)
    if (2 * column.near >= *middle) tops.push_back(column.top);
  return tops;
}

struct Plane {
  Vec3d middle;           ///< of the tops [m]
  double dx = 0, dy = 0;  ///< how it rises along x and y
};

/// By least squares: along one axis, or along both where the tops spread along both.
std::optional<Plane> fit_plane(const std::vector<Vec3d>& tops, PileAxis along, double width) {
  if (tops.size() < kLeastTops) return std::nullopt;
  Plane plane{Vec3d(0)};
  for (const Vec3d& top : tops) plane.middle += top / static_cast<double>(tops.size());
  double xx = 0, xy = 0, yy = 0, xz = 0, yz = 0;
  for (const Vec3d& top : tops) {
    const Vec3d d = top - plane.middle;
    xx += d.x * d.x, xy += d.x * d.y, yy += d.y * d.y, xz += d.x * d.z, yz += d.y * d.z;
  }
  // Less than a column to both sides is no direction to see a slope in.
  const double least = static_cast<double>(tops.size()) * width * width / 3;
  const bool has_x = along != PileAxis::y && xx > least, has_y = along != PileAxis::x && yy > least;
  if (has_x && has_y) {
    const double det = xx * yy - xy * xy;
    if (!(det > 1e-6 * xx * yy)) return std::nullopt;
    plane.dx = (xz * yy - yz * xy) / det;
    plane.dy = (yz * xx - xz * xy) / det;
  } else if (has_x) {
    plane.dx = xz / xx;
  } else if (has_y) {
    plane.dy = yz / yy;
  } else {
    return std::nullopt;
  }
  return plane;
}

/// Those in the middle of the extent that all have along the plane's slope.
std::vector<Vec3d> middle_part(const std::vector<Vec3d>& tops, const Plane& plane) {
  const double size = std::hypot(plane.dx, plane.dy);
  const Vec3d down = size > 0 ? Vec3d(-plane.dx / size, -plane.dy / size, 0) : Vec3d(1, 0, 0);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Vec3d& top : tops) low = std::min(low, top.dot(down)), high = std::max(high, top.dot(down));
  std::vector<Vec3d> part;
  for (const Vec3d& top : tops)
    if (std::abs(top.dot(down) - 0.5 * (low + high)) <= 0.5 * kMiddle * (high - low)) part.push_back(top);
  return part;
}

}  // namespace

SlopeReading read_slope(const Shape& shape, PileAxis along, const Frame& frame, const GrainTable& grains,
                        const DomainBox& box, Threads& threads) {
  SlopeReading reading{0, kNone, kNone, kNone, kNone};
  const std::vector<std::uint32_t> deposit = find_deposit(shape, frame, grains, box, threads);
  reading.count = deposit.size();
  if (deposit.empty()) return reading;
  double base = std::numeric_limits<double>::infinity(), diameter = 0;
  for (const std::uint32_t i : deposit) {
    base = std::min(base, frame.position[i].z - frame.radius[i]);
    diameter += 2 * frame.radius[i] / static_cast<double>(deposit.size());
  }
  const double width = kColumnWidth * diameter;
  const std::vector<Vec3d> tops = find_tops(deposit, frame, width);
  std::vector<Vec3d> part;
  std::optional<Plane> plane = fit_plane(tops, along, width);
  for (int round = 0; round < kRounds && plane; ++round) {
    part = middle_part(tops, *plane);
    plane = fit_plane(part, along, width);
  }
  if (!plane) return reading;
  const double slope = std::hypot(plane->dx, plane->dy);
  double squares = 0;
  for (const Vec3d& top : part) {
    const Vec3d d = top - plane->middle;
    const double off = (d.z - plane->dx * d.x - plane->dy * d.y) / std::hypot(1, slope);
    squares += off * off / static_cast<double>(part.size());
  }
  reading.angle = std::atan(slope);
  reading.direction = slope > 0 ? std::atan2(-plane->dy, -plane->dx) : kNone;
  reading.height = plane->middle.z - base;
  reading.roughness = std::sqrt(squares);
  return reading;
}

}  // namespace repose
