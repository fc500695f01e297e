#include "repose/geometry/outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "repose/geometry/profile.h"

namespace repose {
namespace {

// Cosines of the turn up to which a corner is drawn smooth.
constexpr double kNoSmoothing = 1;
constexpr double kLatheSmoothing = 0.866;  // 30 degrees: a lathe's profile may stand for a curve

double cross(const Vec2d& a, const Vec2d& b) { return a.x * b.y - a.y * b.x; }
Vec2d right_of(const Vec2d& direction) { return {direction.y, -direction.x}; }

/// A point of an outline, and whether a new run begins with it.
struct Mark {
  OutlinePoint at;
  bool begins_run = false;
};

/// A polyline whose right side is followed at a distance. It is closed, or begins and ends on the axis.
struct Path {
  std::vector<Vec2d> points;  ///< a closed one does not repeat its first point
  bool closed = false;

  Path reversed() const { return {{points.rbegin(), points.rend()}, closed}; }
};

/// Follows the right side of a path at distance `offset`: around outer corners in arcs, into inner corners as
/// far as both sides reach.
class Follower {
 public:
  Follower(const Path& path, double offset, double smoothing, double tolerance)
      : path_(path), offset_(offset), smoothing_(smoothing), tolerance_(tolerance) {
    const std::size_t n = path.points.size();
    for (std::size_t i = 0; i + (path.closed ? 0 : 1) < n; ++i) {
      const Vec2d along = path.points[(i + 1) % n] - path.points[i];
      lengths_.push_back(along.length());
      directions_.push_back(along / lengths_.back());
    }
  }

  std::vector<OutlineRun> runs() const {
    const std::size_t n = directions_.size();
    std::vector<Mark> marks;
    if (path_.closed) {
      std::vector<Mark> first;
      add_corner(path_.points[0], n - 1, 0, first);
      marks.push_back(first.back());
    } else {
      add_axis_start(marks);
    }
    for (std::size_t i = 1; i < n; ++i) add_corner(path_.points[i], i - 1, i, marks);
    if (path_.closed)
      add_corner(path_.points[0], n - 1, 0, marks);
    else
      add_axis_end(marks);
    return split(marks);
  }

 private:
  static std::vector<OutlineRun> split(const std::vector<Mark>& marks) {
    std::vector<OutlineRun> runs(1);
    for (const Mark& mark : marks) {
      if (mark.begins_run) runs.emplace_back();
      OutlinePoint at = mark.at;
      at.point.x = std::max(0.0, at.point.x);
      if (runs.back().empty() || runs.back().back().point != at.point) runs.back().push_back(at);
    }
    std::erase_if(runs, [](const OutlineRun& run) { return run.size() < 2; });
    return runs;
  }

  Mark at(const Vec2d& corner, const Vec2d& normal, bool begins_run = false) const {
    return {{corner + offset_ * normal, normal}, begins_run};
  }

  void add_arc(const Vec2d& center, const Vec2d& from, double angle, std::vector<Mark>& marks) const {
    const int parts = arc_parts(offset_, angle, tolerance_);
    for (int k = 0; k <= parts; ++k) {
      const double a = angle * k / parts, c = std::cos(a), s = std::sin(a);
      marks.push_back(at(center, {c * from.x - s * from.y, s * from.x + c * from.y}));
    }
  }

  /// The corner between two segments.
  void add_corner(const Vec2d& corner, std::size_t before, std::size_t after,
                  std::vector<Mark>& marks) const {
    const Vec2d &d0 = directions_[before], &d1 = directions_[after];
    const Vec2d n0 = right_of(d0), n1 = right_of(d1);
    const double turn = cross(d0, d1), cosine = d0.dot(d1);
    const double left = std::atan2(turn, cosine);
    const bool smooth = cosine >= smoothing_ || cosine > 1 - 1e-12;
    if (offset_ > 0 && (left > 0 || cosine < -1 + 1e-12)) return add_arc(corner, n0, std::abs(left), marks);
    // Where the two sides meet: on the line that halves the angle.
    const double spread = std::max(1 + cosine, 1e-12);
    const Vec2d meeting = corner + (offset_ / spread) * (n0 + n1);
    const double used = offset_ * std::abs(turn) / spread;
    if (used > std::min(lengths_[before], lengths_[after])) {
      // The sides miss each other: go back to the corner, inside the shell where nobody looks.
      marks.push_back(at(corner, n0));
      marks.push_back({{corner, n0}, false});
      marks.push_back({{corner, n1}, true});
      marks.push_back(at(corner, n1));
    } else if (smooth) {
      marks.push_back({{meeting, (n0 + n1).normalized()}, false});
    } else {
      marks.push_back({{meeting, n0}, false});
      marks.push_back({{meeting, n1}, true});
    }
  }

