#include "repose/solvers/dem/contacts.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "repose/exec/algorithms.h"
#include "repose/solvers/dem/contact_kernel.h"

namespace repose {
namespace {

/// The contacts of one chunk, from candidates to sums.
template <bool kPeriodic>
class ChunkContacts {
 public:
  ChunkContacts(const DemModel& model, DemScratch& scratch, std::size_t index)
      : model_(model),
        scratch_(scratch),
        chunk_(scratch.chunks[index]),
        begin_(static_cast<std::uint32_t>(index * scratch.chunk_size)),
        end_(static_cast<std::uint32_t>(std::min(scratch.spheres.size(), (index + 1) * scratch.chunk_size))) {
  }

  /// Of the candidates those that are near; the others need not be looked at until grains have travelled.
  void find_near() {
    const auto& lists = scratch_.neighbors;
    const std::uint64_t first = lists.offset[begin_];
    std::vector<NearPair> near(lists.offset[end_] - first + 1);
    std::size_t count = 0;
    std::uint64_t k = first;
    for (std::uint32_t s = begin_; s < end_; ++s)
      for (const std::uint64_t last = lists.offset[s + 1]; k < last; ++k) {
        near[count] = {s, lists.neighbor[k], static_cast<std::uint32_t>(k - first)};
        count += is_within(near[count], model_.near_margin) ? 1 : 0;
      }
    near.resize(count);
    sort_by_law(near);
    carry_memory(near);
    chunk_.near.swap(near);
    chunk_.near_until = scratch_.total_travel + 0.5 * model_.near_margin;
  }

  ContactExtremes run(const DemState& state, double dt) {
    std::fill(scratch_.sums.begin() + begin_, scratch_.sums.begin() + end_, SphereSum{Vec3d(0), Vec3d(0)});
    if (scratch_.watches_contacts)
      std::fill(scratch_.sphere_moments.begin() + begin_, scratch_.sphere_moments.begin() + end_,
                ContactMoment{});
    if (model_.has_large_compounds)
      std::fill(scratch_.holds.begin() + begin_, scratch_.holds.begin() + end_, SphereHold{});
    fetch();
    if (!(scratch_.total_travel < chunk_.near_until)) find_near();
    // Not zeroed: every lane is written before it is read.
    const std::unique_ptr<ContactBatch> batch(new ContactBatch);  // NOLINT(modernize-make-unique)
    const ContactKernel kernel = choose_kernel(model_.kernel);
    std::size_t n = 0;
    for (const ContactChunk::LawRange& range : chunk_.laws)
      while (n < range.end) {
        n = gather(n, range.end, *batch);
        kernel(model_.kernel, model_.kernel_laws[range.law], static_cast<float>(dt), *batch);
        scatter(*batch);
        if (model_.has_large_compounds) add_holds(*batch);
        if (scratch_.watches_contacts) add_moments(*batch);
        note_extremes(state, *batch);
      }
    return extremes_;
  }

 private:
  Vec3d difference(const Sphere& from, const Sphere& to) const {
    if constexpr (kPeriodic) return shortest_.of(to.position - from.position);
    return to.position - from.position;
  }

  bool is_within(const NearPair& pair, double margin) const {
    const Sphere &a = scratch_.spheres[pair.sphere], &b = scratch_.spheres[pair.other];
    const Vec3d d = difference(a, b);
    const double reach = (static_cast<double>(a.radius) + static_cast<double>(b.radius)) + margin;
    return d.dot(d) < reach * reach;
  }

  std::size_t law_of(const NearPair& pair) const {
    return model_.law_index(scratch_.spheres[pair.sphere].surface, scratch_.spheres[pair.other].surface);
  }

