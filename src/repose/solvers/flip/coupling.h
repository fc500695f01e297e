#pragma once
// Bodies that the liquid pushes and that push it, solved with the pressure at once (Batty et al. 2007,
// section 5).
//
// A free body moves with U = (velocity of its centre of mass, spin). What it does to a cell's outflow is J .
// U, with J the sum over the cell's faces of (1 - o) n (1, arm), and the pressure does rho h^3 x J to its
// momentum. So its velocity after the step is U' = U* + M^-1 rho h^3 sum of x J, and the matrix of the
// pressure gets J M^-1 J^T more: six numbers a body, whatever its size.
//
// Areas and volumes. By the areas that it closes, the body's volume is h times the sum of (1 - o) over the
// faces across any axis, and that is what pressure that rises evenly with depth lifts. Its true volume is h^3
// times the sum of the shares that it takes of the cubes about these faces. The difference of the two is
// liquid that the areas take for the body (a layer of half a cell before a side along the grid), or body that
// they take for liquid. This carried liquid moves with the body, before the step as after it: with its mass
// in M and its weight in U* the force of water at rest is that of Archimedes wherever the body stands in the
// grid. Its velocity before the step is not taken from the particles: what slips along a body would drag it,
// and drive it where the difference is below zero. Sand that outweighs the body is an exception (see
// couple()).

#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/grid/poisson.h"
#include "repose/math/mat6.h"
#include "repose/solvers/flip/flip_model.h"
#include "repose/solvers/flip/flip_scratch.h"
#include "repose/solvers/flip/solids.h"

namespace repose {

struct CoupledBody {
  std::uint16_t body;
  LowRankTerm term;
  Mat6 carried_mass;      ///< of the liquid that goes with it
  Vec6 carried_momentum;  ///< likewise, after gravity
};

/// Liquid that counts as part of the solid at a face by areas, but not by volumes [kg]; below zero where it
/// is the other way around.
double carried_liquid(const FlipModel& model, const Bodies& bodies, const FlipScratch& scratch,
                      const ClosedFace& at);

/// Finds the free bodies that meet liquid, and gives scratch.body_velocity and scratch.solids.velocity what
/// they would do in dt [s] with scratch.pull and without pressure.
std::vector<CoupledBody> couple_bodies(const FlipModel& model, const Bodies& bodies, double dt,
                                       FlipScratch& scratch);

/// The same with the pressure x. Adds what the liquid did to them to scratch.body_impulse.
void move_coupled_bodies(const FlipModel& model, const Bodies& bodies,
                         const std::vector<CoupledBody>& coupled, const std::vector<double>& x,
                         FlipScratch& scratch);

}  // namespace repose
