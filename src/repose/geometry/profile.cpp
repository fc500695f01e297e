#include "repose/geometry/profile.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace repose {
namespace {

// Nearer than this share of the coordinates' size, a point is on the line and has no side.
constexpr double kOnLine = 1e-14;

/// The nearest point so far on a set of segments.
struct Nearest {
  double square = std::numeric_limits<double>::infinity();  ///< of the distance [m2]
  Vec2d away{0, 0};                                         ///< from that point [m]
  Vec2d along{0, 0};                                        ///< its segment [m]
  bool inner = false;                                       ///< not at an end of the segment

  void take_segment(const Vec2d& a, const Vec2d& b, const Vec2d& p) {
    const Vec2d ab = b - a, ap = p - a;
    const double length2 = ab.dot(ab);
    const double t = length2 > 0 ? ap.dot(ab) / length2 : 0.0;
    const Vec2d from = t <= 0 ? ap : t >= 1 ? p - b : ap - t * ab;
    const double d2 = from.dot(from);
    if (d2 < square) {
      square = d2;
      away = from;
      along = ab;
      inner = t > 0 && t < 1;
    }
  }

  /// The segment's normal, to the right of its direction.
  Vec2d right() const {
    const double length = std::sqrt(along.dot(along));
    return length > 0 ? Vec2d(along.y / length, -along.x / length) : Vec2d(1, 0);
  }
  bool on_line(const Vec2d& p) const {
    const double size = std::abs(p.x) + std::abs(p.y) + std::abs(along.x) + std::abs(along.y);
    return square <= (kOnLine * size) * (kOnLine * size);
  }
  /// Unit vector from the nearest point. Within a segment its own normal, which keeps its precision however
  /// near.
  Vec2d direction() const {
    if (!inner) return away / std::sqrt(square);
    const Vec2d n = right();
    return n.dot(away) < 0 ? -n : n;
  }
};

bool is_closed(std::span<const Vec2d> profile) {
  return profile.size() > 2 && profile.front() == profile.back();
}

}  // namespace

ProfileDistance open_profile_distance(std::span<const Vec2d> profile, double r, double z) {
  assert(profile.size() >= 2);
  const Vec2d p(r, z);
  Nearest nearest;
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) nearest.take_segment(profile[i], profile[i + 1], p);
  const Vec2d n = nearest.on_line(p) ? nearest.right() : nearest.direction();
  return {std::sqrt(nearest.square), n.x, n.y};
}

ProfileDistance solid_profile_distance(std::span<const Vec2d> profile, double r, double z) {
  assert(profile.size() >= 2);
  const Vec2d p(r, z);
  Nearest nearest;
  bool inside = false;
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
    const Vec2d &a = profile[i], &b = profile[i + 1];
    nearest.take_segment(a, b, p);
    // Count crossings of the ray from p outwards; the closing lines lie along the ray or behind it.
    if ((a.y <= z) != (b.y <= z) && a.x + (z - a.y) / (b.y - a.y) * (b.x - a.x) > r) inside = !inside;
  }
  if (!is_closed(profile)) {
    const Vec2d &first = profile.front(), &last = profile.back();
    if (first.x > 0) nearest.take_segment({0, first.y}, first, p);
    if (last.x > 0) nearest.take_segment(last, {0, last.y}, p);
  }
  const double distance = std::sqrt(nearest.square);
  if (nearest.on_line(p)) {
    const Vec2d n = twice_signed_area(profile) < 0 ? -nearest.right() : nearest.right();
    return {inside ? -distance : distance, n.x, n.y};
  }
  const Vec2d n = inside ? -nearest.direction() : nearest.direction();
  return {inside ? -distance : distance, n.x, n.y};
}

double twice_signed_area(std::span<const Vec2d> profile) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < profile.size(); ++i)
    sum += (profile[i].x + profile[i + 1].x) * (profile[i + 1].y - profile[i].y);
  return sum;
}

double solid_profile_volume(std::span<const Vec2d> profile) {
  // The integral of pi r^2 dz over each segment; the closing lines add nothing.
  double sum = 0;
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
    const Vec2d &a = profile[i], &b = profile[i + 1];
    sum += (a.x * a.x + a.x * b.x + b.x * b.x) * (b.y - a.y);
  }
  return std::abs(sum) * kPi / 3.0;
}

}  // namespace repose
