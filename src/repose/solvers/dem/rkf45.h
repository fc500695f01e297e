#pragma once
// The adaptive Runge-Kutta-Fehlberg method of order 4 and 5 (Bell 2005, section 3.4; Fehlberg 1969,
// "Low-order classical Runge-Kutta formulas with stepsize control", NASA TR R-315, table III). Six
// evaluations of the forces give two results, of order 4 and 5; their difference is the error, and says how
// long the next step may be. A step with too large an error is taken again.
//
// Forces must be functions of positions and velocities, so contacts may not remember; bodies may move, but
// not be pushed. What a step costs, against the default: docs/integrators.md.

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/solvers/dem/dem_model.h"
#include "repose/solvers/dem/dem_scratch.h"
#include "repose/solvers/dem/dem_state.h"

namespace repose {

struct Rkf45Result {
  double dt;    ///< that was stepped [s]
  double next;  ///< that the error allows [s]
};

/// One step of at most dt [s]; state.time is left as it is. Bodies end where they are after the step.
Rkf45Result rkf45_step(const DemModel& model, double dt, DemState& state, Bodies& bodies, DemScratch& scratch,
                       Threads& threads);

}  // namespace repose
