#pragma once
// The clear coat of bodies: a thin rough layer that reflects a little of the sky and the sun, as paint and
// plastic do. It is an accent on what is otherwise diffuse, so the sky in it is not shadowed.

#include <algorithm>
#include <cmath>

#include "repose/render/lighting.h"

namespace repose {

inline constexpr float kCoatRoughness = 0.2F;  ///< alpha of GGX
/// A rough coat reflects less at grazing angles than a smooth one.
inline constexpr float kCoatGrazing = 0.25F;

/// Share of light that a coat of refractive index 1.5 reflects. Schlick 1994, eq. 15.
inline float coat_reflectance(float cosine, float grazing = 1) {
  const float k = 1 - std::clamp(cosine, 0.0F, 1.0F), k2 = k * k;
  return 0.04F + (grazing - 0.04F) * k2 * k2 * k;
}

inline Vec3f mirrored(const Vec3f& direction, const Vec3f& normal) {
  return direction - normal * (2 * direction.dot(normal));
}

/// Radiance of the sky in the coat. `direction` is that of the ray from the camera.
inline Vec3f coat_sky(const Lighting& lighting, const Vec3f& direction, const Vec3f& normal) {
  return lighting.sky(mirrored(direction, normal)) * coat_reflectance(-direction.dot(normal), kCoatGrazing);
}

/// Radiance of the sun in the coat, over lighting.sun: pi D F V cos, with D of Walter et al. 2007, eq. 33,
/// and V = 1 / (4 (l.h)^2) of Kelemen and Szirmay-Kalos 2001.
inline float coat_sun(const Vec3f& direction, const Vec3f& normal, const Vec3f& to_sun,
                      float roughness = kCoatRoughness) {
  const float alpha2 = roughness * roughness;
  const Vec3f half = unit(to_sun - direction);
  const float nh = normal.dot(half), lh = std::max(0.05F, to_sun.dot(half));
  const float d = nh * nh * (alpha2 - 1) + 1;
  return std::max(0.0F, normal.dot(to_sun)) * alpha2 / (d * d) * coat_reflectance(lh) / (4 * lh * lh);
}

}  // namespace repose
