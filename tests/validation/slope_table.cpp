// Measures the table of scene/grain_slopes.cpp: heaps of each shape, poured on a rough disc until it
// overflows (A-14, support/heap.h), for a row of frictions; contacts have springs (Bell 2005, eq. 19).
//
//     build/tests/validation/slope_table           # three heaps a row: an hour of processor time
//     build/tests/validation/slope_table cube 1    # one shape, one heap a row
//
// A line for each friction: the slopes of the seeds, their mean, and the row as it stands in the table. Rows
// of a table must rise, and a single heap is out by two or three degrees; so means that fall from one
// friction to the next are replaced by the mean of both, and of more where needed (the closest rising row by
// least squares); of equal ones the first counts.

#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "support/heap.h"
#include <fmt/format.h>

namespace repose {
namespace {

struct Frictions {
  double friction, rolling_friction;
};

std::vector<Frictions> frictions_of(std::string_view grain) {
  if (grain == "sphere") return {{0.2, 0}, {0.5, 0}, {0.5, 0.1}, {0.5, 0.2}, {0.5, 0.4}};
  if (grain == "tetrahedron") return {{0.1, 0}, {0.2, 0}, {0.4, 0}, {0.8, 0}};
  return {{0.1, 0}, {0.3, 0}, {0.8, 0}};
}

test::Pouring pouring_of(const std::string& grain, const Frictions& frictions, std::uint64_t seed) {
  test::Pouring pouring;
  pouring.grain = grain;
  pouring.tangential = TangentialLaw::spring;
  pouring.seed = seed;
  pouring.friction = frictions.friction;
  pouring.rolling_friction = frictions.rolling_friction;
  pouring.young = 5e5;
  pouring.rest = 0.4;
  pouring.grains = 1300;
  if (grain == "sphere") {
    // Low heaps, which need a wider disc to be three diameters high.
    pouring.disc = 12;
    pouring.rate = 1100;
    pouring.grains = frictions.rolling_friction > 0 ? 2500 : 1600;
  }
  return pouring;
}

/// The closest row that does not fall.
std::vector<double> rising(const std::vector<double>& means) {
  struct Pool {
    double sum;
    int count;
    double mean() const { return sum / count; }
  };
  std::vector<Pool> pools;
  for (const double mean : means) {
    pools.push_back({mean, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  std::vector<double> out;
  for (const Pool& pool : pools) out.insert(out.end(), static_cast<std::size_t>(pool.count), pool.mean());
  return out;
}

void measure(const std::string& grain, int seeds) {
  std::vector<Frictions> frictions;
  std::vector<double> means;
  for (const Frictions& one : frictions_of(grain)) {
    double sum = 0;
    fmt::print("// {} {} {}:", grain, one.friction, one.rolling_friction);
    for (int seed = 1; seed <= seeds; ++seed) {
      const test::Heap heap = test::pour(pouring_of(grain, one, static_cast<std::uint64_t>(seed)));
      fmt::print(" {:.1f} ({} grains{})", heap.angle, heap.grains, heap.failure);
      std::fflush(stdout);
      sum += heap.angle;
    }
    fmt::print(" mean {:.1f}\n", sum / seeds);
    if (std::isnan(sum)) continue;  // a heap lower than three diameters has no slope
    frictions.push_back(one);
    means.push_back(sum / seeds);
  }
  const std::vector<double> angles = rising(means);
  for (std::size_t i = 0; i < frictions.size(); ++i)
    if (i == 0 || angles[i] > angles[i - 1])
      fmt::print("{{{}, {}, {:.1f}}},\n", frictions[i].friction, frictions[i].rolling_friction, angles[i]);
  std::fflush(stdout);
}

}  // namespace
}  // namespace repose

int main(int argc, char** argv) {
  const std::string only = argc > 1 ? argv[1] : "";
  const int seeds = argc > 2 ? std::stoi(argv[2]) : 3;
  for (const char* grain : {"sphere", "rice", "tetrahedron", "octahedron", "cube", "popcorn"})
    if (only.empty() || only == grain) repose::measure(grain, seeds);
}
