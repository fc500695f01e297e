#pragma once
// Bodies that the liquid pushes and that push it, solved with the pressure at once (Batty et al. 2007,
// section 5).
//
// A free body moves with U = (velocity of its centre of mass, spin). What it does to a cell's outflow is J .
// U, with J the sum over the cell's faces of (1 - o) n (1, arm), and the pressure does rho h^3 x J to its
// momentum. So its velocity after the step is U' = U* + M^-1 rho h^3 sum of x J, and the matrix of the
// pressure gets J M^-1 J^T more: six numbers a body, whatever its size.
//
// The half cell of liquid before faces that a body closes whole goes with it (pressure.h, push_bodies). Its
// mass is part of M and its momentum part of U*, each as far as it is along the body's normal: without that
// the body would be pushed by pressures half a cell off its surface.

#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/grid/poisson.h"
#include "repose/solvers/flip/flip_model.h"
#include "repose/solvers/flip/flip_scratch.h"

namespace repose {

struct CoupledBody {
  std::uint16_t body;
  LowRankTerm term;
};

/// Finds the free bodies that meet liquid, and gives scratch.body_velocity and scratch.solids.velocity what
/// they would do in dt [s] without pressure.
std::vector<CoupledBody> couple_bodies(const FlipModel& model, const Bodies& bodies, double dt,
                                       FlipScratch& scratch);

/// The same with the pressure scratch.x.
void move_coupled_bodies(const FlipModel& model, const std::vector<CoupledBody>& coupled,
                         FlipScratch& scratch);

}  // namespace repose
