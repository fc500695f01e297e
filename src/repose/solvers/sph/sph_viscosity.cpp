#include "repose/solvers/sph/sph_viscosity.h"

#include <algorithm>
#include <cmath>

#include "repose/physics/sph.h"

namespace repose {
namespace {

/// Squares of W' around a particle, summed: 0.43 on a lattice, more where particles lie unevenly.
constexpr double kUsualSquares = 0.6;

/// What a particle loses to those that it comes closer to [m/s]. The fourth of `quick` is the largest share
/// of a pair's approach that may be taken, 1 over the squares of the gradients.
Vec3d loss_of(const SphSlab& slab, const SphScratch& scratch, std::uint32_t p, float factor) {
  const Row4f own = scratch.quick[p];
  const float alpha = 0.5F * scratch.viscosity[p];
  Row4d sum{};
  slab.fetch_ahead_of(p);
  for (const SphPair& pair : slab.pairs_of(p)) {
    const Row4f other = scratch.quick[pair.row], g = gradient_of(pair);
    const Row4f closing = (own - other) * g;
    const float closer = closing[0] + closing[1] + closing[2];
    const float share = std::min({factor * (alpha + 0.5F * scratch.viscosity[pair.row]), own[3], other[3]});
    add_to(sum, (share * std::max(0.0F, closer)) * g);
  }
  return to_vec(sum);
}

void slow_down(float factor, Threads& threads, const SphState& state, SphScratch& scratch) {
  scratch.quick.resize(state.size());
  threads.for_each(state.size(), [&](std::size_t p) {
    const Vec3f v = to_float(scratch.start[p]);
    scratch.quick[p] = Row4f{v.x, v.y, v.z, 1 / scratch.squares[p]};
  });
  threads.for_each(
      scratch.slab_count,
      [&](std::size_t s) {
        const SphSlab& slab = scratch.slabs[s];
        for (std::uint32_t p = slab.first; p < slab.end; ++p)
          scratch.start[p] -= loss_of(slab, scratch, p, factor);
      },
      1);
}

/// By particle; returns the largest.
double find_viscosities(const SphModel& model, Threads& threads, const SphState& state, SphScratch& scratch) {
  const auto dry = static_cast<float>(model.viscosity), wet = static_cast<float>(model.wet_viscosity);
  scratch.viscosity.assign(state.size(), dry);
  if (!model.has_wetness) return model.viscosity;
  threads.for_each(state.size(), [&](std::size_t p) {
    scratch.viscosity[p] = dry + (wet - dry) * sph_wet_share(state.wetness[p]);
  });
  return std::max(model.viscosity, model.wet_viscosity);
}

}  // namespace

void slow_down_approach(const SphModel& model, double dt, Threads& threads, const SphState& state,
                        SphScratch& scratch) {
  const double largest = find_viscosities(model, threads, state, scratch);
  const double way = dt * model.signal_speed() / model.spacing;
  const double parts = std::ceil(sph_viscous_factor(largest, way) * kUsualSquares);
  const auto factor =
      static_cast<float>(sph_viscous_factor(1.0, way) / parts * model.spacing * model.spacing);
  for (int part = 0; part < parts; ++part) slow_down(factor, threads, state, scratch);
}

}  // namespace repose
