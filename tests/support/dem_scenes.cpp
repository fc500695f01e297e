#include "support/dem_scenes.h"

#include "repose/solvers/dem/rotation.h"

namespace repose::test {

Material material_of(const std::string& name, const std::string& grain, double young) {
  Material material;
  material.name = name;
  material.grain = grain;
  material.grain_density = 2500;
  material.friction = 0.5;
  material.restitution = 0.5;
  material.young = young;
  return material;
}

Shape box_shape(const Vec3d& size, const Vec3d& position) {
  Shape box;
  box.kind = ShapeKind::box;
  box.size = size;
  box.pose.position = position;
  return box;
}

Scene box_scene(const std::string& grain, const Vec3d& size, double spacing) {
  Scene scene;
  scene.domain.given = true;
  scene.domain.min = Vec3d(0);
  scene.domain.max = size;
  scene.domain.faces.fill(FaceKind::wall);
  scene.domain.faces[5] = FaceKind::open;
  scene.solver.spacing = spacing;
  scene.materials.push_back(material_of("sand", grain));
  return scene;
}

Scene void_scene(const std::string& grain, double spacing) {
  Scene scene = box_scene(grain, Vec3d(2000), spacing);
  scene.domain.min = Vec3d(-1000);
  scene.domain.max = Vec3d(1000);
  scene.domain.faces.fill(FaceKind::open);
  scene.info.gravity = Vec3d(0);
  return scene;
}

Scene floor_scene(const std::string& grain, double spacing) {
  Scene scene = void_scene(grain, spacing);
  scene.domain.min.z = 0;
  scene.domain.faces[4] = FaceKind::wall;
  scene.info.gravity = {0, 0, -9.81};
  return scene;
}

void add_fill(Scene& scene, const Shape& shape, Packing packing) {
  Fill fill;
  fill.name = "fill" + std::to_string(scene.fills.size());
  fill.material = scene.materials[0].name;
  fill.shape = shape;
  fill.packing = packing;
  scene.fills.push_back(fill);
}

void add_point(Scene& scene, const Vec3d& position, const Vec3d& velocity, const Vec3d& angular_velocity) {
  Fill fill;
  fill.name = "point" + std::to_string(scene.fills.size());
  fill.material = scene.materials[0].name;
  fill.points.push_back(position);
  fill.velocity = velocity;
  fill.angular_velocity = angular_velocity;
  fill.grain_rotation.emplace(0, 0, 0);
  scene.fills.push_back(fill);
}

void add_rows(Scene& scene, std::span<const Vec3d> positions, std::span<const Vec3d> velocities,
              std::span<const Vec3d> spins) {
  Fill fill;
  fill.name = "rows" + std::to_string(scene.fills.size());
  fill.material = scene.materials[0].name;
  fill.file = "made in the test";
  fill.rows.position.assign(positions.begin(), positions.end());
  fill.rows.velocity.assign(velocities.begin(), velocities.end());
  fill.rows.angular_velocity.assign(spins.begin(), spins.end());
  scene.fills.push_back(fill);
}

double automatic_dt(const Scene& scene) {
  Threads threads(1);
  Scene free = scene;
  free.solver.dem.dt = 0;
  return make_dem_setup(free, threads).model.dt;
}

std::string advance(Solver& solver, double time) {
  // What is left below a picosecond is rounding of the sum of steps.
  while (time - solver.time() > 1e-12) {
    const StepReport report = solver.step(time - solver.time());
    if (!report.failure.empty()) return report.failure;
  }
  return {};
}

std::uint64_t state_hash(const Solver& solver) {
  ArchiveWriter out;
  solver.save(out);
  return out.hash();
}

Vec3d spin_of(const DemSolver& solver, std::size_t row) {
  const DemState& state = solver.state();
  const DemModel& model = solver.model();
  const double mass = model.grain_mass(state.shape[row], state.material[row], state.radius[row]);
  return angular_velocity(model.shapes[state.shape[row]], state.orientation[row], state.angular_momentum[row],
                          1 / mass, state.radius[row]);
}

}  // namespace repose::test
