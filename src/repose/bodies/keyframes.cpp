#include "repose/bodies/keyframes.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace repose {
namespace {

/// Slope at a key between intervals of length h0, h1 with mean slopes d0, d1. Fritsch and Butland 1984.
double monotone_slope(double h0, double d0, double h1, double d1) {
  if (d0 * d1 <= 0) return 0;
  const double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
  return (w0 + w1) / (w0 / d0 + w1 / d1);
}

}  // namespace

KeyframePath::KeyframePath(const std::vector<Keyframe>& keys, Interpolation interpolation) {
  assert(!keys.empty());
  for (const Keyframe& key : keys) {
    times_.push_back(key.t);
    values_.push_back({key.position.x, key.position.y, key.position.z, radians(key.rotation.x),
                       radians(key.rotation.y), radians(key.rotation.z)});
  }
  assert(std::is_sorted(times_.begin(), times_.end()));
  if (interpolation == Interpolation::linear) return;
  slopes_.assign(keys.size(), Values{});
  for (std::size_t k = 1; k + 1 < keys.size(); ++k) {
    const double h0 = times_[k] - times_[k - 1], h1 = times_[k + 1] - times_[k];
    if (h0 <= 0 || h1 <= 0) continue;
    for (std::size_t c = 0; c < 6; ++c)
      slopes_[k][c] = monotone_slope(h0, (values_[k][c] - values_[k - 1][c]) / h0, h1,
                                     (values_[k + 1][c] - values_[k][c]) / h1);
  }
}

KeyframePath::Sample KeyframePath::sample(double t) const {
  if (t < times_.front()) return {values_.front(), {}};
  if (t >= times_.back()) return {values_.back(), {}};
  const auto next =
      static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), t) - times_.begin());
  const std::size_t k = next - 1;
  const double h = times_[next] - times_[k];
  const double u = (t - times_[k]) / h;
  Sample s;
  for (std::size_t c = 0; c < 6; ++c) {
    const double a = values_[k][c], rise = values_[next][c] - a;
    if (slopes_.empty()) {
      s.value[c] = a + u * rise;
      s.rate[c] = rise / h;
    } else {
      // Cubic Hermite in u: a + m0 u + (3 rise - 2 m0 - m1) u^2 + (m0 + m1 - 2 rise) u^3.
      const double m0 = h * slopes_[k][c], m1 = h * slopes_[next][c];
      const double c2 = 3 * rise - 2 * m0 - m1, c3 = m0 + m1 - 2 * rise;
      s.value[c] = a + u * (m0 + u * (c2 + u * c3));
      s.rate[c] = (m0 + u * (2 * c2 + u * 3 * c3)) / h;
    }
  }
  return s;
}

PathPoint KeyframePath::at(double t) const {
  const Sample s = sample(t);
  const Quatd about_x = exp_rotation({s.value[3], 0, 0}), about_y = exp_rotation({0, s.value[4], 0}),
              about_z = exp_rotation({0, 0, s.value[5]});
  PathPoint point;
  point.pose = {{s.value[0], s.value[1], s.value[2]}, about_z * about_y * about_x};
  point.velocity = {s.rate[0], s.rate[1], s.rate[2]};
  // The turn about x is carried along by those about y and z, the turn about y by the one about z.
  point.angular_velocity = Vec3d(0, 0, s.rate[5]) +
                           rotate(about_z, Vec3d(0, s.rate[4], 0) + rotate(about_y, Vec3d(s.rate[3], 0, 0)));
  return point;
}

PathPoint SteadyPath::at(double t) const {
  const Vec3d center = pivot + t * velocity;
  const Quatd turn = exp_rotation(t * angular_velocity);
  PathPoint point;
  point.pose = {center + rotate(turn, start.position - pivot), turn * start.rotation};
  point.velocity = velocity + angular_velocity.cross(point.pose.position - center);
  point.angular_velocity = angular_velocity;
  return point;
}

}  // namespace repose
