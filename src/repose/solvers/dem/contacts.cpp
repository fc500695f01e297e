#include "repose/solvers/dem/contacts.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "repose/exec/algorithms.h"
#include "repose/exec/widest.h"
#include "repose/solvers/dem/contact_kernel.h"

namespace repose {
namespace {

const PaddedVec3f kNoMemory(0, 0, 0);

/// How many steps near pairs should last.
constexpr double kNearSteps = 6;

/// Copies, and leaves nothing behind.
void take_row(PaddedVec3f& to, PaddedVec3f& from) {
  copy_whole(from, to);
  std::memset(static_cast<void*>(&from), 0, sizeof from);
}

/// The contacts of one chunk, from candidates to sums.
template <bool kPeriodic>
class ChunkContacts {
 public:
  ChunkContacts(const DemModel& model, DemScratch& scratch, std::size_t index)
      : model_(model),
        scratch_(scratch),
        chunk_(scratch.chunks[index]),
        begin_(chunk_.begin),
        end_(chunk_.end) {}

  /// Of the candidates those that are near; the others need not be looked at until grains have travelled.
  void find_near(const DemState& state) {
    const auto& lists = scratch_.neighbors;
    chunk_.near_margin = near_margin(state);
    const std::uint64_t first = lists.offset[begin_];
    NearPairs near;
    near.pairs.resize(lists.offset[end_] - first + 1);
    near.rank.resize(near.pairs.size());
    std::size_t count = 0;
    std::uint64_t k = first;
    for (std::uint32_t s = begin_; s < end_; ++s)
      for (const std::uint64_t last = lists.offset[s + 1]; k < last; ++k) {
        const NearPair pair{s, lists.neighbor[k]};
        near.pairs[count] = pair;
        near.rank[count] = (std::uint64_t{law_of(pair)} << 32) | (k - first);
        count += is_within(pair, chunk_.near_margin) ? 1 : 0;
      }
    near.pairs.resize(count);
    near.rank.resize(count);
    sort_by_rank(near);
    find_laws(near);
    carry_memory(near);
    chunk_.near.swap(near.pairs);
    chunk_.rank.swap(near.rank);
    for (ContactChunk::Around& around : chunk_.around) around.travel = scratch_.chunks[around.chunk].travel;
  }

  ContactExtremes run(const DemState& state, double dt, ChunkBuffer& buffer) {
    buffer.sums.assign(end_ - begin_ + 1, SphereSum{});
    sums_ = buffer.sums.data();
    if (scratch_.watches_contacts)
      std::fill(scratch_.sphere_moments.begin() + begin_, scratch_.sphere_moments.begin() + end_,
                ContactMoment{});
    if (model_.has_large_compounds)
      std::fill(scratch_.holds.begin() + begin_, scratch_.holds.begin() + end_, SphereHold{});
    if (!near_still_holds()) find_near(state);
    run_widest([&] { add_forces(state, dt, buffer.batch); });
    if (begin_ >= scratch_.first_cover_sphere)
      std::copy(buffer.sums.begin(), buffer.sums.end() - 1,
                scratch_.cover_sums.begin() + (begin_ - scratch_.first_cover_sphere));
    return extremes_;
  }

 private:
  /// Whether no pair but the near ones can have come to touch.
  bool near_still_holds() const {
    const auto moved = [&](const ContactChunk::Around& around) {
      return scratch_.chunks[around.chunk].travel - around.travel;
    };
    const double own = moved(chunk_.around.front());
    return std::all_of(chunk_.around.begin(), chunk_.around.end(),
                       [&](const auto& around) { return own + moved(around) < chunk_.near_margin; });
  }

  /// Wider where grains are fast, so that near pairs last for some steps.
  double near_margin(const DemState& state) const {
    double speed2 = 0;
    for (std::uint32_t g = chunk_.first_grain; g < chunk_.end_grain; ++g)
      speed2 = std::max(speed2, state.velocity[g].dot(state.velocity[g]));
    const double speed = begin_ < scratch_.first_cover_sphere ? std::sqrt(speed2) : state.max_speed;
    return std::max(model_.near_margin, 2 * kNearSteps * model_.dt * speed);
  }

  Vec3d difference(const DemSphere& from, const DemSphere& to) const {
    if constexpr (kPeriodic) return shortest_.of(to.position - from.position);
    return to.position - from.position;
  }

  bool is_within(const NearPair& pair, double margin) const {
    const DemSphere &a = scratch_.spheres[pair.sphere], &b = scratch_.spheres[pair.other];
    const Vec3d d = difference(a, b);
    const double reach = (static_cast<double>(a.radius) + static_cast<double>(b.radius)) + margin;
    return d.dot(d) < reach * reach;
  }

