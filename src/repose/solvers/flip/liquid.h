#pragma once
// Where the liquid is, from its particles.

#include "repose/exec/threads.h"
#include "repose/solvers/flip/flip_model.h"
#include "repose/solvers/flip/flip_scratch.h"
#include "repose/solvers/flip/flip_state.h"

namespace repose {

/// How many particles there are for the room in each cell of the liquid, in units of eight a cell.
void find_crowding(const FlipModel& model, const FlipState& state, Threads& threads, FlipScratch& scratch);

/// Distance to the liquid at the middle of cells, from the mean of the particles near each as in Zhu 2005,
/// chapter 4. Particles that lie evenly up to a flat surface have it at zero, and true distances to it
/// (half_space_depth): Zhu's own formula puts it r outside of the outermost particles, wherever the matter
/// that they stand for ends. Solids take particles from one side of a cell near
/// them; the mean is moved back by what a wall of even liquid would take (SolidCells::shift), so that liquid
/// goes on into solids and its surface meets walls at a right angle. Cells that are full count as liquid even
/// where all their particles stand in one corner. Cells outside the liquid whose
/// open faces all lead to liquid or into solids become part of it. Needs find_crowding().
void find_liquid(const FlipModel& model, const FlipState& state, Threads& threads, FlipScratch& scratch);

}  // namespace repose
