#pragma once
// Joints: what they leave free, and how they hold.
//
//   ball    the two points stay together                                3 rows
//   hinge   the axes stay parallel too: turning about the axis is free   5 rows
//   fixed   nothing is free                                             6 rows
//
// A heavy load on a chain of light links would take sequential impulses thousands of turns, since each turn
// passes a pull on by one link. So all joints are solved at once (rows.h).

#include <cstdint>
#include <span>
#include <vector>

#include "repose/bodies/body.h"
#include "repose/bodies/constraints.h"
#include "repose/bodies/rows.h"
#include "repose/scene/scene.h"

namespace repose {

/// A joint as the scene gives it, in the frames of its bodies about their centres of mass.
struct BodyJoint {
  JointKind kind = JointKind::ball;
  std::uint32_t a = 0, b = 0;              ///< bodies; Row::kWorld: the world itself
  Vec3d on_a{0, 0, 0}, on_b{0, 0, 0};      ///< where it sits [m]
  Vec3d axis_a{0, 0, 1}, axis_b{0, 0, 1};  ///< of a hinge
  Quatd turn{1, 0, 0, 0};                  ///< of a in the frame of b
  double release = 0;                      ///< lets go then [s]
  Vec3d impulse{0, 0, 0};                  ///< on a, of the last step: saved [N s]
  Vec3d angular_impulse{0, 0, 0};          ///< likewise [N m s]
};

/// Throws Error(bad_scene) where the joint has nothing to hold.
BodyJoint make_joint(const JointDefinition& definition, const std::vector<Body>& bodies);

/// Adds the rows of the joints that hold at this time [s]; their owners are the joints' indices.
void add_joint_rows(std::span<const BodyJoint> joints, std::span<const Mover> movers, double time,
                    std::vector<Row>& rows);

/// All joints that hold, as one system.
class JointSystem {
 public:
  /// Rows where the bodies stand at this time [s], made ready to be solved.
  void set(std::span<const BodyJoint> joints, std::span<const Mover> movers, double time);
  /// Gives the joints' impulses of the last step once more, times `share`.
  void warm_start(std::span<BodyJoint> joints, double share, std::span<Mover> movers) const;
  /// Makes the joints hold: the velocities of all rows become zero, and the joints' impulses grow by what it
  /// took.
  void solve(std::span<BodyJoint> joints, std::span<Mover> movers) const;
  /// Makes the errors shrink at `rate` [1/s]; what it took is added up apart from the joints' impulses.
  void push_out(double rate, std::span<Mover> movers);
  /// Whether there is nothing to take back.
  bool is_quiet() const { return pushes_.empty(); }
  /// Takes back what push_out() gave, at the places where the joints are now.
  void take_back(std::span<const BodyJoint> joints, std::span<Mover> movers);

 private:
  RowSystem system_;
  std::vector<double> pushes_;  ///< of push_out, by row
};

/// Adds what a row of a joint took to the joint's impulses.
inline void note_impulse(const Row& row, double impulse, std::span<BodyJoint> joints) {
  BodyJoint& joint = joints[row.owner];
  (row.turns ? joint.angular_impulse : joint.impulse) += impulse * row.direction;
}

}  // namespace repose
