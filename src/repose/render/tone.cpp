#include "repose/render/tone.h"

#include <algorithm>
#include <cmath>

#include "repose/render/sampler.h"

namespace repose {
namespace {

/// Brings a sunlit scene of the default lights to middle tones.
constexpr float kBaseExposure = 0.42F;

}  // namespace

float filmic_curve(float x) {
  x = std::max(0.0F, x);
  return std::min(1.0F, x * (2.51F * x + 0.03F) / (x * (2.43F * x + 0.59F) + 0.14F));
}

float encode_srgb(float linear) {
  return linear <= 0.0031308F ? 12.92F * linear : 1.055F * std::pow(linear, 1 / 2.4F) - 0.055F;
}

Image8 develop(const Image& image, double exposure, Threads& threads) {
  Image8 out{image.width, image.height, {}};
  out.pixels.resize(image.pixels.size());
  const float gain = kBaseExposure * static_cast<float>(std::exp2(exposure));
  threads.for_each(image.pixels.size(), [&](std::size_t i) {
    // Half a step of fixed noise hides the bands of 8 bits in smooth backgrounds.
    const float noise = unit_float(mix_bits(static_cast<std::uint32_t>(i) * 0x9E3779B9U)) - 0.5F;
    for (int c = 0; c < 3; ++c) {
      const float value = 255 * encode_srgb(filmic_curve(gain * image.pixels[i][c]));
      out.pixels[i][static_cast<std::size_t>(c)] =
          static_cast<std::uint8_t>(std::clamp(std::lround(value + noise), 0L, 255L));
    }
  });
  return out;
}

}  // namespace repose
