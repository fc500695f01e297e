#pragma once
// Bodies: the rigid objects that matter meets. The scene's bodies come first, in the order of the file, then
// one half-space for each wall of the domain, named domain.x- ... domain.z+.
//
// A body is a shape in its own frame (the shape's pose is the identity there) and a pose that moves. Static
// and keyframed bodies are pure functions of time: move_to(t) sets poses and velocities, nothing drifts, and
// nothing of it needs saving. What matter does to a body is summed up as impulses over an interval, so that
// the force in bodies.csv is a true mean over the frame however the time steps fell. Sums are in double and
// in the order of the calls: callers add from one place, in an order given by ids, or by chunk with
// BodyImpulse.
//
// Bodies that matter pushes (dynamic), releases, copies and joints are not here yet; the scene reader refuses
// them.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "repose/bodies/keyframes.h"
#include "repose/core/archive.h"
#include "repose/geometry/shape.h"
#include "repose/geometry/touch.h"
#include "repose/particles/frame.h"
#include "repose/scene/scene.h"

namespace repose {

/// What matter has done to a body: impulse, and angular impulse about the body's origin.
struct BodyImpulse {
  Vec3d linear{0, 0, 0};   ///< [N s]
  Vec3d angular{0, 0, 0};  ///< [N m s]

  /// Adds an impulse that acts at `arm` from the body's origin [m].
  void add(const Vec3d& impulse, const Vec3d& arm) {
    linear += impulse;
    angular += arm.cross(impulse);
  }
  BodyImpulse& operator+=(const BodyImpulse& other) {
    linear += other.linear;
    angular += other.angular;
    return *this;
  }
};

struct Body {
  std::string name;
  Shape shape;  ///< in the body's frame: identity pose, scale kept
  Motion motion = Motion::fixed;
  Pose pose;
  Vec3d velocity{0, 0, 0};          ///< of the origin [m/s]
  Vec3d angular_velocity{0, 0, 0};  ///< [rad/s]
  double friction = 0.5;            ///< infinity: no slip
  double restitution = 0.4;
  std::optional<double> young;  ///< none: rigid [Pa]
  double poisson = 0.3;

  std::optional<KeyframePath> path;  ///< keyframed bodies only
  Vec3d up{0, 0, 1};                 ///< the frame's z axis in the world: a plane's normal
  Vec3d ball_center{0, 0, 0};        ///< of a ball around the shape, in the body's frame [m]
  Vec3d ball_position{0, 0, 0};      ///< the same in the world [m]
  double ball_radius = 0;            ///< infinite for unbounded solids [m]
  double surface_reach = 0;          ///< largest distance of the surface from the body's origin [m]
};

class Bodies {
 public:
  Bodies() = default;
  explicit Bodies(const Scene& scene);

  std::size_t size() const { return bodies_.size(); }
  const Body& operator[](std::size_t body) const { return bodies_[body]; }
  /// The first of the domain's walls; those before are the scene's.
  std::size_t first_wall() const { return first_wall_; }

  /// Sets poses and velocities to those at time t [s]. Before 0, while matter settles, all stand at rest
  /// where they are at 0.
  void move_to(double t);

  /// Signed distance [m] and unit normal, in the world.
  SurfacePoint nearest(std::size_t body, const Vec3d& point) const;
  /// All places within `reach` [m] where a ball at this point could touch the body, normals in the world: for
  /// contacts, since in a hollow corner there are several (geometry/touch.h).
  void find_touches(std::size_t body, const Vec3d& point, double reach, Touches& touches) const;
  /// The shape where the body stands, for filling around it.
  Shape world_shape(std::size_t body) const;
  /// At most the signed distance [m], for far points with little work; -infinity for unbounded solids.
  double distance_bound(std::size_t body, const Vec3d& point) const;
  /// Of the body's matter at a point in the world [m/s].
  Vec3d velocity_at(std::size_t body, const Vec3d& point) const;
  /// Bound on how much the distance of any fixed point to the body changes between t0 and t1 [m]: the way of
  /// the body's surface, where a solid that turns about its own axis stands still. Infinite for a plane that
  /// turns.
  double max_shift(std::size_t body, double t0, double t1) const;

  /// Starts the interval over which forces are averaged.
  void begin_interval(double t);
  /// Adds an impulse [N s] of the matter on the body at a point in the world.
  void add_impulse(std::size_t body, const Vec3d& impulse, const Vec3d& at);
  void add_impulse(std::size_t body, const BodyImpulse& sum) { impulses_[body] += sum; }
  const BodyImpulse& impulse(std::size_t body) const { return impulses_[body]; }
  /// One row a body as they stand; forces are means from begin_interval() to t, zero where that is no time.
  void fill_rows(std::vector<BodyRow>& rows, double t) const;

  void save(ArchiveWriter& out) const;
  /// Also moves the bodies to where they were.
  void load(ArchiveReader& in);

 private:
  void add_scene_body(const BodyDefinition& definition);
  void add_walls(const Domain& domain);

  std::vector<Body> bodies_;
  std::vector<BodyImpulse> impulses_;
  std::size_t first_wall_ = 0;
  double time_ = 0;            ///< of the last move_to [s]
  double interval_start_ = 0;  ///< [s]
};

}  // namespace repose
