// Ways to find all contacts in every step: nanoseconds a sphere and step, in two threads; each step
// counts as it was in the quickest of five runs.
//
// The bed is a jittered lattice of equal spheres with a solid fraction of 0.6, sorted in memory as solvers
// keep them, and sheared: a sphere moves along x in proportion to its height, the highest by a given share of
// its radius in a step. "slow" is a bed that creeps (1e-4 of the radius), "fast" one that flows (0.01).
// Compared:
//  - Bell 2005, section 3.2: a hash of voxels that is kept and mended (bench/voxel_hash.h); spheres in 27
//    voxels, one lookup a query; and in one voxel, 27 lookups.
//  - cells: NeighborSearch sorted anew in every step.
//  - lists: NeighborSearch with a margin of 0.7 radii, kept until something moved by half of it; what dem
//  does.
// All must count the same contacts. Exits with 1 if they do not, or if the lists are not the fastest.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "voxel_hash.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "repose/core/random.h"
#include "repose/particles/neighbors.h"
#include "repose/particles/reorder.h"

namespace repose {
namespace {

constexpr int kThreads = 2;
constexpr double kSolidFraction = 0.6;
constexpr double kSkin = 0.7;  ///< margin of the lists, in radii
constexpr int kRepetitions = 5;
constexpr double kCellBytes = 40;  ///< of NeighborSearch: position, radius, index and the way back

struct Bed {
  std::vector<Vec3d> start;
  std::vector<Vec3d> now;
  double top = 0;
};

Bed make_bed(Threads& threads, std::size_t count) {
  Bed bed;
  const double spacing = std::cbrt(4.0 / 3 * kPi / kSolidFraction);
  const auto side = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(count))));
  std::vector<Vec3d> raw(count);
  for (std::size_t i = 0; i < count; ++i) {
    Random random(1, Stream::test, 1, i);
    const std::size_t row = i / side, layer = row / side;
    const Vec3d cell(static_cast<double>(i % side), static_cast<double>(row % side),
                     static_cast<double>(layer));
    const auto jitter = [&] { return random.uniform(-0.2, 0.2); };
    const double x = jitter(), y = jitter(), z = jitter();
    raw[i] = (cell + Vec3d(x, y, z)) * spacing;
    bed.top = std::max(bed.top, raw[i].z);
  }
  std::vector<std::uint32_t> order;
  spatial_order(threads, raw, 2 * spacing, order);
  bed.start.resize(count);
  gather<Vec3d>(threads, raw, order, bed.start);
  bed.now = bed.start;
  return bed;
}

void move(Threads& threads, Bed& bed, double speed, int step) {
  threads.for_each(bed.start.size(), [&](std::size_t i) {
    bed.now[i].x = bed.start[i].x + speed * step * bed.start[i].z / bed.top;
  });
}

