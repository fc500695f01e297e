#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/solvers/dem/dem_solver.h"
#include "repose/solvers/solver.h"

namespace repose {
namespace {

[[noreturn]] void refuse(SolverKind kind) {
  const char* names[] = {"dem", "sph", "flip", "snow"};
  throw Error(ExitCode::bad_scene,
              fmt::format("solver.type = \"{}\" is not available yet; this version has \"dem\"",
                          names[static_cast<int>(kind)]));
}

}  // namespace

std::unique_ptr<Solver> make_solver(const Scene& scene, Threads& threads, const LogSink& log) {
  if (scene.solver.type != SolverKind::dem) refuse(scene.solver.type);
  return std::make_unique<DemSolver>(scene, threads, log);
}

SolverPlan plan_run(const Scene& scene, Threads& threads) {
  if (scene.solver.type != SolverKind::dem) refuse(scene.solver.type);
  return plan_dem(scene, threads);
}

}  // namespace repose
