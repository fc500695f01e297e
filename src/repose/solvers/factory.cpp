#include <algorithm>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/solvers/continuum/zones.h"
#include "repose/solvers/dem/dem_solver.h"
#include "repose/solvers/flip/flip_solver.h"
#include "repose/solvers/solver.h"
#include "repose/solvers/sph/sph_solver.h"

namespace repose {
namespace {

[[noreturn]] void refuse(SolverKind kind) {
  const char* names[] = {"dem", "sph", "flip", "snow"};
  throw Error(
      ExitCode::bad_scene,
      fmt::format("solver.type = \"{}\" is not available yet; this version has \"dem\", \"flip\" and \"sph\"",
                  names[static_cast<int>(kind)]));
}

void check_zones(const Scene& scene) {
  if (scene.solver.type == SolverKind::dem) refuse_zones(scene, "dem");
  if (scene.solver.type == SolverKind::flip) refuse_zones(scene, "flip");
}

/// What a set-up spends its time with.
std::string placing_text(const Scene& scene) {
  const bool packs = scene.solver.type == SolverKind::dem &&
                     std::any_of(scene.fills.begin(), scene.fills.end(), [](const Fill& fill) {
                       return fill.shape && fill.packing == Packing::settled;
                     });
  std::string names;
  for (const Fill& fill : scene.fills) names += (names.empty() ? "" : ", ") + fill.name;
  return fmt::format("{} {}", packs ? "packing the grains of" : "placing the particles of", names);
}

}  // namespace

std::unique_ptr<Solver> make_solver(const Scene& scene, Threads& threads, const LogSink& log) {
  check_zones(scene);
  if (log && !scene.fills.empty()) log(LogLevel::activity, placing_text(scene));
  switch (scene.solver.type) {
    case SolverKind::dem:
      return std::make_unique<DemSolver>(scene, threads, log);
    case SolverKind::flip:
      return std::make_unique<FlipSolver>(scene, threads, log);
    case SolverKind::sph:
      return std::make_unique<SphSolver>(scene, threads, log);
    default:
      refuse(scene.solver.type);
  }
}

SolverPlan plan_run(const Scene& scene, Threads& threads) {
  check_zones(scene);
  switch (scene.solver.type) {
    case SolverKind::dem:
      return plan_dem(scene, threads);
    case SolverKind::flip:
      return make_flip_setup(scene, threads).plan;
    case SolverKind::sph:
      return make_sph_setup(scene, threads).plan;
    default:
      refuse(scene.solver.type);
  }
}

}  // namespace repose
