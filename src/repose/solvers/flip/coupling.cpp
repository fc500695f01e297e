#include "repose/solvers/flip/coupling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "repose/math/rotation.h"
#include "repose/solvers/flip/solids.h"

namespace repose {
namespace {

using Vec6 = std::array<double, 6>;
using Mat6 = std::array<Vec6, 6>;

/// Of a symmetric, positive definite matrix, by elimination.
Mat6 inverse_of(Mat6 a) {
  Mat6 inverse{};
  for (std::size_t i = 0; i < 6; ++i) inverse[i][i] = 1;
  for (std::size_t k = 0; k < 6; ++k) {
    const double pivot = 1 / a[k][k];
    for (std::size_t j = 0; j < 6; ++j) a[k][j] *= pivot, inverse[k][j] *= pivot;
    for (std::size_t i = 0; i < 6; ++i) {
      if (i == k) continue;
      const double factor = a[i][k];
      for (std::size_t j = 0; j < 6; ++j) {
        a[i][j] -= factor * a[k][j];
        inverse[i][j] -= factor * inverse[k][j];
      }
    }
  }
  return inverse;
}

Vec6 times(const Mat6& a, const Vec6& x) {
  Vec6 y{};
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) y[i] += a[i][j] * x[j];
  return y;
}

/// Mass and inertia in the world, about the centre of mass.
Mat6 mass_matrix(const Body& body) {
  Mat6 m{};
  const Imath::M33d inertia = turned_matrix(body.mass.inertia, body.state.rotation);
  for (std::size_t i = 0; i < 3; ++i) {
    m[i][i] = body.mass.mass;
    for (std::size_t k = 0; k < 3; ++k) m[3 + i][3 + k] = inertia[static_cast<int>(i)][static_cast<int>(k)];
  }
  return m;
}

/// What is being summed up for one body.
struct Assembly {
  std::uint16_t body;
  Mat6 mass{};                                         ///< with the liquid that goes with it
  Vec6 momentum{};                                     ///< likewise, after gravity
  std::vector<std::pair<std::uint32_t, Vec6>> pushes;  ///< J, in parts
};

void add_face(const FlipModel& model, const Bodies& bodies, double dt, const ClosedFace& at,
              const FlipScratch& scratch, Assembly& assembly) {
  const int axis = static_cast<int>(at.axis);
  Vec3d unit(0);
  unit[axis] = 1;
  const Vec3d turn = (at.center - scratch.body_velocity[assembly.body].center).cross(unit);
  const Vec6 g{unit.x, unit.y, unit.z, turn.x, turn.y, turn.z};
  const auto push = [&](std::uint32_t cell, double sign) {
    if (cell == kNoTile || scratch.phi[cell] >= 0) return;
    Vec6 row;
    for (std::size_t i = 0; i < 6; ++i) row[i] = sign * at.closed * g[i];
    assembly.pushes.emplace_back(cell, row);
  };
  push(at.low, 1);
  push(static_cast<std::uint32_t>(at.face), -1);
  const double weight = scratch.weight.u[at.axis][at.face];
  if (at.closed < 1 || weight <= 0) return;
  const double n = bodies.nearest(assembly.body, at.center).normal[axis];
  const double mass = n * n * weight * model.particle_mass;
  const double speed = scratch.before.u[at.axis][at.face] + dt * model.gravity[axis];
  for (std::size_t i = 0; i < 6; ++i) {
    assembly.momentum[i] += mass * speed * g[i];
    for (std::size_t j = 0; j < 6; ++j) assembly.mass[i][j] += mass * g[i] * g[j];
  }
}

LowRankTerm make_term(const FlipModel& model, Assembly& assembly) {
  LowRankTerm term;
  std::stable_sort(assembly.pushes.begin(), assembly.pushes.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [cell, row] : assembly.pushes) {
    if (term.cells.empty() || term.cells.back() != cell) {
      term.cells.push_back(cell);
      term.rows.emplace_back();
    }
    for (std::size_t i = 0; i < 6; ++i) term.rows.back()[i] += row[i];
  }
  term.inner = inverse_of(assembly.mass);
  for (Vec6& row : term.inner)
    for (double& value : row) value *= model.density * model.cell_volume();
  return term;
}

/// Tells the faces that free bodies close how fast these move.
void set_face_velocities(const FlipModel& model, const std::vector<std::uint16_t>& which,
                         FlipScratch& scratch) {
  for (std::size_t tile = 0; tile < scratch.cells.tiles.size(); ++tile)
    for_each_closed_face(model.place, scratch.cells.tiles, scratch.solids, tile, [&](const ClosedFace& at) {
      if (which[at.owner] == kNoSolid) return;
      const BodyVelocity& motion = scratch.body_velocity[at.owner];
      scratch.solids.velocity[at.axis][at.face] =
          static_cast<float>(motion.at(at.center)[static_cast<int>(at.axis)]);
    });
}

}  // namespace

std::vector<CoupledBody> couple_bodies(const FlipModel& model, const Bodies& bodies, double dt,
                                       FlipScratch& scratch) {
  scratch.body_velocity = body_velocities(bodies);
  std::vector<std::uint16_t> which(bodies.size(), kNoSolid);
  std::vector<Assembly> assemblies;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!bodies[b].is_free) continue;
    which[b] = static_cast<std::uint16_t>(assemblies.size());
    Assembly& assembly = assemblies.emplace_back();
    assembly.body = static_cast<std::uint16_t>(b);
    assembly.mass = mass_matrix(bodies[b]);
    const BodyVelocity& motion = scratch.body_velocity[b];
    const Vec3d v = motion.velocity + dt * model.gravity, w = motion.spin;
    assembly.momentum = times(assembly.mass, {v.x, v.y, v.z, w.x, w.y, w.z});
  }
  std::vector<CoupledBody> coupled;
  if (assemblies.empty()) return coupled;
  for (std::size_t tile = 0; tile < scratch.cells.tiles.size(); ++tile)
    for_each_closed_face(model.place, scratch.cells.tiles, scratch.solids, tile, [&](const ClosedFace& at) {
      if (which[at.owner] != kNoSolid) add_face(model, bodies, dt, at, scratch, assemblies[which[at.owner]]);
    });
  for (Assembly& assembly : assemblies) {
    const Vec6 u = times(inverse_of(assembly.mass), assembly.momentum);
    BodyVelocity& motion = scratch.body_velocity[assembly.body];
    motion.velocity = {u[0], u[1], u[2]};
    motion.spin = {u[3], u[4], u[5]};
    coupled.push_back({assembly.body, make_term(model, assembly)});
  }
  set_face_velocities(model, which, scratch);
  return coupled;
}

void move_coupled_bodies(const FlipModel& model, const std::vector<CoupledBody>& coupled,
                         FlipScratch& scratch) {
  if (coupled.empty()) return;
  std::vector<std::uint16_t> which(scratch.body_velocity.size(), kNoSolid);
  for (const CoupledBody& one : coupled) {
    which[one.body] = 0;
    const Vec6 u = times(one.term.inner, one.term.gather(scratch.x));
    BodyVelocity& motion = scratch.body_velocity[one.body];
    motion.velocity += Vec3d(u[0], u[1], u[2]);
    motion.spin += Vec3d(u[3], u[4], u[5]);
  }
  set_face_velocities(model, which, scratch);
}

}  // namespace repose
