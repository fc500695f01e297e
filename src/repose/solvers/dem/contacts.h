#pragma once
// Contact forces between the spheres of different grains, and of grains and bodies covered with spheres.

#include "repose/exec/threads.h"
#include "repose/solvers/dem/dem_model.h"
#include "repose/solvers/dem/dem_scratch.h"
#include "repose/solvers/dem/dem_state.h"

namespace repose {

/// Sets up for a step's contacts what all chunks share.
void prepare_contacts(const DemModel& model, DemScratch& scratch);

/// Sets the sums of a chunk's spheres over their contacts with other spheres, after a step dt [s] of motion.
ContactExtremes find_chunk_forces(const DemModel& model, const DemState& state, double dt, std::size_t chunk,
                                  DemScratch& scratch, ChunkBuffer& buffer);

/// The same of all chunks, kept in scratch.sums.
void accumulate_contact_forces(const DemModel& model, const DemState& state, double dt, DemScratch& scratch,
                               Threads& threads);

/// What contacts remember by now.
ContactMemory collect_memory(const DemScratch& scratch);

/// Lays what contacts remember beside the candidates of new lists.
void distribute_memory(const DemModel& model, const DemState& state, const ContactMemory& memory,
                       DemScratch& scratch, Threads& threads);

}  // namespace repose
