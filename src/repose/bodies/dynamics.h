#pragma once
// How free bodies move: gravity and what matter did to them, contacts among bodies and with walls, joints.
//
// One step of length h, with everything in the world frame:
//   drift h/2    positions and orientations, momenta as they are; a free top turns with its angular momentum
//                fixed in space (physics/rigid_body.h)
//   kick h       gravity, the matter's impulses, then contacts and joints at these positions until no gap
//                closes further than it is wide; what was hit rebounds. Then overlaps and joint errors are
//                pushed out with impulses of their own
//   drift h/2
//   relax        takes the pushes back, so that no speed and no energy comes of them
// Positions and momenta leapfrog as in the dem solver, whose grains see the bodies halfway, at the kick.
// Small steps serve better than many iterations (Macklin et al. 2019, "Small steps in physics simulation").
// Contacts are rigid: a spring would sink in by g / frequency^2, which is nothing for a crate and too much
// for a brick of a centimetre. Pushing out keeps out of the impulses that the next step starts from: fed into
// them, position errors make a stack of ten swing.
//
// Contacts that do not touch yet count: their gap may close, but no faster than in one step. So a body does
// not fly through a thin wall, and contacts need to be looked for only when something has moved: they stay as
// they are, fixed to the bodies, as long as nothing else can have come near. Contacts with their impulses,
// and where the bodies stood when they were found, are part of the saved state. Joints: joints.h.
//
// Nothing sleeps. All is done in the order of the bodies, by one thread: the same bits always.

#include <vector>

#include "repose/bodies/body.h"
#include "repose/bodies/constraints.h"
#include "repose/bodies/contact_list.h"
#include "repose/bodies/joints.h"
#include "repose/bodies/rows.h"
#include "repose/core/archive.h"

namespace repose {

class BodyDynamics {
 public:
  BodyDynamics() = default;
  /// Bodies as they stand at first. Throws Error(bad_scene) where a dynamic one starts inside another, or a
  /// joint has nothing to hold.
  BodyDynamics(const Scene& scene, const std::vector<Body>& bodies);

  /// Bodies that came or went change who meets whom.
  void look_again() { list_.look_again(); }
  /// Momenta of free bodies over h [s], at time [s]; a drift of half of `step` [s] follows, then relax().
  void kick(std::vector<Body>& bodies, double time, double h, double step);
  /// After the drift that follows a kick.
  void relax(std::vector<Body>& bodies);

  const std::vector<BodyContact>& contacts() const { return list_.contacts(); }
  const std::vector<BodyJoint>& joints() const { return joints_; }

  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in, std::size_t body_count);

 private:
  void load_movers(const std::vector<Body>& bodies);
  void store_movers(std::vector<Body>& bodies) const;
  void place_rows();
  void find_impulses(double h);
  void sweep(double h);
  bool solve_at_once();
  void rebound();
  void push_out(double h, double step);

  Vec3d gravity_{0, 0, 0};  ///< [m/s2]

  // State.
  ContactList list_;
  std::vector<BodyJoint> joints_;  ///< their impulses
  double last_h_ = 0;              ///< of the last kick [s]
  double kick_time_ = 0;           ///< likewise [s]

  // Scratch.
  std::vector<Mover> movers_;     ///< by body
  std::vector<ContactRow> rows_;  ///< by contact
  std::vector<double> nearly_;    ///< gap that counts as nearly closed, by contact [m]
  std::vector<double> pushes_;    ///< of the last kick, by contact [N s]
  JointSystem joint_system_;
  RowSystem system_;  ///< joints and contacts together
};

}  // namespace repose
