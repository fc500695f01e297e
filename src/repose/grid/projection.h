#pragma once
// The pressure that makes a velocity on faces free of divergence, for matter with a free surface among solids
// that cut cells.
//
// For each cell whose middle is in the matter (phi < 0), with o the open share of a face and u_s the velocity
// of the solid that closes the rest (Batty et al. 2007):
//
//   sum over its faces of o (x - x_neighbor) = - sum over its faces of n (o u + (1 - o) u_s)
//
// x = p dt / (rho h) [m/s] is the pressure in units that make the change of u simply the difference of x. At
// a face to a cell outside the matter the pressure is zero where phi is, theta of the way (ghost fluid,
// Enright et al. 2003, "Using the Particle Level Set Method and a Second Order Accurate Pressure Boundary
// Condition for Free Surface Flows"): o x / theta stands in place of the difference.
//
// The matrix knows where matter and solids are, and nothing of velocities: a second right-hand side, such as
// that of a density, is solved with it as well.
//
// Matter whose density varies has it at faces, over rho: the pressure moves a face by its difference over
// that density.

#include <vector>

#include "repose/exec/threads.h"
#include "repose/grid/extrapolate.h"
#include "repose/grid/poisson.h"
#include "repose/grid/solid_cells.h"
#include "repose/grid/tiles.h"
#include "repose/grid/transfer.h"

namespace repose {

/// The least share of the way to the free surface that counts: nearer ones would only spoil the matrix.
inline constexpr float kLeastTheta = 0.01F;

/// Share of the way from a cell in the matter to one outside at which phi is zero.
inline float surface_theta(float inside, float outside) {
  const float theta = inside / (inside - outside);
  return theta < kLeastTheta ? kLeastTheta : theta;
}

/// Density at faces over rho [-].
using FaceDensity = FaceVelocity;

/// The matrix. phi by cell [any unit]: below zero is matter. Cells beyond the grid hold none. `density`: null
/// where it is the same everywhere.
PoissonSystem make_pressure_system(const TileSet& tiles, const std::vector<float>& phi,
                                   const SolidCells& solids, Threads& threads,
                                   const FaceDensity* density = nullptr);

/// What flows out of each cell of the matter, over h^2 [m/s]: sum of n (o u + (1 - o) u_s). Zero elsewhere.
void find_outflow(const TileSet& tiles, const std::vector<float>& phi, const SolidCells& solids,
                  const FaceVelocity& velocity, Threads& threads, std::vector<float>& outflow);

/// Takes the gradient of x off the velocity at faces of the matter that are not closed, and says which these
/// are.
void subtract_gradient(const TileSet& tiles, const std::vector<float>& phi, const SolidCells& solids,
                       const std::vector<double>& x, Threads& threads, FaceVelocity& velocity,
                       KnownFaces& known, const FaceDensity* density = nullptr);

}  // namespace repose
