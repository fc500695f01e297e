#pragma once
// Contact forces: between the spheres of different grains, and between spheres and bodies.

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/solvers/dem/dem_model.h"
#include "repose/solvers/dem/dem_scratch.h"
#include "repose/solvers/dem/dem_state.h"

namespace repose {

/// Sets force and torque of every grain to the sum over its contacts with other grains.
void accumulate_contact_forces(const DemModel& model, const DemState& state, DemScratch& scratch,
                               Threads& threads);

/// Adds what bodies do to the grains; keeps each force in body_forces.
void accumulate_body_contacts(const DemModel& model, const DemState& state, const Bodies& bodies,
                              DemScratch& scratch, Threads& threads);

/// Hands the reaction of the last body contacts to the bodies, as impulses over dt [s].
void push_bodies(const DemScratch& scratch, double dt, Bodies& bodies);

/// The longest step [s] at which free bodies are stable between all the grains that touch them: a light body
/// among many grains swings faster than any two grains would.
double longest_step_of_bodies(const DemScratch& scratch, const Bodies& bodies);

}  // namespace repose
