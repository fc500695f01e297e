#include "repose/solvers/sph/sph_forces.h"

#include <algorithm>

#include "repose/exec/fetch.h"

namespace repose {
namespace {

/// Of all particles that may be neighbours of the slab's.
template <class T>
void fetch_around(const SphSlab& slab, const ParticleCells& cells, const std::vector<T>& by_row) {
  constexpr int kLast = kTileEdge - 1;
  for_each_run(
      cells, slab.tile, Vec3i(-1, -1, slab.z - 1), Vec3i(kLast + 1, kLast + 1, slab.z + 1),
      [&](std::uint32_t begin, std::uint32_t end, const Vec3i&) { fetch(&by_row[begin], end - begin); });
}

}  // namespace

SphForces::SphForces(const SphModel& model, double dt, Threads& threads, SphState& state, SphScratch& scratch,
                     Bodies& bodies)
    : model_(model), dt_(dt), threads_(threads), state_(state), scratch_(scratch), bodies_(bodies) {
  const std::size_t n = state.size();
  scratch.tensor.resize(n);
  scratch.velocity.assign(n, Vec3d(0));  // stays so where a particle sleeps deeply
  scratch.quick.assign(n, Row4f{});
  scratch.before = state.stress;
  find_free_bodies();
}

void SphForces::find_free_bodies() {
  place_of_.assign(bodies_.size(), kFixed);
  std::vector<double> met(bodies_.size(), 0.0);
  for (std::size_t s = 0; s < scratch_.slab_count; ++s) {
    SphSlab& slab = scratch_.slabs[s];
    slab.given.assign(slab.met.size(), {});
    for (std::uint32_t p = slab.first; p < slab.end; ++p)
      for (const SphWall& wall : slab.walls_of(p)) met[wall.body] += model_.mass(state_.material[p]);
  }
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (!bodies_[b].is_free || met[b] == 0) continue;
    place_of_[b] = static_cast<std::uint16_t>(free_.size());
    FreeBody body{static_cast<std::uint16_t>(b),
                  inverse_of(mass_matrix(bodies_[b])),
                  {},
                  met[b] / bodies_[b].mass.mass};
    const BodyVelocity& motion = scratch_.body_velocity[b];
    const Vec3d v = motion.velocity + dt_ * model_.gravity, &w = motion.spin;
    body.start = {v.x, v.y, v.z, w.x, w.y, w.z};
    hold_at_contacts(bodies_, b, dt_, body.inverse_mass, body.start);
    free_.push_back(body);
  }
}

void SphForces::apply(float share) {
  threads_.for_each(state_.size(), [&](std::size_t p) {
    const SphStress s = ahead_of(scratch_.before[p], state_.stress[p], share);
    scratch_.tensor[p] = {{Row4f{s.xx - s.pressure, s.xy, s.zx, 0}, Row4f{s.xy, s.yy - s.pressure, s.yz, 0},
                           Row4f{s.zx, s.yz, s.zz - s.pressure, 0}}};
  });
  threads_.for_each(
      scratch_.slab_count, [&](std::size_t s) { apply_in(scratch_.slabs[s], share); }, 1);
  for (const FreeBody& body : free_) move(body);
}

void SphForces::apply_in(SphSlab& slab, float share) {
  std::fill(slab.given.begin(), slab.given.end(), BodyImpulse{});
  fetch_around(slab, scratch_.cells, scratch_.tensor);
  for (std::uint32_t p = slab.first; p < slab.end; ++p) {
    if (scratch_.is_deep[p] != 0) continue;
    const SphTensor own = scratch_.tensor[p];
    // Products in float are opposite for the two of a pair, and sums in double keep them so.
    Row4d sum{};
    slab.fetch_ahead_of(p);
    for (const SphPair& g : slab.pairs_of(p)) {
      const SphTensor& other = scratch_.tensor[g.row];
      const Row4f f = (own.column[0] + other.column[0]) * g.x + (own.column[1] + other.column[1]) * g.y +
                      (own.column[2] + other.column[2]) * g.z;
      add_to(sum, f);
    }
    Vec3d push = to_vec(sum);
    for (const SphWall& wall : slab.walls_of(p)) {
      const float pressure =
          state_.stress[p].pressure + share * (state_.stress[p].pressure - scratch_.before[p].pressure);
      const Vec3d on_particle(wall.force - pressure * wall.gradient);
      push += on_particle;
      const auto k = std::find(slab.met.begin(), slab.met.end(), wall.body) - slab.met.begin();
      slab.given[static_cast<std::size_t>(k)].add((-dt_ * model_.volume()) * on_particle, Vec3d(wall.at));
    }
    const Vec3d v = scratch_.start[p] + (dt_ / model_.materials[state_.material[p]].density) * push;
    scratch_.velocity[p] = v;
    scratch_.quick[p] = Row4f{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), 0};
  }
}

BodyImpulse SphForces::given_to(std::size_t body) const {
  BodyImpulse sum;
  for (std::size_t s = 0; s < scratch_.slab_count; ++s) {
    const SphSlab& slab = scratch_.slabs[s];
    for (std::size_t k = 0; k < slab.met.size(); ++k)
      if (slab.met[k] == body) sum += slab.given[k];
  }
  return sum;
}

void SphForces::move(const FreeBody& body) {
  const BodyImpulse given = given_to(body.body);
  const Vec3d &p = given.linear, &l = given.angular;
  const Vec6 change = times(body.inverse_mass, {p.x, p.y, p.z, l.x, l.y, l.z});
  Vec6 u = body.start;
  for (std::size_t i = 0; i < 6; ++i) u[i] += change[i];
  BodyVelocity& motion = scratch_.body_velocity[body.body];
  motion.velocity = {u[0], u[1], u[2]};
  motion.spin = {u[3], u[4], u[5]};
}

void SphForces::push_bodies() {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    BodyImpulse given = given_to(b);
    if (given.linear == Vec3d(0) && given.angular == Vec3d(0)) continue;
    given.angular += (scratch_.body_velocity[b].center - bodies_[b].pose.position).cross(given.linear);
    bodies_.add_impulse(b, given);
    if (place_of_[b] != kFixed)
      bodies_.set_off(b, scratch_.body_velocity[b].velocity, scratch_.body_velocity[b].spin);
  }
}

SphGradient SphForces::gradient_of(const SphSlab& slab, std::uint32_t p) const {
  const Row4f own = scratch_.quick[p];
  SphGradient out;
  slab.fetch_ahead_of(p);
  for (const SphPair& g : slab.pairs_of(p)) out.add(scratch_.quick[g.row] - own, g.x, g.y, g.z);
  return out;
}

Vec3f SphForces::velocity_of(const SphWall& wall) const {
  const BodyVelocity& motion = scratch_.body_velocity[wall.body];
  Vec3d velocity = motion.velocity + motion.spin.cross(Vec3d(wall.at));
  if (has_belt(bodies_[wall.body])) velocity += bodies_.belt_velocity(wall.body, Vec3d(wall.normal));
  return to_float(velocity);
}

float SphForces::lightness_of(const SphWall& wall) const {
  const std::uint16_t place = place_of_[wall.body];
  return place == kFixed ? 0.0F : static_cast<float>(free_[place].lightness);
}

}  // namespace repose
