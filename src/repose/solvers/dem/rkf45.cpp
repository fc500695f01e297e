#include "repose/solvers/dem/rkf45.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "repose/solvers/dem/body_contacts.h"
#include "repose/solvers/dem/contacts.h"
#include "repose/solvers/dem/covers.h"
#include "repose/solvers/dem/integrate.h"
#include "repose/solvers/dem/neighbor_lists.h"
#include "repose/solvers/dem/rotation.h"

namespace repose {
namespace {

constexpr std::size_t kStages = 6;
constexpr std::array<double, kStages> kTimes{0, 1.0 / 4, 3.0 / 8, 12.0 / 13, 1, 1.0 / 2};
constexpr double kWeights[kStages][kStages - 1] = {{},
                                                   {1.0 / 4},
                                                   {3.0 / 32, 9.0 / 32},
                                                   {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
                                                   {439.0 / 216, -8, 3680.0 / 513, -845.0 / 4104},
                                                   {-8.0 / 27, 2, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40}};
constexpr std::array<double, kStages> kOrder5{16.0 / 135,      0,         6656.0 / 12825,
                                              28561.0 / 56430, -9.0 / 50, 2.0 / 55};
constexpr std::array<double, kStages> kOrder4{25.0 / 216, 0, 1408.0 / 2565, 2197.0 / 4104, -1.0 / 5, 0};

constexpr double kSafety = 0.9;    ///< of the step that the error allows
constexpr double kMostGrowth = 4;  ///< of one step over the last
constexpr double kLeastGrowth = 0.1;
constexpr int kMostAttempts = 12;

/// Rates of change of all grains.
struct Slope {
  std::vector<Vec3d> velocity, acceleration, torque;
  std::vector<Quatd> turning;
  std::vector<BodyImpulse> on_bodies;  ///< by unit of time
};

struct Start {
  std::vector<Vec3d> position, velocity, angular_momentum;
  std::vector<Quatd> orientation;
};

Quatd plus(const Quatd& a, double h, const Quatd& b) {
  return Quatd(a.r + h * b.r, a.v.x + h * b.v.x, a.v.y + h * b.v.y, a.v.z + h * b.v.z);
}

class Step {
 public:
  Step(const DemModel& model, DemState& state, Bodies& bodies, DemScratch& scratch, Threads& threads)
      : model_(model), state_(state), bodies_(bodies), scratch_(scratch), threads_(threads) {}

  Rkf45Result run(double dt) {
    // Only the first evaluation may sort the rows.
    evaluate(state_.time, slopes_[0]);
    start_ = {state_.position, state_.velocity, state_.angular_momentum, state_.orientation};
    scratch_.keep_rows = true;
    for (int attempt = 0;; ++attempt) {
      for (std::size_t k = 1; k < kStages; ++k) {
        move(dt, kWeights[k], k);
        evaluate(state_.time + kTimes[k] * dt, slopes_[k]);
      }
      const double share = error(dt) / (model_.tolerance * model_.smallest_radius);
      const double factor = std::clamp(kSafety * std::pow(share, -0.2), kLeastGrowth, kMostGrowth);
      if (share <= 1 || attempt == kMostAttempts) {
        move(dt, kOrder5.data(), kStages);
        finish(dt);
        return {dt, factor * dt};
      }
      dt *= std::min(factor, kSafety);
    }
  }

 private:
  void evaluate(double time, Slope& slope) {
    ++state_.force_count;
    bodies_.move_to(time);
    place_spheres(model_, state_, 0, scratch_, threads_);
    scratch_.lose_travel();
    update_neighbors(model_, state_, bodies_, scratch_, threads_);
    accumulate_contact_forces(model_, state_, 0, scratch_, threads_);
    scratch_.extremes =
        join(scratch_.extremes, find_body_forces(model_, state_, bodies_, 0, scratch_, threads_));
    const std::size_t n = state_.size();
    slope.velocity = state_.velocity;
    slope.acceleration.resize(n);
    slope.torque.resize(n);
    slope.turning.resize(n);
    threads_.for_each(n, [&](std::size_t g) {
      const SphereSum* const sums = &scratch_.sums[scratch_.first_sphere[g]];
      if (scratch_.watches_contacts)
        scratch_.grain_moments[g] = moment_of(scratch_, g, state_.position[g], sums);
      const GrainLoad load = load_of(scratch_, g, state_.position[g], sums);
      const bool held = scratch_.inverse_mass[g] == 0;
      slope.acceleration[g] = held ? Vec3d(0) : model_.gravity + scratch_.inverse_mass[g] * load.force;
      slope.torque[g] = held ? Vec3d(0) : load.torque;
      const Vec3d spin =
          angular_velocity(model_.shapes[state_.shape[g]], state_.orientation[g], state_.angular_momentum[g],
                           scratch_.inverse_mass[g], state_.radius[g]);
      slope.turning[g] = Quatd(0, 0.5 * spin.x, 0.5 * spin.y, 0.5 * spin.z) * state_.orientation[g];
    });
    slope.on_bodies.assign(bodies_.size(), BodyImpulse{});
    const std::vector<BodyImpulse> reactions = reactions_on_bodies(scratch_, threads_);
    for (std::size_t r = 0; r < reactions.size(); ++r)
      slope.on_bodies[scratch_.body_runs[r].body] = reactions[r];
    for (std::size_t c = 0; c < model_.covers.size(); ++c)
      slope.on_bodies[model_.covers[c].body] += reaction_of_cover(model_, scratch_, bodies_, c);
  }

  /// From the start by a weighted sum of slopes.
  void move(double dt, const double* weights, std::size_t count) {
    threads_.for_each(state_.size(), [&](std::size_t g) {
      Vec3d x = start_.position[g], v = start_.velocity[g], L = start_.angular_momentum[g];
      Quatd q = start_.orientation[g];
      for (std::size_t k = 0; k < count; ++k) {
        const double h = dt * weights[k];
        x += h * slopes_[k].velocity[g];
        v += h * slopes_[k].acceleration[g];
        L += h * slopes_[k].torque[g];
        q = plus(q, h, slopes_[k].turning[g]);
      }
      state_.position[g] = x;
      state_.velocity[g] = v;
      state_.angular_momentum[g] = L;
      state_.orientation[g] = q.normalized();
    });
  }

  /// The largest difference of both orders in any grain's place, and in what its speed and turning move its
  /// surface by in the step [m].
  double error(double dt) {
    std::array<double, kStages> weights;
    for (std::size_t k = 0; k < kStages; ++k) weights[k] = kOrder5[k] - kOrder4[k];
    return threads_.reduce(
        state_.size(), 0.0,
        [&](std::size_t begin, std::size_t end) {
          double largest = 0;
          for (std::size_t g = begin; g < end; ++g) {
            Vec3d x(0), v(0);
            Quatd q(0, 0, 0, 0);
            for (std::size_t k = 0; k < kStages; ++k) {
              x += weights[k] * slopes_[k].velocity[g];
              v += weights[k] * slopes_[k].acceleration[g];
              q = plus(q, weights[k], slopes_[k].turning[g]);
            }
            const double turned = 2 * std::sqrt(q.r * q.r + q.v.dot(q.v)) * state_.radius[g];
            largest = std::max({largest, dt * x.length(), dt * dt * v.length(), dt * turned});
          }
          return largest;
        },
        [](double a, double b) { return std::max(a, b); });
  }

  void finish(double dt) {
    scratch_.keep_rows = false;
    if (model_.box.any_periodic())
      threads_.for_each(state_.size(), [&](std::size_t g) { wrap_into(model_.box, state_.position[g]); });
    bodies_.move_to(state_.time + dt);
    for (std::size_t k = 0; k < kStages; ++k)
      for (std::size_t b = 0; b < bodies_.size(); ++b)
        bodies_.add_impulse(b, {dt * kOrder5[k] * slopes_[k].on_bodies[b].linear,
                                dt * kOrder5[k] * slopes_[k].on_bodies[b].angular});
    bodies_.kick(dt);
  }

  const DemModel& model_;
  DemState& state_;
  Bodies& bodies_;
  DemScratch& scratch_;
  Threads& threads_;
  std::array<Slope, kStages> slopes_;
  Start start_;
};

}  // namespace

Rkf45Result rkf45_step(const DemModel& model, double dt, DemState& state, Bodies& bodies, DemScratch& scratch,
                       Threads& threads) {
  return Step(model, state, bodies, scratch, threads).run(dt);
}

}  // namespace repose