/// Pairs whose distance is less than two radii of 1, each counted once, by for_each(i, f).
template <class ForEach>
std::uint64_t count_contacts(Threads& threads, std::span<const Vec3d> x, ForEach&& for_each) {
  return threads.reduce(
      x.size(), std::uint64_t{0},
      [&](std::size_t begin, std::size_t end) {
        std::uint64_t contacts = 0;
        for (std::size_t i = begin; i < end; ++i)
          for_each(i, [&](std::uint32_t j) {
            contacts += static_cast<std::uint64_t>(j > i && (x[j] - x[i]).length2() < 4);
          });
        return contacts;
      },
      [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

struct Result {
  std::string method, bed;
  double update = 0, query = 0;  ///< [ns a sphere and step]
  std::uint64_t contacts = 0;    ///< summed over all steps
  double bytes = 0;              ///< a sphere
  double sum() const { return update + query; }
};

/// What a method does in a step, in two parts that are timed apart.
struct Method {
  std::string name;
  std::function<void(const Bed&, int step)> update;
  std::function<std::uint64_t(const Bed&)> query;
  std::function<double()> bytes;
};

/// The quickest of several runs, step by step: a step does the same work in each of them.
Result run_method(Threads& threads, const Method& method, Bed bed, std::string name, double speed,
                  int steps) {
  using Clock = std::chrono::steady_clock;
  const auto nanoseconds = [](Clock::time_point a, Clock::time_point b) {
    return std::chrono::duration<double, std::nano>(b - a).count();
  };
  Result out{.method = method.name, .bed = std::move(name)};
  std::vector<double> update(static_cast<std::size_t>(steps), 1e300), query = update;
  for (int k = 0; k < kRepetitions; ++k) {
    out.contacts = 0;
    for (int step = 0; step <= steps; ++step) {
      move(threads, bed, speed, step);
      const auto start = Clock::now();
      method.update(bed, step);
      const auto middle = Clock::now();
      out.contacts += method.query(bed);
      const auto end = Clock::now();
      if (step == 0) continue;  // builds everything
      const auto s = static_cast<std::size_t>(step - 1);
      update[s] = std::min(update[s], nanoseconds(start, middle));
      query[s] = std::min(query[s], nanoseconds(middle, end));
    }
  }
  const double share = 1 / (static_cast<double>(bed.start.size()) * steps);
  out.update = share * std::accumulate(update.begin(), update.end(), 0.0);
  out.query = share * std::accumulate(query.begin(), query.end(), 0.0);
  out.bytes = method.bytes() / static_cast<double>(bed.start.size());
  return out;
}

Method voxel_method(Threads& threads, bool spread) {
  auto hash = std::make_shared<std::optional<bench::VoxelHash>>();
  return {spread ? "Bell: in 27 voxels, 1 lookup" : "Bell: in 1 voxel, 27 lookups",
          [hash, spread](const Bed& bed, int step) {
            if (step == 0)
              hash->emplace(bed.now, 1.0, spread);
            else
              (*hash)->update(bed.now);
          },
          [hash, &threads](const Bed& bed) {
            return count_contacts(threads, bed.now, [&](std::size_t i, auto&& f) {
              (*hash)->for_each_candidate(static_cast<std::uint32_t>(i), f);
            });
          },
          [hash] { return static_cast<double>((*hash)->bytes()); }};
}

Method cells_method(Threads& threads, const std::vector<double>& radii) {
  auto search = std::make_shared<NeighborSearch>();
  return {"cells, sorted in each step",
          [search, &threads, &radii](const Bed& bed, int) {
            search->build(threads, bed.now, radii, 0, DomainBox{});
          },
          [search, &threads](const Bed& bed) {
            return count_contacts(threads, bed.now, [&](std::size_t i, auto&& f) {
              search->for_each_neighbor(i, [&](std::uint32_t j, const Vec3d&) { f(j); });
            });
          },
          [search] { return kCellBytes * static_cast<double>(search->size()); }};
}

Method lists_method(Threads& threads, const std::vector<double>& radii) {
  struct State {
    NeighborSearch search;
    NeighborLists lists;
    std::vector<Vec3d> built_at;
  };
  auto state = std::make_shared<State>();
  return {"lists with a skin of 0.7",
          [state, &threads, &radii](const Bed& bed, int step) {
            const double moved2 =
                step == 0 ? 1e300
                          : threads.reduce(
                                bed.now.size(), 0.0,
                                [&](std::size_t begin, std::size_t end) {
                                  double most = 0;
                                  for (std::size_t i = begin; i < end; ++i)
                                    most = std::max(most, (bed.now[i] - state->built_at[i]).length2());
                                  return most;
                                },
                                [](double a, double b) { return std::max(a, b); });
            if (moved2 <= 0.25 * kSkin * kSkin) return;
            state->search.build(threads, bed.now, radii, kSkin, DomainBox{});
            state->search.build_lists(
                threads, [](std::size_t i, std::size_t j) { return j > i; }, state->lists);
            state->built_at = bed.now;
          },
          [state, &threads](const Bed& bed) {
            return count_contacts(threads, bed.now, [&](std::size_t i, auto&& f) {
              for (const std::uint32_t j : state->lists.of(i)) f(j);
            });
          },
          [state] {
            return static_cast<double>(state->lists.neighbor.size() * 4 + state->lists.offset.size() * 8 +
                                       state->built_at.size() * 24);
          }};
}

int run(std::string_view output, std::size_t count, int steps) {
  Threads threads(kThreads);
  const Bed bed = make_bed(threads, count);
  const std::vector<double> radii(count, 1.0);
  const std::vector<Method> methods{voxel_method(threads, true), voxel_method(threads, false),
                                    cells_method(threads, radii), lists_method(threads, radii)};
  std::vector<Result> results;
  bool ok = true;
  for (const auto& [name, speed] : {std::pair{"slow", 1e-4}, std::pair{"fast", 0.01}}) {
    const std::size_t first = results.size();
    for (const Method& method : methods)
      results.push_back(run_method(threads, method, bed, name, speed, steps));
    for (std::size_t k = first; k < results.size(); ++k) {
      ok = ok && results[k].contacts == results[first].contacts;
      ok = ok && results[k].sum() >= results.back().sum();
    }
  }
  std::string text = fmt::format("{:<30} {:<5} {:>8} {:>8} {:>8} {:>9} {:>12}\n", "ns a sphere and step",
                                 "bed", "update", "query", "sum", "bytes", "contacts");
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Result& r : results) {
    text += fmt::format("{:<30} {:<5} {:>8.1f} {:>8.1f} {:>8.1f} {:>9.0f} {:>12}\n", r.method, r.bed,
                        r.update, r.query, r.sum(), r.bytes, r.contacts);
    rows.push_back({{"method", r.method},
                    {"bed", r.bed},
                    {"update_ns", r.update},
                    {"query_ns", r.query},
                    {"bytes", r.bytes}});
  }
  text += fmt::format("{} spheres, {} steps; same contacts, lists fastest: {}\n", count, steps,
                      ok ? "ok" : "FAILED");
  fmt::print("{}", text);
  if (!output.empty()) {
    std::ofstream(std::string(output)) << rows.dump(2) << '\n';
    std::ofstream(std::filesystem::path(output).replace_extension(".txt")) << text;
  }
  return ok ? 0 : 1;
}

}  // namespace
}  // namespace repose

int main(int argc, char** argv) {
  std::string_view output;
  std::size_t count = 100000;
  int steps = 105;  // three times as many as lists last in the fast bed
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    constexpr std::string_view kOutput = "--benchmark_out=", kCount = "--spheres=", kSteps = "--steps=";
    if (argument.starts_with(kOutput)) output = argument.substr(kOutput.size());
    if (argument.starts_with(kCount)) count = std::stoul(std::string(argument.substr(kCount.size())));
    if (argument.starts_with(kSteps)) steps = std::stoi(std::string(argument.substr(kSteps.size())));
  }
  return repose::run(output, count, steps);
}
