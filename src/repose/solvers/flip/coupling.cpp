#include "repose/solvers/flip/coupling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "repose/grid/projection.h"
#include "repose/solvers/flip/thin_solids.h"

namespace repose {
namespace {

/// Body that counts as liquid may take this share of the body's mass out of M at most.
constexpr double kMostTakenOut = 0.25;

/// Liquid that goes with a body, or body that goes with the liquid.
struct Carried {
  double mass = 0;
  Mat6 masses{};
  Vec6 weight{};  ///< what gravity adds to its momentum
  Vec6 own{};     ///< its momentum before the step, as particles brought it

  void add(double m, double fall, double u, const Vec6& g) {
    mass += m;
    for (std::size_t i = 0; i < 6; ++i) {
      weight[i] += m * fall * g[i];
      own[i] += m * u * g[i];
      for (std::size_t j = 0; j < 6; ++j) masses[i][j] += m * g[i] * g[j];
    }
  }
};

/// What is being summed up for one body.
struct Assembly {
  std::uint16_t body;
  Carried liquid, missing;                             ///< of faces with more, and with less than their due
  std::vector<std::pair<std::uint32_t, Vec6>> pushes;  ///< J, in parts
};

void add_face(const FlipModel& model, const Bodies& bodies, const ClosedFace& at, const FlipScratch& scratch,
              Assembly& assembly) {
  const int axis = static_cast<int>(at.axis);
  const BodyVelocity& motion = scratch.body_velocity[assembly.body];
  Vec3d unit(0);
  unit[axis] = 1;
  const Vec6 g = row_of(unit, at.center - motion.center);
  const auto push = [&](std::uint32_t cell, double sign) {
    if (at.closed <= 0 || cell == kNoTile || scratch.phi[cell] >= 0) return;
    Vec6 row;
    for (std::size_t i = 0; i < 6; ++i) row[i] = sign * at.closed * g[i];
    assembly.pushes.emplace_back(cell, row);
  };
  push(at.low, 1);
  push(static_cast<std::uint32_t>(at.face), -1);
  const double mass = carried_liquid(model, bodies, scratch, at);
  if (mass == 0) return;
  const double u = scratch.weight.u[at.axis][at.face] > 0
                       ? static_cast<double>(scratch.before.u[at.axis][at.face])
                       : motion.at(at.center)[axis];
  (mass > 0 ? assembly.liquid : assembly.missing).add(std::abs(mass), scratch.pull[axis], u, g);
}

LowRankTerm make_term(const FlipModel& model, const Mat6& inverse_mass, Assembly& assembly) {
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
  term.inner = inverse_mass;
  for (Vec6& row : term.inner)
    for (double& value : row) value *= model.density * model.cell_volume();
  return term;
}

/// Mass, momentum and velocity of a body and what it carries, before the pressure.
CoupledBody couple(const FlipModel& model, const Bodies& bodies, double dt, FlipScratch& scratch,
                   Assembly& assembly) {
  const Body& body = bodies[assembly.body];
  CoupledBody coupled{assembly.body, {}, {}, {}};
  const Carried &liquid = assembly.liquid, &missing = assembly.missing;
  // M must stay positive. In liquid the weight of what is missing counts in full, since pressure there rises
  // with depth whatever lies in it. Sand bears a light body with no more than that body's weight: to count
  // more than was taken out of M would throw it up.
  const double share = missing.mass > 0 ? std::min(1.0, kMostTakenOut * body.mass.mass / missing.mass) : 0.0;
  const double weight_share = model.is_sand ? share : 1.0;
  BodyVelocity& motion = scratch.body_velocity[assembly.body];
  const Vec3d v = motion.velocity + scratch.pull, w = motion.spin;
  Mat6 mass = mass_matrix(body);
  Vec6 momentum = times(mass, {v.x, v.y, v.z, w.x, w.y, w.z});
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) {
      coupled.carried_mass[i][j] = liquid.masses[i][j] - share * missing.masses[i][j];
      mass[i][j] += coupled.carried_mass[i][j];
    }
  const Vec3d& before = motion.velocity;
  const Vec6 moving{before.x, before.y, before.z, w.x, w.y, w.z};
  coupled.carried_momentum = times(coupled.carried_mass, moving);
  // Sand that outweighs the body that carries it brings its own momentum instead: with the body's velocity a
  // light body that strikes would push as if it were many times as heavy, and take that with it as it turns.
  if (model.is_sand && liquid.mass > body.mass.mass) {
    const double of_sand = 1 - body.mass.mass / liquid.mass;
    const Vec6 with_body = times(liquid.masses, moving);
    for (std::size_t i = 0; i < 6; ++i)
      coupled.carried_momentum[i] += of_sand * (liquid.own[i] - with_body[i]);
  }
  for (std::size_t i = 0; i < 6; ++i) {
    coupled.carried_momentum[i] += liquid.weight[i] - weight_share * missing.weight[i];
    momentum[i] += coupled.carried_momentum[i] + scratch.body_rub[assembly.body][i];
  }
  Mat6 inverse = inverse_of(mass);
  Vec6 u = times(inverse, momentum);
  hold_at_contacts(bodies, assembly.body, dt, inverse, u);
  motion.velocity = {u[0], u[1], u[2]};
  motion.spin = {u[3], u[4], u[5]};
  coupled.term = make_term(model, inverse, assembly);
  return coupled;
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

namespace {

/// How far from the middle of a cell on one side of a thin body its surface is along the axis; zero where the
/// middle lies inside: what of the body is on the cell's other side counts at its other face [m].
double gap_to_surface(const Bodies& bodies, const ClosedFace& at, double cell, double side) {
  constexpr double kLeastSlant = 0.1;
  Vec3d middle = at.center;
  middle[static_cast<int>(at.axis)] += side * 0.5 * cell;
  const SurfacePoint s = bodies.nearest(at.owner, middle);
  const double slant = std::max(kLeastSlant, std::abs(s.normal[static_cast<int>(at.axis)]));
  return std::clamp(s.distance / slant, 0.0, cell);
}

}  // namespace

double carried_liquid(const FlipModel& model, const Bodies& bodies, const FlipScratch& scratch,
                      const ClosedFace& at) {
  if (at.closed == at.taken) return 0;
  // The share of the way between the middles of the two cells that is below the surface.
  const auto is_liquid = [&](std::uint32_t cell) { return cell != kNoTile && scratch.phi[cell] < 0; };
  const auto is_air = [&](std::uint32_t cell) {
    return cell == kNoTile || (scratch.phi[cell] >= 0 && scratch.solids.distance[cell] >= 0);
  };
  const std::uint32_t low = at.low, high = static_cast<std::uint32_t>(at.face);
  // Behind a thin body there may be air: the liquid ends at the body, and not at a surface of its own.
  const bool ends_at_body = at.closed >= 1 && may_be_thin(bodies[at.owner], model.place.cell);
  if (ends_at_body && ((is_liquid(low) && is_air(high)) || (is_liquid(high) && is_air(low))))
    return model.density * model.place.cell * model.place.cell *
           gap_to_surface(bodies, at, model.place.cell, is_liquid(low) ? -1 : 1);
  double wet = is_liquid(low) || is_liquid(high) ? 1 : 0;
  if (is_liquid(low) && is_air(high)) wet = surface_theta(scratch.phi[low], scratch.phi[high]);
  if (is_liquid(high) && is_air(low))
    wet = low == kNoTile ? 0.5 : surface_theta(scratch.phi[high], scratch.phi[low]);
  return model.density * model.cell_volume() * wet * (at.closed - at.taken);
}

std::vector<CoupledBody> couple_bodies(const FlipModel& model, const Bodies& bodies, double dt,
                                       FlipScratch& scratch) {
  std::vector<std::uint16_t> which(bodies.size(), kNoSolid);
  std::vector<Assembly> assemblies;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!bodies[b].is_free) continue;
    which[b] = static_cast<std::uint16_t>(assemblies.size());
    assemblies.emplace_back().body = static_cast<std::uint16_t>(b);
  }
  std::vector<CoupledBody> coupled;
  if (assemblies.empty()) return coupled;
  for (std::size_t tile = 0; tile < scratch.cells.tiles.size(); ++tile)
    for_each_closed_face(model.place, scratch.cells.tiles, scratch.solids, tile, [&](const ClosedFace& at) {
      if (which[at.owner] != kNoSolid) add_face(model, bodies, at, scratch, assemblies[which[at.owner]]);
    });
  for (Assembly& assembly : assemblies) coupled.push_back(couple(model, bodies, dt, scratch, assembly));
  set_face_velocities(model, which, scratch);
  return coupled;
}

