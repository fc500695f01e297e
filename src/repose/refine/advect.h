#pragma once
// Moves fine grains by the steps of a frame among guides and obstacles.

#include <span>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/refine/crowding.h"
#include "repose/refine/fine_grains.h"
#include "repose/refine/guides.h"
#include "repose/refine/loose_guides.h"
#include "repose/refine/obstacles.h"
#include "repose/refine/refine_model.h"

namespace repose {

/// What leads grains over one step of dt [s].
struct LeadingStep {
  double dt = 0;
  GuideStep guides;
  LooseGuides loose{};  ///< none unless grains spread as they do
  std::vector<Obstacle> obstacles;
};

/// Takes every grain through all steps, run by run (sort_in_space): what a run needs stays in the processor's
/// cache. `crowding` makes them drift from where they are too many; null: they do not.
void advect(const RefineModel& model, std::span<const LeadingStep> steps, const Crowding* crowding,
            std::span<const std::uint32_t> runs, Threads& threads, FineGrains& grains);

}  // namespace repose
