#include "repose/solvers/dem/come_to_rest.h"

#include <algorithm>
#include <cmath>

#include "repose/particles/packing/crowd.h"
#include "repose/solvers/dem/body_contacts.h"
#include "repose/solvers/dem/contacts.h"
#include "repose/solvers/dem/covers.h"
#include "repose/solvers/dem/integrate.h"
#include "repose/solvers/dem/neighbor_lists.h"
#include "repose/solvers/dem/rotation.h"
#include "repose/solvers/dem/settled_fills.h"

namespace repose {
namespace {

constexpr double kDamping = 0.5;   ///< share of an unbalanced force [-]
constexpr int kFewestSteps = 400;  ///< before that nothing has begun to move
constexpr int kStepsBetweenLooks = 20;
constexpr double kLeastOverlap = 2e-4;  ///< in diameters: less is not worth its while [-]
constexpr int kTakingBackRounds = 10;
constexpr int kTakingBack = 150;  ///< iterations
constexpr double kSkin = 1;       ///< what is held at an unsupported side, in diameters [-]
constexpr double kBelow = 1.5;    ///< how far under a grain a side is looked for, in diameters [-]
constexpr double kUpwards = 0.3;  ///< cosine of a surface's normal to the vertical, from which it is the top

/// How long to let grains settle.
struct Patience {
  double energy;        ///< at which they are at rest, see Rest::energy [-]
  double most_steps;    ///< at most
  double sphere_steps;  ///< spheres times steps, at most: 2e7 are a second of two cores
};
/// Friction with memory holds for good, so that all comes to rest; the other kind creeps for ever. So would a
/// fill without walls whose sides are held: grains find a way out between them.
Patience patience_with(const DemModel& model, bool has_held) {
  if (model.kernel.remembers()) return {1e-6, has_held ? 3000.0 : 20000.0, 4e7};
  return {1e-4, 3000, 4e7};
}

bool takes_part(const Fill& fill) {
  return fill.shape && fill.packing == Packing::settled && !fill.fixed && fill.velocity == Vec3d(0) &&
         fill.angular_velocity == Vec3d(0) && fill.velocity_spread == 0;
}

/// Whether a wall, or another fill, stands at this place of a fill's surface.
bool is_supported(const Scene& scene, std::size_t own, std::span<const Shape> walls, const Vec3d& at,
                  double reach) {
  for (const Shape& wall : walls)
    if (signed_distance(wall, at) < reach) return true;
  for (std::size_t f = 0; f < scene.fills.size(); ++f)
    if (f != own && scene.fills[f].shape && signed_distance(*scene.fills[f].shape, at) < reach) return true;
  return false;
}

/// Whether a grain must stay where it is: it is of no fill that comes to rest, or at an unsupported side.
bool must_stay(const Scene& scene, std::size_t f, std::span<const Shape> walls, const Vec3d& up,
               const Vec3d& x, double diameter) {
  const Fill& fill = scene.fills[f];
  if (!takes_part(fill)) return true;
  // Under a grain at the top there may be a side that it could roll down.
  for (const Vec3d& at : {x, x - kBelow * diameter * up}) {
    const SurfacePoint surface = distance_and_normal(*fill.shape, at);
    if (surface.distance < -kSkin * diameter || surface.normal.dot(up) > kUpwards) continue;
    if (!is_supported(scene, f, walls, at - surface.distance * surface.normal, diameter)) return true;
  }
  return false;
}

double without(double force, double velocity) {
  return force - kDamping * std::abs(force) * (velocity > 0 ? 1 : velocity < 0 ? -1 : 0);
}

/// Changes the momenta as advance() does, with Cundall's damping.
void damped_kick(const DemModel& model, DemState& state, double dt, const DemScratch& scratch,
                 Threads& threads) {
  threads.for_each(state.size(), [&](std::size_t g) {
    if (scratch.inverse_mass[g] == 0) return;
    const GrainLoad load = load_of(scratch, g, state.position[g], &scratch.sums[scratch.first_sphere[g]]);
    const Vec3d a = model.gravity + scratch.inverse_mass[g] * load.force;
    const Vec3d t = load.torque;
    Vec3d &v = state.velocity[g], &L = state.angular_momentum[g];
    v += dt * Vec3d(without(a.x, v.x), without(a.y, v.y), without(a.z, v.z));
    L += dt * Vec3d(without(t.x, L.x), without(t.y, L.y), without(t.z, L.z));
  });
}

/// See Rest::energy.
double energy_of(const DemModel& model, const DemState& state, const DemScratch& scratch, Threads& threads) {
  struct Sum {
    double energy = 0, count = 0;
  };
  const double g = model.gravity.length();
  const Sum sum = threads.reduce(
      state.size(), Sum{},
      [&](std::size_t begin, std::size_t end) {
        Sum part;
        for (std::size_t k = begin; k < end; ++k) {
          if (scratch.inverse_mass[k] == 0) continue;
          const Vec3d& L = state.angular_momentum[k];
          const Vec3d spin = angular_velocity(model.shapes[state.shape[k]], state.orientation[k], L,
                                              scratch.inverse_mass[k], state.radius[k]);
          part.energy += 0.5 *
                         (state.velocity[k].dot(state.velocity[k]) + scratch.inverse_mass[k] * spin.dot(L)) /
                         (g * 2 * state.radius[k]);
          part.count += 1;
        }
        return part;
      },
      [](const Sum& a, const Sum& b) {
        return Sum{a.energy + b.energy, a.count + b.count};
      });
  return sum.count > 0 ? sum.energy / sum.count : 0;
}

/// Pushes grains apart until no overlap is deeper than this, in diameters.
void take_back_overlaps(const Scene& scene, const DemModel& model, const Bodies& bodies,
                        std::span<const Shape> walls, double overlap, DemState& state, Threads& threads) {
  std::vector<GrainShape> shapes;
  for (const DemShape& shape : model.shapes) shapes.push_back(shape.form);
  PackedGrains grains;
  for (std::size_t g = 0; g < state.size(); ++g)
    grains.add(state.position[g], state.orientation[g], state.radius[g], state.shape[g],
               state.held[g] != 0                          ? Freedom::held
               : shapes[state.shape[g]].spheres.size() > 1 ? Freedom::moves_and_turns
                                                           : Freedom::moves);
  add_covers(model, bodies, shapes, grains);
  Crowd crowd(grains, shapes, walls, model.box, threads);
  if (has_wide_mixture(scene, model)) crowd.stiffen_by_size();
  // Most are where they should be after one round; a grain that is wedged takes more.
  for (int round = 0; round < kTakingBackRounds; ++round)
    if (crowd.relax({.iterations = kTakingBack, .allowed_overlap = overlap}).deepest_overlap <
        kSettledOverlap)
      break;
  const auto count = static_cast<std::ptrdiff_t>(state.size());
  std::copy_n(grains.position.begin(), count, state.position.begin());
  std::copy_n(grains.orientation.begin(), count, state.orientation.begin());
}

/// Damped motion until all is still, or for as long as patience lasts. What contacts remember stays in the
/// state.
Rest let_settle(const DemModel& model, const Bodies& bodies, DemState& state, Threads& threads) {
  const bool has_held =
      std::any_of(state.held.begin(), state.held.end(), [](auto held) { return held != 0; });
  const Patience patience = patience_with(model, has_held);
  Rest rest;
  DemScratch scratch;
  prepare_grains(model, state, scratch, threads);
  const double spheres = std::max(1.0, static_cast<double>(scratch.spheres.size()));
  const int most = static_cast<int>(std::min(patience.most_steps, patience.sphere_steps / spheres));
  for (; rest.steps < most; ++rest.steps) {
    const double dt = rest.steps > 0 ? model.dt : 0;
    drift(model, state, dt, scratch, threads);
    scratch.add_travel(check_motion(model, state, scratch, threads).max_speed(), 0, dt);
    update_neighbors(model, state, bodies, scratch, threads);
    accumulate_contact_forces(model, state, model.dt, scratch, threads);
    find_body_forces(model, state, bodies, model.dt, scratch, threads);
    damped_kick(model, state, model.dt, scratch, threads);
    if (rest.steps % kStepsBetweenLooks != kStepsBetweenLooks - 1) continue;
    rest.energy = energy_of(model, state, scratch, threads);
    if (rest.energy < patience.energy && rest.steps >= kFewestSteps) break;
  }
  if (model.kernel.remembers()) state.memory = collect_memory(scratch);
  return rest;
}

}  // namespace

Rest come_to_rest(const Scene& scene, const DemModel& soft, const DemModel& model, double overlap,
                  Bodies& bodies, Placement& placement, Threads& threads) {
  Rest rest;
  if (soft.gravity == Vec3d(0) || std::none_of(scene.fills.begin(), scene.fills.end(), takes_part))
    return rest;
  DemState& state = placement.state;
  std::vector<Shape> walls;
  for (std::size_t b = 0; b < bodies.size(); ++b) walls.push_back(bodies.world_shape(b));
  const Vec3d up = -soft.gravity.normalized();

  // Ids go by fill, in the order of the fills.
  DemState start = state;
  std::vector<std::uint32_t> first_id;
  std::uint32_t id = 0;
  for (const PlacedFill& fill : placement.fills) {
    id += static_cast<std::uint32_t>(fill.count);
    first_id.push_back(id);
  }
  threads.for_each(state.size(), [&](std::size_t g) {
    const auto f = static_cast<std::size_t>(std::upper_bound(first_id.begin(), first_id.end(), state.id[g]) -
                                            first_id.begin());
    state.velocity[g] = state.angular_momentum[g] = Vec3d(0);
    state.held[g] = must_stay(scene, f, walls, up, state.position[g], 2 * state.radius[g]) ? 1 : 0;
  });

  rest = let_settle(soft, bodies, state, threads);
  state.memory = {};
  // However soft the grains and heavy what may fall on them: no deeper than a packing starts with.
  take_back_overlaps(scene, soft, bodies, walls, std::clamp(overlap, kLeastOverlap, 0.9 * kSettledOverlap),
                     state, threads);
  if (model.kernel.remembers()) {
    // Once more as stiff as the run will be: contacts find their forces, and friction what it remembers.
    std::fill(state.velocity.begin(), state.velocity.end(), Vec3d(0));
    std::fill(state.angular_momentum.begin(), state.angular_momentum.end(), Vec3d(0));
    rest.energy = let_settle(model, bodies, state, threads).energy;
  }

  // Back to rows by id, and to what the fills say of motion.
  select_rows(state, order_by_id(state), threads);
  state.velocity = std::move(start.velocity);
  state.angular_momentum = std::move(start.angular_momentum);
  state.held = std::move(start.held);
  return rest;
}

}  // namespace repose
