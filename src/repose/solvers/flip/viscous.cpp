#include "repose/solvers/flip/viscous.h"

#include <algorithm>

#include "repose/grid/viscosity.h"
#include "repose/math/mat6.h"
#include "repose/solvers/flip/coupling.h"
#include "repose/solvers/flip/solids.h"

namespace repose {
namespace {

constexpr double kTolerance = 1e-5;
constexpr int kMostIterations = 500;

/// The free bodies and the faces that they close.
struct FreeBodies {
  std::vector<std::size_t> body;
  std::vector<RigidPart> parts;
};

FreeBodies find_free_bodies(const FlipModel& model, const FlipScratch& scratch, const Bodies& bodies) {
  const double scale = 1 / (model.density * model.cell_volume());
  FreeBodies out;
  std::vector<std::size_t> which(bodies.size(), bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!bodies[b].is_free) continue;
    which[b] = out.body.size();
    out.body.push_back(b);
    RigidPart& part = out.parts.emplace_back();
    part.mass = mass_matrix(bodies[b]);
    for (Vec6& row : part.mass)
      for (double& value : row) value *= scale;
    const Vec3d &v = scratch.body_velocity[b].velocity, &w = scratch.body_velocity[b].spin;
    part.velocity = {v.x, v.y, v.z, w.x, w.y, w.z};
  }
  if (out.body.empty()) return out;
  for (std::size_t tile = 0; tile < scratch.cells.tiles.size(); ++tile)
    for_each_closed_face(model.place, scratch.cells.tiles, scratch.solids, tile, [&](const ClosedFace& at) {
      if (which[at.owner] == bodies.size() || scratch.solids.open[at.axis][at.face] > 0) return;
      Vec3d unit(0);
      unit[static_cast<int>(at.axis)] = 1;
      out.parts[which[at.owner]].faces.push_back(
          {at.axis, at.face, row_of(unit, at.center - scratch.body_velocity[at.owner].center)});
    });
  return out;
}

/// Gives free bodies their velocity after it, and notes what it took.
void move_free_bodies(const FlipModel& model, const Bodies& bodies, const FreeBodies& before,
                      const FreeBodies& after, FlipScratch& scratch) {
  const double scale = model.density * model.cell_volume();
  for (std::size_t k = 0; k < after.body.size(); ++k) {
    const std::size_t b = after.body[k];
    const Vec6& u = after.parts[k].velocity;
    Vec6 change;
    for (std::size_t i = 0; i < 6; ++i) change[i] = u[i] - before.parts[k].velocity[i];
    const Vec6 impulse = times(after.parts[k].mass, change);
    BodyVelocity& motion = scratch.body_velocity[b];
    motion.velocity = {u[0], u[1], u[2]};
    motion.spin = {u[3], u[4], u[5]};
    BodyImpulse& given = scratch.body_impulse[b];
    given.add(scale * Vec3d(impulse[0], impulse[1], impulse[2]), motion.center - bodies[b].pose.position);
    given.angular += scale * Vec3d(impulse[3], impulse[4], impulse[5]);
  }
}

void pull_bodies(const FlipModel& model, const FlipScratch& scratch, const FaceVelocity& drag,
                 Bodies& bodies) {
  const double scale = model.density * model.cell_volume();
  for (std::size_t tile = 0; tile < scratch.cells.tiles.size(); ++tile)
    for_each_closed_face(model.place, scratch.cells.tiles, scratch.solids, tile, [&](const ClosedFace& at) {
      const double amount = scale * drag.u[at.axis][at.face];
      if (amount == 0 || bodies[at.owner].is_free) return;
      Vec3d impulse(0);
      impulse[static_cast<int>(at.axis)] = amount;
      bodies.add_impulse(at.owner, impulse, at.center);
    });
}

}  // namespace

double viscous_strength(const FlipModel& model, double dt) {
  return dt * model.viscosity / (model.density * model.place.cell * model.place.cell);
}

void add_viscosity(const FlipModel& model, double dt, Threads& threads, FlipState& state,
                   FlipScratch& scratch, Bodies& bodies) {
  ViscousSystem system(scratch.cells.tiles, scratch.phi, model.place.cell, scratch.solids, scratch.weight,
                       viscous_strength(model, dt), threads);
  FaceVelocity velocity = scratch.after, drag;
  const FreeBodies before = find_free_bodies(model, scratch, bodies);
  FreeBodies after = before;
  const ViscousResult result = system.solve(kTolerance, kMostIterations, velocity, after.parts);
  state.viscous_iterations = result.iterations;
  state.viscous_residual = result.residual;
  move_free_bodies(model, bodies, before, after, scratch);
  system.find_drag(velocity, drag);
  pull_bodies(model, scratch, drag, bodies);
  for (std::size_t axis = 0; axis < 3; ++axis)
    threads.for_each(
        velocity.u[axis].size(),
        [&](std::size_t i) {
          if (scratch.weight.u[axis][i] > 0 && scratch.solids.open[axis][i] > 0)
            scratch.after.u[axis][i] = velocity.u[axis][i];
        },
        kTileCells);
}

double flip_share(const FlipModel& model, double dt) {
  return std::min(model.blend, std::max(0.0, 1 - 6 * viscous_strength(model, dt)));
}

}  // namespace repose
