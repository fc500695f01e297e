#pragma once
// How snow is drawn: as round grains of ice, white, which hardly take of the light that they scatter. What
// comes back out of a bed of them has met some ten grains and has lost its direction, so that snow is bright
// and soft; red light is taken a little more than blue.
//
// The colour of a material of snow is that of a bed of it, as it is seen. What a single grain must leave of
// the light for that, its single-scattering albedo, is worked out here.

#include <cstdint>

#include "repose/particles/frame.h"
#include "repose/scene/scene.h"

namespace repose {

/// Bounces of light between grains of snow, at most. What is left then, 8 % of the light that went in, counts
/// as taken by the grains: no bed is brighter than kBrightestSnow.
inline constexpr int kSnowBounces = 64;
inline constexpr float kBrightestSnow = 0.925F;

/// Whether the frame has particles, all of them are of snow, and colours show the material.
bool is_drawn_as_snow(const Scene& scene, const Frame& frame);

/// Share of light that a grain leaves, so that a bed of such grains has this colour, or kBrightestSnow. Of
/// weak absorption a thick bed takes as its square root (Kubelka and Munk 1931); the factor is measured, by
/// pictures of beds in even light.
Color snow_grain_albedo(const Color& bed);

/// Normal of the largest facet of a grain of ice, unit, by the grain's id: it stays from frame to frame.
Vec3f ice_facet(std::uint32_t id);

/// Radiance of the sun in that facet, over lighting.sun: none but where it mirrors the sun towards the eye.
/// `direction` is that of the ray from the camera.
float ice_glint(const Vec3f& direction, const Vec3f& facet, const Vec3f& to_sun);

}  // namespace repose
