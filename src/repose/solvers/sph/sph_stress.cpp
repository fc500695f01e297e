#include "repose/solvers/sph/sph_stress.h"

#include <algorithm>
#include <cmath>

#include "repose/physics/sph.h"
#include "repose/solvers/sph/sph_forces.h"
#include "repose/solvers/sph/sph_sleep.h"

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
  double left_at_bodies = 0, at_bodies = 0;  ///< the same of those alone that push free bodies, with slip

  Findings& operator+=(const Findings& other) {
    overshoot += other.overshoot;
    left += other.left;
    pressed += other.pressed;
    left_at_bodies += other.left_at_bodies;
    at_bodies += other.at_bodies;
    compression = std::max(compression, other.compression);
    return *this;
  }
};

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

class StressSolve {
 public:
  StressSolve(const SphModel& model, double dt, Threads& threads, SphState& state, SphScratch& scratch,
              Bodies& bodies)
      : model_(model),
        dt_(dt),
        threads_(threads),
        state_(state),
        scratch_(scratch),
        forces_(model, dt, threads, state, scratch, bodies) {}

  void run() {
    find_room();
    const int most = model_.iterations > 0       ? model_.iterations
                     : forces_.has_free_bodies() ? kMostWithBodies
                     : is_slow()                 ? kMostWhileSlow
                                                 : kMostIterations;
    const double scale = dt_ * model_.pull() / model_.spacing;
    forces_.apply(0);
    int since_restart = 0, iteration = 1;
    double aim = kTolerance * scale;
    for (;; ++iteration) {
      const Findings found = correct();
      const double left = std::sqrt(found.left / std::max(1.0, found.pressed));
      // Where sand collides, gravity is not the measure.
      if (iteration == 1) aim = std::max(aim, kTolerance * left);
      const bool is_dense = static_cast<double>(found.compression) * dt_ > model_.max_density_error;
      const double left_at_bodies = std::sqrt(found.left_at_bodies / std::max(1.0, found.at_bodies));
      const bool is_done = model_.iterations == 0 && iteration >= kFewest && left < aim &&
                           left_at_bodies < kBodyShare * aim && (!is_dense || iteration >= kEnough);
      since_restart = found.overshoot > 0 ? 0 : since_restart + 1;
      const auto k = static_cast<float>(since_restart);
      state_.residual = left / scale;
      if (is_done || iteration == most) break;
      share_ahead_ = k / (k + 3);
      forces_.apply(share_ahead_);
    }
    forces_.apply(0);
    state_.iterations = iteration;
    forces_.push_bodies();
  }

 private:
  /// Where sand falls on sand more than some tens are of no use: the next step takes up what is left. A free
  /// body adds up what is left around it, and would roll.
  static constexpr int kFewest = 10, kMostIterations = 40, kMostWithBodies = 100;
  /// Where all is slow nothing falls on sand, and what is left would move it as a whole: gravity that turns,
  /// or a floor that sets out, is felt through 60 layers after some 200 iterations.
  static constexpr int kMostWhileSlow = 400;
  static constexpr int kEnough = 30;  ///< for compressions of single particles, which collide
  /// Of rates of strain that stress could still take, over what gravity makes in a step across a spacing.
  static constexpr double kTolerance = 0.01;
  /// Of that, what may be left at free bodies: they add up what many particles leave.
  static constexpr double kBodyShare = 0.1;

  /// Whether no particle is so fast that it makes steps shorter than gravity does.
  bool is_slow() const { return state_.max_speed * model_.longest_step() <= model_.cfl * model_.spacing; }

  /// How fast each particle may be compressed.
  void find_room() {
    const auto rate = static_cast<float>(1 / dt_),
               back_rate = static_cast<float>(1 / std::max(dt_, model_.longest_step()));
    scratch_.allowed.resize(state_.size());
    scratch_.cohesion.resize(state_.size());
    threads_.for_each(state_.size(), [&](std::size_t p) {
      const SphMaterial& material = model_.materials[state_.material[p]];
      scratch_.cohesion[p] = sph_cohesion(static_cast<float>(material.cohesion),
                                          static_cast<float>(material.wet_cohesion), state_.wetness[p]) *
                             sph_held_share(state_.density[p]);
      const float room = 1 - state_.density[p];
      const auto uneven = static_cast<float>(material.uneven);
      // What sleeps does not give way: pressure that pushes it apart would push on for ever.
      const float excess = is_asleep(model_, state_, p) ? 0 : std::max(0.0F, -room - uneven);
      scratch_.allowed[p] =
          rate * std::max(0.0F, room) - back_rate * std::min(kGivenBack * excess, kMostGivenBack);
    });
  }

