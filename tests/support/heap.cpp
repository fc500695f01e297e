#include "support/heap.h"

#include <cmath>
#include <vector>

#include "repose/measure/pile.h"
#include "repose/particles/grain_mass.h"
#include "repose/scene/grain_shapes.h"

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
  sand.young = 1e6;
  sand.restitution = 0.3;
  sand.friction = pouring.friction;
  Material base = material_of("base", "sphere", *sand.young);
  base.sizes = {{0.6, 1}};
  base.friction = pouring.friction;
  base.restitution = sand.restitution;
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
  spout.shape.radius = 2.5 * d;
  spout.shape.height = 3 * d;
  spout.shape.pose.position = {0, 0, kTop + (0.8 * pouring.disc + 3) * d};
  spout.velocity = {0, 0, -0.15};
  spout.rate = pouring.rate * mass_of_grain(pouring.grain, sand.grain_density);
  spout.stop = pouring.grains / pouring.rate;
  scene.emitters.push_back(spout);
  if (pouring.dt_factor != 1) scene.solver.dem.dt = pouring.dt_factor * automatic_dt(scene);
  return scene;
}

}  // namespace

Heap pour(const Pouring& pouring) {
  const Scene scene = heap_scene(pouring);
  Threads threads(2);
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
  out.failure = advance(solver, end + 1);
  if (!out.failure.empty()) return out;
  const PileReading rest = read();
  out.angle = degrees(rest.angle);
  out.height = rest.height / kHeapGrain;
  out.grains = rest.count;
  return out;
}

}  // namespace repose::test
