#include "repose/measure/region.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "repose/measure/cut_grain.h"
#include "repose/measure/touching.h"

namespace repose {
namespace {

/// Surfaces this near count as touching, in radii: cached orientations have 24 bits.
constexpr double kTouchGap = 1e-6;

double mean_partners(const Frame& frame, const std::vector<double>& distances, const GrainTable& grains,
                     const DomainBox& box, Threads& threads) {
  const float largest =
      frame.radius.empty() ? 0 : *std::max_element(frame.radius.begin(), frame.radius.end());
  // A partner's centre is at most two of the largest radii from the grain's.
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < distances.size(); ++i)
    if (distances[i] < 2.001 * largest || box.any_periodic()) rows.push_back(static_cast<std::uint32_t>(i));
  const Touching touching = find_touching(frame, rows, grains, box, kTouchGap, threads);
  std::size_t count = 0, partners = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!(distances[rows[k]] < 0)) continue;
    ++count;
    partners += touching.of(k).size();
  }
  return static_cast<double>(partners) / static_cast<double>(count);
}

}  // namespace

RegionReading read_region(const Region& region, const Frame& frame, const GrainTable& grains,
                          const DomainBox& box, Threads& threads) {
  const std::size_t n = frame.particle_count();
  std::vector<double> distances(n), shares(n);
  threads.for_each(n, [&](std::size_t i) {
    distances[i] = signed_distance(region.shape, frame.position[i]);
    shares[i] = share_inside(region.shape, frame, i, grains);
  });
  RegionReading reading;
  double solid = 0;
  Vec3d momentum(0);
  for (std::size_t i = 0; i < n; ++i) {
    if (distances[i] < 0) ++reading.count;
    if (!(shares[i] > 0)) continue;
    const double mass = shares[i] * grains.mass(frame, i);
    reading.mass += mass;
    solid += shares[i] * grains.solid_volume(frame, i);
    momentum += mass * Vec3d(frame.velocity[i]);
  }
  reading.solid_fraction = solid / region.volume;
  reading.velocity = momentum / reading.mass;
  double square = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(shares[i] > 0)) continue;
    const Vec3d v = Vec3d(frame.velocity[i]) - reading.velocity;
    square += shares[i] * grains.mass(frame, i) * v.dot(v);
  }
  reading.temperature = square / (3 * reading.mass);
  if (reading.count > 0 && !frame.shape.empty())
    reading.coordination = mean_partners(frame, distances, grains, box, threads);
  return reading;
}

std::array<double, 6> contact_stress(const Region& region, const Frame& frame,
                                     std::span<const ContactMoment> moments, Threads& threads) {
  std::vector<double> shares(moments.size());
  threads.for_each(moments.size(), [&](std::size_t i) {
    shares[i] = share_below_plane(signed_distance(region.shape, frame.position[i]), frame.radius[i]);
  });
  std::array<double, 9> sum{};
  for (std::size_t i = 0; i < moments.size(); ++i) {
    if (!(shares[i] > 0)) continue;
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += shares[i] * moments[i].values[k];
  }
  const double scale = -1 / region.volume;
  return {scale * sum[0],
          scale * sum[4],
          scale * sum[8],
          0.5 * scale * (sum[1] + sum[3]),
          0.5 * scale * (sum[5] + sum[7]),
          0.5 * scale * (sum[2] + sum[6])};
}

}  // namespace repose
