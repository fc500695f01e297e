#include "repose/geometry/touch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "repose/geometry/mesh/mesh_solid.h"
#include "repose/geometry/profile.h"

namespace repose {
namespace {

/// A point in the half-plane (r, z) of the axis, and the direction of that half-plane in space.
struct Meridian {
  Vec2d at;  ///< [m]
  double out_x, out_y;

  explicit Meridian(const Vec3d& p) : at(std::sqrt(p.x * p.x + p.y * p.y), p.z) {
    out_x = at.x > 1e-140 ? p.x / at.x : 1;
    out_y = at.x > 1e-140 ? p.y / at.x : 0;
  }
  /// The same point seen from the half-plane across the axis, where its r is negative.
  Meridian across() const {
    Meridian m = *this;
    m.at.x = -at.x;
    m.out_x = -out_x;
    m.out_y = -out_y;
    return m;
  }
  Vec3d to_space(const Vec2d& n) const { return {n.x * out_x, n.x * out_y, n.y}; }
};

/// Faces of a hollow box: six planes.
void touch_hollow_box(const Vec3d& half, const Vec3d& p, double inset, double reach, Touches& touches) {
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {0, 1}) {
      const double sign = side == 0 ? -1.0 : 1.0;
      const double distance = half[axis] - sign * p[axis] - inset;
      Vec3d normal(0);
      normal[axis] = -sign;
      if (distance < reach) touches.add({distance, normal, 2 * axis + side});
    }
}

/// The polyline that bounds a solid of revolution: a profile and, for a solid lathe, the lines that close it
/// towards the axis.
class Chain {
 public:
  Chain(std::span<const Vec2d> profile, bool is_closed_to_axis)
      : profile_(profile),
        ring_(profile.size() > 2 && profile.front() == profile.back()),
        cap_first_(is_closed_to_axis && !ring_ && profile.front().x > 0),
        cap_last_(is_closed_to_axis && !ring_ && profile.back().x > 0) {}

  bool is_ring() const { return ring_; }
  int point_count() const {
    return static_cast<int>(profile_.size()) + (cap_first_ ? 1 : 0) + (cap_last_ ? 1 : 0);
  }
  Vec2d operator[](int i) const {
    if (cap_first_ && i == 0) return {0, profile_.front().y};
    const auto k = static_cast<std::size_t>(i - (cap_first_ ? 1 : 0));
    return k < profile_.size() ? profile_[k] : Vec2d(0, profile_.back().y);
  }
  /// Where the foot of the perpendicular from p lies on a segment: 0 at its first point, 1 at its second.
  double foot(int segment, const Vec2d& p) const {
    const Vec2d a = (*this)[segment], ab = (*this)[segment + 1] - a;
    const double square = ab.dot(ab);
    return square > 0 ? (p - a).dot(ab) / square : 0.0;
  }

 private:
  std::span<const Vec2d> profile_;
  bool ring_, cap_first_, cap_last_;
};

/// Where matter is, seen along a chain.
enum class Side { both, right, left };

/// Collects the places of a chain that are nearer to a point than their surroundings: feet of perpendiculars
/// within segments, and corners that the point lies off the ends of.
class ChainToucher {
 public:
  ChainToucher(const Chain& chain, Side side, double inset, double reach, Touches& touches)
      : chain_(chain), side_(side), inset_(inset), reach_(reach), touches_(touches) {}

  /// From the near side of the axis and from across it, so that nothing jumps where a point crosses the axis.
  void touch(const Meridian& here) {
    touch_from(here, 0);
    touch_from(here.across(), 2 * chain_.point_count());
  }

 private:
  void touch_from(const Meridian& m, int first_face) {
    const int last = chain_.point_count() - 1;
    // Off the ends of an open chain there is nothing. A ring's first corner is looked at as its last.
    double before = chain_.is_ring() ? 0.0 : 1.0;
    for (int i = 0; i <= last; ++i) {
      const double after = i < last ? chain_.foot(i, m.at) : chain_.is_ring() ? chain_.foot(0, m.at) : 0.0;
      // A corner on the axis is met from one side only.
      const bool is_twin = first_face > 0 && chain_[i].x <= 0;
      if (before >= 1 && after <= 0 && !is_twin) touch_corner(m, i, first_face + 2 * i);
      if (i < last && after > 0 && after < 1) touch_segment(m, i, first_face + 2 * i + 1);
      before = after;
    }
  }
  void touch_corner(const Meridian& m, int i, int face) {
    const Vec2d away = m.at - chain_[i];
    const double distance = away.length();
    if (distance > 0 && distance - inset_ < reach_)
      touches_.add({distance - inset_, m.to_space(away / distance), face});
  }
  void touch_segment(const Meridian& m, int i, int face) {
    const Vec2d a = chain_[i], along = (chain_[i + 1] - a).normalized();
    Vec2d normal(along.y, -along.x);
    if (side_ == Side::left || (side_ == Side::both && normal.dot(m.at - a) < 0)) normal = -normal;
    const double height = normal.dot(m.at - a);
    if (height > 0 && height - inset_ < reach_) touches_.add({height - inset_, m.to_space(normal), face});
  }

