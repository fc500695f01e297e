#include "repose/solvers/sph/sph_stress.h"

#include <algorithm>
#include <cmath>

#include "repose/math/mat6.h"
#include "repose/physics/sph.h"

namespace repose {
namespace {

/// Length of a step along the gradient, by the diagonal of the system: waves that press and shear along one
/// direction answer 8.5 times as strongly as a particle by itself on a lattice, and somewhat more elsewhere.
constexpr float kStep = 0.09F;
constexpr float kRubStep = 0.3F;
/// The share of more compression than the unevenness of particles that the longest step takes back, and the
/// most that counts.
constexpr float kGivenBack = 0.2F, kMostGivenBack = 0.1F;
constexpr float kSqrt2 = 1.4142135623730951F;

/// What an iteration found.
struct Findings {
  double overshoot = 0;   ///< (y - x_new) . (x_new - x_old): above zero, the way ahead went too far
  double left = 0;        ///< squares of rates that stress could still take, summed [1/s2]
  double pressed = 0;     ///< number of particles that these are of
  float compression = 0;  ///< largest rate of compression among them [1/s]

  Findings& operator+=(const Findings& other) {
    overshoot += other.overshoot;
    left += other.left;
    pressed += other.pressed;
    compression = std::max(compression, other.compression);
    return *this;
  }
};

SphStress ahead_of(const SphStress& before, const SphStress& now, float share) {
  const auto go = [&](float SphStress::*part) { return now.*part + share * (now.*part - before.*part); };
  return {go(&SphStress::pressure), go(&SphStress::xx), go(&SphStress::yy), go(&SphStress::zz),
          go(&SphStress::yz),       go(&SphStress::zx), go(&SphStress::xy)};
}

float friction_product(const SphStress& a, const SphStress& b) {
  return a.xx * b.xx + a.yy * b.yy + a.zz * b.zz + 2 * (a.yz * b.yz + a.zx * b.zx + a.xy * b.xy);
}

SphStress difference(const SphStress& a, const SphStress& b) {
  return {
      a.pressure - b.pressure, a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.yz - b.yz, a.zx - b.zx, a.xy - b.xy};
}

/// Makes the friction no more than the limit.
void yield(float limit, SphStress& s) {
  const float size = std::sqrt(friction_product(s, s));
  if (!(size > limit)) return;
  const float share = limit / size;
  for (float SphStress::*part :
       {&SphStress::xx, &SphStress::yy, &SphStress::zz, &SphStress::yz, &SphStress::zx, &SphStress::xy})
    s.*part *= share;
}

/// What a step along the gradient makes of a pressure. It pushes where matter is pressed by more than it has
/// room. Matter that bears tension also pulls, up to that: there what it resists is any expansion.
float pressure_of(float before, float step, float excess, float expansion, float tension) {
  const float pushing = before + step * excess;
  if (pushing > 0 || !(tension > 0)) return std::max(0.0F, pushing);
  return std::clamp(before - step * expansion, -tension, 0.0F);
}

/// A body that gives way.
struct FreeBody {
  std::uint16_t body;
  Mat6 inverse_mass;
  Vec6 start;        ///< velocity and spin without matter
  double lightness;  ///< sum of the masses of particles that meet it, over its own
};

class StressSolve {
 public:
  StressSolve(const SphModel& model, double dt, Threads& threads, SphState& state, SphScratch& scratch,
              Bodies& bodies)
      : model_(model), dt_(dt), threads_(threads), state_(state), scratch_(scratch), bodies_(bodies) {}

  void run() {
    prepare();
    find_free_bodies();
    const int most = model_.iterations > 0 ? model_.iterations : kMostIterations;
    const double scale = dt_ * model_.pull() / model_.spacing;
    apply(0);
    int since_restart = 0, iteration = 1;
    double aim = kTolerance * scale;
    for (;; ++iteration) {
      const Findings found = correct();
      const double left = std::sqrt(found.left / std::max(1.0, found.pressed));
      // Where sand collides, gravity is not the measure.
      if (iteration == 1) aim = std::max(aim, kTolerance * left);
      const bool is_dense = static_cast<double>(found.compression) * dt_ > model_.max_density_error;
      const bool is_done =
          model_.iterations == 0 && iteration >= kFewest && left < aim && (!is_dense || iteration >= kEnough);
      since_restart = found.overshoot > 0 ? 0 : since_restart + 1;
      const auto k = static_cast<float>(since_restart);
      state_.residual = left / scale;
      if (is_done || iteration == most) break;
      apply(k / (k + 3));
    }
    apply(0);
    state_.iterations = iteration;
    push_bodies();
  }

 private:
  static constexpr int kFewest = 10, kMostIterations = 100;
  static constexpr int kEnough = 30;  ///< for compressions of single particles, which collide
  /// Of rates of strain that stress could still take, over what gravity makes in a step across a spacing.
  static constexpr double kTolerance = 0.01;

