#include "repose/exec/processor_speed.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <vector>

namespace repose {
namespace {

constexpr double kSeconds = 0.02;
constexpr double kReferencePasses = 2200;  ///< a second, on the machine of the cost table

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

double processor_speed() {
  // Distances to neighbours that are not next to each other in memory, as pairs of particles are.
  constexpr std::size_t kPoints = 1U << 14U, kNear = 8;
  std::vector<double> x(kPoints), sum(kPoints);
  std::vector<std::uint32_t> neighbor(kPoints * kNear);
  for (std::size_t i = 0; i < kPoints; ++i) x[i] = 1e-3 * static_cast<double>((i * 7919) % kPoints);
  for (std::size_t i = 0; i < neighbor.size(); ++i)
    neighbor[i] = static_cast<std::uint32_t>((i / kNear + 1 + (i % kNear) * 37) % kPoints);
  double passes = 0;
  const double start = processor_seconds();
  double spent = 0;
  while (spent < kSeconds) {
    for (std::size_t i = 0; i < kPoints; ++i)
      for (std::size_t k = 0; k < kNear; ++k) {
        const double d = x[i] - x[neighbor[i * kNear + k]];
        sum[i] += 1 / std::sqrt(1 + d * d);
      }
    x[0] += 1e-9 * sum[1];  // each pass needs the one before
    passes += 1;
    spent = processor_seconds() - start;
  }
  return passes / spent / kReferencePasses;
}

}  // namespace repose