  std::size_t law_of(const NearPair& pair) const {
    return model_.law_index(scratch_.spheres[pair.sphere].surface, scratch_.spheres[pair.other].surface);
  }

  struct NearPairs {
    std::vector<NearPair> pairs;
    std::vector<std::uint64_t> rank;
  };

  static void sort_by_rank(NearPairs& near) {
    if (std::is_sorted(near.rank.begin(), near.rank.end())) return;
    std::vector<std::uint32_t> order(near.pairs.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return near.rank[a] < near.rank[b]; });
    NearPairs sorted;
    for (const std::uint32_t n : order) {
      sorted.pairs.push_back(near.pairs[n]);
      sorted.rank.push_back(near.rank[n]);
    }
    near = std::move(sorted);
  }

  void find_laws(const NearPairs& near) {
    chunk_.laws.clear();
    for (std::size_t n = 0; n < near.pairs.size();) {
      const std::uint64_t law = near.rank[n] >> 32;
      const DemSphere& first = scratch_.spheres[near.pairs[n].sphere];
      const auto is_like_first = [&](std::uint32_t s) {
        const DemSphere& sphere = scratch_.spheres[s];
        return sphere.radius == first.radius && sphere.inverse_mass == first.inverse_mass &&
               sphere.inverse_diameter == first.inverse_diameter;
      };
      bool alike = true;
      for (; n < near.pairs.size() && near.rank[n] >> 32 == law; ++n)
        alike = alike && is_like_first(near.pairs[n].sphere) && is_like_first(near.pairs[n].other);
      chunk_.laws.push_back({static_cast<std::size_t>(law), n, alike});
    }
  }

  /// Both lists are sorted alike.
  void carry_memory(const NearPairs& near) {
    if (!model_.kernel.remembers()) return;
    const std::size_t count = near.pairs.size();
    std::vector<PaddedVec3f> slip(count, kNoMemory), roll(model_.kernel.rolls ? count : 0, kNoMemory);
    std::size_t old = 0;
    for (std::size_t n = 0; n < count && !chunk_.slip.empty(); ++n) {
      while (old < chunk_.rank.size() && chunk_.rank[old] < near.rank[n]) ++old;
      if (old == chunk_.rank.size() || chunk_.rank[old] != near.rank[n]) continue;
      slip[n] = chunk_.slip[old];
      if (model_.kernel.rolls) roll[n] = chunk_.roll[old];
    }
    chunk_.slip.swap(slip);
    chunk_.roll.swap(roll);
  }

  /// Fills the batch with those of the near pairs from n on that touch; gives where it stopped. Every pair is
  /// written to the next lane, which is kept if they touch: a branch would be a guess, and often wrong.
  template <bool kSlips, bool kRolls, bool kAlike>
  std::size_t gather(std::size_t n, std::size_t end, ContactBatch& batch) {
    constexpr std::size_t kAhead = 48;  // pairs that are fetched before their turn
    const DemSphere* const spheres = scratch_.spheres.data();
    const NearPair* const near = chunk_.near.data();
    PaddedVec3f *const slip = chunk_.slip.data(), *const roll = chunk_.roll.data();
    const auto reach_of = [](const DemSphere& a, const DemSphere& b) {
      return static_cast<double>(a.radius) + static_cast<double>(b.radius);
    };
    const DemSphere& first = spheres[near[n].sphere];
    const double common_reach = reach_of(first, first), common_inverse_diameter = first.inverse_diameter;
    if constexpr (kAlike) batch.radius_1[0] = batch.radius_2[0] = first.radius;
    std::size_t lane = 0;
    for (; n < end && lane < ContactBatch::kSize; ++n) {
      __builtin_prefetch(&spheres[near[n + kAhead < end ? n + kAhead : n].other]);
      const DemSphere &a = spheres[near[n].sphere], &b = spheres[near[n].other];
      const Vec3d d = difference(a, b);
      batch.offset[lane] = {
          d, kAlike ? common_inverse_diameter : std::max(a.inverse_diameter, b.inverse_diameter)};
      combine_rows<SphereMotion>(a, b, batch.motion[lane]);
      if constexpr (kRolls || !kAlike) batch.spin_difference[lane] = PaddedVec3f(a.spin - b.spin);
      if constexpr (!kAlike) batch.radius_1[lane] = a.radius, batch.radius_2[lane] = b.radius;
      batch.pair[lane] = static_cast<std::uint32_t>(n);
      // Memory is taken out, and comes back from the kernel for those that touch.
      if constexpr (kSlips) take_row(batch.slip[lane], slip[n]);
      if constexpr (kRolls) take_row(batch.roll[lane], roll[n]);
      const double reach = kAlike ? common_reach : reach_of(a, b);
      lane += d.dot(d) < reach * reach ? 1 : 0;
    }
    batch.count = lane;
    return n;
  }

