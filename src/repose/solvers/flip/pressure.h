#pragma once
// Forces on the grid: gravity, and the pressure that keeps the liquid's volume.

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/solvers/flip/flip_model.h"
#include "repose/solvers/flip/flip_scratch.h"
#include "repose/solvers/flip/flip_state.h"

namespace repose {

/// Adds gravity over dt [s] to every face that particles reach. Begins the account of what the step does to
/// bodies, and of its pressure.
void add_gravity(const FlipModel& model, const Bodies& bodies, double dt, Threads& threads,
                 FlipScratch& scratch);

/// Makes `after` free of divergence (grid/projection.h), together with free bodies (coupling.h), and adds to
/// the pressure of the step. Notes iterations, residual and divergence in the state.
///
/// The first time in a step, with the same matrix, finds `correction`: the way that particles are moved so
/// that they lie evenly again (Kugelstadt et al. 2019, "Implicit Density Projection for Volume Conserving
/// Liquids"). Errors of moving particles add up; without it they clump in some places and leave gaps in
/// others, and the volume drifts. Velocities do not feel it. Departures from the paper: it goes by how the
/// particles stand at the start of the step, so that one grid and one matrix serve both, and it takes away a
/// share of the error, so that the noise of how particles stand within a cell does not shake them. Cells at
/// the surface may be too full but not too empty, since nothing says how full they should be.
void project(const FlipModel& model, const Bodies& bodies, double dt, Threads& threads, FlipState& state,
             FlipScratch& scratch);
/// The same once more, without `correction`.
void project_again(const FlipModel& model, const Bodies& bodies, double dt, Threads& threads,
                   FlipState& state, FlipScratch& scratch);

/// Faces outside the liquid that particles reach keep what these brought. Those next to the liquid's take the
/// change of their neighbours, so that its outermost particles go with it; taking their velocity would wear
/// down whatever turns or shears at the surface. Beyond, particles fall freely: gravity is in `after`
/// already.
void keep_what_particles_bring(const TileSet& tiles, Threads& threads, FlipScratch& scratch);

/// Carries `after` on into air and solids, as far as particles can move in a step, and sets `moving`. What
/// flies alone keeps its own velocity.
void extend_velocity(const FlipModel& model, const Bodies& bodies, double dt, Threads& threads,
                     FlipScratch& scratch);

/// Gives bodies what the liquid did to them in dt [s]. Free ones: what project() found. Others: at each face,
/// the pressure on the share that they close, and what it took to give the liquid that they carry
/// (coupling.h) its velocity.
void push_bodies(const FlipModel& model, double dt, Threads& threads, const FlipScratch& scratch,
                 Bodies& bodies);

/// Pressure and density at the particles, for frames.
void sample_particles(const FlipModel& model, double dt, Threads& threads, FlipScratch& scratch,
                      FlipState& state);

}  // namespace repose