  void prepare() {
    const std::size_t n = state_.size();
    scratch_.quick.resize(n);
    scratch_.tensor.resize(n);
    scratch_.velocity.resize(n);
    scratch_.allowed.resize(n);
    scratch_.cohesion.resize(n);
    scratch_.before = state_.stress;
    const auto rate = static_cast<float>(1 / dt_),
               back_rate = static_cast<float>(1 / std::max(dt_, model_.longest_step()));
    threads_.for_each(n, [&](std::size_t p) {
      const SphMaterial& material = model_.materials[state_.material[p]];
      scratch_.cohesion[p] = sph_cohesion(static_cast<float>(material.cohesion),
                                          static_cast<float>(material.wet_cohesion), state_.wetness[p]) *
                             sph_held_share(state_.density[p]);
      const float room = 1 - state_.density[p];
      const auto uneven = static_cast<float>(material.uneven);
      const float excess = std::max(0.0F, -room - uneven);
      scratch_.allowed[p] =
          rate * std::max(0.0F, room) - back_rate * std::min(kGivenBack * excess, kMostGivenBack);
    });
  }

  void find_free_bodies() {
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

  /// Velocities with the stress that lies ahead of the last by this share of the way since the one before.
  void apply(float share) {
    share_ahead_ = share;
    threads_.for_each(state_.size(), [&](std::size_t p) {
      const SphStress s = ahead_of(scratch_.before[p], state_.stress[p], share);
      scratch_.tensor[p] = {{Row4f{s.xx - s.pressure, s.xy, s.zx, 0}, Row4f{s.xy, s.yy - s.pressure, s.yz, 0},
                             Row4f{s.zx, s.yz, s.zz - s.pressure, 0}}};
    });
    threads_.for_each(
        scratch_.slab_count, [&](std::size_t s) { apply_in(scratch_.slabs[s]); }, 1);
    for (FreeBody& body : free_) move(body);
  }

  void apply_in(SphSlab& slab) {
    std::fill(slab.given.begin(), slab.given.end(), BodyImpulse{});
    for (std::uint32_t p = slab.first; p < slab.end; ++p) {
      const SphTensor own = scratch_.tensor[p];
      // Products in float are opposite for the two of a pair, and sums in double keep them so.
      Row4d sum{};
      for (const SphPair& g : slab.pairs_of(p)) {
        const SphTensor& other = scratch_.tensor[g.row];
        const Row4f f = (own.column[0] + other.column[0]) * g.x + (own.column[1] + other.column[1]) * g.y +
                        (own.column[2] + other.column[2]) * g.z;
        sum += __builtin_convertvector(f, Row4d);
      }
      Vec3d push = to_vec(sum);
      for (const SphWall& wall : slab.walls_of(p)) {
        const float pressure = state_.stress[p].pressure +
                               share_ahead_ * (state_.stress[p].pressure - scratch_.before[p].pressure);
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

  BodyImpulse given_to(std::size_t body) const {
    BodyImpulse sum;
    for (std::size_t s = 0; s < scratch_.slab_count; ++s) {
      const SphSlab& slab = scratch_.slabs[s];
      for (std::size_t k = 0; k < slab.met.size(); ++k)
        if (slab.met[k] == body) sum += slab.given[k];
    }
    return sum;
  }

  void move(const FreeBody& body) {
    const BodyImpulse given = given_to(body.body);
    const Vec3d &p = given.linear, &l = given.angular;
    const Vec6 change = times(body.inverse_mass, {p.x, p.y, p.z, l.x, l.y, l.z});
    Vec6 u = body.start;
    for (std::size_t i = 0; i < 6; ++i) u[i] += change[i];
    BodyVelocity& motion = scratch_.body_velocity[body.body];
    motion.velocity = {u[0], u[1], u[2]};
    motion.spin = {u[3], u[4], u[5]};
  }

  /// A step along the gradient, and back to what pressure and friction can be.
  Findings correct() {
    return threads_.reduce(
        scratch_.slab_count, Findings{},
        [&](std::size_t begin, std::size_t end) {
          Findings found;
          for (std::size_t s = begin; s < end; ++s)
            for (std::uint32_t p = scratch_.slabs[s].first; p < scratch_.slabs[s].end; ++p)
              correct(scratch_.slabs[s], p, found);
          return found;
        },
        [](Findings a, const Findings& b) { return a += b; }, 1);
  }

  void correct(SphSlab& slab, std::uint32_t p, Findings& found) {
    const Row4f own = scratch_.quick[p];
    Row4f dx{}, dy{}, dz{};  // the velocity's derivatives along each axis
    for (const SphPair& g : slab.pairs_of(p)) {
      const Row4f dv = scratch_.quick[g.row] - own;
      dx += dv * g.x;
      dy += dv * g.y;
      dz += dv * g.z;
    }
    const Vec3f v(own[0], own[1], own[2]);
    const float expansion = dx[0] + dy[1] + dz[2], mean = expansion / 3;
    float excess = -expansion - scratch_.allowed[p], answer = scratch_.squares[p];
    for (const SphWall& wall : slab.walls_of(p)) {
      excess += (v - velocity_of(wall)).dot(wall.gradient);
      answer += lightness_of(wall) * wall.gradient.dot(wall.gradient);
    }
    answer += scratch_.gradients[p].dot(scratch_.gradients[p]);
    if (!(answer > 0)) {  // alone: what it bore before is gone
      scratch_.before[p] = state_.stress[p] = {};
      return;
    }

    const SphMaterial& material = model_.materials[state_.material[p]];
    const auto inertia = static_cast<float>(material.density / dt_);
    const float step = kStep * inertia / answer;
    const SphStress at = ahead_of(scratch_.before[p], state_.stress[p], share_ahead_);
    SphStress next;
    const float tension = slab.walls_of(p).empty() ? scratch_.cohesion[p] : 0;  // none at solids
    next.pressure = pressure_of(at.pressure, step, excess, expansion, tension);
    // Friction answers a third as strongly as pressure.
    next.xx = at.xx + 3 * step * (dx[0] - mean);
    next.yy = at.yy + 3 * step * (dy[1] - mean);
    next.zz = at.zz + 3 * step * (dz[2] - mean);
    next.yz = at.yz + 1.5F * step * (dy[2] + dz[1]);
    next.zx = at.zx + 1.5F * step * (dz[0] + dx[2]);
    next.xy = at.xy + 1.5F * step * (dx[1] + dy[0]);
    const float held = next.pressure * static_cast<float>(material.slope) + scratch_.cohesion[p];
    yield(kSqrt2 * std::max(0.0F, held), next);
    for (SphWall& wall : slab.walls_of(p))
      rub(next.pressure, inertia, static_cast<float>(material.body_friction[wall.body]), v, wall);

    const SphStress back = difference(at, next), onward = difference(next, state_.stress[p]);
    found.overshoot += static_cast<double>(
        (3 * back.pressure * onward.pressure + friction_product(back, onward)) * answer / inertia);
    if (next.pressure > 0 || scratch_.cohesion[p] > 0) {
      found.left += static_cast<double>((back.pressure * back.pressure + friction_product(back, back) / 9) /
                                        (step * step));
      ++found.pressed;
      found.compression = std::max(found.compression, std::abs(excess));
    }
    scratch_.before[p] = state_.stress[p];
    state_.stress[p] = next;
  }

  void rub(float pressure, float inertia, float friction, const Vec3f& v, SphWall& wall) const {
    if (!(pressure > 0)) {
      wall.force = Vec3f(0);
      return;
    }
    const Vec3f relative = v - velocity_of(wall);
    const Vec3f along = relative - relative.dot(wall.normal) * wall.normal;
    wall.force -= kRubStep * inertia / (1 + lightness_of(wall)) * along;
    const float most = friction * pressure * wall.gradient.length();
    if (const float size = wall.force.length(); size > most) wall.force *= most / size;
  }

  Vec3f velocity_of(const SphWall& wall) const {
    const BodyVelocity& motion = scratch_.body_velocity[wall.body];
    return to_float(motion.velocity + motion.spin.cross(Vec3d(wall.at)));
  }
  float lightness_of(const SphWall& wall) const {
    const std::uint16_t place = place_of_[wall.body];
    return place == kFixed ? 0.0F : static_cast<float>(free_[place].lightness);
  }

  void push_bodies() {
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      BodyImpulse given = given_to(b);
      if (given.linear == Vec3d(0) && given.angular == Vec3d(0)) continue;
      given.angular += (scratch_.body_velocity[b].center - bodies_[b].pose.position).cross(given.linear);
      bodies_.add_impulse(b, given);
      if (place_of_[b] != kFixed)
        bodies_.set_off(b, scratch_.body_velocity[b].velocity, scratch_.body_velocity[b].spin);
    }
  }

  static constexpr std::uint16_t kFixed = 0xffff;

  const SphModel& model_;
  double dt_;
  Threads& threads_;
  SphState& state_;
  SphScratch& scratch_;
  Bodies& bodies_;
  float share_ahead_ = 0;
  std::vector<FreeBody> free_;
  std::vector<std::uint16_t> place_of_;  ///< in free_, by body
};

}  // namespace

void resist(const SphModel& model, double dt, Threads& threads, SphState& state, SphScratch& scratch,
            Bodies& bodies) {
  StressSolve(model, dt, threads, state, scratch, bodies).run();
}

}  // namespace repose
