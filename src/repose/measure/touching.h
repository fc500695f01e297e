#pragma once
// Which particles of a frame touch, told from where they stand: two grains touch where two of their spheres
// do. Particles that are no grains are balls of half their spacing.

#include <cstdint>
#include <span>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/measure/grain_table.h"
#include "repose/particles/domain_box.h"
#include "repose/particles/frame.h"

namespace repose {

struct Touching {
  std::vector<std::uint64_t> first;     ///< one more entry than rows
  std::vector<std::uint32_t> partners;  ///< indices into `rows`, those of one row in order

  std::span<const std::uint32_t> of(std::size_t i) const {
    return std::span(partners).subspan(first[i], first[i + 1] - first[i]);
  }
};

/// The partners of each of these rows among these rows. Spheres count as touching up to a gap of `gap` times
/// the sum of their radii [-].
Touching find_touching(const Frame& frame, std::span<const std::uint32_t> rows, const GrainTable& grains,
                       const DomainBox& box, double gap, Threads& threads);

}  // namespace repose
