#include "repose/measure/deposit.h"

#include <algorithm>

#include "repose/core/joined_places.h"
#include "repose/measure/touching.h"

namespace repose {
namespace {

/// Grains of a deposit may lie a twentieth of their size apart: a pile at rest has such gaps.
constexpr double kGrainGap = 0.05;
/// Particles that are no grains lie about a spacing apart, and count as connected up to one and a half.
constexpr double kParticleGap = 0.5;

}  // namespace

std::vector<std::uint32_t> find_deposit(const Shape& shape, const Frame& frame, const GrainTable& grains,
                                        const DomainBox& box, Threads& threads) {
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < frame.particle_count(); ++i)
    if (signed_distance(shape, frame.position[i]) < 0) rows.push_back(static_cast<std::uint32_t>(i));
  const double gap = frame.shape.empty() ? kParticleGap : kGrainGap;
  const Touching touching = find_touching(frame, rows, grains, box, gap, threads);
  JoinedPlaces places(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) places.start(k, true);
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (const std::uint32_t j : touching.of(k)) places.join(k, j);
  const std::vector<std::uint32_t> group = places.take_roots();

  std::vector<std::size_t> sizes(rows.size(), 0);
  for (const std::uint32_t root : group) ++sizes[root];
  const auto largest = static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  std::vector<std::uint32_t> deposit;
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (group[k] == largest) deposit.push_back(rows[k]);
  return deposit;
}

}  // namespace repose
