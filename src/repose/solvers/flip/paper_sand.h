#pragma once
// Sand as the thesis prints it (Zhu 2005, "Animating Sand as a Fluid", chapter 2), for comparison: `yield =
// "paper"`. The default is sand_step.h.
//
//   walls       what moves into a solid loses mu |u_n| of its speed along it            eq. 2.8
//   pressure    as of a liquid (pressure.h)
//   strain      D in each cell, by central differences
//   rigid?      cells whose sigma_rigid = rho D h^2 / dt is within the limit            eq. 2.5, 2.3 or 2.4
//   slide       the others feel the stress of that size against their strain            eq. 2.4
//   clusters    rigid cells that hang together move as one body                         eq. 2.6, 2.7
//
// What is read into it. With pressure positive, stress that acts against the strain is sigma = +k D under rho
// u_t = div sigma; the thesis has the minus sign of soil mechanics in eq. 2.4 and 2.5, but not in its update.
// The limit is |sigma|_F <= k (p sin(phi) + c) with k = sqrt(3) by eq. 2.4 and sqrt(2/3) by eq. 2.3, 2.12
// times less; the thesis prints both and says not which it used: "paper" takes eq. 2.4 for both the test and
// the sliding, "paper-2.3" eq. 2.3. sigma_rigid of rigid cells is not added to the velocity before they are
// made rigid: within a group it has no sum. Sliding stress is scaled down, in the whole field alike, where a
// step of it would give energy.
//
// What to expect of it (docs/flip-sand.md): eq. 2.8 sees one layer of cells, so that N layers feel mu / N,
// and eq. 2.5 looks at one cell, so that deep ones are rigid at any slope. It slides on every slope.

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/solvers/flip/flip_model.h"
#include "repose/solvers/flip/flip_scratch.h"
#include "repose/solvers/flip/flip_state.h"

namespace repose {

/// From the velocity after gravity to the one after pressure and friction, of sand and free bodies; rubs on
/// the others.
void resist_as_printed(const FlipModel& model, double dt, Threads& threads, FlipState& state,
                       FlipScratch& scratch, Bodies& bodies);

}  // namespace repose