  void sort_by_law(std::vector<NearPair>& near) {
    const auto is_before = [&](const NearPair& a, const NearPair& b) { return law_of(a) < law_of(b); };
    if (!std::is_sorted(near.begin(), near.end(), is_before))
      std::stable_sort(near.begin(), near.end(), is_before);
    chunk_.laws.clear();
    for (std::size_t n = 0; n < near.size(); ++n)
      if (n + 1 == near.size() || law_of(near[n]) != law_of(near[n + 1]))
        chunk_.laws.push_back({law_of(near[n]), n + 1});
  }

  /// Both lists are sorted alike.
  void carry_memory(const std::vector<NearPair>& near) {
    if (!model_.kernel.remembers()) return;
    std::vector<Vec3f> slip(near.size(), Vec3f(0)), roll(model_.kernel.rolls ? near.size() : 0, Vec3f(0));
    const auto rank = [&](const NearPair& pair) { return std::pair(law_of(pair), pair.candidate); };
    std::size_t old = 0;
    for (std::size_t n = 0; n < near.size() && !chunk_.slip.empty(); ++n) {
      while (old < chunk_.near.size() && rank(chunk_.near[old]) < rank(near[n])) ++old;
      if (old == chunk_.near.size() || chunk_.near[old].candidate != near[n].candidate) continue;
      slip[n] = chunk_.slip[old];
      if (model_.kernel.rolls) roll[n] = chunk_.roll[old];
    }
    chunk_.slip.swap(slip);
    chunk_.roll.swap(roll);
  }

  /// Brings the chunk's spheres near, in the order in which they lie, which memory is fast at. Contacts would
  /// ask for them here and there, and wait each time.
  void fetch() const {
    for (std::uint32_t s = begin_; s < end_; ++s) __builtin_prefetch(&scratch_.spheres[s]);
  }

  /// Fills the batch with those of the near pairs from n on that touch; gives where it stopped. Every pair is
  /// written to the next lane, which is kept if they touch: a branch would be a guess, and often wrong.
  std::size_t gather(std::size_t n, std::size_t end, ContactBatch& batch) {
    constexpr std::size_t kAhead = 24;  // pairs that are fetched before their turn
    const bool slips = model_.kernel.tangential != TangentialKind::memoryless, rolls = model_.kernel.rolls;
    const NearPair* const near = chunk_.near.data();
    std::size_t lane = 0;
    for (; n < end && lane < ContactBatch::kSize; ++n) {
      __builtin_prefetch(&scratch_.spheres[near[std::min(n + kAhead, end - 1)].other]);
      const Sphere &a = scratch_.spheres[near[n].sphere], &b = scratch_.spheres[near[n].other];
      const Vec3d d = difference(a, b);
      set_lane(batch.d, lane, d);
      batch.radius_1[lane] = a.radius;
      batch.radius_2[lane] = b.radius;
      set_lane(batch.velocity, lane, a.velocity - b.velocity);
      set_lane(batch.spin_1, lane, a.spin);
      set_lane(batch.spin_2, lane, b.spin);
      batch.inverse_mass[lane] = a.inverse_mass + b.inverse_mass;
      batch.inverse_diameter[lane] = std::max(a.inverse_diameter, b.inverse_diameter);
      batch.pair[lane] = static_cast<std::uint32_t>(n);
      // Memory is taken out, and comes back from the kernel for those that touch.
      if (slips) set_lane(batch.slip, lane, std::exchange(chunk_.slip[n], Vec3f(0)));
      if (rolls) set_lane(batch.roll, lane, std::exchange(chunk_.roll[n], Vec3f(0)));
      const double reach = static_cast<double>(a.radius) + static_cast<double>(b.radius);
      lane += d.dot(d) < reach * reach ? 1 : 0;
    }
    batch.count = lane;
    return n;
  }

  template <class T>
  static void set_lane(ContactBatch::Lanes3<T>& lanes, std::size_t lane, const Imath::Vec3<T>& v) {
    lanes.x[lane] = v.x, lanes.y[lane] = v.y, lanes.z[lane] = v.z;
  }

  bool is_own(std::uint32_t sphere) const { return sphere >= begin_ && sphere < end_; }

