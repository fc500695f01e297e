// Neighbour search: nanoseconds a sphere for 1e4 to 1e7 spheres, in two threads, the best of five runs.
//
// The spheres stand on a jittered lattice with a solid fraction of 0.6, as grains in a heap do, sorted in
// memory as solvers keep them; the margin is a tenth of the diameter. "build" sorts them into cells, "visit"
// goes through all neighbours of all spheres, "lists" makes neighbour lists instead. "copy 24B" copies the
// positions alone, to see what the memory allows.
//
// Gates: the cost of build and visit grows linearly (log-log slope 1.0 +- 0.1), and spheres with radii of 1
// to 5 cost at most three times as much each as equal ones. Exits with 1 if one does not hold.

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "repose/core/random.h"
#include "repose/particles/neighbors.h"
#include "repose/particles/reorder.h"

namespace repose {
namespace {

constexpr int kThreads = 2;
constexpr int kRepetitions = 5;
constexpr double kSolidFraction = 0.6;

struct Spheres {
  std::vector<Vec3d> positions;
  std::vector<double> radii;
};

/// A row of the table; times in ns a sphere.
struct Result {
  std::string name;
  std::size_t count;
  double build = 1e300, visit = 1e300, lists = 1e300, copy = 1e300;
  double neighbors = 0, candidates = 0;

  double cost() const { return build + visit; }
};

double volume(double radius) { return 4.0 / 3.0 * kPi * radius * radius * radius; }

/// Radii evenly spread over [1, ratio] on a lattice whose cells have the volume that the mean sphere needs.
Spheres make_spheres(Threads& threads, std::size_t count, double ratio, bool sorted) {
  Spheres raw, spheres;
  raw.positions.resize(count);
  raw.radii.resize(count);
  threads.for_each(count,
                   [&](std::size_t i) { raw.radii[i] = Random(1, Stream::test, 0, i).uniform(1, ratio); });
  double solid = 0;
  for (const double r : raw.radii) solid += volume(r);
  const double spacing = std::cbrt(solid / static_cast<double>(count) / kSolidFraction);
  const auto side = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(count))));
  threads.for_each(count, [&](std::size_t i) {
    Random random(1, Stream::test, 1, i);
    const std::size_t row = i / side, layer = row / side;
    const Vec3d cell(static_cast<double>(i % side), static_cast<double>(row % side),
                     static_cast<double>(layer));
    const Vec3d jitter(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2));
    raw.positions[i] = (cell + jitter) * spacing;
  });
  std::vector<std::uint32_t> order;
  if (sorted) {
    spatial_order(threads, raw.positions, 2 * spacing, order);
  } else {
    SortablePairs<std::uint32_t> pairs;
    for (std::uint32_t i = 0; i < count; ++i) {
      pairs.keys.push_back(Random(1, Stream::test, 2, i).bits());
      pairs.values.push_back(i);
    }
    sort_pairs(threads, pairs);
    order = pairs.values;
  }
  spheres.positions.resize(count);
  spheres.radii.resize(count);
  gather<Vec3d>(threads, raw.positions, order, spheres.positions);
  gather<double>(threads, raw.radii, order, spheres.radii);
  return spheres;
}

template <class F>
double nanoseconds_each(std::size_t count, F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
  return taken.count() / static_cast<double>(count);
}

/// Visits all pairs and returns their number. The distances are summed, so that they have to be computed.
std::uint64_t visit_all(Threads& threads, const NeighborSearch& search) {
  struct Sum {
    std::uint64_t pairs;
    double distances;
  };
  const Sum sum = threads.reduce(
      search.size(), Sum{0, 0},
      [&](std::size_t begin, std::size_t end) {
        Sum s{0, 0};
        for (std::size_t i = begin; i < end; ++i) {
          search.for_each_neighbor(i, [&](std::uint32_t, const Vec3d& d) {
            ++s.pairs;
            s.distances += d.dot(d);
          });
        }
        return s;
      },
      [](const Sum& a, const Sum& b) {
        return Sum{a.pairs + b.pairs, a.distances + b.distances};
      });
  return sum.distances > 0 ? sum.pairs : 0;
}

