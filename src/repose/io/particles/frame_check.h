#pragma once

#include <cstddef>
#include <string>

#include "repose/particles/frame.h"

namespace repose {

/// Throws Error(run_failed), with `file` and the row, where a frame refers to something that the run does not
/// have, or has a row that no stage could use: a grain shape or a material out of range, ids out of order, a
/// position or size that is not a number.
void check_frame(const Frame& frame, std::size_t shape_count, std::size_t material_count,
                 const std::string& file);

}  // namespace repose
