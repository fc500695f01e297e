#include "repose/solvers/flip/loose_sand.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "repose/physics/rigid_body.h"
#include "repose/solvers/flip/solids.h"

namespace repose {
namespace {

struct Loss {
  std::size_t body;
  Vec3d impulse, at;
};

/// A particle that touches a free body.
struct LooseTouch {
  std::size_t particle, body;
  Vec3d normal;
};

class LooseSand {
 public:
  LooseSand(const FlipModel& model, double dt, const FlipScratch& scratch, FlipState& state, Bodies& bodies)
      : model_(model), dt_(dt), velocity_(scratch.body_velocity), state_(state), bodies_(bodies) {}

  std::optional<LooseTouch> touch(std::size_t p) const {
    const auto solid = nearest_solid(bodies_, state_.position[p], 0.5 * model_.matter.spacing);
    if (!solid) return std::nullopt;
    return LooseTouch{p, solid->body, solid->point.normal};
  }

  /// What the particle loses against a body that stays as fast as it is [m/s].
  Vec3d change(const LooseTouch& at) const {
    const Vec3d x = state_.position[at.particle], &n = at.normal;
    Vec3d relative = Vec3d(state_.velocity[at.particle]) - velocity_[at.body].at(x);
    if (has_belt(bodies_[at.body])) relative -= bodies_.belt_velocity(at.body, n);
    const double into = -relative.dot(n);
    const Vec3d along = relative + into * n;
    // The grid slows down what nears a wall; weight presses all the same.
    const double pressed = std::max(into, -dt_ * model_.gravity.dot(n));
    if (pressed <= 0) return Vec3d(0);
    return rub_at_wall(along, pressed, model_.body_friction[at.body]) - along;
  }

  Loss rub(const LooseTouch& at) {
    const Vec3d change = this->change(at);
    state_.velocity[at.particle] = to_float(Vec3d(state_.velocity[at.particle]) + change);
    return {at.body, -model_.particle_mass * change, state_.position[at.particle]};
  }

  /// One particle after the other, each against the body as those before it left it, with the mass that the
  /// two have along the friction together. A particle of sand may weigh more than a light body: what it loses
  /// against a wall would throw that body away.
  void rub_free(const LooseTouch& at) {
    const Vec3d change = this->change(at);
    const double speed = change.length();
    if (!(speed > 0)) return;
    const Body& body = bodies_[at.body];
    BodyVelocity& motion = velocity_[at.body];
    const Vec3d x = state_.position[at.particle], arm = x - motion.center;
    const Imath::M33d inverse_inertia = turned_matrix(body.mass.inverse_inertia, body.state.rotation);
    const double of_body = inverse_mass_along(body.inverse_mass(), inverse_inertia, arm, change / speed);
    const Vec3d impulse = change / (1 / model_.particle_mass + of_body);
    state_.velocity[at.particle] =
        to_float(Vec3d(state_.velocity[at.particle]) + impulse / model_.particle_mass);
    motion.velocity -= body.inverse_mass() * impulse;
    motion.spin -= apply(inverse_inertia, arm.cross(impulse));
    bodies_.add_impulse(at.body, -impulse, x);
  }

 private:
  const FlipModel& model_;
  double dt_;
  std::vector<BodyVelocity> velocity_;  ///< of free ones with what loose sand has done to them
  FlipState& state_;
  Bodies& bodies_;
};

}  // namespace

void rub_loose_particles(const FlipModel& model, double dt, Threads& threads, const FlipScratch& scratch,
                         FlipState& state, Bodies& bodies) {
  const ParticleCells& cells = scratch.cells;
  const double h = model.place.cell;
  LooseSand sand(model, dt, scratch, state, bodies);
  std::vector<std::vector<Loss>> losses(cells.occupied.size());
  std::vector<std::vector<LooseTouch>> on_free(cells.occupied.size());
  threads.for_each(
      cells.occupied.size(),
      [&](std::size_t k) {
        const std::size_t first = cells.occupied[k] * kTileCells;
        for (std::size_t i = first; i < first + kTileCells; ++i) {
          if (scratch.x[i] > 0 || static_cast<double>(scratch.solids.distance[i]) > h) continue;
          for (std::uint32_t p = cells.cell_first[i]; p < cells.cell_first[i + 1]; ++p) {
            const std::optional<LooseTouch> at = sand.touch(p);
            if (!at) continue;
            if (bodies[at->body].is_free)
              on_free[k].push_back(*at);
            else
              losses[k].push_back(sand.rub(*at));
          }
        }
      },
      1);
  for (const std::vector<Loss>& tile : losses)
    for (const Loss& loss : tile) bodies.add_impulse(loss.body, loss.impulse, loss.at);
  for (const std::vector<LooseTouch>& tile : on_free)
    for (const LooseTouch& at : tile) sand.rub_free(at);
}

}  // namespace repose
