#include "repose/solvers/flip/loose_sand.h"

#include <algorithm>
#include <vector>

#include "repose/solvers/flip/solids.h"

namespace repose {
namespace {

struct Loss {
  std::size_t body;
  Vec3d impulse, at;
};

}  // namespace

void rub_loose_particles(const FlipModel& model, double dt, Threads& threads, const FlipScratch& scratch,
                         FlipState& state, Bodies& bodies) {
  const ParticleCells& cells = scratch.cells;
  const double h = model.place.cell;
  std::vector<std::vector<Loss>> losses(cells.occupied.size());
  const auto rub = [&](std::size_t p, std::vector<Loss>& out) {
    const Vec3d x = state.position[p], v(state.velocity[p]);
    const auto solid = nearest_solid(bodies, x, 0.5 * model.matter.spacing);
    if (!solid) return;
    const Vec3d& n = solid->point.normal;
    Vec3d relative = v - scratch.body_velocity[solid->body].at(x);
    if (has_belt(bodies[solid->body])) relative -= bodies.belt_velocity(solid->body, n);
    const double into = -relative.dot(n);
    const Vec3d along = relative + into * n;
    // The grid slows down what nears a wall; weight presses all the same.
    const double pressed = std::max(into, -dt * model.gravity.dot(n));
    if (pressed <= 0) return;
    const Vec3d change = rub_at_wall(along, pressed, model.body_friction[solid->body]) - along;
    state.velocity[p] = to_float(v + change);
    out.push_back({solid->body, -model.particle_mass * change, x});
  };
  threads.for_each(
      cells.occupied.size(),
      [&](std::size_t k) {
        const std::size_t first = cells.occupied[k] * kTileCells;
        for (std::size_t i = first; i < first + kTileCells; ++i) {
          if (scratch.x[i] > 0 || static_cast<double>(scratch.solids.distance[i]) > h) continue;
          for (std::uint32_t p = cells.cell_first[i]; p < cells.cell_first[i + 1]; ++p) rub(p, losses[k]);
        }
      },
      1);
  for (const std::vector<Loss>& tile : losses)
    for (const Loss& loss : tile) bodies.add_impulse(loss.body, loss.impulse, loss.at);
}

}  // namespace repose
