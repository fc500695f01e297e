#include "repose/render/lighting.h"

#include <algorithm>
#include <cmath>

namespace repose {
namespace {

/// Sunlight next to a blue sky looks warm; colour of a sun halfway up, of mean 1.
constexpr float kSunColor[3] = {1.11F, 1.00F, 0.84F};
/// How much of the way to white of the same brightness the horizon lies.
constexpr float kHorizonWhite = 0.75F;
/// Haze makes it brighter than the zenith.
constexpr float kHorizonGain = 1.15F;
/// Against a lit ground a true sky looks dull in a picture: the camera sees it as bright as the ground is, so
/// that the one goes over into the other as on a photographer's paper.
constexpr float kBackdrop = 1.3F;
/// Where there is no ground, what is far below is this much of the horizon.
constexpr float kBelow = 0.4F;

}  // namespace

Lighting make_lighting(const RenderSettings& settings) {
  Lighting light;
  light.sun_direction = unit(Vec3f(settings.sun.normalized()));
  make_basis(light.sun_direction, light.sun_s, light.sun_t);
  const auto strength = static_cast<float>(settings.sun_strength);
  light.sun = Vec3f(kSunColor[0], kSunColor[1], kSunColor[2]) * strength;
  light.sun_radius = static_cast<float>(std::tan(0.5 * radians(settings.sun_size)));
  light.zenith = settings.sky_color * static_cast<float>(settings.sky_strength);
  const float top = std::max({light.zenith.x, light.zenith.y, light.zenith.z});
  light.horizon = (light.zenith + (Vec3f(top, top, top) - light.zenith) * kHorizonWhite) * kHorizonGain;
  light.backdrop = kBackdrop;
  if (settings.ground) {
    const Vec3f lit =
        light.sun * std::max(0.0F, light.sun_direction.z) + (light.zenith * 2 + light.horizon) * (1.0F / 3);
    light.below = {lit.x * settings.ground_color.x, lit.y * settings.ground_color.y,
                   lit.z * settings.ground_color.z};
  } else {
    light.below = light.horizon * kBelow;
  }
  return light;
}

}  // namespace repose