  void scatter(const ContactBatch& batch) {
    for (std::size_t k = 0; k < batch.count; ++k) {
      const NearPair& pair = chunk_.near[batch.pair[k]];
      const Vec3d force(batch.force.x[k], batch.force.y[k], batch.force.z[k]);
      SphereSum& sum_1 = scratch_.sums[pair.sphere];
      sum_1.force += force;
      sum_1.torque += Vec3d(batch.torque_1.x[k], batch.torque_1.y[k], batch.torque_1.z[k]);
      ++extremes_.pair_sides;
      if (!is_own(pair.other)) continue;
      SphereSum& sum_2 = scratch_.sums[pair.other];
      sum_2.force -= force;
      sum_2.torque += Vec3d(batch.torque_2.x[k], batch.torque_2.y[k], batch.torque_2.z[k]);
      ++extremes_.pair_sides;
    }
    if (model_.kernel.tangential != TangentialKind::memoryless)
      for (std::size_t k = 0; k < batch.count; ++k)
        chunk_.slip[batch.pair[k]] = Vec3f(batch.slip.x[k], batch.slip.y[k], batch.slip.z[k]);
    if (model_.kernel.rolls)
      for (std::size_t k = 0; k < batch.count; ++k)
        chunk_.roll[batch.pair[k]] = Vec3f(batch.roll.x[k], batch.roll.y[k], batch.roll.z[k]);
  }

  void add_holds(const ContactBatch& batch) {
    for (std::size_t k = 0; k < batch.count; ++k) {
      const NearPair& pair = chunk_.near[batch.pair[k]];
      const double mass = 1 / static_cast<double>(batch.inverse_mass[k]);
      const double stiffness = 1.5 * static_cast<double>(batch.frequency2[k]) * mass;
      const SphereHold hold{rounded_to(stiffness, model_.kernel.stiffness_quantum),
                            rounded_to(static_cast<double>(batch.braking[k]), model_.kernel.braking_quantum)};
      for (const std::uint32_t s : {pair.sphere, pair.other}) {
        if (!is_own(s)) continue;
        scratch_.holds[s].stiffness += hold.stiffness;
        scratch_.holds[s].braking += hold.braking;
      }
    }
  }

  /// Arm times force about the centres of the spheres, in multiples of a quantum like the forces.
  void add_moments(const ContactBatch& batch) {
    const auto add = [&](std::uint32_t sphere, const Vec3d& arm, const Vec3d& force) {
      ContactMoment moment;
      moment.add(arm, force);
      for (double& value : moment.values) value = rounded_to(value, model_.kernel.torque_quantum);
      scratch_.sphere_moments[sphere] += moment;
    };
    for (std::size_t k = 0; k < batch.count; ++k) {
      const Vec3d force(batch.force.x[k], batch.force.y[k], batch.force.z[k]);
      const Vec3d d(batch.d.x[k], batch.d.y[k], batch.d.z[k]);
      const double overlap =
          (static_cast<double>(batch.radius_1[k]) + static_cast<double>(batch.radius_2[k])) - d.length();
      const Vec3d N = d * (1 / d.length());
      const NearPair& pair = chunk_.near[batch.pair[k]];
      add(pair.sphere, (static_cast<double>(batch.radius_1[k]) - 0.5 * overlap) * N, force);
      if (is_own(pair.other))
        add(pair.other, -(static_cast<double>(batch.radius_2[k]) - 0.5 * overlap) * N, -force);
    }
  }

  void note_extremes(const DemState& state, const ContactBatch& batch) {
    extremes_.frequency2 = std::max(extremes_.frequency2, static_cast<double>(batch.most_frequency2));
    extremes_.overlap_share = std::max(extremes_.overlap_share, static_cast<double>(batch.most_grain_share));
    const auto most = static_cast<double>(batch.most_sphere_share);
    if (most < extremes_.sphere_share) return;
    if (most > extremes_.sphere_share) extremes_.worst_id = ~std::uint32_t{0};
    extremes_.sphere_share = most;
    for (std::size_t k = 0; k < batch.count; ++k)
      if (batch.sphere_share[k] == batch.most_sphere_share)
        for (const std::uint32_t sphere :
             {chunk_.near[batch.pair[k]].sphere, chunk_.near[batch.pair[k]].other})
          if (const std::uint32_t g = scratch_.grain[sphere]; g < state.size())
            extremes_.worst_id = std::min(extremes_.worst_id, state.id[g]);
  }

