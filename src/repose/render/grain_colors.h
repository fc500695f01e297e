#pragma once
// The colour of each grain: of its material, or of a channel, with a small variation by its id.
//
// Colours by a value need a range that stays over a film. It is the scene's (render.range) or, where it
// gives none, what can be told from the scene alone: so pictures that are made during a run agree with each
// other. Whoever has all frames at hand does better: spread_of() each, joined, put into render.range.

#include <array>
#include <cstdint>
#include <optional>
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

/// Dark blue through green to yellow, brightness rising evenly: legible in print and to the colour-blind.
/// `share` from 0 to 1; beyond, the ends.
Color scale_color(float share);

struct ValueRange {
  float low, high;
};

/// Whether color_by names a value (and not the material or the id).
bool colors_show_a_value(const std::string& color_by);
/// What stands above the legend: "speed [m/s]".
std::string color_title(const std::string& color_by);

/// What the colours of this frame span; none where they show no value.
std::optional<ValueRange> color_range(const Scene& scene, const Frame& frame);
/// From where to where the values of a frame lie, without the outermost two in a thousand at either end: one
/// stray grain does not take the colours from all others. None where the frame lacks the channel or grains.
std::optional<ValueRange> spread_of(const Frame& frame, const std::string& color_by);

/// One packed colour a particle. Where the frame lacks the channel that the scene wants shown, the
/// material's.
std::vector<std::uint32_t> grain_colors(const Scene& scene, const Frame& frame, Threads& threads);

}  // namespace repose
