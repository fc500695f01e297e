#include "repose/render/grain_colors.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "repose/core/random.h"
#include "repose/render/color_fields.h"
#include "repose/render/lighting.h"
#include "repose/render/snow_look.h"

namespace repose {
namespace {

/// Most grains lie near their material's colour; this share of them are dark minerals.
constexpr double kDarkShare = 0.06;
/// Logarithm of the brightness, over the variation: of dark minerals, and how far others lie about theirs.
constexpr double kDarkness = 2, kSpread = 1.3;

Color clamp_color(const Color& c) {
  const auto limit = [](float v) { return std::clamp(v, 0.0F, 0.97F); };
  return {limit(c.x), limit(c.y), limit(c.z)};
}

}  // namespace

/// A grain's own shade: brightness with a triangular distribution, and a little towards warm or cold.
Color vary_color(const Color& base, double variation, std::uint32_t id) {
  Random random(0, Stream::color, 0, id);
  const double value = random.uniform() + random.uniform() - 1;
  const double warmth = random.uniform(-1, 1);
  const bool dark = random.uniform() < kDarkShare;
  const auto shade = static_cast<float>(std::exp(variation * (kSpread * value - (dark ? kDarkness : 0.0))));
  const auto warm = static_cast<float>(0.22 * variation * warmth);
  return clamp_color(Color(base.x * (1 + warm), base.y, base.z * (1 - warm)) * shade);
}

float mean_shade(double variation) {
  // The mean of exp(a v) for v with a triangular distribution over [-1, 1] is (sinh(a/2) / (a/2))^2.
  const double half = 0.5 * kSpread * variation, root = half > 1e-6 ? std::sinh(half) / half : 1;
  return static_cast<float>(root * root * (1 - kDarkShare + kDarkShare * std::exp(-kDarkness * variation)));
}

Color scale_color(float share, const std::string& palette) {
  if (palette == "white to red") {
    const float rest = 1 - std::clamp(share, 0.0F, 1.0F);
    return Color(0.80F, 0.03F, 0.02F) + Color(0.10F, 0.87F, 0.88F) * rest;
  }
  static constexpr std::array<std::array<float, 3>, 6> kStops{{{0.058F, 0.004F, 0.089F},
                                                               {0.052F, 0.076F, 0.258F},
                                                               {0.022F, 0.200F, 0.270F},
                                                               {0.020F, 0.386F, 0.215F},
                                                               {0.240F, 0.600F, 0.080F},
                                                               {0.960F, 0.800F, 0.030F}}};
  const float x = std::clamp(share, 0.0F, 1.0F) * static_cast<float>(kStops.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(x), kStops.size() - 2);
  const float k = x - static_cast<float>(i);
  Color c;
  for (int a = 0; a < 3; ++a) {
    const auto j = static_cast<std::size_t>(a);
    c[a] = kStops[i][j] + k * (kStops[i + 1][j] - kStops[i][j]);
  }
  return c;
}

namespace {

const ScalarChannel* find_channel(const Frame& frame, const std::string& name) {
  for (const ScalarChannel& channel : frame.scalars)
    if (channel.name == name) return &channel;
  return nullptr;
}

/// A colour of its own for each grain: hues all around, so that neighbours differ.
Color id_color(std::uint32_t id) {
  Random random(0, Stream::color, 1, id);
  const auto hue = static_cast<float>(random.uniform());
  const auto value = static_cast<float>(random.uniform(0.35, 0.75));
  const auto channel = [&](float shift) { return value * (0.6F + 0.4F * on_circle(hue + shift).x); };
  return {channel(0), channel(1.0F / 3), channel(2.0F / 3)};
}

}  // namespace

std::uint32_t pack_color(const Color& color) {
  const auto channel = [](float v) {
    return static_cast<std::uint32_t>(std::lround(255.0F * std::sqrt(std::clamp(v, 0.0F, 1.0F))));
  };
  return channel(color.x) | (channel(color.y) << 8) | (channel(color.z) << 16);
}

std::vector<Color> material_colors(const Scene& scene, const Frame& frame) {
  const ScalarChannel* wetness = find_channel(frame, "wetness");
  std::vector<Color> colors(frame.particle_count());
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const std::size_t material = frame.material.empty() ? 0 : frame.material[i];
    Color base = material < scene.materials.size() ? scene.materials[material].color : Material{}.color;
    // Wet grains are darker and a little richer in colour: light is turned back inside the film of water.
    if (wetness != nullptr) {
      const float w = std::clamp(wetness->values[i], 0.0F, 1.0F);
      base = {base.x * (1 - 0.42F * w), base.y * (1 - 0.46F * w), base.z * (1 - 0.50F * w)};
    }
    colors[i] = base;
  }
  return colors;
}

std::vector<std::uint32_t> grain_colors(const Scene& scene, const Frame& frame, Threads& threads) {
  const RenderSettings& settings = scene.render;
  std::vector<std::uint32_t> colors(frame.particle_count());
  if (settings.color_by == "id") {
    threads.for_each(colors.size(), [&](std::size_t i) { colors[i] = pack_color(id_color(frame.id[i])); });
    return colors;
  }
  const std::vector<float> values = color_values(frame, settings.color_by);
  if (!values.empty()) {
    const ValueRange range = value_range(scene);
    const float scale = range.high > range.low ? 1 / (range.high - range.low) : 0;
    threads.for_each(colors.size(), [&](std::size_t i) {
      colors[i] = pack_color(scale_color((values[i] - range.low) * scale, settings.palette));
    });
    return colors;
  }
  const std::vector<Color> base = material_colors(scene, frame);
  if (is_drawn_as_snow(scene, frame)) {
    threads.for_each(colors.size(), [&](std::size_t i) { colors[i] = pack_color(base[i]); });
    return colors;
  }
  threads.for_each(colors.size(), [&](std::size_t i) {
    colors[i] = pack_color(vary_color(base[i], settings.color_variation, frame.id[i]));
  });
  return colors;
}

}  // namespace repose
