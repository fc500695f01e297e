#include "repose/solvers/dem/contacts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "repose/exec/algorithms.h"
#include "repose/solvers/dem/contact_kernel.h"

namespace repose {
namespace {

/// The contacts of one chunk, from candidates to sums.
template <bool kPeriodic>
class ChunkContacts {
 public:
  ChunkContacts(const DemModel& model, const DemState& state, double dt, ContactKernel kernel,
                DemScratch& scratch, std::size_t index)
      : model_(model),
        state_(state),
        scratch_(scratch),
        chunk_(scratch.chunks[index]),
        kernel_(kernel),
        dt_(static_cast<float>(dt)),
        begin_(static_cast<std::uint32_t>(index * scratch.chunk_size)),
        end_(static_cast<std::uint32_t>(std::min(scratch.place.size(), (index + 1) * scratch.chunk_size))),
        remembers_(model.kernel.tangential != TangentialKind::memoryless || model.kernel.rolls),
        batches_(model.laws.size()) {}

  ContactExtremes run() {
    std::fill(scratch_.sums.begin() + begin_, scratch_.sums.begin() + end_, SphereSum{Vec3d(0), Vec3d(0)});
    if (scratch_.watches_contacts)
      std::fill(scratch_.sphere_moments.begin() + begin_, scratch_.sphere_moments.begin() + end_,
                ContactMoment{});
    fetch();
    chunk_.next_active.clear();
    chunk_.next_slip.clear();
    chunk_.next_roll.clear();
    for (std::uint32_t s = begin_; s < end_; s += kBlock) gather(s, std::min(s + kBlock, end_));
    for (const auto& batch : batches_)
      if (batch && batch->count > 0) flush(*batch);
    chunk_.active.swap(chunk_.next_active);
    chunk_.slip.swap(chunk_.next_slip);
    chunk_.roll.swap(chunk_.next_roll);
    return extremes_;
  }

 private:
  Vec3d difference(const SpherePlace& from, const SpherePlace& to) const {
    const Vec3d d = to.position - from.position;
    if constexpr (kPeriodic) return model_.box.minimum_image(d);
    return d;
  }

  /// Brings the chunk's spheres near, in the order in which they lie, which memory is fast at. Contacts would
  /// ask for them here and there, and wait each time.
  void fetch() const {
    for (std::uint32_t s = begin_; s < end_; ++s) __builtin_prefetch(&scratch_.motion[s]);
    for (std::uint32_t s = begin_; s < end_; s += 2) __builtin_prefetch(&scratch_.place[s]);
  }

  /// Spheres that are tested before their contacts are gathered: few enough to be still at hand then.
  static constexpr std::uint32_t kBlock = 64;

  /// Those candidates of a block of spheres that touch, in order. Without a branch on it, since its outcome
  /// is anyone's guess.
  void find_touching(std::uint32_t block_begin, std::uint32_t block_end) {
    const auto& lists = scratch_.neighbors;
    const std::uint64_t first = lists.offset[begin_];
    touching_.resize(lists.offset[block_end] - lists.offset[block_begin] + 1);
    std::size_t count = 0;
    for (std::uint32_t s = block_begin; s < block_end; ++s) {
      const SpherePlace own = scratch_.place[s];
      for (std::uint64_t k = lists.offset[s]; k < lists.offset[s + 1]; ++k) {
        const std::uint32_t j = lists.neighbor[k];
        const SpherePlace& other = scratch_.place[j];
        const Vec3d d = difference(own, other);
        const double reach = own.radius + other.radius;
        touching_[count] = {s, j, static_cast<std::uint32_t>(k - first)};
        count += d.dot(d) < reach * reach ? 1 : 0;
      }
    }
    touching_.resize(count);
  }

  ContactBatch& batch_of(std::uint32_t a, std::uint32_t b) {
    auto& batch = batches_[model_.law_index(a, b)];
    // Not zeroed: every lane is written before it is read.
    if (!batch) batch = std::unique_ptr<ContactBatch>(new ContactBatch);  // NOLINT(modernize-make-unique)
    return *batch;
  }

