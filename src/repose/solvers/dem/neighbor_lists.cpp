#include "repose/solvers/dem/neighbor_lists.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "repose/exec/algorithms.h"
#include "repose/solvers/dem/contacts.h"
#include "repose/solvers/dem/covers.h"
#include "repose/solvers/dem/integrate.h"

namespace repose {
namespace {

constexpr std::uint64_t kListsPerReorder = 64;

/// How many steps lists should last where that takes no margin wider than this, in smallest radii.
constexpr double kListSteps = 20, kWidest = 1.4;

/// Wider than asked for where grains are fast: longer lists cost less than new ones in every few steps.
double list_margin(const DemModel& model, const DemState& state) {
  if (model.margin == 0 || model.box.any_periodic()) return model.margin;
  const double way = 2 * kListSteps * model.dt * state.max_speed;
  return way > model.margin ? std::max(model.margin, std::min(way, kWidest * model.smallest_radius))
                            : model.margin;
}

/// Whether a sphere has moved by half the margin. The bound on their travel mostly tells; where it does not,
/// the spheres are looked at.
bool sphere_moved_too_far(const DemModel& model, DemScratch& scratch, Threads& threads) {
  const double limit = 0.5 * scratch.margin;
  if (scratch.travel < limit) return false;
  const ShortestImage shortest(model.box);
  const double farthest2 = threads.reduce(
      scratch.spheres.size(), 0.0,
      [&](std::size_t begin, std::size_t end) {
        double largest = 0;
        for (std::size_t s = begin; s < end; ++s) {
          const Vec3d d = shortest.of(scratch.spheres[s].position - scratch.listed_position[s]);
          largest = std::max(largest, d.dot(d));
          if (!(d.dot(d) < limit * limit)) return std::numeric_limits<double>::infinity();
        }
        return largest;
      },
      [](double a, double b) { return std::max(a, b); }, 4096);
  scratch.travel = std::sqrt(farthest2);
  return !(scratch.travel < limit);
}

bool body_moved_too_far(const Bodies& bodies, const DemScratch& scratch) {
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (!(bodies.shift_since(b, scratch.listed_poses[b]) <= 0.5 * scratch.margin)) return true;
  return false;
}

/// Cuts the grains into stretches of so many spheres that what a thread reads stays in its cache, or fewer
/// where there would not be work for all. No result depends on it.
void make_chunks(std::size_t grains, DemScratch& scratch, const Threads& threads) {
  constexpr std::size_t kLargest = 8192, kSmallest = 512, kChunksPerThread = 4;
  const std::size_t spheres = scratch.first_cover_sphere;
  std::size_t size = kLargest;
  while (size > kSmallest && spheres < kChunksPerThread * static_cast<std::size_t>(threads.count()) * size)
    size /= 2;
  const std::size_t rows =
      std::bit_floor(std::max<std::size_t>(1, size * grains / std::max<std::size_t>(1, spheres)));
  scratch.grain_shift = static_cast<unsigned>(std::countr_zero(rows));
  scratch.chunks.clear();
  for (std::size_t g = 0; g < grains; g += rows) {
    ContactChunk& chunk = scratch.chunks.emplace_back();
    chunk.first_grain = static_cast<std::uint32_t>(g);
    chunk.end_grain = static_cast<std::uint32_t>(std::min(g + rows, grains));
    chunk.begin = scratch.first_sphere[chunk.first_grain];
    chunk.end = scratch.first_sphere[chunk.end_grain];
  }
  scratch.grain_chunks = static_cast<std::uint32_t>(scratch.chunks.size());
  const auto end = static_cast<std::uint32_t>(scratch.spheres.size());
  for (std::uint32_t s = scratch.first_cover_sphere; s < end; s += 1U << DemScratch::kCoverShift) {
    ContactChunk& chunk = scratch.chunks.emplace_back();
    chunk.begin = s;
    chunk.end = std::min(s + (1U << DemScratch::kCoverShift), end);
  }
}

/// Which chunks the candidates of each chunk are in. Near pairs are still to be found.
void find_chunks_around(DemScratch& scratch, Threads& threads) {
  threads.for_chunks(scratch.chunks.size(), 1, [&](std::size_t c, std::size_t, std::size_t) {
    ContactChunk& chunk = scratch.chunks[c];
    const NeighborLists& lists = scratch.neighbors;
    std::vector<bool> found(scratch.chunks.size(), false);
    constexpr double kNever = -std::numeric_limits<double>::infinity();
    chunk.around = {{static_cast<std::uint32_t>(c), kNever}};
    for (std::uint64_t k = lists.offset[chunk.begin]; k < lists.offset[chunk.end]; ++k) {
      const std::uint32_t j = lists.neighbor[k];
      if (j >= chunk.begin && j < chunk.end) continue;
      const std::uint32_t other = scratch.chunk_of(j);
      if (!found[other]) chunk.around.push_back({other, kNever});
      found[other] = true;
    }
  });
}

void list_spheres(const DemModel& model, std::size_t grains, DemScratch& scratch, Threads& threads) {
  const std::size_t n = scratch.spheres.size();
  scratch.search_positions.resize(n);
  scratch.search_radii.resize(n);
  threads.for_each(n, [&](std::size_t s) {
    scratch.search_positions[s] = scratch.listed_position[s] = scratch.spheres[s].position;
    scratch.search_radii[s] = scratch.spheres[s].radius;
  });
  scratch.search.build(threads, scratch.search_positions, scratch.search_radii, scratch.margin, model.box);
  make_chunks(grains, scratch, threads);
  scratch.search.build_lists(
      threads,
      [&](std::size_t i, std::size_t j) {
        if (j < i && scratch.chunk_of(static_cast<std::uint32_t>(i)) ==
                         scratch.chunk_of(static_cast<std::uint32_t>(j)))
          return false;
        const std::uint32_t a = scratch.grain[i], b = scratch.grain[j];
        if (a >= grains || b >= grains) {
          const std::uint32_t lower = std::min(a, b), upper = std::max(a, b);
          if (lower >= grains || !scratch.cover_states[upper - grains].present) return false;
        }
        return a != b && scratch.spheres[i].inverse_mass + scratch.spheres[j].inverse_mass > 0;
      },
      scratch.neighbors);
  find_chunks_around(scratch, threads);
}

/// Adds the spheres of a stretch that are near a body. Rows are sorted in space, so a stretch is small: where
/// its box is not near the body, nothing in it is, and no sphere need be asked.
void list_stretch(const Bodies& bodies, const DemScratch& scratch, std::uint32_t body, std::size_t begin,
                  std::size_t end, std::vector<BodyCandidate>& found) {
  constexpr std::size_t kFew = 8;
  const auto is_near = [&](const Vec3d& point, double reach) {
    return bodies.distance_bound(body, point) < reach && bodies.is_near(body, point, reach);
  };
  if (end - begin <= kFew) {
    for (std::size_t s = begin; s < end; ++s) {
      const DemSphere& sphere = scratch.spheres[s];
      if (sphere.inverse_mass > 0 && is_near(sphere.position, sphere.radius + scratch.margin))
        found.push_back({static_cast<std::uint32_t>(s), body});
    }
    return;
  }
  Box3d box;
  double largest = 0;
  for (std::size_t s = begin; s < end; ++s) {
    box.extendBy(scratch.spheres[s].position);
    largest = std::max(largest, static_cast<double>(scratch.spheres[s].radius));
  }
  const double reach = (1 + 1e-9) * 0.5 * box.size().length() + largest + scratch.margin;
  if (!is_near(box.center(), reach)) return;
  const std::size_t middle = begin + (end - begin) / 2;
  list_stretch(bodies, scratch, body, begin, middle, found);
  list_stretch(bodies, scratch, body, middle, end, found);
}

/// Spheres near each body.
void list_bodies(const DemModel& model, const Bodies& bodies, DemScratch& scratch, Threads& threads) {
  constexpr std::size_t kChunk = 512;
  const std::size_t n = scratch.first_cover_sphere;
  std::vector<std::vector<BodyCandidate>> found((n + kChunk - 1) / kChunk);
  threads.for_chunks(n, kChunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    for (std::uint32_t b = 0; b < bodies.size(); ++b)
      if (!model.is_covered(b)) list_stretch(bodies, scratch, b, begin, end, found[chunk]);
    std::sort(found[chunk].begin(), found[chunk].end(), [](const BodyCandidate& a, const BodyCandidate& c) {
      return a.sphere != c.sphere ? a.sphere < c.sphere : a.body < c.body;
    });
  });
  auto& candidates = scratch.body_candidates;
  candidates.clear();
  for (const auto& part : found) candidates.insert(candidates.end(), part.begin(), part.end());
  scratch.body_forces.assign(candidates.size(), BodyForce{});
  scratch.body_memory.assign(model.kernel.remembers() ? candidates.size() : 0, CandidateMemory{});
}

/// Where the candidates of each grain begin, and the order in which bodies sum over them.
void order_candidates(std::size_t grain_count, DemScratch& scratch, Threads& threads) {
  const auto& candidates = scratch.body_candidates;
  auto& first = scratch.grain_candidate_first;
  first.assign(grain_count + 1, 0);
  for (const BodyCandidate& c : candidates) ++first[scratch.grain[c.sphere]];
  exclusive_scan<std::uint32_t>(threads, first, first);
  auto& order = scratch.body_order;
  order.resize(candidates.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const BodyCandidate &ca = candidates[a], &cb = candidates[b];
    return ca.body != cb.body ? ca.body < cb.body : scratch.rank[ca.sphere] < scratch.rank[cb.sphere];
  });
  scratch.body_runs.clear();
  for (std::size_t n = 0; n < order.size(); ++n) {
    const std::uint32_t body = candidates[order[n]].body;
    if (n == 0 || scratch.body_runs.back().body != body) scratch.body_runs.push_back({body, n, n});
    scratch.body_runs.back().end = n + 1;
  }
}

