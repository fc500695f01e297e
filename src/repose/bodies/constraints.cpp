#include "repose/bodies/constraints.h"

#include <algorithm>
#include <cmath>

#include "repose/physics/rigid_body.h"

namespace repose {
namespace {

Vec3d to_world(const Mover& mover, const Vec3d& local) {
  return mover.center + rotate(mover.rotation, local);
}

/// Largest eigenvalue of the 2 x 2 matrix that takes tangential impulses to tangential velocities: with its
/// inverse as mass a turn never overshoots, and friction points exactly against the slip.
double tangent_inverse_mass(const Mover& a, const Mover& b, const Vec3d& place, const Vec3d& n) {
  const Vec3d t = (std::fabs(n.x) < 0.6 ? Vec3d(1, 0, 0) : Vec3d(0, 1, 0)).cross(n).normalized();
  const Vec3d s = n.cross(t);
  double tt = 0, ss = 0, ts = 0;
  for (const Mover* m : {&a, &b}) {
    const Vec3d lever_t = (place - m->center).cross(t), lever_s = (place - m->center).cross(s);
    const Vec3d spin_t = apply(m->inverse_inertia, lever_t);
    tt += m->inverse_mass + lever_t.dot(spin_t);
    ss += m->inverse_mass + lever_s.dot(apply(m->inverse_inertia, lever_s));
    ts += lever_s.dot(spin_t);
  }
  return 0.5 * (tt + ss) + std::sqrt(0.25 * (tt - ss) * (tt - ss) + ts * ts);
}

}  // namespace

ContactRow prepare_contact(const BodyContact& contact, std::span<const Mover> movers) {
  const Mover &a = movers[contact.a], &b = movers[contact.b];
  ContactRow row;
  row.normal = rotate(contact.normal_turns_with_a != 0 ? a.rotation : b.rotation, contact.normal);
  const Vec3d on_a = to_world(a, contact.on_a) - contact.radius_a * row.normal;
  const Vec3d on_b = to_world(b, contact.on_b) + contact.radius_b * row.normal;
  row.gap = (on_a - on_b).dot(row.normal);
  row.place = 0.5 * (on_a + on_b);
  row.mass = 1 / (inverse_mass_along(a.inverse_mass, a.inverse_inertia, row.place - a.center, row.normal) +
                  inverse_mass_along(b.inverse_mass, b.inverse_inertia, row.place - b.center, row.normal));
  row.tangent_mass = 1 / tangent_inverse_mass(a, b, row.place, row.normal);
  if (const Vec3d belt = a.belt - b.belt; belt != Vec3d(0))
    row.belt = belt - belt.dot(row.normal) * row.normal;
  return row;
}

Vec3d relative_velocity(const BodyContact& contact, const ContactRow& row, std::span<const Mover> movers) {
  return movers[contact.a].velocity_at(row.place) - movers[contact.b].velocity_at(row.place);
}

void push_apart(double push, const BodyContact& contact, const ContactRow& row, std::span<Mover> movers) {
  movers[contact.a].push(push * row.normal, row.place);
  movers[contact.b].push(-push * row.normal, row.place);
}

void solve_push(double& push, const BodyContact& contact, const ContactRow& row, double target,
                std::span<Mover> movers) {
  const double v = relative_velocity(contact, row, movers).dot(row.normal);
  const double before = push;
  push = std::max(0.0, before + row.mass * (target - v));
  push_apart(push - before, contact, row, movers);
}

void solve_friction(BodyContact& contact, const ContactRow& row, std::span<Mover> movers) {
  const Vec3d v = relative_velocity(contact, row, movers);
  Vec3d slip = v - v.dot(row.normal) * row.normal;
  if (row.belt != Vec3d(0)) slip += row.belt;
  const Vec3d before = contact.friction_impulse;
  Vec3d now = before - row.tangent_mass * slip;
  const double size = now.length(), limit = contact.impulse > 0 ? contact.friction * contact.impulse : 0.0;
  if (size > limit) now *= limit / size;
  contact.friction_impulse = now;
  movers[contact.a].push(now - before, row.place);
  movers[contact.b].push(before - now, row.place);
}

void warm_start(BodyContact& contact, const ContactRow& row, double share, std::span<Mover> movers) {
  contact.impulse *= share;
  contact.friction_impulse *= share;
  contact.friction_impulse -= contact.friction_impulse.dot(row.normal) * row.normal;
  const Vec3d push = contact.impulse * row.normal + contact.friction_impulse;
  movers[contact.a].push(push, row.place);
  movers[contact.b].push(-push, row.place);
}

}  // namespace repose