void move_coupled_bodies(const FlipModel& model, const Bodies& bodies,
                         const std::vector<CoupledBody>& coupled, const std::vector<double>& x,
                         FlipScratch& scratch) {
  if (coupled.empty()) return;
  std::vector<std::uint16_t> which(scratch.body_velocity.size(), kNoSolid);
  const double scale = model.density * model.cell_volume();
  for (const CoupledBody& one : coupled) {
    which[one.body] = 0;
    Vec6 impulse = one.term.gather(x);
    const Vec6 change = times(one.term.inner, impulse);
    BodyVelocity& motion = scratch.body_velocity[one.body];
    motion.velocity += Vec3d(change[0], change[1], change[2]);
    motion.spin += Vec3d(change[3], change[4], change[5]);
    const Vec3d &v = motion.velocity, &w = motion.spin;
    const Vec6 carried = times(one.carried_mass, {v.x, v.y, v.z, w.x, w.y, w.z});
    for (std::size_t i = 0; i < 6; ++i)
      impulse[i] = scale * impulse[i] + one.carried_momentum[i] + scratch.body_rub[one.body][i] - carried[i];
    BodyImpulse& given = scratch.body_impulse[one.body];
    given.add({impulse[0], impulse[1], impulse[2]}, motion.center - bodies[one.body].pose.position);
    given.angular += Vec3d(impulse[3], impulse[4], impulse[5]);
  }
  set_face_velocities(model, which, scratch);
}

}  // namespace repose
