#pragma once
// Bodies: the rigid objects that matter meets. The scene's bodies come first, in the order of the file with
// copies one by one, then one half-space for each wall of the domain, named domain.x- ... domain.z+.
//
// A body is a shape in its own frame (the shape's pose is the identity there) and a pose that moves:
//   static      stands still
//   keyframed   follows its keys                     } pure functions of time: nothing drifts,
//   moving      steady velocity and turn, no end     } and nothing of it needs saving
//   dynamic     is pushed, by matter, by gravity and by other bodies (dynamics.h)
// The first three may oscillate about it (oscillation.h), and may have a belt: a surface that runs along
// itself while the body's poses, and so all that collides with it, know nothing of it. Two velocities then:
// that of the material (velocity_at), which pushes, and that of the surface (belt_velocity on top), which
// drags. Time before 0 is for settling: paths wait, and so does a dynamic body that is thrown or has a
// release.
//
// How a solver works with bodies. It reads poses, distances (nearest, find_touches) and velocities
// (velocity_at), and gives back what its matter did with add_impulse(). Then it moves them on:
//   - advance(dt, t) for a solver of long steps: all impulses of the step are spread over as many small steps
//     as bodies need;
//   - drift(h, t), kick(h), relax() for one that leapfrogs with steps of its own, as dem does: positions
//     halfway, then impulses, kick(dt), the other half, relax(). Its steps must not be longer than
//     longest_step().
// Momentum is exact in both: what add_impulse() gives to a body must be taken from the matter, at the same
// point.
//
// What matter does to a body is also summed up as impulses over an interval, so that the force in bodies.csv
// is a true mean over the frame however the time steps fell. Sums are in double and in the order of the
// calls: callers add from one place, in an order given by ids, or by chunk with BodyImpulse.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "repose/bodies/body.h"
#include "repose/bodies/dynamics.h"
#include "repose/core/archive.h"
#include "repose/geometry/shape.h"
#include "repose/geometry/touch.h"
#include "repose/particles/frame.h"
#include "repose/scene/scene.h"

namespace repose {

/// Fewer would not follow a body that oscillates.
inline constexpr double kStepsPerPeriod = 24;

class Bodies {
 public:
  Bodies() = default;
  /// Bodies as they stand at the start of the run. Throws Error(bad_scene) where one starts inside another,
  /// has no mass, or a joint has nothing to hold.
  explicit Bodies(const Scene& scene);

  std::size_t size() const { return bodies_.size(); }
  const Body& operator[](std::size_t body) const { return bodies_[body]; }
  /// The first of the domain's walls; those before are the scene's.
  std::size_t first_wall() const { return first_wall_; }
  bool any_dynamic() const { return any_dynamic_; }
  const BodyDynamics& dynamics() const { return dynamics_; }

  /// Puts the bodies that follow paths where they are at time t [s]; removes and lets go what is due.
  void move_to(double t);
  /// The same, and free bodies move for a time h [s] with their momenta as they are, up to time t [s].
  void drift(double h, double t);
  /// Gives free bodies what matter (add_impulse) did to them in h [s]; and gravity, contacts and joints since
  /// they were last looked at, every few kicks where these are short.
  void kick(double h);
  /// Takes back the speed that pushing out took; call when the step's positions are reached.
  void relax();
  /// All of the above for a time dt [s] from where the bodies are, in small steps, to time t [s].
  void advance(double dt, double t);
  /// The longest step that free bodies inside the domain can take, and that follows those that oscillate [s].
  double longest_step() const;
  /// Of the bodies that oscillate; infinite where none does [s].
  double shortest_period() const;
  /// The fastest that the surface of any free body inside the domain moves [m/s].
  double largest_speed() const;

  /// Signed distance [m] and unit normal, in the world.
  SurfacePoint nearest(std::size_t body, const Vec3d& point) const;
  /// Whether nearest() would be less than `reach` [m], told sooner where it is not (geometry/touch.h).
  bool is_near(std::size_t body, const Vec3d& point, double reach) const;
  /// All places within `reach` [m] where a ball at this point could touch the body, normals in the world: for
  /// contacts, since in a hollow corner there are several (geometry/touch.h). None of a body that is gone.
  void find_touches(std::size_t body, const Vec3d& point, double reach, Touches& touches) const;
  /// The shape where the body stands, for filling around it.
  Shape world_shape(std::size_t body) const;
  /// At most the signed distance [m], for far points with little work; -infinity for unbounded solids other
  /// than planes, infinity for a body that is gone.
  double distance_bound(std::size_t body, const Vec3d& point) const;
  /// Of the body's matter at a point in the world [m/s].
  Vec3d velocity_at(std::size_t body, const Vec3d& point) const;
  /// Of its surface against its matter where the normal is this one (body.h) [m/s].
  Vec3d belt_velocity(std::size_t body, const Vec3d& normal) const;
  /// With which it moves in the dt [s] to come (body.h).
  BodyRate rate_over(std::size_t body, double dt) const {
    return rate_towards(bodies_[body], dt, time_ + dt);
  }
  /// body.h
  double shift_since(std::size_t body, const Pose& then) const {
    return repose::shift_since(bodies_[body], then);
  }

  /// Starts the interval over which forces are averaged.
  void begin_interval(double t);
  /// Adds an impulse [N s] of the matter on the body at a point in the world.
  void add_impulse(std::size_t body, const Vec3d& impulse, const Vec3d& at);
  void add_impulse(std::size_t body, const BodyImpulse& sum);
  /// Gives a free body a velocity of its centre of mass [m/s] and a spin [rad/s] at once, out of the impulses
  /// that wait; advance() spreads the rest. For matter that was solved together with bodies: these move as it
  /// took them to, over the whole step, and what swings does not gain by the half step between force and way.
  void set_off(std::size_t body, const Vec3d& velocity, const Vec3d& spin);
  const BodyImpulse& impulse(std::size_t body) const { return impulses_[body]; }
  /// One row a body as they stand; forces are means from begin_interval() to t, zero where that is no time.
  void fill_rows(std::vector<BodyRow>& rows, double t) const;
  /// The name of a free body whose state is not finite, or nothing.
  std::optional<std::string> broken() const;

  /// Between steps, when no impulses are waiting for a kick.
  void save(ArchiveWriter& out) const;
  /// Also moves the bodies to where they were.
  void load(ArchiveReader& in);

 private:
  void update_events(double t);
  void apply_impulses(double share);
  bool is_in_domain(const Body& body) const;

  std::vector<Body> bodies_;
  BodyDynamics dynamics_;
  std::vector<BodyImpulse> impulses_;  ///< over the interval
  std::vector<BodyImpulse> waiting_;   ///< for the next kick, about the centre of mass
  std::size_t first_wall_ = 0;
  bool any_dynamic_ = false;
  Box3d domain_;               ///< infinite where there is none
  double time_ = 0;            ///< that the bodies stand at [s]
  double interval_start_ = 0;  ///< [s]
  double unsolved_ = 0;        ///< time since contacts and joints were solved last [s]
};

}  // namespace repose
