#pragma once
// Contact forces between the spheres of grains and the smooth surfaces of bodies and walls.

#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/solvers/dem/dem_model.h"
#include "repose/solvers/dem/dem_scratch.h"
#include "repose/solvers/dem/dem_state.h"

namespace repose {

/// Sets body_forces, what bodies do to the grains, after a step dt [s] of motion: of the candidates from
/// begin to end, or of all.
ContactExtremes find_body_forces(const DemModel& model, const DemState& state, const Bodies& bodies,
                                 double dt, std::size_t begin, std::size_t end, DemScratch& scratch);
ContactExtremes find_body_forces(const DemModel& model, const DemState& state, const Bodies& bodies,
                                 double dt, DemScratch& scratch, Threads& threads);

/// What grains do to the body of each run of scratch.body_runs, by unit of time.
std::vector<BodyImpulse> reactions_on_bodies(const DemScratch& scratch, Threads& threads);

/// Hands the reaction of the last body contacts to the bodies, as impulses over dt [s].
void push_bodies(const DemScratch& scratch, double dt, Bodies& bodies, Threads& threads);

/// The longest step [s] at which free bodies are stable between all the grains that touch them: a light body
/// among many grains swings faster than any two grains would.
double longest_step_of_bodies(const DemScratch& scratch, const Bodies& bodies);

}  // namespace repose
