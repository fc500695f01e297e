#include "repose/render/snow_look.h"

#include <algorithm>
#include <cmath>

#include "repose/core/random.h"
#include "repose/render/coat.h"
#include "repose/render/color_fields.h"
#include "repose/render/lighting.h"

namespace repose {
namespace {

/// Facets of ice are rough by this: alpha of GGX. Beyond three times the angle nothing is seen of the glint,
/// else all grains would shine a little.
constexpr float kFacetRoughness = 0.03F, kGlintReach = 3;

/// What a grain takes over the square of what a bed takes, and what a bed takes at the least [-].
constexpr float kTakenByGrain = 1.05F, kLeastTaken = 1 - kBrightestSnow;

}  // namespace

bool is_drawn_as_snow(const Scene& scene, const Frame& frame) {
  if (scene.render.color_by != "material" || frame.particle_count() == 0) return false;
  const auto is_snow = [&](std::size_t material) {
    return material < scene.materials.size() && scene.materials[material].kind == MaterialKind::snow;
  };
  if (frame.material.empty()) return is_snow(0);
  return std::all_of(frame.material.begin(), frame.material.end(), is_snow);
}

Color snow_grain_albedo(const Color& bed) {
  Color albedo;
  for (int c = 0; c < 3; ++c) {
    const float taken = 1 - std::clamp(bed[c], 0.0F, kBrightestSnow);
    albedo[c] = 1 - kTakenByGrain * (taken * taken - kLeastTaken * kLeastTaken);
  }
  return albedo;
}

Vec3f ice_facet(std::uint32_t id) {
  Random random(0, Stream::color, 4, id);
  const auto z = static_cast<float>(random.uniform(-1, 1));
  const Point2 c = on_circle(static_cast<float>(random.uniform()));
  return Vec3f(c.x, c.y, 0) * std::sqrt(std::max(0.0F, 1 - z * z)) + Vec3f(0, 0, z);
}

float ice_glint(const Vec3f& direction, const Vec3f& facet, const Vec3f& to_sun) {
  const Vec3f normal = direction.dot(facet) > 0 ? -facet : facet;
  const float aligned = normal.dot(unit(to_sun - direction));
  constexpr float kAngle = kGlintReach * kFacetRoughness;
  return aligned < 1 - 0.5F * kAngle * kAngle ? 0 : coat_sun(direction, normal, to_sun, kFacetRoughness);
}

}  // namespace repose
