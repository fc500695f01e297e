#pragma once
// The contacts between bodies that last from step to step, and when to look for new ones.
//
// Contacts are found within a margin and stay fixed to their bodies. They are looked for again when a body
// has moved by half a hundredth of its least extent, or may pass its margin in the next step: until then
// nothing can touch that is not listed. When that is depends on the state alone, and it is part of what is
// saved, so a run that is resumed goes on with the same bits.

#include <span>
#include <vector>

#include "repose/bodies/body.h"
#include "repose/bodies/constraints.h"
#include "repose/bodies/joints.h"
#include "repose/core/archive.h"

namespace repose {

/// Throws Error(bad_scene) where a dynamic body starts inside another or inside a wall, unless they are
/// joined.
void check_start(const Scene& scene, const std::vector<Body>& bodies, std::span<const BodyJoint> joints);

class ContactList {
 public:
  ContactList() = default;
  explicit ContactList(const Scene& scene);

  std::vector<BodyContact>& contacts() { return contacts_; }
  const std::vector<BodyContact>& contacts() const { return contacts_; }

  /// Makes the next update() look for contacts: bodies came or went, or a joint let go.
  void look_again() { is_listed_ = false; }
  /// Looks for contacts where it is due, for a step of h [s]. Bodies that a joint holds together do not
  /// touch.
  void update(const std::vector<Body>& bodies, std::span<const BodyJoint> joints, double time, double h);

  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in, std::size_t body_count);

 private:
  struct Surface {
    double friction, restitution;
  };
  Surface surface_between(const Body& a, const Body& b) const;
  void list(const std::vector<Body>& bodies, std::span<const BodyJoint> joints, double time, double h);
  void take_over_impulses(const std::vector<BodyContact>& old, const std::vector<Body>& bodies);

  std::vector<ContactPair> pairs_;
  double gravity_ = 0;  ///< its size [m/s2]

  std::vector<BodyContact> contacts_;
  bool is_listed_ = false;
  std::vector<Pose> listed_poses_;
  std::vector<double> listed_margins_;  ///< [m]
};

}  // namespace repose
