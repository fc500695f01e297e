#pragma once
// Contact forces between the spheres of different grains, and of grains and bodies covered with spheres.

#include "repose/exec/threads.h"
#include "repose/solvers/dem/dem_model.h"
#include "repose/solvers/dem/dem_scratch.h"
#include "repose/solvers/dem/dem_state.h"

namespace repose {

/// Sets the sums of every sphere over its contacts with other spheres, after a step dt [s] of motion.
void accumulate_contact_forces(const DemModel& model, const DemState& state, double dt, DemScratch& scratch,
                               Threads& threads);

/// Arm times force of all contacts of a grain, those with bodies too. For a scratch that watches contacts.
ContactMoment grain_moment(const DemScratch& scratch, std::size_t g);

/// What contacts remember by now.
ContactMemory collect_memory(const DemScratch& scratch);

/// Lays what contacts remember beside the candidates of new lists.
void distribute_memory(const DemModel& model, const DemState& state, const ContactMemory& memory,
                       DemScratch& scratch, Threads& threads);

}  // namespace repose