  const DemModel& model_;
  const ShortestImage shortest_{model_.box};
  DemScratch& scratch_;
  ContactChunk& chunk_;
  const std::uint32_t begin_, end_;
  ContactExtremes extremes_;
};

}  // namespace

void accumulate_contact_forces(const DemModel& model, const DemState& state, double dt, DemScratch& scratch,
                               Threads& threads) {
  const bool watched = scratch.watches_contacts;
  scratch.sums.resize(scratch.spheres.size());
  scratch.holds.resize(model.has_large_compounds ? scratch.spheres.size() : 0);
  scratch.sphere_moments.resize(watched ? scratch.spheres.size() : 0);
  const bool periodic = model.box.any_periodic();
  scratch.extremes = threads.reduce(
      scratch.chunks.size(), ContactExtremes{},
      [&](std::size_t index, std::size_t) {
        return periodic ? ChunkContacts<true>(model, scratch, index).run(state, dt)
                        : ChunkContacts<false>(model, scratch, index).run(state, dt);
      },
      join, 1);
}

ContactMoment grain_moment(const DemScratch& scratch, std::size_t g) {
  ContactMoment moment;
  for (std::uint32_t s = scratch.first_sphere[g]; s < scratch.first_sphere[g + 1]; ++s) {
    moment += scratch.sphere_moments[s];
    moment.add(scratch.arm[s], scratch.sums[s].force);
  }
  for (std::uint32_t k = scratch.grain_candidate_first[g]; k < scratch.grain_candidate_first[g + 1]; ++k)
    moment += scratch.body_forces[scratch.grain_candidates[k]].moment;
  return moment;
}

ContactMemory collect_memory(const DemScratch& scratch) {
  ContactMemory memory;
  for (std::size_t c = 0; c < scratch.chunks.size(); ++c) {
    const ContactChunk& chunk = scratch.chunks[c];
    for (std::size_t n = 0; n < chunk.slip.size(); ++n) {
      const Vec3f slip = chunk.slip[n], roll = chunk.roll.empty() ? Vec3f(0) : chunk.roll[n];
      if (slip == Vec3f(0) && roll == Vec3f(0)) continue;
      const std::uint64_t own = scratch.rank[chunk.near[n].sphere], other = scratch.rank[chunk.near[n].other];
      // Contacts with another chunk are there from both sides.
      if (other < own && chunk.near[n].other / scratch.chunk_size != c) continue;
      if (own < other)
        memory.pairs.push_back({own, other, slip, roll});
      else
        memory.pairs.push_back({other, own, -slip, roll});
    }
  }
  for (std::size_t c = 0; c < scratch.body_memory.size(); ++c) {
    const BodyCandidate& candidate = scratch.body_candidates[c];
    for (std::size_t t = 0; t < scratch.body_memory[c].count; ++t) {
      const TouchMemory& touch = scratch.body_memory[c].touches[t];
      memory.touches.push_back(
          {scratch.rank[candidate.sphere], candidate.body, touch.face, touch.normal, touch.slip, touch.roll});
    }
  }
  return memory;
}

namespace {

/// Kept pairs by the sphere with the lower rank.
struct PairIndex {
  std::vector<std::uint32_t> first;  ///< one more entry than spheres
  std::vector<std::uint32_t> pairs;
};

/// Where the spheres of each id stand: the first of them, or none.
std::vector<std::uint32_t> spheres_by_id(const DemState& state, const DemScratch& scratch) {
  std::vector<std::uint32_t> spheres(state.next_id, ~std::uint32_t{0});
  for (std::size_t g = 0; g < state.size(); ++g)
    if (state.id[g] < spheres.size()) spheres[state.id[g]] = scratch.first_sphere[g];
  return spheres;
}

/// Of a rank; none for one whose grain is gone.
std::uint32_t find_sphere(const std::vector<std::uint32_t>& by_id, std::uint64_t rank) {
  const std::uint64_t id = rank >> 32;
  if (id >= by_id.size() || by_id[id] == ~std::uint32_t{0}) return ~std::uint32_t{0};
  return by_id[id] + static_cast<std::uint32_t>(rank & 0xFFFFFFFFU);
}

PairIndex index_pairs(const std::vector<std::uint32_t>& by_id, const std::vector<KeptPair>& pairs,
                      std::size_t sphere_count, Threads& threads) {
  PairIndex index;
  index.first.assign(sphere_count + 1, 0);
  std::vector<std::uint32_t> owner(pairs.size());
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    owner[p] = find_sphere(by_id, pairs[p].a);
    if (owner[p] < sphere_count) ++index.first[owner[p]];
  }
  const std::uint32_t total = exclusive_scan<std::uint32_t>(threads, index.first, index.first);
  index.pairs.resize(total);
  std::vector<std::uint32_t> next(index.first);
  for (std::size_t p = 0; p < pairs.size(); ++p)
    if (owner[p] < sphere_count) index.pairs[next[owner[p]]++] = static_cast<std::uint32_t>(p);
  return index;
}

}  // namespace

