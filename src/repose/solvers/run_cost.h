#pragma once
// What a run costs, before anything is made: how many particles its fills will hold, what memory they take,
// and how long the steps are going to last. `repose check` tells it, and a run whose particles cannot be had
// is refused by it.
//
// Memory and time go by numbers measured with the examples (run_cost.cpp); time is that of one core of the
// machine they were measured on (exec/processor_speed.h compares another one with it).

#include <cstdint>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/scene/pouring.h"
#include "repose/scene/scene.h"
#include "repose/solvers/solver.h"

namespace repose {

/// Fills with more particles than this together are counted by their volume; up to it they are made, and the
/// count is exact.
inline constexpr double kMostMadeToCount = 150e3;

/// Particles that a fill will have, from its volume: within 1 % for more than some thousands [-].
std::vector<double> expected_fill_counts(const Scene& scene, Threads& threads);

/// Of the bodies that are covered with particles, how many these will be, roughly.
double expected_cover_count(const Scene& scene);

/// What a run holds at most, in what its solver counts.
struct Contents {
  double particles = 0;
  double elements = 0;  ///< spheres for dem, particles elsewhere
  double covers = 0;    ///< particles that bodies are covered with
};
/// Memory of a solver's state, its scratch and the frame that is written [bytes].
double solver_bytes(const Scene& scene, const Contents& contents);

/// Time of one step [s]: by element, by body that moves freely, by cell of a grid, and of any step.
struct StepCost {
  double by_element = 0, by_body = 0, by_cell = 0, by_step = 0;
};
StepCost step_cost(const Scene& scene);

/// Share of the time during which something is as fast as `plan.dt` reckons with, under sph and flip [-]:
/// sand that falls comes to rest soon, unless more is poured.
double fast_share(const Scene& scene);

/// Fills in steps, mean_elements and seconds of a plan whose fills, dt and elements are known. `by_particle`:
/// elements of a particle of each of plan.fills.
void plan_time(const Scene& scene, const std::vector<double>& by_particle, double steps, SolverPlan& plan);

/// Mass that has come until then, as a mean over the times from 0 to `duration` [kg].
double mean_poured_mass(const Pouring& pouring, double duration);

/// Steps of a solver whose steps divide the time between frames evenly: `dt` is the longest [s].
double even_steps(const Scene& scene, double dt);

/// Throws where the fills would have more particles than can be told apart (bad_scene), or need far more
/// memory than the machine has (run_failed), before anything is made.
void refuse_too_many(const Scene& scene, Threads& threads);
/// That a scene has more particles than ids: refused everywhere. "" where it has not.
std::string too_many_particles(const Scene& scene, double particles);

}  // namespace repose
