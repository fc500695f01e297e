#pragma once
// What lies together: the largest group of particles inside a shape that hang together by touching. Loose
// particles that fly or lie apart do not belong to it.

#include <cstdint>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/geometry/shape.h"
#include "repose/measure/grain_table.h"
#include "repose/particles/domain_box.h"
#include "repose/particles/frame.h"

namespace repose {

/// Rows of the frame, rising.
std::vector<std::uint32_t> find_deposit(const Shape& shape, const Frame& frame, const GrainTable& grains,
                                        const DomainBox& box, Threads& threads);

}  // namespace repose