/// Takes what contacts remember out of lists that end here.
void keep_memory(const DemModel& model, DemState& state, DemScratch& scratch) {
  if (scratch.lists_are_valid && model.kernel.remembers()) state.memory = collect_memory(scratch);
  scratch.lists_are_valid = false;
}

}  // namespace

void prepare_grains(const DemModel& model, DemState& state, DemScratch& scratch, Threads& threads) {
  keep_memory(model, state, scratch);
  const std::size_t n = state.size();
  scratch.inverse_mass.resize(n);
  scratch.spin_factor.resize(n);
  scratch.first_sphere.resize(n + 1);
  scratch.placed_orientation.resize(n);
  scratch.first_sphere[n] = 0;
  threads.for_each(n, [&](std::size_t g) {
    const double mass = model.grain_mass(state.shape[g], state.material[g], state.radius[g]);
    scratch.inverse_mass[g] = state.held[g] != 0 ? 0.0 : 1 / mass;
    scratch.spin_factor[g] = scratch.inverse_mass[g] / (state.radius[g] * state.radius[g]) *
                             model.shapes[state.shape[g]].inverse_inertia[0][0];
    scratch.first_sphere[g] = static_cast<std::uint32_t>(model.shapes[state.shape[g]].form.spheres.size());
  });
  const std::uint32_t sphere_count =
      exclusive_scan<std::uint32_t>(threads, scratch.first_sphere, scratch.first_sphere);
  scratch.spheres.resize(sphere_count);
  scratch.grain.resize(sphere_count);
  scratch.listed_position.resize(sphere_count);
  scratch.rank.resize(sphere_count);
  threads.for_each(n, [&](std::size_t g) {
    for (std::uint32_t s = scratch.first_sphere[g]; s < scratch.first_sphere[g + 1]; ++s) {
      const std::uint32_t number = s - scratch.first_sphere[g];
      scratch.rank[s] = (std::uint64_t{state.id[g]} << 32) | number;
      scratch.grain[s] = static_cast<std::uint32_t>(g);
      DemSphere& sphere = scratch.spheres[s];
      sphere.radius =
          static_cast<float>(state.radius[g] * model.shapes[state.shape[g]].form.spheres[number].radius);
      sphere.inverse_mass = static_cast<float>(scratch.inverse_mass[g]);
      sphere.inverse_diameter = static_cast<float>(0.5 / state.radius[g]);
      sphere.surface = state.material[g];
    }
  });
  add_cover_spheres(model, n, scratch);
  place_spheres(model, state, scratch.ahead, scratch, threads);
}

void update_neighbors(const DemModel& model, DemState& state, const Bodies& bodies, DemScratch& scratch,
                      Threads& threads) {
  place_covers(model, bodies, scratch);
  if (scratch.lists_are_valid && !scratch.must_list && !sphere_moved_too_far(model, scratch, threads) &&
      !body_moved_too_far(bodies, scratch))
    return;
  keep_memory(model, state, scratch);
  if (!scratch.keep_rows && scratch.list_count++ % kListsPerReorder == 0) {
    reorder_in_space(state, 4 * model.smallest_radius, threads);
    prepare_grains(model, state, scratch, threads);
    place_covers(model, bodies, scratch);
  }
  scratch.margin = list_margin(model, state);
  list_spheres(model, state.size(), scratch, threads);
  list_bodies(model, bodies, scratch, threads);
  order_candidates(state.size(), scratch, threads);
  scratch.listed_poses.resize(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) scratch.listed_poses[b] = bodies[b].pose;
  if (model.kernel.remembers()) distribute_memory(model, state, state.memory, scratch, threads);
  scratch.must_list = false;
  scratch.travel = 0;
  scratch.lists_are_valid = true;
}

}  // namespace repose
