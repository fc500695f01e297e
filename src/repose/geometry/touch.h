#pragma once
// Where a ball touches a solid. A convex or smooth solid is touched in one place, the nearest. In a hollow
// corner a ball rests on several faces at a time; with the nearest alone the push would jump from one to the
// other. So here come all places of the surface that are nearer than their surroundings: the push summed over
// them changes steadily as the ball moves, as long as it sinks in by little (under 1 % of its radius). Left
// to its nearest place alone is the dimple of a torus without a hole.

#include <array>
#include <cstddef>

#include "repose/geometry/shape.h"

namespace repose {

/// Cosine of 10 degrees. Faces that meet at less than this are one surface that bends, not a corner: pushing
/// from both would double the force where a ball rolls over their edge.
inline constexpr double kSameDirection = 0.985;

struct Touch {
  double distance = 0;  ///< signed, of the ball's centre [m]
  Vec3d normal{0, 0, 1};
  int face = 0;  ///< which part of the solid's surface: the same number for the same part, from step to step
};

/// At most kMost places; should there be more, the nearest of them.
class Touches {
 public:
  static constexpr std::size_t kMost = 8;

  void clear() { count_ = 0; }
  void add(const Touch& touch);
  /// Leaves out those whose normal is within an angle of a nearer one's.
  void keep_nearest_by_direction(double cosine);
  std::size_t size() const { return count_; }
  const Touch& operator[](std::size_t i) const { return touches_[i]; }
  Touch* begin() { return touches_.data(); }
  Touch* end() { return touches_.data() + count_; }
  const Touch* begin() const { return touches_.data(); }
  const Touch* end() const { return touches_.data() + count_; }

 private:
  std::array<Touch, kMost> touches_;
  std::size_t count_ = 0;
};

/// The places within `reach` [m] of a point; none where the distance is reach or more. The point and the
/// normals are in the shape's own frame, as for distance_in_own_frame(). For a point inside the solid itself
/// only the nearest place counts.
void find_touches(const Shape& shape, const Vec3d& point, double reach, Touches& touches);

/// Whether the signed distance of a point is less than `reach` [m], without working it out where that can be
/// told sooner. The point is in the shape's own frame. Exact within `reach` of the surface; far from it
/// inside and outside of a mesh are told by a ray, which may slip through an edge.
bool is_nearer_than(const Shape& shape, const Vec3d& point, double reach);

}  // namespace repose
