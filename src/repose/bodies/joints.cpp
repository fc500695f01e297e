#include "repose/bodies/joints.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "repose/core/error.h"

namespace repose {
namespace {

constexpr std::array<Vec3d, 3> kAxes{Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(0, 0, 1)};

Vec3d joint_place(const BodyJoint& joint, bool on_a, std::span<const Mover> movers) {
  const std::uint32_t body = on_a ? joint.a : joint.b;
  const Vec3d& local = on_a ? joint.on_a : joint.on_b;
  return body == Row::kWorld ? local : movers[body].center + rotate(movers[body].rotation, local);
}

Quatd rotation_of(std::uint32_t body, std::span<const Mover> movers) {
  return body == Row::kWorld ? Quatd(1, 0, 0, 0) : movers[body].rotation;
}

}  // namespace

BodyJoint make_joint(const JointDefinition& definition, const std::vector<Body>& bodies) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ExitCode::bad_scene, fmt::format("joint '{}': {}", definition.name, why));
  };
  std::array<std::uint32_t, 2> sides{Row::kWorld, Row::kWorld};
  std::array<Pose, 2> poses;
  std::array<Vec3d, 2> centers{Vec3d(0), Vec3d(0)};
  bool any_dynamic = false;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string& name = definition.bodies[i];
    if (name == kWorldName) continue;
    const auto found =
        std::find_if(bodies.begin(), bodies.end(), [&](const Body& body) { return body.name == name; });
    if (found == bodies.end())
      refuse(fmt::format("there is no body '{}' (copies are called '{}.0', '{}.1', ...)", name, name, name));
    sides[i] = static_cast<std::uint32_t>(found - bodies.begin());
    poses[i] = found->pose;
    centers[i] = found->mass.center;
    any_dynamic = any_dynamic || found->motion == Motion::dynamic;
  }
  if (sides[0] == sides[1]) refuse("it joins a body to itself");
  if (!any_dynamic) refuse("none of its bodies is dynamic, so there is nothing to hold");
  const Vec3d axis = definition.axis.normalized();
  BodyJoint joint;
  joint.kind = definition.type;
  joint.release = definition.release.value_or(std::numeric_limits<double>::infinity());
  joint.a = sides[0];
  joint.b = sides[1];
  joint.on_a = poses[0].to_local(definition.position) - centers[0];
  joint.on_b = poses[1].to_local(definition.position) - centers[1];
  joint.axis_a = rotate_back(poses[0].rotation, axis);
  joint.axis_b = rotate_back(poses[1].rotation, axis);
  joint.turn = poses[1].rotation.inverse() * poses[0].rotation;
  return joint;
}

void add_joint_rows(std::span<const BodyJoint> joints, std::span<const Mover> movers, double time,
                    std::vector<Row>& rows) {
  for (std::uint32_t k = 0; k < joints.size(); ++k) {
    const BodyJoint& joint = joints[k];
    if (!(time < joint.release)) continue;
    const Vec3d on_a = joint_place(joint, true, movers), on_b = joint_place(joint, false, movers);
    const Vec3d place = 0.5 * (on_a + on_b), off = on_a - on_b;
    const auto add = [&](bool turns, const Vec3d& n, double error) {
      rows.push_back({joint.a, joint.b, k, turns, n, place, error});
    };
    for (const Vec3d& n : kAxes) add(false, n, n.dot(off));
    const Quatd turn_a = rotation_of(joint.a, movers), turn_b = rotation_of(joint.b, movers);
    if (joint.kind == JointKind::hinge) {
      const Vec3d axis = rotate(turn_b, joint.axis_b);
      const Vec3d across = (std::fabs(axis.x) < 0.6 ? kAxes[0] : kAxes[1]).cross(axis).normalized();
      const Vec3d bend = axis.cross(rotate(turn_a, joint.axis_a));
      for (const Vec3d& n : {across, axis.cross(across)}) add(true, n, n.dot(bend));
    }
    if (joint.kind == JointKind::fixed) {
      Quatd bend = turn_a * (turn_b * joint.turn).inverse();
      if (bend.r < 0) bend = Quatd(-bend.r, -bend.v);
      for (const Vec3d& n : kAxes) add(true, n, 2 * n.dot(bend.v));
    }
  }
}

void JointSystem::set(std::span<const BodyJoint> joints, std::span<const Mover> movers, double time) {
  std::vector<Row> rows;
  add_joint_rows(joints, movers, time, rows);
  system_.set(std::move(rows), movers);
  pushes_.clear();
}

void JointSystem::warm_start(std::span<BodyJoint> joints, double share, std::span<Mover> movers) const {
  std::vector<double> impulses;
  for (const Row& row : system_.rows()) {
    const BodyJoint& joint = joints[row.owner];
    impulses.push_back(share * row.direction.dot(row.turns ? joint.angular_impulse : joint.impulse));
  }
  for (BodyJoint& joint : joints) joint.impulse = joint.angular_impulse = Vec3d(0);
  for (std::size_t i = 0; i < impulses.size(); ++i) {
    push_row(system_.rows()[i], impulses[i], movers);
    note_impulse(system_.rows()[i], impulses[i], joints);
  }
}

void JointSystem::solve(std::span<BodyJoint> joints, std::span<Mover> movers) const {
  std::vector<double> changes;
  for (const Row& row : system_.rows()) changes.push_back(-row_velocity(row, movers));
  const std::vector<double> impulses = system_.impulses_for(changes);
  for (std::size_t i = 0; i < impulses.size(); ++i) {
    push_row(system_.rows()[i], impulses[i], movers);
    note_impulse(system_.rows()[i], impulses[i], joints);
  }
}

void JointSystem::push_out(double rate, std::span<Mover> movers) {
  std::vector<double> changes;
  for (const Row& row : system_.rows()) changes.push_back(-row_velocity(row, movers) - rate * row.error);
  const std::vector<double> impulses = system_.impulses_for(changes);
  pushes_.resize(impulses.size(), 0.0);
  for (std::size_t i = 0; i < impulses.size(); ++i) {
    push_row(system_.rows()[i], impulses[i], movers);
    pushes_[i] += impulses[i];
  }
}

void JointSystem::take_back(std::span<const BodyJoint> joints, std::span<Mover> movers) {
  for (std::size_t i = 0; i < pushes_.size(); ++i) {
    Row row = system_.rows()[i];
    const BodyJoint& joint = joints[row.owner];
    row.place = 0.5 * (joint_place(joint, true, movers) + joint_place(joint, false, movers));
    push_row(row, -pushes_[i], movers);
  }
  pushes_.clear();
}

}  // namespace repose