  void gather(std::uint32_t block_begin, std::uint32_t block_end) {
    find_touching(block_begin, block_end);
    const std::vector<std::uint32_t>& before = chunk_.active;
    auto slot = static_cast<std::uint32_t>(chunk_.next_active.size());
    if (remembers_) {
      chunk_.next_active.resize(slot + touching_.size());
      chunk_.next_slip.resize(slot + touching_.size(), Vec3f(0));
      if (model_.kernel.rolls) chunk_.next_roll.resize(slot + touching_.size(), Vec3f(0));
    }
    for (const Touching& pair : touching_) {
      ContactBatch& batch =
          batch_of(scratch_.motion[pair.sphere].surface, scratch_.motion[pair.other].surface);
      const std::size_t lane = batch.count++;
      set_lane(batch, lane, pair.sphere, pair.other);
      if (remembers_) {
        while (known_ < before.size() && before[known_] < pair.candidate) ++known_;
        const bool known = known_ < before.size() && before[known_] == pair.candidate;
        set_lane(batch.slip, lane, known ? chunk_.slip[known_] : Vec3f(0));
        if (model_.kernel.rolls) set_lane(batch.roll, lane, known ? chunk_.roll[known_] : Vec3f(0));
        chunk_.next_active[slot] = pair.candidate;
        batch.slot[lane] = slot++;
      }
      if (batch.count == ContactBatch::kSize) flush(batch);
    }
  }

  template <class T>
  static void set_lane(ContactBatch::Lanes3<T>& lanes, std::size_t lane, const Imath::Vec3<T>& v) {
    lanes.x[lane] = v.x, lanes.y[lane] = v.y, lanes.z[lane] = v.z;
  }

  void set_lane(ContactBatch& batch, std::size_t lane, std::uint32_t s, std::uint32_t j) const {
    const SpherePlace &p1 = scratch_.place[s], &p2 = scratch_.place[j];
    const SphereMotion &m1 = scratch_.motion[s], &m2 = scratch_.motion[j];
    set_lane(batch.d, lane, difference(p1, p2));
    batch.radius_1[lane] = p1.radius;
    batch.radius_2[lane] = p2.radius;
    const Vec3d v = m1.velocity - m2.velocity;
    set_lane(batch.velocity, lane,
             Vec3f(static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)));
    set_lane(batch.spin_1, lane, m1.spin);
    set_lane(batch.spin_2, lane, m2.spin);
    batch.inverse_mass[lane] = m1.inverse_mass + m2.inverse_mass;
    batch.inverse_diameter[lane] = std::max(m1.inverse_diameter, m2.inverse_diameter);
    batch.sphere_1[lane] = s;
    batch.sphere_2[lane] = j;
  }

  bool is_own(std::uint32_t sphere) const { return sphere >= begin_ && sphere < end_; }

  void flush(ContactBatch& batch) {
    const std::uint32_t a = scratch_.motion[batch.sphere_1[0]].surface,
                        b = scratch_.motion[batch.sphere_2[0]].surface;
    kernel_(model_.kernel, model_.kernel_laws[model_.law_index(a, b)], dt_, batch);
    scatter(batch);
    if (scratch_.watches_contacts) add_moments(batch);
    note_extremes(batch);
    batch.count = 0;
  }

  void scatter(const ContactBatch& batch) {
    for (std::size_t k = 0; k < batch.count; ++k) {
      const Vec3d force(batch.force.x[k], batch.force.y[k], batch.force.z[k]);
      SphereSum& sum_1 = scratch_.sums[batch.sphere_1[k]];
      sum_1.force += force;
      sum_1.torque += Vec3d(batch.torque_1.x[k], batch.torque_1.y[k], batch.torque_1.z[k]);
      ++extremes_.pair_sides;
      if (!is_own(batch.sphere_2[k])) continue;
      SphereSum& sum_2 = scratch_.sums[batch.sphere_2[k]];
      sum_2.force -= force;
      sum_2.torque += Vec3d(batch.torque_2.x[k], batch.torque_2.y[k], batch.torque_2.z[k]);
      ++extremes_.pair_sides;
    }
    if (!remembers_) return;
    for (std::size_t k = 0; k < batch.count; ++k)
      chunk_.next_slip[batch.slot[k]] = Vec3f(batch.slip.x[k], batch.slip.y[k], batch.slip.z[k]);
    if (!model_.kernel.rolls) return;
    for (std::size_t k = 0; k < batch.count; ++k)
      chunk_.next_roll[batch.slot[k]] = Vec3f(batch.roll.x[k], batch.roll.y[k], batch.roll.z[k]);
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
      const double overlap = (batch.radius_1[k] + batch.radius_2[k]) - d.length();
      const Vec3d N = d * (1 / d.length());
      add(batch.sphere_1[k], (batch.radius_1[k] - 0.5 * overlap) * N, force);
      if (is_own(batch.sphere_2[k])) add(batch.sphere_2[k], -(batch.radius_2[k] - 0.5 * overlap) * N, -force);
    }
  }