  std::size_t gather(std::size_t n, std::size_t end, ContactBatch& batch) {
    const bool slips = model_.kernel.tangential != TangentialKind::memoryless;
    if (model_.kernel.rolls)
      return slips ? gather<true, true>(n, end, batch) : gather<false, true>(n, end, batch);
    return slips ? gather<true, false>(n, end, batch) : gather<false, false>(n, end, batch);
  }
  template <bool kSlips, bool kRolls>
  std::size_t gather(std::size_t n, std::size_t end, ContactBatch& batch) {
    return batch.alike ? gather<kSlips, kRolls, true>(n, end, batch)
                       : gather<kSlips, kRolls, false>(n, end, batch);
  }

  void add_forces(const DemState& state, double dt, ContactBatch& batch) {
    const ContactKernel kernel = choose_kernel(model_.kernel);
    std::size_t n = 0;
    for (const ContactChunk::LawRange& range : chunk_.laws)
      while (n < range.end) {
        batch.alike = range.alike;
        n = gather(n, range.end, batch);
        kernel(model_.kernel, model_.kernel_laws[range.law], static_cast<float>(dt), batch);
        scatter(batch);
        if (model_.has_large_compounds) add_holds(batch);
        if (scratch_.watches_contacts) add_moments(batch);
        note_extremes(state, batch);
      }
  }

  /// One comparison: what is before the chunk wraps round and is far beyond it.
  bool is_own(std::uint32_t sphere) const { return sphere - begin_ < end_ - begin_; }

  void scatter(const ContactBatch& batch) {
    const NearPair* const near = chunk_.near.data();
    SphereSum* const sums = sums_;
    std::size_t own = 0;
    Rows4 force, torque_1, torque_2;
    const Rows4* const on_second = batch.same_torque ? &torque_1 : &torque_2;
    for (std::size_t k = 0; k < batch.count; ++k) {
      const std::size_t row = k % 4;
      if (row == 0) {
        force.set(&batch.force.x[k], &batch.force.y[k], &batch.force.z[k]);
        torque_1.set(&batch.torque_1.x[k], &batch.torque_1.y[k], &batch.torque_1.z[k]);
        if (!batch.same_torque)
          torque_2.set(&batch.torque_2.x[k], &batch.torque_2.y[k], &batch.torque_2.z[k]);
      }
      const NearPair pair = near[batch.pair[k]];
      SphereSum& sum_1 = sums[pair.sphere - begin_];
      add_to(sum_1.force, force.rows[row]);
      add_to(sum_1.torque, torque_1.rows[row]);
      // A branch would be a guess.
      const std::uint32_t place = pair.other - begin_, size = end_ - begin_;
      SphereSum& sum_2 = sums[place < size ? place : size];
      take_from(sum_2.force, force.rows[row]);
      add_to(sum_2.torque, on_second->rows[row]);
      own += place < size ? 1 : 0;
    }
    extremes_.pair_sides += batch.count + own;
    if (model_.kernel.tangential != TangentialKind::memoryless)
      for (std::size_t k = 0; k < batch.count; ++k) copy_whole(batch.slip[k], chunk_.slip[batch.pair[k]]);
    if (model_.kernel.rolls)
      for (std::size_t k = 0; k < batch.count; ++k) copy_whole(batch.roll[k], chunk_.roll[batch.pair[k]]);
  }

