#include "support/heap.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "repose/measure/pile.h"
#include "repose/particles/grain_mass.h"
#include "repose/scene/grain_shapes.h"
#include "repose/scene/grain_slopes.h"

namespace repose::test {
namespace {

constexpr double kTop = 0.02;  ///< of the disc, where its spheres have their centres [m]

/// Of a grain of a shape that comes with Repose [kg].
double mass_of_grain(const std::string& name, double density) {
  std::vector<ShapeSphere> spheres;
  for (const auto& [x, y, z, r] : find_built_in_grain(name)->spheres) spheres.push_back({{x, y, z}, r});
  return density * mass_of_union(spheres).volume * std::pow(0.5 * kHeapGrain, 3);
}

Scene heap_scene(const Pouring& pouring) {
  const double d = kHeapGrain, disc = pouring.disc * d;
  Scene scene = floor_scene(pouring.grain, d);
  scene.info.seed = pouring.seed;
  scene.domain.min = {-disc - 6 * d, -disc - 6 * d, 0};
  scene.domain.max = {disc + 6 * d, disc + 6 * d, kTop + 2 * disc};
  scene.domain.faces[4] = FaceKind::open;  // what falls off is gone
  scene.solver.dem.tangential = pouring.tangential;
  Material& sand = scene.materials[0];
  sand.young = pouring.young;
  sand.restitution = pouring.restitution;
  sand.friction = pouring.friction;
  sand.rolling_friction = pouring.rolling_friction;
  Material base = material_of("base", "sphere", *sand.young);
  base.sizes = {{0.6, 1}};
  base.friction = pouring.friction;
  base.rolling_friction = pouring.rolling_friction;
  base.restitution = sand.restitution;
  if (pouring.slope) {
    // The disc is as rough as the grains.
    const GrainFriction friction = friction_for_slope(pouring.grain, radians(*pouring.slope)).value();
    base.friction = friction.friction;
    base.rolling_friction = friction.rolling_friction;
    sand.friction_angle = radians(*pouring.slope);
    sand.friction.reset();
    sand.rolling_friction.reset();
  }
  scene.materials.push_back(base);

  Shape plate;
  plate.kind = ShapeKind::cylinder;
  plate.radius = disc;
  plate.height = 0.65 * d;
  plate.pose.position = {0, 0, kTop};
  add_fill(scene, plate, Packing::lattice);
  scene.fills[0].material = "base";
  scene.fills[0].fixed = true;

  Emitter spout;
  spout.name = "spout";
  spout.material = "sand";
  spout.shape.kind = ShapeKind::cylinder;
  spout.shape.radius = 0.3125 * disc;
  spout.shape.height = 3 * d;
  spout.shape.pose.position = {0, 0, kTop + (0.8 * pouring.disc + 3) * d};
  spout.velocity = {0, 0, -0.15};
  spout.rate = pouring.rate * mass_of_grain(pouring.grain, sand.grain_density);
  spout.stop = pouring.grains / pouring.rate;
  scene.emitters.push_back(spout);
  if (pouring.dt_factor != 1) scene.solver.dem.dt = pouring.dt_factor * automatic_dt(scene);
  return scene;
}

/// Energy of motion of the grain in the middle of the order [m g d]. The mean says nothing: now and then a
/// single grain topples, with a thousand times the energy of all others.
double median_energy(const DemState& state) {
  std::vector<double> energy;
  for (std::size_t g = 0; g < state.size(); ++g)
    if (state.held[g] == 0)
      energy.push_back(0.5 * state.velocity[g].dot(state.velocity[g]) / (9.81 * kHeapGrain));
  if (energy.empty()) return 0;
  const auto middle = energy.begin() + static_cast<std::ptrdiff_t>(energy.size() / 2);
  std::nth_element(energy.begin(), middle, energy.end());
  return *middle;
}

}  // namespace

Heap pour(const Pouring& pouring) {
  const Scene scene = heap_scene(pouring);
  Threads threads(1);
  DemSolver solver(scene, threads, {});
  const auto shapes = solver.grain_shapes();
  const GrainTable grains(scene, shapes);
  // Above the disc's own spheres, which are not part of the heap.
  const Shape above = box_shape({1, 1, 1}, {0, 0, kTop + 0.31 * kHeapGrain + 0.5});
  const auto read = [&] {
    Frame frame;
    solver.fill_frame(frame);
    return read_pile(above, PileAxis::radius, frame, grains, solver.model().box, threads);
  };
  Heap out;
  const double end = *scene.emitters[0].stop;
  out.failure = advance(solver, end + pouring.rest);
  if (!out.failure.empty()) return out;
  const PileReading rest = read();
  out.angle = degrees(rest.angle);
  out.height = rest.height / kHeapGrain;
  out.grains = rest.count;
  out.energy = median_energy(solver.state());
  if (pouring.watch <= 0) return out;
  out.failure = advance(solver, end + pouring.rest + pouring.watch);
  out.creep = (out.angle - degrees(read().angle)) / pouring.watch;
  return out;
}

}  // namespace repose::test
