#include "repose/solvers/dem/neighbor_lists.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/exec/algorithms.h"
#include "repose/solvers/dem/rotation.h"

namespace repose {
namespace {

constexpr std::size_t kGrainChunk = 512;
constexpr std::uint64_t kListsPerReorder = 64;

bool sphere_moved_too_far(const DemModel& model, const DemScratch& scratch, Threads& threads) {
  const double limit = 0.25 * model.margin * model.margin;
  const bool periodic = model.box.any_periodic();
  return threads.reduce(
             scratch.place.size(), 0.0,
             [&](std::size_t begin, std::size_t end) {
               double largest = 0;
               for (std::size_t s = begin; s < end; ++s) {
                 Vec3d d = scratch.place[s].position - scratch.listed_position[s];
                 if (periodic) d = model.box.minimum_image(d);
                 largest = std::max(largest, d.dot(d));
               }
               return largest < limit ? largest : std::numeric_limits<double>::infinity();
             },
             [](double a, double b) { return std::max(a, b); }, 4096) >= limit;
}

bool body_moved_too_far(const DemModel& model, const Bodies& bodies, const DemScratch& scratch) {
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (!(bodies.shift_since(b, scratch.listed_poses[b]) <= 0.5 * model.margin)) return true;
  return false;
}

void list_spheres(const DemModel& model, DemScratch& scratch, Threads& threads) {
  const std::size_t n = scratch.place.size();
  scratch.search_positions.resize(n);
  scratch.search_radii.resize(n);
  threads.for_each(n, [&](std::size_t s) {
    scratch.search_positions[s] = scratch.listed_position[s] = scratch.place[s].position;
    scratch.search_radii[s] = scratch.place[s].radius;
  });
  scratch.search.build(threads, scratch.search_positions, scratch.search_radii, model.margin, model.box);
  scratch.search.build_lists(
      threads,
      [&](std::size_t i, std::size_t j) {
        const SphereMotion &a = scratch.motion[i], &b = scratch.motion[j];
        return a.grain != b.grain && a.inverse_mass + b.inverse_mass > 0;
      },
      [&](std::uint32_t j) { return scratch.rank[j]; }, scratch.neighbors);
}

/// Spheres near each body, found chunk by chunk, then sorted by body and rank. Rows are sorted in space, so a
/// chunk is small and near few bodies.
void list_bodies(const DemModel& model, const Bodies& bodies, DemScratch& scratch, Threads& threads) {
  constexpr std::size_t kChunk = 512;
  const std::size_t n = scratch.place.size();
  std::vector<std::vector<BodyCandidate>> found((n + kChunk - 1) / kChunk);
  threads.for_chunks(n, kChunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    Box3d box;
    double largest = 0;
    for (std::size_t s = begin; s < end; ++s) {
      box.extendBy(scratch.place[s].position);
      largest = std::max(largest, scratch.place[s].radius);
    }
    std::vector<std::uint32_t> near;
    for (std::uint32_t b = 0; b < bodies.size(); ++b)
      if (bodies.distance_bound(b, box.center()) < 0.5 * box.size().length() + largest + model.margin)
        near.push_back(b);
    for (std::size_t s = begin; s < end; ++s) {
      if (scratch.motion[s].inverse_mass == 0) continue;
      const double reach = scratch.place[s].radius + model.margin;
      for (const std::uint32_t b : near)
        if (bodies.distance_bound(b, scratch.place[s].position) < reach &&
            bodies.is_near(b, scratch.place[s].position, reach))
          found[chunk].push_back({static_cast<std::uint32_t>(s), b});
    }
  });
  auto& candidates = scratch.body_candidates;
  candidates.clear();
  for (const auto& part : found) candidates.insert(candidates.end(), part.begin(), part.end());
  std::sort(candidates.begin(), candidates.end(), [&](const BodyCandidate& a, const BodyCandidate& b) {
    return a.body != b.body ? a.body < b.body : scratch.rank[a.sphere] < scratch.rank[b.sphere];
  });
  scratch.body_forces.assign(candidates.size(), BodyForce{});
}

/// The same candidates by grain: for each its spheres in order, and for each sphere the bodies in order.
void group_by_grain(std::size_t grain_count, DemScratch& scratch, Threads& threads) {
  const auto& candidates = scratch.body_candidates;
  auto& first = scratch.grain_candidate_first;
  first.assign(grain_count + 1, 0);
  for (const BodyCandidate& c : candidates) ++first[scratch.motion[c.sphere].grain];
  exclusive_scan<std::uint32_t>(threads, first, first);
  scratch.grain_candidates.resize(candidates.size());
  std::vector<std::uint32_t> next(first);
  for (std::size_t k = 0; k < candidates.size(); ++k)
    scratch.grain_candidates[next[scratch.motion[candidates[k].sphere].grain]++] =
        static_cast<std::uint32_t>(k);
  threads.for_each(grain_count, [&](std::size_t g) {
    std::sort(scratch.grain_candidates.begin() + first[g], scratch.grain_candidates.begin() + first[g + 1],
              [&](std::uint32_t a, std::uint32_t b) {
                const BodyCandidate &ca = candidates[a], &cb = candidates[b];
                return ca.sphere != cb.sphere ? ca.sphere < cb.sphere : ca.body < cb.body;
              });
  });
}

}  // namespace

