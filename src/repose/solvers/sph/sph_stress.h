#pragma once
// Pressure and friction, solved together (Ihmsen 2013, section 3.2).
//
// Each particle has a pressure p >= 0 and a friction stress s without trace. They act through
//   a_i = sum_j (T_i + T_j) g_ij / rho,   T = -p I + s,   g = V grad W         (eq. 2 and 5)
// and see the velocities through the adjoint of that,
//   L_i = sum_j (v_j - v_i) g_ij^T                                             (eq. 3, which lacks the v_i)
// so that what they do takes energy, never gives it. The rate of compression, -tr L, may be as large as there
// is room to the density at rest; where it would be more, p grows. Strain makes s grow up to the limit of
// Drucker and Prager, |s| <= sqrt(2) (p tan(friction_angle) + cohesion); in simple shear tau = p tan. Solids
// push with the pressure of the particle (walls.h), and rub with at most their friction times that, or that
// of the sand where it is less: along a rougher solid, sand slides along itself.
//
// The p that limits friction is not the one that is being found, but the mean around the particle of what the
// last step left (SphScratch::bearing). Sand without dilatancy has more than one solution (Davis 1968). Found
// together, p and s settle on less of both, and slopes set out that could stand: sand that is pressed more
// along one axis has less pressure than weight, its friction holds less, it shears, and shear keeps the
// pressure low. With a limit that is given the problem is convex. It is a mean, since pressures of single
// particles are uneven: where each has a limit of its own, sand shears unevenly, which makes pressures more
// uneven, the more so the larger the friction. At 44 degrees they then differ by 0.7 of their mean, friction
// points so many ways that 0.85 of it is left, and slopes flow that should stand.
//
// The paper corrects p and s by the local error, a Jacobi iteration: in a pile n particles deep that takes of
// the order of n^2 iterations, and slopes slide on. Here the corrections are steps of an accelerated
// projected gradient (Nesterov 1983; restarts by O'Donoghue and Candes 2015): of the order of n. They start
// from the stress of the last step. Bodies that are free take what they are given in each iteration.
//
// Densities are uneven by some hundredths in any heap of particles. To press them all to that at rest would
// leave pressures that friction holds in place, several times the weight above. So a compression below
// SphMaterial::uneven is left alone; only more of it is resisted. Without friction that is little.

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/solvers/sph/sph_model.h"
#include "repose/solvers/sph/sph_scratch.h"
#include "repose/solvers/sph/sph_state.h"

namespace repose {

/// From scratch.start to scratch.velocity over dt [s]: what is left when particles and solids resist. Gives
/// bodies what is done to them.
void resist(const SphModel& model, double dt, Threads& threads, SphState& state, SphScratch& scratch,
            Bodies& bodies);

}  // namespace repose
