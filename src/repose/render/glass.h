#pragma once
// Glass and clear liquids: what happens to a ray at a surface that can be looked through. Nothing here is
// left to chance: the ray goes on along the stronger of its two ways, and the sky stands in for what the
// other would have met. So glass adds no noise, and under an even sky it neither takes nor gives light.

#include <algorithm>
#include <cmath>

#include "repose/render/coat.h"
#include "repose/render/lighting.h"
#include "repose/render/stage.h"

namespace repose {

/// Share of unpolarised light that a smooth surface turns back (Fresnel). `cosine` is that of the angle of
/// incidence, eta the index behind the surface over the index before it; 1 where all is turned back.
inline float fresnel_reflectance(float cosine, float eta) {
  const float c = std::clamp(cosine, 0.0F, 1.0F), g2 = eta * eta - 1 + c * c;
  if (g2 <= 0) return 1;
  const float g = std::sqrt(g2);
  const float across = (c - g) / (c + g), along = (g - eta * eta * c) / (g + eta * eta * c);
  return 0.5F * (across * across + along * along);
}

/// The direction of a ray behind a surface (Snell); `normal` is the unit normal on the ray's side. Not to be
/// asked where all light is turned back.
inline Vec3f refracted(const Vec3f& direction, const Vec3f& normal, float eta) {
  const float c = -direction.dot(normal), k = 1 / eta;
  const float behind = std::sqrt(std::max(0.0F, 1 - k * k * (1 - c * c)));
  return unit(direction * k + normal * (k * c - behind));
}

/// What one clear surface does to the light that comes along a ray, seen from the ray's start.
struct GlassPassage {
  Vec3f direction;  ///< in which the ray goes on
  bool crosses;     ///< it goes on behind the surface
  Vec3f through;    ///< share of the light from there that arrives
  Vec3f added;      ///< light that the surface itself sends: its colour, and the sky and sun in it
};

/// How much of its own colour a surface shows: the way through the layer is longer at grazing angles.
inline float glass_cover(const ClearSurface& clear, float cosine) {
  return 1 - std::pow(1 - clear.opacity, 1 / std::max(0.1F, cosine));
}

/// What a clear body shows of its own colour, by the light that falls on it. Light goes to and fro in it and
/// passes the colour more than once, which leaves all of white and little of grey; and what is clear sends
/// most of the sun on through it, not back. With the plain colour in full sun glass would look like milk.
inline Vec3f glass_glow(const ClearSurface& clear, const Vec3f& ambient, const Vec3f& sun) {
  const Vec3f& c = clear.color;
  const Vec3f light = ambient + sun * clear.opacity;
  return {c.x * c.x * c.x * light.x, c.y * c.y * c.y * light.y, c.z * c.z * c.z * light.z};
}

/// Light that goes through takes on a little of the colour.
inline Vec3f glass_tint(const ClearSurface& clear) {
  const float top = std::max({clear.color.x, clear.color.y, clear.color.z, 1e-3F});
  return Vec3f(1, 1, 1) - (Vec3f(1, 1, 1) - clear.color * (1 / top)) * clear.opacity;
}

inline Vec3f product(const Vec3f& a, const Vec3f& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

/// What is left of light after a way [m] through the inside of something clear (Beer and Lambert).
inline Vec3f left_after(const Vec3f& absorption, float way) {
  return {std::exp(-absorption.x * way), std::exp(-absorption.y * way), std::exp(-absorption.z * way)};
}

/// Where light goes straight on: shadows and light from the sky.
inline Vec3f glass_straight(const ClearSurface& clear, const Vec3f& direction) {
  const float cosine = -direction.dot(clear.normal);
  const float kept = (1 - glass_cover(clear, cosine)) * (1 - fresnel_reflectance(cosine, clear.index));
  return glass_tint(clear) * kept;
}

inline GlassPassage pass_glass(const ClearSurface& clear, const Vec3f& direction, const Lighting& lighting) {
  const float cosine = -direction.dot(clear.normal);
  const float eta = clear.entering || clear.thin ? clear.index : 1 / clear.index;
  float turned_back = fresnel_reflectance(cosine, eta);
  // Both faces of a thin sheet, back and forth between them: 2 F / (1 + F).
  if (clear.thin) turned_back = 2 * turned_back / (1 + turned_back);
  const Vec3f back = mirrored(direction, clear.normal);
  const Vec3f on = clear.thin || turned_back >= 1 ? direction : refracted(direction, clear.normal, eta);

  const float covered = glass_cover(clear, cosine);
  const float facing = lighting.sun_direction.dot(clear.normal);
  const Vec3f glow =
      glass_glow(clear, lighting.ambient(clear.normal), lighting.sun * (0.5F * std::fabs(facing)));
  const bool goes_back = turned_back > 0.5F;
  const float followed = goes_back ? turned_back : 1 - turned_back;
  GlassPassage passage;
  passage.direction = goes_back ? back : on;
  passage.crosses = !goes_back;
  passage.through = glass_tint(clear) * ((1 - covered) * followed);
  passage.added = glow * covered + product(glass_tint(clear), lighting.sky(goes_back ? on : back)) *
                                       ((1 - covered) * (1 - followed));
  if (clear.entering || clear.thin)
    passage.added +=
        lighting.sun * coat_sun(direction, clear.normal, lighting.sun_direction, clear.roughness);
  return passage;
}

}  // namespace repose
