#pragma once
// The light of a picture: a sun with a disc, and a sky that goes from a pale horizon to a deeper zenith.

#include <algorithm>
#include <cmath>

#include "repose/math/vec.h"
#include "repose/render/sampler.h"
#include "repose/scene/scene.h"

namespace repose {

/// v / |v| without Imath's care for tiny lengths: directions here are never tiny.
inline Vec3f unit(const Vec3f& v) { return v * (1.0F / std::sqrt(v.dot(v))); }

/// Cosine and sine of `turn` full turns, for turn in [0, 1]: polynomials on a quarter of the circle, good to
/// 2e-6. Faster than the library's and the same on every machine.
inline Point2 on_circle(float turn) {
  const float a = turn - std::floor(turn + 0.5F);  // [-1/2, 1/2]
  const float b = 0.25F - std::fabs(a);            // cos(2 pi a) = sin(2 pi b)
  const float c = std::fabs(a) > 0.25F ? (a > 0 ? 0.5F - a : -0.5F - a) : a;
  const auto sine = [](float t) {  // sin(2 pi t), |t| <= 1/4
    const float x = 6.28318531F * t, x2 = x * x;
    return x *
           (1 + x2 * (-1.66666667e-1F + x2 * (8.3333310e-3F + x2 * (-1.9840874e-4F + x2 * 2.7525562e-6F))));
  };
  return {sine(b), sine(c)};
}

/// Two unit vectors across the unit vector n. Duff et al. 2017, "Building an orthonormal basis, revisited".
inline void make_basis(const Vec3f& n, Vec3f& s, Vec3f& t) {
  const float sign = std::copysign(1.0F, n.z), a = -1.0F / (sign + n.z), b = n.x * n.y * a;
  s = {1.0F + sign * n.x * n.x * a, sign * b, -sign * n.x};
  t = {b, sign + n.y * n.y * a, -n.y};
}

struct Lighting {
  Vec3f sun_direction{0, 0, 1};  ///< towards the sun, unit
  Vec3f sun_s, sun_t;            ///< across it
  Vec3f sun{3, 3, 3};            ///< irradiance of a surface that faces the sun, over pi
  float sun_radius = 0.02F;      ///< of its disc, tangent of half its angular diameter [-]
  Vec3f zenith{0.55F, 0.7F, 0.95F}, horizon{1, 1, 1};  ///< radiance
  Vec3f below{0.3F, 0.3F, 0.3F};  ///< radiance from far below the horizon: of a sunlit ground, or of nothing

  float backdrop = 1;  ///< how much brighter the camera sees the sky than surfaces do

  /// Radiance of the sky, without the sun.
  Vec3f sky(const Vec3f& direction) const {
    if (direction.z >= 0) return horizon + (zenith - horizon) * std::sqrt(direction.z);
    const float k = std::min(1.0F, -4 * direction.z);
    return horizon + (below - horizon) * k;
  }
  /// Light from all around on a surface with this normal, nothing in the way.
  Vec3f ambient(const Vec3f& normal) const {
    const Vec3f above = (zenith * 2 + horizon) * (1.0F / 3);
    return below + (above - below) * (0.5F + 0.5F * normal.z);
  }
  /// A direction to a point on the sun's disc.
  Vec3f towards_sun(const Point2& u) const {
    const float r = sun_radius * std::sqrt(u.x);
    const Point2 c = on_circle(u.y);
    return unit(sun_direction + sun_s * (r * c.x) + sun_t * (r * c.y));
  }
};

/// A direction about n with density cos/pi.
inline Vec3f cosine_direction(const Vec3f& n, const Point2& u) {
  Vec3f s, t;
  make_basis(n, s, t);
  const Point2 c = on_circle(u.y);
  const float r = std::sqrt(u.x);
  return s * (r * c.x) + t * (r * c.y) + n * std::sqrt(std::max(0.0F, 1 - u.x));
}

Lighting make_lighting(const RenderSettings& settings);

}  // namespace repose
