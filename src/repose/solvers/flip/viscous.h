#pragma once
// Viscosity of the liquid (grid/viscosity.h).

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/solvers/flip/flip_model.h"
#include "repose/solvers/flip/flip_scratch.h"
#include "repose/solvers/flip/flip_state.h"

namespace repose {

/// dt mu / (rho h^2): how far viscosity reaches in a step, in cells, squared.
double viscous_strength(const FlipModel& model, double dt);

/// A step dt [s] of viscosity on `after`, and its pull on bodies: free ones get another body_velocity. Notes
/// iterations and residual in the state.
void add_viscosity(const FlipModel& model, double dt, Threads& threads, FlipState& state,
                   FlipScratch& scratch, Bodies& bodies);

/// Share of FLIP in what particles take from the grid. What a particle has for itself is out of the reach of
/// viscosity on the grid; thick liquids must lose it, thin ones should not (Bridson 2015, "Fluid Simulation
/// for Computer Graphics", section 7.6: a PIC share of 6 dt nu / h^2; as recalled, not opened).
double flip_share(const FlipModel& model, double dt);

}  // namespace repose
