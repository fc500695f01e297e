#pragma once
// What stress does in a step: it changes the velocities of particles (Ihmsen 2013, eq. 2, 5 and 15), and of
// the bodies that they push (eq. 17, 19). The iterations that find the stress (sph_stress.h, sph_paper.h) ask
// for these velocities again and again.

#include <cstdint>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/math/mat6.h"
#include "repose/solvers/sph/sph_model.h"
#include "repose/solvers/sph/sph_scratch.h"
#include "repose/solvers/sph/sph_state.h"

namespace repose {

/// The stress that lies ahead of the last by this share of the way since the one before.
inline SphStress ahead_of(const SphStress& before, const SphStress& now, float share) {
  const auto go = [&](float SphStress::*part) { return now.*part + share * (now.*part - before.*part); };
  return {go(&SphStress::pressure), go(&SphStress::xx), go(&SphStress::yy), go(&SphStress::zz),
          go(&SphStress::yz),       go(&SphStress::zx), go(&SphStress::xy)};
}

/// Rates at which the velocity of a particle changes from place to place.
struct SphGradient {
  Row4f dx{}, dy{}, dz{};  ///< the velocity's derivatives along each axis [1/s]

  void add(const Row4f& difference, float x, float y, float z) {
    dx += difference * x;
    dy += difference * y;
    dz += difference * z;
  }
  float expansion() const { return dx[0] + dy[1] + dz[2]; }
};

class SphForces {
 public:
  /// Everything moves as it would without stress: scratch.start, over dt [s].
  SphForces(const SphModel& model, double dt, Threads& threads, SphState& state, SphScratch& scratch,
            Bodies& bodies);

  /// Finds scratch.velocity, scratch.quick and scratch.body_velocity with the stress that lies ahead of
  /// state.stress by this share of its way from scratch.before.
  void apply(float share);
  /// Gives the bodies what they were given in the last apply().
  void push_bodies();

  /// Calls f(slab, row, findings) for all rows but deep sleepers and sums up the findings, in a fixed order.
  template <class Findings, class F>
  Findings sweep(F&& f) const {
    return threads_.reduce(
        scratch_.slab_count, Findings{},
        [&](std::size_t begin, std::size_t end) {
          Findings found;
          for (std::size_t s = begin; s < end; ++s)
            for (std::uint32_t p = scratch_.slabs[s].first; p < scratch_.slabs[s].end; ++p)
              if (scratch_.is_deep[p] == 0) f(scratch_.slabs[s], p, found);
          return found;
        },
        [](Findings a, const Findings& b) { return a += b; }, 1);
  }

  double dt() const { return dt_; }
  /// Whether particles push a body that gives way.
  bool has_free_bodies() const { return !free_.empty(); }
  /// Density over dt: the stress that stops a rate of strain, by the square of a gradient [kg/(m3 s)].
  float inertia(std::uint32_t p) const {
    return static_cast<float>(model_.materials[state_.material[p]].density / dt_);
  }
  /// Of the particle's neighbours, without solids.
  SphGradient gradient_of(const SphSlab& slab, std::uint32_t p) const;
  /// Of the solid's surface there [m/s].
  Vec3f velocity_of(const SphWall& wall) const;
  /// Mass of the particles that meet the solid over its own; 0 of what does not give way.
  float lightness_of(const SphWall& wall) const;

 private:
  /// A body that gives way.
  struct FreeBody {
    std::uint16_t body;
    Mat6 inverse_mass;
    Vec6 start;        ///< velocity and spin without matter
    double lightness;  ///< sum of the masses of particles that meet it, over its own
  };
  static constexpr std::uint16_t kFixed = 0xffff;

  void find_free_bodies();
  void apply_in(SphSlab& slab, float share);
  BodyImpulse given_to(std::size_t body) const;
  void move(const FreeBody& body);

  const SphModel& model_;
  double dt_;
  Threads& threads_;
  SphState& state_;
  SphScratch& scratch_;
  Bodies& bodies_;
  std::vector<FreeBody> free_;
  std::vector<std::uint16_t> place_of_;  ///< in free_, by body
};

}  // namespace repose