  const Chain& chain_;
  Side side_;
  double inset_, reach_;  // [m]
  Touches& touches_;
};

/// The hollow of a box: inverted, or the inside of its shell. All in units of scale.
bool is_in_hollow_box(const Shape& shape, const Vec3d& p) {
  if (shape.thickness <= 0) return shape.invert;
  return 2 * std::abs(p.x) < shape.size.x && 2 * std::abs(p.y) < shape.size.y &&
         2 * std::abs(p.z) < shape.size.z;
}

/// Of cylinders and cones matter inside meets a chain, matter outside a convex solid.
void touch_hollow_cone(const Shape& shape, const Meridian& m, double inset, double reach, Touches& touches) {
  const double half = 0.5 * shape.height, bottom = shape.radius;
  const double top = shape.kind == ShapeKind::cone ? shape.radius_top : bottom;
  const bool is_within =
      std::abs(m.at.y) < half && (m.at.x - bottom) * shape.height < (top - bottom) * (m.at.y + half);
  if (!is_within) return;
  const std::array<Vec2d, 4> outline{Vec2d(0, -half), Vec2d(bottom, -half), Vec2d(top, half), Vec2d(0, half)};
  ChainToucher({outline, false}, Side::left, inset, reach, touches).touch(m);
}

void touch_lathe(const Shape& shape, const Meridian& m, double inset, double reach, Touches& touches) {
  const bool is_shell = shape.thickness > 0;
  const bool is_clockwise = twice_signed_area(shape.profile) < 0;
  const Side side = is_shell ? Side::both : is_clockwise == shape.invert ? Side::right : Side::left;
  ChainToucher({shape.profile, !is_shell}, side, inset, reach, touches).touch(m);
}

void touch_mesh(const Shape& shape, const Vec3d& p, double inset, double reach, Touches& touches) {
  const MeshSide side = shape.thickness > 0 ? MeshSide::both
                        : shape.invert      ? MeshSide::inside
                                            : MeshSide::outside;
  shape.mesh->find_touches(p, reach + inset, side, touches);
  for (Touch& touch : touches) touch.distance -= inset;
}

}  // namespace

void Touches::add(const Touch& touch) {
  if (count_ < kMost) {
    touches_[count_++] = touch;
    return;
  }
  const auto farthest =
      std::max_element(touches_.begin(), touches_.end(),
                       [](const Touch& a, const Touch& b) { return a.distance < b.distance; });
  if (touch.distance < farthest->distance) *farthest = touch;
}

void Touches::keep_nearest_by_direction(double cosine) {
  if (count_ < 2) return;
  const std::array<Touch, kMost> all = touches_;
  const std::size_t count = count_;
  count_ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    bool is_covered = false;
    for (std::size_t k = 0; k < count; ++k) {
      const bool is_nearer =
          all[k].distance < all[i].distance || (all[k].distance == all[i].distance && k < i);
      is_covered = is_covered || (is_nearer && all[k].normal.dot(all[i].normal) > cosine);
    }
    if (!is_covered) touches_[count_++] = all[i];
  }
}

void find_touches(const Shape& shape, const Vec3d& point, double reach, Touches& touches) {
  touches.clear();
  const SurfacePoint nearest = distance_in_own_frame(shape, point);
  if (!(nearest.distance < reach)) return;
  const double inset = std::max(0.0, 0.5 * shape.thickness / shape.scale);
  const Vec3d p = point / shape.scale;
  const double near = reach / shape.scale;
  const bool is_hollow = shape.invert || shape.thickness > 0;
  if (shape.kind == ShapeKind::box && is_in_hollow_box(shape, p))
    touch_hollow_box(0.5 * shape.size, p, inset, near, touches);
  else if (shape.kind == ShapeKind::lathe && nearest.distance > 0)
    touch_lathe(shape, Meridian(p), inset, near, touches);
  else if ((shape.kind == ShapeKind::cylinder || shape.kind == ShapeKind::cone) && is_hollow &&
           nearest.distance > 0)
    touch_hollow_cone(shape, Meridian(p), inset, near, touches);
  else if ((shape.kind == ShapeKind::mesh || shape.kind == ShapeKind::heightfield) && nearest.distance > 0)
    touch_mesh(shape, p, inset, near, touches);
  touches.keep_nearest_by_direction(kSameDirection);
  for (Touch& touch : touches) touch.distance *= shape.scale;
  if (touches.size() == 0) touches.add({nearest.distance, nearest.normal, 0});
}

bool is_nearer_than(const Shape& shape, const Vec3d& point, double reach) {
  if (shape.kind != ShapeKind::mesh && shape.kind != ShapeKind::heightfield)
    return distance_in_own_frame(shape, point).distance < reach;
  const double offset = std::max(0.0, 0.5 * shape.thickness);
  const Vec3d p = point / shape.scale;
  if (reach + offset > 0 && shape.mesh->has_surface_within(p, (reach + offset) / shape.scale)) return true;
  if (shape.thickness > 0) return false;
  return shape.mesh->holds_far_point(p) != shape.invert;
}

}  // namespace repose
