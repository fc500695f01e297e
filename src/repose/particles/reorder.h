#pragma once
// Keeping particles sorted in space: loops over neighbours then find their data in the cache. The order in
// memory never changes a result (sums run in the order of ids), only how long it takes to get there; sorting
// again every few hundred steps is enough.

#include <cstdint>
#include <span>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/math/vec.h"

namespace repose {

/// The particles along a Morton curve through cells of the given width [m]: order[k] is the one that comes
/// k-th. Particles of one cell keep their order. Use exec's gather() to bring each channel into this order.
void spatial_order(Threads& threads, std::span<const Vec3d> positions, double width,
                   std::vector<std::uint32_t>& order);

}  // namespace repose
