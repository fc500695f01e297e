#pragma once
// The colour of each grain: of its material, with a small variation by its id, or of a value that it has
// (color_fields.h).

#include <cstdint>
#include <string>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/particles/frame.h"
#include "repose/scene/scene.h"

namespace repose {

/// Packs a linear colour into 8 bits a channel, evenly to the eye (square roots).
std::uint32_t pack_color(const Color& color);
inline Color unpack_color(std::uint32_t packed) {
  const auto channel = [packed](int shift) {
    const float root = static_cast<float>((packed >> shift) & 0xFFU) * (1.0F / 255.0F);
    return root * root;
  };
  return {channel(0), channel(8), channel(16)};
}

/// Dark blue through green to yellow, brightness rising evenly: legible in print and to the colour-blind; or
/// white to red, as Takahashi 2014 shows densities of snow (render.palette). `share` from 0 to 1; beyond, the
/// ends.
Color scale_color(float share, const std::string& palette = "blue to yellow");

/// The colour of each particle's material, darker where it is wet.
std::vector<Color> material_colors(const Scene& scene, const Frame& frame);
/// A grain's own shade of a colour, by its id.
Color vary_color(const Color& base, double variation, std::uint32_t id);
/// The mean of these shades over all ids, as a share of the colour (as far as none is clamped).
float mean_shade(double variation);

/// One packed colour a particle. Where the frame lacks the channel that the scene wants shown, the
/// material's.
std::vector<std::uint32_t> grain_colors(const Scene& scene, const Frame& frame, Threads& threads);

}  // namespace repose
