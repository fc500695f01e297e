#pragma once
// Parts of a step that water, sand and snow on a grid have alike.

#include "repose/bodies/bodies.h"
#include "repose/core/archive.h"
#include "repose/exec/threads.h"
#include "repose/solvers/continuum/matter_step.h"
#include "repose/solvers/flip/flip_model.h"
#include "repose/solvers/flip/flip_scratch.h"
#include "repose/solvers/flip/flip_state.h"

namespace repose {

/// Cells around particles: two that they can cross, one to interpolate.
inline constexpr int kGridMargin = 3;

/// A step of at most max_dt [s]; max_speed is that of particles [m/s].
TimeStep flip_time_step(const FlipModel& model, const Bodies& bodies, double max_speed, double max_dt);

/// Moves bodies, then particles through scratch.moving, and puts those out that came into solids. Finds the
/// largest speed. `is_spread`: particles near the surface make room for each other (spread_surface.h).
void move_matter(const FlipModel& model, bool is_spread, double dt, Threads& threads,
                 const FlipScratch& scratch, FlipState& state, Bodies& bodies);

/// Tractions at bodies askew to the grid stand in a checkpoint where there are any.
void save_tractions(const FlipState& state, ArchiveWriter& out);
/// Throws Error(run_failed) where they are damaged.
void load_tractions(ArchiveReader& in, FlipState& state);
/// Throws Error(run_failed) where the stress that a step starts from is damaged.
void check_saved_stress(const FlipState& state);

}  // namespace repose
