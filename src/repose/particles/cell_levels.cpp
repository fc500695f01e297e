#include "repose/particles/cell_levels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace repose {

namespace {
// What a query costs, in units of the test of one sphere. Measured with bench/neighbors_bench.cpp.
constexpr double kLevelCost = 8, kRowCost = 2;
// Volume that a sphere takes up in a dense packing over the cube about it: (pi / 6) / 0.6.
constexpr double kPackedShare = 0.87;
constexpr std::size_t kChunk = 16384;

struct RadiusClass {
  double count = 0;
  double max_radius = 0;
  double cubes = 0;  ///< sum of (2 r + margin)^3 [m3]

  void join(const RadiusClass& other) {
    count += other.count;
    max_radius = std::max(max_radius, other.max_radius);
    cubes += other.cubes;
  }
};
using RadiusClasses = std::array<RadiusClass, kCellLevelLimit>;

std::size_t class_of(double radius, double max_radius) {
  std::size_t c = 0;
  for (double limit = 0.5 * max_radius; c + 1 < kCellLevelLimit && radius <= limit; limit *= 0.5) ++c;
  return c;
}

RadiusClasses find_classes(Threads& threads, std::span<const double> radii, double margin,
                           double max_radius) {
  return threads.reduce(
      radii.size(), RadiusClasses{},
      [&](std::size_t begin, std::size_t end) {
        RadiusClasses classes;
        for (std::size_t i = begin; i < end; ++i) {
          const double reach = 2 * radii[i] + margin;
          classes[class_of(radii[i], max_radius)].join({1, radii[i], reach * reach * reach});
        }
        return classes;
      },
      [](RadiusClasses a, const RadiusClasses& b) {
        for (std::size_t c = 0; c < a.size(); ++c) a[c].join(b[c]);
        return a;
      },
      kChunk);
}

/// The cost of all spheres' queries in a level that holds the spheres of `held`, in cells of this width.
double query_cost(const RadiusClasses& classes, const RadiusClass& held, double width, double margin,
                  double volume) {
  double cost = 0;
  for (const RadiusClass& from : classes) {
    const double span = 2 * (from.max_radius + held.max_radius + margin) + width;
    const double rows = (span / width) * (span / width);
    cost += from.count * (kLevelCost + kRowCost * rows + held.count / volume * span * span * span);
  }
  return cost;
}

struct Choice {
  double cost = std::numeric_limits<double>::infinity();
  double width = 0;
  std::size_t begin = 0;  ///< the first class of the level
};
}  // namespace

std::vector<CellLevel> plan_cell_levels(Threads& threads, std::span<const double> radii, double margin) {
  if (radii.empty()) return {};
  const double max_radius = threads.reduce(
      radii.size(), 0.0,
      [&](std::size_t begin, std::size_t end) {
        return *std::max_element(radii.begin() + static_cast<std::ptrdiff_t>(begin),
                                 radii.begin() + static_cast<std::ptrdiff_t>(end));
      },
      [](double a, double b) { return std::max(a, b); }, kChunk);
  const RadiusClasses classes = find_classes(threads, radii, margin, max_radius);
  double volume = 0;
  for (const RadiusClass& c : classes) volume += kPackedShare * c.cubes;
  // Points that no margin surrounds: they have no neighbours, and any cells will do.
  if (!(volume > 0)) return {{max_radius, max_radius, 1}};

  // best[end] is the cheapest way to cut the classes before `end` into levels.
  std::array<Choice, kCellLevelLimit + 1> best;
  best[0].cost = 0;
  for (std::size_t end = 1; end <= classes.size(); ++end) {
    if (classes[end - 1].count == 0) {
      best[end] = best[end - 1];
      continue;
    }
    RadiusClass held;
    for (std::size_t begin = end; begin-- > 0;) {
      if (classes[begin].count == 0) continue;
      held.join(classes[begin]);
      for (const double widening : {1.0, 1.5, 2.0, 3.0}) {
        // Never zero, also for a few points among spheres.
        const double width = std::max(widening * (2 * held.max_radius + margin), 1e-5 * max_radius);
        const double cost = best[begin].cost + query_cost(classes, held, width, margin, volume);
        if (cost < best[end].cost) best[end] = {cost, width, begin};
      }
    }
  }

  std::vector<CellLevel> levels;
  for (std::size_t end = classes.size(); best[end].cost > 0; end = best[end].begin) {
    const std::size_t begin = best[end].begin;
    levels.push_back(
        {classes[begin].max_radius, std::ldexp(max_radius, -static_cast<int>(begin)), best[end].width});
  }
  std::reverse(levels.begin(), levels.end());
  return levels;
}

}  // namespace repose