  /// A step along the gradient, and back to what pressure and friction can be.
  Findings correct() {
    return forces_.sweep<Findings>(
        [&](SphSlab& slab, std::uint32_t p, Findings& found) { correct(slab, p, found); });
  }

  void correct(SphSlab& slab, std::uint32_t p, Findings& found) {
    const Row4f own = scratch_.quick[p];
    const auto [dx, dy, dz] = forces_.gradient_of(slab, p);
    const Vec3f v(own[0], own[1], own[2]);
    const float expansion = dx[0] + dy[1] + dz[2], mean = expansion / 3;
    float excess = -expansion - scratch_.allowed[p], answer = scratch_.squares[p];
    for (const SphWall& wall : slab.walls_of(p)) {
      excess += (v - forces_.velocity_of(wall)).dot(wall.gradient);
      answer += forces_.lightness_of(wall) * wall.gradient.dot(wall.gradient);
    }
    answer += scratch_.gradients[p].dot(scratch_.gradients[p]);
    if (!(answer > 0)) {  // alone: what it bore before is gone
      scratch_.before[p] = state_.stress[p] = {};
      return;
    }

    const SphMaterial& material = model_.materials[state_.material[p]];
    const float inertia = forces_.inertia(p);
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
    const auto slope = static_cast<float>(material.slope);
    // What bore nothing goes by the pressure that is found.
    const float bearing = scratch_.bearing[p] > 0 ? scratch_.bearing[p] : next.pressure;
    yield(kSqrt2 * std::max(0.0F, bearing * slope + scratch_.cohesion[p]), next);
    float slip = 0;  // squared, along free bodies
    bool is_at_body = false;
    for (SphWall& wall : slab.walls_of(p)) {
      // Along a solid that is rougher than the sand, sand slides along itself.
      const float limit = std::min(next.pressure * static_cast<float>(material.body_friction[wall.body]),
                                   next.pressure * slope + scratch_.cohesion[p]);
      const float taken = rub(next.pressure, limit, inertia, v, wall);
      if (!(forces_.lightness_of(wall) > 0)) continue;
      is_at_body = true;
      slip += taken * taken;
    }

    const SphStress back = difference(at, next), onward = difference(next, state_.stress[p]);
    found.overshoot += static_cast<double>(
        (3 * back.pressure * onward.pressure + friction_product(back, onward)) * answer / inertia);
    if (next.pressure > 0 || scratch_.cohesion[p] > 0) {
      const auto left = static_cast<double>(
          (back.pressure * back.pressure + friction_product(back, back) / 9) / (step * step));
      found.left += left;
      ++found.pressed;
      if (is_at_body) {
        found.left_at_bodies += left + static_cast<double>(slip) / (model_.spacing * model_.spacing);
        ++found.at_bodies;
      }
      found.compression = std::max(found.compression, std::abs(excess));
    }
    scratch_.before[p] = state_.stress[p];
    state_.stress[p] = next;
  }

  /// Friction of a solid, up to the limit [Pa]. Returns the slip that it could still take [m/s].
  float rub(float pressure, float limit, float inertia, const Vec3f& v, SphWall& wall) const {
    if (!(pressure > 0)) {
      wall.force = Vec3f(0);
      return 0;
    }
    const Vec3f relative = v - forces_.velocity_of(wall);
    const Vec3f along = relative - relative.dot(wall.normal) * wall.normal;
    const float step = kRubStep * inertia / (1 + forces_.lightness_of(wall));
    const Vec3f before = wall.force;
    wall.force -= step * along;
    const float most = limit * wall.gradient.length();
    if (const float size = wall.force.length(); size > most) wall.force *= most / size;
    return (wall.force - before).length() / step;
  }

  const SphModel& model_;
  double dt_;
  Threads& threads_;
  SphState& state_;
  SphScratch& scratch_;
  SphForces forces_;
  float share_ahead_ = 0;
};

}  // namespace

void resist(const SphModel& model, double dt, Threads& threads, SphState& state, SphScratch& scratch,
            Bodies& bodies) {
  StressSolve(model, dt, threads, state, scratch, bodies).run();
}

}  // namespace repose
