// Steps a dem scene and says on one line of JSON how long that took and how many spheres touch, for run.py.
//
//   peers_step_scene SCENE THREADS WARM STEPS [key.path=value ...]
//
// WARM steps come first and are not timed. Contacts with walls are left out, as LAMMPS leaves them out.

#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "repose/scene/load.h"
#include "repose/solvers/dem/dem_solver.h"

namespace repose {
namespace {

/// Spheres of the grains that reach beyond a wall of the domain; beyond two walls counts twice.
double wall_contacts(const DemSolver& solver) {
  const DemState& state = solver.state();
  const Domain& domain = solver.model().domain;
  double count = 0;
  for (std::size_t g = 0; g < state.size(); ++g)
    for (const ShapeSphere& sphere : solver.model().shapes[state.shape[g]].form.spheres) {
      const Vec3d x = state.position[g] + state.radius[g] * state.orientation[g].rotateVector(sphere.center);
      const double r = state.radius[g] * sphere.radius;
      for (int axis = 0; axis < 3; ++axis) {
        const auto low = static_cast<std::size_t>(2 * axis);
        if (domain.faces[low] == FaceKind::wall && x[axis] - r < domain.min[axis]) ++count;
        if (domain.faces[low + 1] == FaceKind::wall && x[axis] + r > domain.max[axis]) ++count;
      }
    }
  return count;
}

double contacts(const DemSolver& solver) { return solver.stats().errors.at(1).value - wall_contacts(solver); }

struct Spent {
  double seconds;      ///< on the clock
  double cpu_seconds;  ///< of all threads together
};

Spent take_steps(DemSolver& solver, int count) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t cpu = std::clock();
  for (int k = 0; k < count; ++k) {
    const StepReport report = solver.step(1);
    if (!report.failure.empty()) throw std::runtime_error(report.failure);
  }
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC};
}

void time_steps(std::span<char* const> arguments) {
  if (arguments.size() < 4) throw std::runtime_error("usage: SCENE THREADS WARM STEPS [key.path=value ...]");
  const std::vector<std::string> changes(arguments.begin() + 4, arguments.end());
  const Scene scene = load_scene(arguments[0], changes);
  Threads threads(std::stoi(arguments[1]));
  const int warm = std::stoi(arguments[2]), steps = std::stoi(arguments[3]);
  DemSolver solver(scene, threads, {});
  take_steps(solver, warm);
  solver.take_stage_times();
  nlohmann::json line;
  line["contacts_before"] = contacts(solver);
  const Spent spent = take_steps(solver, steps);
  const SolverStats stats = solver.stats();
  line["contacts_after"] = contacts(solver);
  line["spheres"] = stats.elements;
  line["kinetic"] = stats.kinetic;
  line["escaped"] = stats.escaped;
  line["seconds"] = spent.seconds;
  line["cpu_seconds"] = spent.cpu_seconds;
  line["time"] = solver.time();
  for (const StageTime& stage : solver.take_stage_times()) line["stages"][stage.name] = stage.seconds;
  std::printf("%s\n", line.dump().c_str());
}

}  // namespace
}  // namespace repose

int main(int argc, char** argv) {
  try {
    repose::time_steps(std::span<char* const>(argv, static_cast<std::size_t>(argc)).subspan(1));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peers_step_scene: %s\n", error.what());
    return 1;
  }
}
