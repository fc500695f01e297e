#pragma once
// Fine grains as a frame of particles, for stages that know frames only: surfaces, and files for other
// programs. Takes some 60 bytes a grain.

#include "repose/exec/threads.h"
#include "repose/particles/frame.h"
#include "repose/refine/fine_grains.h"

namespace repose {

/// Rows by id; material by the guide, bodies and time of the guides' frame.
Frame fine_frame(const FineGrains& fine, const Frame& guides, Threads& threads);

}  // namespace repose