  void add_holds(const ContactBatch& batch) {
    for (std::size_t k = 0; k < batch.count; ++k) {
      const NearPair& pair = chunk_.near[batch.pair[k]];
      const double mass = 1 / static_cast<double>(batch.motion[k].inverse_mass);
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
      const Vec3d force = batch.force.at(k), d = batch.offset[k].d;
      const std::size_t of = batch.alike ? 0 : k;
      const double radius_1 = batch.radius_1[of], radius_2 = batch.radius_2[of];
      const double overlap = (radius_1 + radius_2) - d.length();
      const Vec3d N = d * (1 / d.length());
      const NearPair& pair = chunk_.near[batch.pair[k]];
      add(pair.sphere, (radius_1 - 0.5 * overlap) * N, force);
      if (is_own(pair.other)) add(pair.other, -(radius_2 - 0.5 * overlap) * N, -force);
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
  SphereSum* sums_ = nullptr;  ///< from the chunk's first sphere on
  ContactExtremes extremes_;
};

}  // namespace

void prepare_contacts(const DemModel& model, DemScratch& scratch) {
  scratch.cover_sums.resize(scratch.spheres.size() - scratch.first_cover_sphere);
  scratch.holds.resize(model.has_large_compounds ? scratch.spheres.size() : 0);
  scratch.sphere_moments.resize(scratch.watches_contacts ? scratch.spheres.size() : 0);
  scratch.body_moments.resize(scratch.watches_contacts ? scratch.body_candidates.size() : 0);
  scratch.grain_moments.resize(scratch.watches_contacts ? scratch.first_sphere.size() - 1 : 0);
}

ContactExtremes find_chunk_forces(const DemModel& model, const DemState& state, double dt, std::size_t chunk,
                                  DemScratch& scratch, ChunkBuffer& buffer) {
  return model.box.any_periodic() ? ChunkContacts<true>(model, scratch, chunk).run(state, dt, buffer)
                                  : ChunkContacts<false>(model, scratch, chunk).run(state, dt, buffer);
}

void accumulate_contact_forces(const DemModel& model, const DemState& state, double dt, DemScratch& scratch,
                               Threads& threads) {
  prepare_contacts(model, scratch);
  scratch.sums.resize(scratch.spheres.size());
  scratch.extremes = threads.reduce(
      scratch.chunks.size(), ContactExtremes{},
      [&](std::size_t c, std::size_t) {
        const auto buffer = scratch.buffers.take();
        const ContactExtremes extremes = find_chunk_forces(model, state, dt, c, scratch, *buffer);
        std::copy(buffer->sums.begin(), buffer->sums.end() - 1,
                  scratch.sums.begin() + scratch.chunks[c].begin);
        return extremes;
      },
      join, 1);
}

ContactMemory collect_memory(const DemScratch& scratch) {
  ContactMemory memory;
  for (std::size_t c = 0; c < scratch.chunks.size(); ++c) {
    const ContactChunk& chunk = scratch.chunks[c];
    for (std::size_t n = 0; n < chunk.slip.size(); ++n) {
      const Vec3f slip = chunk.slip[n].vec(), roll = chunk.roll.empty() ? Vec3f(0) : chunk.roll[n].vec();
      if (slip == Vec3f(0) && roll == Vec3f(0)) continue;
      const std::uint64_t own = scratch.rank[chunk.near[n].sphere], other = scratch.rank[chunk.near[n].other];
      // Contacts with another chunk are there from both sides.
      if (other < own && scratch.chunk_of(chunk.near[n].other) != c) continue;
      if (own < other)
        memory.pairs.push_back({own, other, slip, roll});
      else
        memory.pairs.push_back({other, own, -slip, roll});
    }
  }
  if (scratch.body_memory.empty()) return memory;
  for (const std::uint32_t c : scratch.body_order) {
    const BodyCandidate& candidate = scratch.body_candidates[c];
    for (std::size_t t = 0; t < scratch.body_memory[c].count; ++t) {
      const TouchMemory& touch = scratch.body_memory[c].touches[t];
      memory.touches.push_back({scratch.rank[candidate.sphere], candidate.body, touch.face,
                                Vec3d(touch.normal), Vec3d(touch.slip), Vec3d(touch.roll)});
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
    chunk.rank.clear();
    chunk.slip.clear();
    chunk.roll.clear();
    if (model.box.any_periodic())
      ChunkContacts<true>(model, scratch, c).find_near(state);
    else
      ChunkContacts<false>(model, scratch, c).find_near(state);
    for (std::size_t n = 0; n < chunk.slip.size(); ++n) {
      const std::uint32_t s = chunk.near[n].sphere, j = chunk.near[n].other;
      const bool forward = scratch.rank[s] < scratch.rank[j];
      const std::size_t owner = forward ? s : j;
      const std::uint64_t other = scratch.rank[forward ? j : s];
      for (std::uint32_t p = index.first[owner]; p < index.first[owner + 1]; ++p) {
        const KeptPair& pair = memory.pairs[index.pairs[p]];
        if (pair.b != other) continue;
        chunk.slip[n] = PaddedVec3f(forward ? pair.slip : -pair.slip);
        if (!chunk.roll.empty()) chunk.roll[n] = PaddedVec3f(pair.roll);
        break;
      }
    }
  });
  for (const KeptTouch& touch : memory.touches) {
    const auto place = std::lower_bound(scratch.body_order.begin(), scratch.body_order.end(), touch,
                                        [&](std::uint32_t k, const KeptTouch& t) {
                                          const BodyCandidate& candidate = scratch.body_candidates[k];
                                          return candidate.body != t.body
                                                     ? candidate.body < t.body
                                                     : scratch.rank[candidate.sphere] < t.sphere;
                                        });
    if (place == scratch.body_order.end()) continue;
    const BodyCandidate& candidate = scratch.body_candidates[*place];
    if (candidate.body != touch.body || scratch.rank[candidate.sphere] != touch.sphere) continue;
    CandidateMemory& kept = scratch.body_memory[*place];
    if (kept.count < kept.touches.size())
      kept.touches[kept.count++] = {touch.face, to_float(touch.normal), to_float(touch.slip),
                                    to_float(touch.roll)};
  }
}

}  // namespace repose
