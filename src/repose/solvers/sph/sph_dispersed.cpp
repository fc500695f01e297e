#include "repose/solvers/sph/sph_dispersed.h"

#include <algorithm>

namespace repose {
namespace {

/// Densities, over that at rest: at most, where particles are dispersed, and where matter is dense.
constexpr double kDispersed = 0.5, kDense = 0.7;

double dispersed_share(double density) {
  return std::clamp((kDense - density) / (kDense - kDispersed), 0.0, 1.0);
}

class Meetings {
 public:
  Meetings(const SphModel& model, double dt, const SphState& state, SphScratch& scratch)
      : model_(model), dt_(dt), state_(state), scratch_(scratch) {}

  /// How many a particle would come too close to.
  std::uint32_t count_of(const SphSlab& slab, std::uint32_t p) const {
    std::uint32_t count = 0;
    for_each_meeting(slab, p, [&](std::uint32_t, const Vec3d&) { ++count; });
    return count;
  }

  /// What it gets from all of them [m/s].
  Vec3d change_of(const SphSlab& slab, std::uint32_t p) const {
    Vec3d sum(0);
    for_each_meeting(slab, p, [&](std::uint32_t other, const Vec3d& push) {
      sum += 0.5 / std::max(scratch_.meetings[p], scratch_.meetings[other]) * push;
    });
    return sum;
  }

 private:
  /// Calls f(other row, the speed that is too much along the line away from it).
  template <class F>
  void for_each_meeting(const SphSlab& slab, std::uint32_t p, F&& f) const {
    const double own = dispersed_share(static_cast<double>(state_.density[p]));
    if (!(own > 0)) return;
    for (const SphPair& pair : slab.pairs_of(p)) {
      const double share = own * dispersed_share(static_cast<double>(state_.density[pair.row]));
      if (!(share > 0)) continue;
      const Vec3d apart = model_.matter.box.minimum_image(state_.position[p] - state_.position[pair.row]);
      const double distance = apart.length();
      if (!(distance > 0)) continue;
      const Vec3d away = apart / distance;
      const double closing = (scratch_.velocity[pair.row] - scratch_.velocity[p]).dot(away);
      const double much = closing - std::max(0.0, distance - model_.spacing) / dt_;
      if (much > 0) f(pair.row, share * much * away);
    }
  }

  const SphModel& model_;
  double dt_;
  const SphState& state_;
  SphScratch& scratch_;
};

}  // namespace

void keep_apart(const SphModel& model, double dt, Threads& threads, const SphState& state,
                SphScratch& scratch) {
  scratch.velocity = scratch.start;
  scratch.meetings.assign(state.size(), 0);
  const Meetings meetings(model, dt, state, scratch);
  const auto for_each_row = [&](const auto& f) {
    threads.for_each(
        scratch.slab_count,
        [&](std::size_t s) {
          const SphSlab& slab = scratch.slabs[s];
          for (std::uint32_t p = slab.first; p < slab.end; ++p) f(slab, p);
        },
        1);
  };
  for_each_row(
      [&](const SphSlab& slab, std::uint32_t p) { scratch.meetings[p] = meetings.count_of(slab, p); });
  for_each_row([&](const SphSlab& slab, std::uint32_t p) {
    if (scratch.meetings[p] > 0) scratch.start[p] += meetings.change_of(slab, p);
  });
}

}  // namespace repose