  void note_extremes(const ContactBatch& batch) {
    extremes_.frequency2 = std::max(extremes_.frequency2, static_cast<double>(batch.most_frequency2));
    extremes_.overlap_share = std::max(extremes_.overlap_share, static_cast<double>(batch.most_grain_share));
    const auto most = static_cast<double>(batch.most_sphere_share);
    if (most < extremes_.sphere_share) return;
    if (most > extremes_.sphere_share) extremes_.worst_id = ~std::uint32_t{0};
    extremes_.sphere_share = most;
    for (std::size_t k = 0; k < batch.count; ++k)
      if (batch.sphere_share[k] == batch.most_sphere_share)
        for (const std::uint32_t sphere : {batch.sphere_1[k], batch.sphere_2[k]})
          if (const std::uint32_t g = scratch_.motion[sphere].grain; g < state_.size())
            extremes_.worst_id = std::min(extremes_.worst_id, state_.id[g]);
  }

  struct Touching {
    std::uint32_t sphere, other;
    std::uint32_t candidate;  ///< from the chunk's first on
  };

  const DemModel& model_;
  const DemState& state_;
  DemScratch& scratch_;
  ContactChunk& chunk_;
  const ContactKernel kernel_;
  const float dt_;
  const std::uint32_t begin_, end_;
  const bool remembers_;
  std::vector<Touching> touching_;
  std::size_t known_ = 0;                               ///< how far the last step's contacts are read
  std::vector<std::unique_ptr<ContactBatch>> batches_;  ///< by law
  ContactExtremes extremes_;
};

}  // namespace

void accumulate_contact_forces(const DemModel& model, const DemState& state, double dt, DemScratch& scratch,
                               Threads& threads) {
  const bool watched = scratch.watches_contacts;
  scratch.sums.resize(scratch.place.size());
  scratch.sphere_moments.resize(watched ? scratch.place.size() : 0);
  const ContactKernel kernel = choose_kernel(model.kernel);
  const bool periodic = model.box.any_periodic();
  scratch.extremes = threads.reduce(
      scratch.chunks.size(), ContactExtremes{},
      [&](std::size_t index, std::size_t) {
        return periodic ? ChunkContacts<true>(model, state, dt, kernel, scratch, index).run()
                        : ChunkContacts<false>(model, state, dt, kernel, scratch, index).run();
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
  const auto& lists = scratch.neighbors;
  for (std::size_t c = 0; c < scratch.chunks.size(); ++c) {
    const ContactChunk& chunk = scratch.chunks[c];
    if (chunk.slip.empty()) continue;
    std::size_t s = c * scratch.chunk_size;
    const std::size_t end = std::min(s + scratch.chunk_size, scratch.place.size());
    const std::uint64_t first = lists.offset[s];
    for (std::size_t slot = 0; slot < chunk.active.size(); ++slot) {
      const std::uint64_t k = first + chunk.active[slot];
      while (k >= lists.offset[s + 1]) ++s;
      const std::uint32_t j = lists.neighbor[k];
      const std::uint64_t own = scratch.rank[s], other = scratch.rank[j];
      // Contacts with another chunk are there from both sides.
      const bool is_double = j < end - scratch.chunk_size || j >= end;
      if (is_double && other < own) continue;
      const Vec3f roll = chunk.roll.empty() ? Vec3f(0) : chunk.roll[slot];
      if (own < other)
        memory.pairs.push_back({own, other, chunk.slip[slot], roll});
      else
        memory.pairs.push_back({other, own, -chunk.slip[slot], roll});
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
  for (ContactChunk& chunk : scratch.chunks) {
    chunk.active.clear();
    chunk.slip.clear();
    chunk.roll.clear();
  }
  const bool rolls = model.kernel.rolls;
  if (!memory.pairs.empty()) {
    const std::vector<std::uint32_t> by_id = spheres_by_id(state, scratch);
    const PairIndex index = index_pairs(by_id, memory.pairs, scratch.place.size(), threads);
    const auto& lists = scratch.neighbors;
    threads.for_chunks(scratch.chunks.size(), 1, [&](std::size_t c, std::size_t, std::size_t) {
      ContactChunk& chunk = scratch.chunks[c];
      const std::size_t begin = c * scratch.chunk_size;
      const std::size_t end = std::min(begin + scratch.chunk_size, scratch.place.size());
      const std::uint64_t first = lists.offset[begin];
      for (std::size_t s = begin; s < end; ++s)
        for (std::uint64_t k = lists.offset[s]; k < lists.offset[s + 1]; ++k) {
          const std::uint32_t j = lists.neighbor[k];
          const bool forward = scratch.rank[s] < scratch.rank[j];
          const std::size_t owner = forward ? s : j;
          const std::uint64_t other = scratch.rank[forward ? j : s];
          for (std::uint32_t p = index.first[owner]; p < index.first[owner + 1]; ++p) {
            const KeptPair& pair = memory.pairs[index.pairs[p]];
            if (pair.b != other) continue;
            chunk.active.push_back(static_cast<std::uint32_t>(k - first));
            chunk.slip.push_back(forward ? pair.slip : -pair.slip);
            if (rolls) chunk.roll.push_back(pair.roll);
            break;
          }
        }
    });
  }
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