Result measure(Threads& threads, std::size_t count, double ratio, bool sorted, std::string name) {
  const Spheres spheres = make_spheres(threads, count, ratio, sorted);
  Result result{.name = std::move(name), .count = count};
  NeighborSearch search;
  NeighborLists lists;
  Spheres copy;
  copy.positions.resize(count);
  std::uint64_t pairs = 0;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    const auto keep_best = [&](double& best, auto&& f) { best = std::min(best, nanoseconds_each(count, f)); };
    keep_best(result.build,
              [&] { search.build(threads, spheres.positions, spheres.radii, 0.2, DomainBox{}); });
    keep_best(result.visit, [&] { pairs = visit_all(threads, search); });
    keep_best(result.lists, [&] { search.build_lists(threads, lists); });
    keep_best(result.copy, [&] {
      threads.for_each(count, [&](std::size_t i) { copy.positions[i] = spheres.positions[i]; });
    });
  }
  result.neighbors = static_cast<double>(pairs) / static_cast<double>(count);
  result.candidates = static_cast<double>(search.count_candidates(threads)) / static_cast<double>(count);
  return result;
}

/// Least squares of log(time) over log(count).
double slope(std::span<const Result> results) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const Result& r : results) {
    const double x = std::log(static_cast<double>(r.count)), y = x + std::log(r.cost());
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const double n = static_cast<double>(results.size());
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

std::string table_of(std::span<const Result> results) {
  std::string text =
      fmt::format("{:<22} {:>9} {:>8} {:>8} {:>8} {:>8} {:>10} {:>11} {:>8}\n", "ns a sphere", "spheres",
                  "build", "visit", "sum", "lists", "neighbors", "candidates", "copy 24B");
  for (const Result& r : results) {
    text +=
        fmt::format("{:<22} {:>9} {:>8.1f} {:>8.1f} {:>8.1f} {:>8.1f} {:>10.2f} {:>11.2f} {:>8.2f}\n", r.name,
                    r.count, r.build, r.visit, r.cost(), r.lists, r.neighbors, r.candidates, r.copy);
  }
  return text;
}

void write_results(const std::filesystem::path& path, std::span<const Result> results,
                   const std::string& text) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Result& r : results) {
    rows.push_back({{"name", r.name},
                    {"spheres", r.count},
                    {"build_ns", r.build},
                    {"visit_ns", r.visit},
                    {"lists_ns", r.lists},
                    {"neighbors", r.neighbors},
                    {"candidates", r.candidates}});
  }
  std::ofstream(path) << rows.dump(2) << '\n';
  std::ofstream(std::filesystem::path(path).replace_extension(".txt")) << text;
}

int run(std::string_view output, std::size_t largest) {
  Threads threads(kThreads);
  std::vector<Result> results;
  for (std::size_t count = 10000; count <= largest; count *= 10) {
    results.push_back(measure(threads, count, 1, true, "equal"));
  }
  const double cost_slope = slope(results);
  const std::size_t equal_index = std::min<std::size_t>(2, results.size() - 1);
  const std::size_t mixed_count = results[equal_index].count;
  results.push_back(measure(threads, mixed_count, 5, true, "radii 1 to 5"));
  const double mixed_ratio = results.back().cost() / results[equal_index].cost();
  results.push_back(measure(threads, mixed_count, 1, false, "equal, random order"));

  const bool linear = std::abs(cost_slope - 1) <= 0.1, cheap = mixed_ratio <= 3;
  std::string text = table_of(results);
  text += fmt::format("slope of cost over spheres: {:.3f} (gate 1.0 +- 0.1): {}\n", cost_slope,
                      linear ? "ok" : "FAILED");
  text +=
      fmt::format("radii 1 to 5 against equal: {:.2f} (gate 3): {}\n", mixed_ratio, cheap ? "ok" : "FAILED");
  fmt::print("{}", text);
  if (!output.empty()) write_results(output, results, text);
  return linear && cheap ? 0 : 1;
}

}  // namespace
}  // namespace repose

int main(int argc, char** argv) {
  std::string_view output;
  std::size_t largest = 10000000;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    constexpr std::string_view kOutput = "--benchmark_out=", kLargest = "--largest=";
    if (argument.starts_with(kOutput)) output = argument.substr(kOutput.size());
    if (argument.starts_with(kLargest)) largest = std::stoul(std::string(argument.substr(kLargest.size())));
  }
  return repose::run(output, largest);
}
