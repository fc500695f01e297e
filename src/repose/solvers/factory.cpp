#include <algorithm>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/version.h"
#include "repose/scene/materials.h"
#include "repose/solvers/continuum/zones.h"
#include "repose/solvers/dem/dem_solver.h"
#include "repose/solvers/flip/flip_solver.h"
#include "repose/solvers/run_cost.h"
#include "repose/solvers/snow/snow_solver.h"
#include "repose/solvers/solver.h"
#include "repose/solvers/sph/sph_solver.h"

namespace repose {
namespace {

/// Refuses what no solver of this version, or not the one chosen, can do.
void check_scene(const Scene& scene) {
  if (scene.solver.type == SolverKind::dem) refuse_zones(scene, "dem");
  if (scene.solver.type == SolverKind::flip) refuse_zones(scene, "flip");
  if (scene.solver.type == SolverKind::snow) refuse_wetness(scene, "snow");
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
  check_scene(scene);
  refuse_too_many(scene, threads);
  if (log && !scene.fills.empty()) log(LogLevel::activity, placing_text(scene));
  switch (scene.solver.type) {
    case SolverKind::dem:
      return std::make_unique<DemSolver>(scene, threads, log);
    case SolverKind::flip:
      return std::make_unique<FlipSolver>(scene, threads, log);
    case SolverKind::sph:
      return std::make_unique<SphSolver>(scene, threads, log);
    case SolverKind::snow:
      return std::make_unique<SnowSolver>(scene, threads, log);
  }
  throw Error(ExitCode::bad_scene, "no such solver");
}

SolverPlan plan_run(const Scene& scene, Threads& threads) {
  check_scene(scene);
  switch (scene.solver.type) {
    case SolverKind::dem:
      return plan_dem(scene, threads);
    case SolverKind::flip:
      return plan_flip(scene, threads);
    case SolverKind::sph:
      return plan_sph(scene, threads);
    case SolverKind::snow:
      return plan_snow(scene, threads);
  }
  throw Error(ExitCode::bad_scene, "no such solver");
}

}  // namespace repose