  // On the axis a path meets its own mirror image: an outer corner is half an arc from or to the axis, an
  // inner one ends where the side meets the axis.
  void add_axis_start(std::vector<Mark>& marks) const {
    const Vec2d &p = path_.points.front(), &d = directions_.front();
    const Vec2d n = right_of(d);
    if (offset_ > 0 && d.y > 0)
      add_arc(p, {0, -1}, std::atan2(d.y, d.x), marks);
    else
      marks.push_back(on_axis(p, d, n));
    marks.front().at.point.x = 0;
  }
  void add_axis_end(std::vector<Mark>& marks) const {
    const Vec2d &p = path_.points.back(), &d = directions_.back();
    const Vec2d n = right_of(d);
    if (offset_ > 0 && d.y > 0)
      add_arc(p, n, std::atan2(d.y, -d.x), marks);
    else
      marks.push_back(on_axis(p, d, n));
    marks.back().at.point.x = 0;
  }
  Mark on_axis(const Vec2d& p, const Vec2d& d, const Vec2d& n) const {
    const double along = d.x != 0 ? -offset_ * n.x / d.x : 0.0;
    return {{p + offset_ * n + along * d, n}, false};
  }

  const Path& path_;
  double offset_;     // [m]
  double smoothing_;  // corners with a cosine above this are drawn smooth
  double tolerance_;  // [m]
  std::vector<Vec2d> directions_;
  std::vector<double> lengths_;  // [m]
};

void append(std::vector<OutlineRun>& runs, std::vector<OutlineRun> more) {
  for (OutlineRun& run : more) runs.push_back(std::move(run));
}

/// Both sides of a path at `offset`, or the path itself, which then runs counter-clockwise.
std::vector<OutlineRun> follow(const Path& path, double offset, double smoothing, double tolerance) {
  std::vector<OutlineRun> runs = Follower(path, offset, smoothing, tolerance).runs();
  if (offset > 0) append(runs, Follower(path.reversed(), offset, smoothing, tolerance).runs());
  return runs;
}

/// The path without points that repeat the one before.
std::vector<Vec2d> without_repeats(std::span<const Vec2d> points) {
  std::vector<Vec2d> kept;
  for (const Vec2d& p : points)
    if (kept.empty() || kept.back() != p) kept.push_back(p);
  return kept;
}

std::vector<OutlineRun> lathe_outline(const Shape& shape, double offset, double tolerance) {
  std::vector<Vec2d> points = without_repeats(shape.profile);
  if (points.size() < 2) return {};
  const bool ring = points.size() > 3 && points.front() == points.back();
  if (offset <= 0 && twice_signed_area(points) < 0) std::reverse(points.begin(), points.end());
  if (ring) {
    points.pop_back();
    return follow({points, true}, offset, kLatheSmoothing, tolerance);
  }
  if (offset <= 0) {
    if (points.front().x > 0) points.insert(points.begin(), Vec2d(0, points.front().y));
    if (points.back().x > 0) points.emplace_back(0, points.back().y);
    return Follower({points, false}, 0, kLatheSmoothing, tolerance).runs();
  }
  if (points.front().x > 0 && points.back().x <= 0) std::reverse(points.begin(), points.end());
  if (points.back().x <= 0) return follow({points, false}, offset, kLatheSmoothing, tolerance);
  // An end in the open: once round it and back.
  const bool from_axis = points.front().x <= 0;
  for (std::size_t i = points.size() - 1; i-- > (from_axis ? 0U : 1U);) points.push_back(points[i]);
  return Follower({points, !from_axis}, offset, kLatheSmoothing, tolerance).runs();
}

/// An arc about `center` from one angle to another; outside is away from the centre, or towards it.
OutlineRun arc(const Vec2d& center, double radius, double from, double to, double tolerance) {
  OutlineRun run;
  const int parts = arc_parts(radius, std::abs(to - from), tolerance);
  for (int i = 0; i <= parts; ++i) {
    const double a = from + (to - from) * i / parts;
    const Vec2d n(std::cos(a), std::sin(a));
    run.push_back({center + radius * n, n});
  }
  return run;
}

OutlineRun turned_inside_out(OutlineRun run) {
  std::reverse(run.begin(), run.end());
  for (OutlinePoint& p : run) p.normal = -p.normal;
  return run;
}

OutlineRun capsule_run(double radius, double height, double tolerance) {
  OutlineRun run = arc({0, -0.5 * height}, radius, -0.5 * kPi, 0, tolerance);
  const OutlineRun top = arc({0, 0.5 * height}, radius, 0, 0.5 * kPi, tolerance);
  run.insert(run.end(), height > 0 ? top.begin() : top.begin() + 1, top.end());
  run.front().point.x = run.back().point.x = 0;
  return run;
}

OutlineRun torus_run(double radius, double tube, double tolerance) {
  const double end = tube > radius ? std::acos(-radius / tube) : kPi;
  OutlineRun run = arc({radius, 0}, tube, -end, end, tolerance);
  if (tube > radius)
    run.front().point.x = run.back().point.x = 0;
  else
    run.back() = run.front();
  return run;
}

/// The polyline through a run that begins and ends on the axis.
Path path_of(const OutlineRun& run) {
  Path path;
  for (const OutlinePoint& p : run) path.points.push_back(p.point);
  return path;
}

}  // namespace

int arc_parts(double radius, double angle, double tolerance) {
  constexpr double kLeast = kPi / 6;   // cut at least so that a full turn has 12 parts
  constexpr double kMost = kPi / 512;  // and at most so that it has 1024
  const double ratio = radius > 0 ? std::clamp(1 - tolerance / radius, -1.0, 1.0) : -1.0;
  const double part = std::clamp(2 * std::acos(ratio), kMost, kLeast);
  return std::max(1, static_cast<int>(std::ceil(angle / part - 1e-9)));
}

std::vector<OutlineRun> shape_outline(const Shape& shape, double tolerance) {
  const double offset = std::max(0.0, 0.5 * shape.thickness);
  const double r = shape.radius, half = 0.5 * shape.height;
  // Solids whose shell has two sides of the same kind.
  const auto two_sides = [&](auto&& run_of, double radius) {
    std::vector<OutlineRun> runs{run_of(radius + offset)};
    if (offset > 0 && radius > offset) runs.push_back(turned_inside_out(run_of(radius - offset)));
    return runs;
  };
  switch (shape.kind) {
    case ShapeKind::sphere:
      return two_sides([&](double s) { return capsule_run(s, 0, tolerance); }, r);
    case ShapeKind::capsule:
      return two_sides([&](double s) { return capsule_run(s, shape.height, tolerance); }, r);
    case ShapeKind::torus:
      if (shape.tube > r && offset > 0)
        return follow(path_of(torus_run(r, shape.tube, tolerance)), offset, kLatheSmoothing, tolerance);
      return two_sides([&](double s) { return torus_run(r, s, tolerance); }, shape.tube);
    case ShapeKind::cylinder:
    case ShapeKind::cone: {
      const double top = shape.kind == ShapeKind::cone ? shape.radius_top : r;
      const std::array<Vec2d, 4> corners{Vec2d(0, -half), Vec2d(r, -half), Vec2d(top, half), Vec2d(0, half)};
      return follow({without_repeats(corners), false}, offset, kNoSmoothing, tolerance);
    }
    case ShapeKind::lathe:
      return lathe_outline(shape, offset, tolerance);
    case ShapeKind::box:
    case ShapeKind::plane:
    case ShapeKind::heightfield:
    case ShapeKind::mesh:
      break;
  }
  return {};
}

}  // namespace repose