void distribute_memory(const DemModel& model, const DemState& state, const ContactMemory& memory,
                       DemScratch& scratch, Threads& threads) {
  const PairIndex index =
      index_pairs(spheres_by_id(state, scratch), memory.pairs, scratch.spheres.size(), threads);
  threads.for_chunks(scratch.chunks.size(), 1, [&](std::size_t c, std::size_t, std::size_t) {
    ContactChunk& chunk = scratch.chunks[c];
    chunk.near.clear();
    chunk.slip.clear();
    chunk.roll.clear();
    if (model.box.any_periodic())
      ChunkContacts<true>(model, scratch, c).find_near();
    else
      ChunkContacts<false>(model, scratch, c).find_near();
    for (std::size_t n = 0; n < chunk.slip.size(); ++n) {
      const std::uint32_t s = chunk.near[n].sphere, j = chunk.near[n].other;
      const bool forward = scratch.rank[s] < scratch.rank[j];
      const std::size_t owner = forward ? s : j;
      const std::uint64_t other = scratch.rank[forward ? j : s];
      for (std::uint32_t p = index.first[owner]; p < index.first[owner + 1]; ++p) {
        const KeptPair& pair = memory.pairs[index.pairs[p]];
        if (pair.b != other) continue;
        chunk.slip[n] = forward ? pair.slip : -pair.slip;
        if (!chunk.roll.empty()) chunk.roll[n] = pair.roll;
        break;
      }
    }
  });
  for (const KeptTouch& touch : memory.touches) {
    // Candidates stand by body, then by rank.
    const auto place = std::lower_bound(scratch.body_candidates.begin(), scratch.body_candidates.end(), touch,
                                        [&](const BodyCandidate& candidate, const KeptTouch& t) {
                                          return candidate.body != t.body
                                                     ? candidate.body < t.body
                                                     : scratch.rank[candidate.sphere] < t.sphere;
                                        });
    if (place == scratch.body_candidates.end() || place->body != touch.body ||
        scratch.rank[place->sphere] != touch.sphere)
      continue;
    CandidateMemory& kept =
        scratch.body_memory[static_cast<std::size_t>(place - scratch.body_candidates.begin())];
    if (kept.count < kept.touches.size())
      kept.touches[kept.count++] = {touch.face, touch.normal, touch.slip, touch.roll};
  }
}

}  // namespace repose
