#include "repose/solvers/sph/sph_paper.h"

#include <algorithm>
#include <cmath>

#include "repose/physics/sph.h"
#include "repose/solvers/sph/sph_forces.h"

namespace repose {
namespace {

constexpr float kRelaxation = 0.35F;
constexpr float kCap = 0.816496580927726F;  ///< sqrt(2/3) of eq. 13

/// What an iteration found.
struct Findings {
  float compression = 0;  ///< largest that is predicted, as a share of the density
  double change = 0;      ///< squares of the stress that it added over the pressure, summed
  double pressed = 0;     ///< number of particles with pressure

  Findings& operator+=(const Findings& other) {
    compression = std::max(compression, other.compression);
    change += other.change;
    pressed += other.pressed;
    return *this;
  }
};

class PaperSolve {
 public:
  PaperSolve(const SphModel& model, double dt, Threads& threads, SphState& state, SphScratch& scratch,
             Bodies& bodies)
      : model_(model),
        state_(without_stress(state, scratch)),
        scratch_(scratch),
        forces_(model, dt, threads, state, scratch, bodies) {
    for (std::size_t s = 0; s < scratch.slab_count; ++s)
      for (SphWall& wall : scratch.slabs[s].walls) wall.force = Vec3f(0);
  }

  void run() {
    const int most = model_.iterations > 0 ? model_.iterations : kMostIterations;
    forces_.apply(0);
    int iteration = 1;
    for (;; ++iteration) {
      const Findings found = correct();
      forces_.apply(0);
      state_.residual = std::sqrt(found.change / std::max(1.0, found.pressed));
      const bool is_done = static_cast<double>(found.compression) < model_.max_density_error &&
                           state_.residual < kEnoughChange;
      if (iteration == most || (model_.iterations == 0 && iteration >= kFewest && is_done)) break;
    }
    state_.iterations = iteration;
    forces_.push_bodies();
  }

 private:
  static constexpr int kFewest = 3, kMostIterations = 100;
  static constexpr double kEnoughChange = 0.05;  ///< of stress, over the pressure

  /// But of those that sleep deeply.
  static SphState& without_stress(SphState& state, const SphScratch& scratch) {
    for (std::size_t p = 0; p < state.size(); ++p)
      if (scratch.is_deep[p] == 0) state.stress[p] = {};
    return state;
  }

  Findings correct() {
    return forces_.sweep<Findings>(
        [&](SphSlab& slab, std::uint32_t p, Findings& found) { correct(slab, p, found); });
  }

  void correct(SphSlab& slab, std::uint32_t p, Findings& found) {
    const Row4f own = scratch_.quick[p];
    SphGradient gradient = forces_.gradient_of(slab, p);
    float answer = scratch_.squares[p] + scratch_.gradients[p].dot(scratch_.gradients[p]);
    for (const SphWall& wall : slab.walls_of(p)) {
      const Vec3f u = forces_.velocity_of(wall);
      gradient.add(Row4f{u.x, u.y, u.z, 0} - own, wall.gradient.x, wall.gradient.y, wall.gradient.z);
      answer += forces_.lightness_of(wall) * wall.gradient.dot(wall.gradient);
    }
    if (!(answer > 0)) return;
    const auto dt = static_cast<float>(forces_.dt());
    const float expansion = gradient.expansion();
    const float compression = state_.density[p] - 1 - dt * expansion;
    SphStress& s = state_.stress[p];
    const float step = kRelaxation * forces_.inertia(p) / (2 * answer);
    s.pressure += step * std::max(0.0F, compression) / dt;  // eq. 6
    const SphStress before = s;
    add_friction(gradient, 3 * step, s);  // eq. 11 and 13
    const SphMaterial& material = model_.materials[state_.material[p]];
    const auto sine = static_cast<float>(material.slope / std::hypot(1.0, material.slope));
    const float cohesion = sph_cohesion(static_cast<float>(material.cohesion),
                                        static_cast<float>(material.wet_cohesion), state_.wetness[p]);
    const float limit = kCap * s.pressure * sine + cohesion;
    for (float SphStress::*part :
         {&SphStress::xx, &SphStress::yy, &SphStress::zz, &SphStress::yz, &SphStress::zx, &SphStress::xy})
      s.*part = std::clamp(s.*part, -limit, limit);
    for (SphWall& wall : slab.walls_of(p)) rub(p, Vec3f(own[0], own[1], own[2]), wall);
    if (!(s.pressure > 0)) return;
    const float shear = s.xy - before.xy, cross = s.yz - before.yz, other = s.zx - before.zx;
    found.change +=
        static_cast<double>((shear * shear + cross * cross + other * other) / (s.pressure * s.pressure));
    ++found.pressed;
    found.compression = std::max(found.compression, compression);
  }

  static void add_friction(const SphGradient& gradient, float step, SphStress& s) {
    const auto& [dx, dy, dz] = gradient;
    const float mean = gradient.expansion() / 3;
    s.xx += step * (dx[0] - mean);
    s.yy += step * (dy[1] - mean);
    s.zz += step * (dz[2] - mean);
    s.yz += 0.5F * step * (dy[2] + dz[1]);
    s.zx += 0.5F * step * (dz[0] + dx[2]);
    s.xy += 0.5F * step * (dx[1] + dy[0]);
  }

  /// Eq. 19 to 21: the stress on the solid's side, or the viscosity of what comes closer.
  void rub(std::uint32_t p, const Vec3f& v, SphWall& wall) const {
    const SphStress& s = state_.stress[p];
    const Vec3f& g = wall.gradient;
    const Vec3f by_stress(s.xx * g.x + s.xy * g.y + s.zx * g.z, s.xy * g.x + s.yy * g.y + s.yz * g.z,
                          s.zx * g.x + s.yz * g.y + s.zz * g.z);
    const SphMaterial& material = model_.materials[state_.material[p]];
    constexpr double kSoftening = 0.01;  // epsilon
    const auto z = static_cast<double>(wall.distance);
    const auto approach = static_cast<double>((v - forces_.velocity_of(wall)).dot(wall.normal));
    const double viscous = 0.5 * material.density * material.body_friction[wall.body] * kSphSupport *
                           model_.signal_speed() * z / (z * z + kSoftening * kSphSupport * kSphSupport);
    const double most = static_cast<double>(forces_.inertia(p) / std::max(g.length(), 1e-6F));  // stops it
    const Vec3f by_viscosity = static_cast<float>(std::min(viscous, most) * std::min(0.0, approach)) * g;
    wall.force = by_stress.length() > by_viscosity.length() ? by_stress : by_viscosity;
  }

  const SphModel& model_;
  SphState& state_;
  SphScratch& scratch_;
  SphForces forces_;
};

}  // namespace

void resist_as_printed(const SphModel& model, double dt, Threads& threads, SphState& state,
                       SphScratch& scratch, Bodies& bodies) {
  PaperSolve(model, dt, threads, state, scratch, bodies).run();
}

}  // namespace repose