void prepare_grains(const DemModel& model, const DemState& state, DemScratch& scratch, Threads& threads) {
  const std::size_t n = state.size();
  scratch.inverse_mass.resize(n);
  scratch.force.assign(n, Vec3d(0));
  scratch.torque.assign(n, Vec3d(0));
  scratch.first_sphere.resize(n + 1);
  scratch.first_sphere[n] = 0;
  threads.for_each(n, [&](std::size_t g) {
    const double mass = model.grain_mass(state.shape[g], state.material[g], state.radius[g]);
    scratch.inverse_mass[g] = state.held[g] != 0 ? 0.0 : 1 / mass;
    scratch.first_sphere[g] = static_cast<std::uint32_t>(model.shapes[state.shape[g]].form.spheres.size());
  });
  const std::uint32_t sphere_count =
      exclusive_scan<std::uint32_t>(threads, scratch.first_sphere, scratch.first_sphere);
  scratch.place.resize(sphere_count);
  scratch.motion.resize(sphere_count);
  scratch.arm.resize(sphere_count);
  scratch.listed_position.resize(sphere_count);
  scratch.rank.resize(sphere_count);
  threads.for_each(n, [&](std::size_t g) {
    for (std::uint32_t s = scratch.first_sphere[g]; s < scratch.first_sphere[g + 1]; ++s) {
      const std::uint32_t number = s - scratch.first_sphere[g];
      scratch.rank[s] = (std::uint64_t{state.id[g]} << 32) | number;
      scratch.place[s].radius = state.radius[g] * model.shapes[state.shape[g]].form.spheres[number].radius;
      scratch.motion[s].inverse_mass = scratch.inverse_mass[g];
      scratch.motion[s].grain = static_cast<std::uint32_t>(g);
      scratch.motion[s].material = state.material[g];
    }
  });
  scratch.lists_are_valid = false;
}

void place_spheres(const DemModel& model, const DemState& state, DemScratch& scratch, Threads& threads) {
  threads.for_each(
      state.size(),
      [&](std::size_t g) {
        const DemShape& shape = model.shapes[state.shape[g]];
        const Vec3d spin = angular_velocity(shape, state.orientation[g], state.angular_momentum[g],
                                            scratch.inverse_mass[g], state.radius[g]);
        const RotationMatrix turn(state.orientation[g]);
        std::uint32_t s = scratch.first_sphere[g];
        for (const ShapeSphere& sphere : shape.form.spheres) {
          const Vec3d arm = turn.apply(state.radius[g] * sphere.center);
          scratch.arm[s] = arm;
          scratch.place[s].position = state.position[g] + arm;
          scratch.motion[s].velocity = state.velocity[g] + spin.cross(arm);
          scratch.motion[s].spin = spin;
          ++s;
        }
      },
      kGrainChunk);
}

void update_neighbors(const DemModel& model, DemState& state, const Bodies& bodies, DemScratch& scratch,
                      Threads& threads) {
  if (scratch.lists_are_valid && !sphere_moved_too_far(model, scratch, threads) &&
      !body_moved_too_far(model, bodies, scratch))
    return;
  if (scratch.list_count++ % kListsPerReorder == 0) {
    reorder_in_space(state, 4 * model.smallest_radius, threads);
    prepare_grains(model, state, scratch, threads);
    place_spheres(model, state, scratch, threads);
  }
  list_spheres(model, scratch, threads);
  list_bodies(model, bodies, scratch, threads);
  group_by_grain(state.size(), scratch, threads);
  scratch.listed_poses.resize(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) scratch.listed_poses[b] = bodies[b].pose;
  scratch.lists_are_valid = true;
}

}  // namespace repose
