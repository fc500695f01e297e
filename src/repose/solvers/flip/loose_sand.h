#pragma once
// Sand that lies alone on solids: where a cell is not full there is no pressure, so the grid knows no
// friction (sand_step.h), and single particles would slide on for ever.

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/solvers/flip/flip_model.h"
#include "repose/solvers/flip/flip_scratch.h"
#include "repose/solvers/flip/flip_state.h"

namespace repose {

/// Particles in cells without pressure that touch a solid lose speed along it as in Zhu 2005, eq. 2.8,
/// pressed by what gravity gives in dt [s] or by what they bring. Bodies get what they lose; those that are
/// free give way.
void rub_loose_particles(const FlipModel& model, double dt, Threads& threads, const FlipScratch& scratch,
                         FlipState& state, Bodies& bodies);

}  // namespace repose
