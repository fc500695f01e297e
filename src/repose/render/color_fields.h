#pragma once
// What colours of particles can show: each value with its unit, where a frame keeps it, and what it spans.
//
// Colours by a value need a range that stays over a film. It is the scene's (render.range) or, where it
// gives none, what can be told from the scene alone: so pictures that are made during a run agree with each
// other. Whoever has all frames at hand does better: spread_of() the values of all, put into render.range.

#include <optional>
#include <string>
#include <vector>

#include "repose/particles/frame.h"
#include "repose/scene/scene.h"

namespace repose {

struct ValueRange {
  float low, high;
};

/// Whether color_by names a value (and not the material or the id).
bool colors_show_a_value(const std::string& color_by);
/// What stands above the legend: "speed [m/s]".
std::string color_title(const std::string& color_by);

/// The values that colours go by, one a particle; empty where the frame does not have them.
std::vector<float> color_values(const Frame& frame, const std::string& color_by);
/// Whether the frame has particles but not what the scene wants their colours to show.
bool lacks_color_values(const Scene& scene, const Frame& frame);

/// What the colours span: the scene's range, or what the scene lets expect.
ValueRange value_range(const Scene& scene);
/// What the colours of this frame span; none where they show no value.
std::optional<ValueRange> color_range(const Scene& scene, const Frame& frame);
/// Adds some ten thousand of a frame's values to those of others.
void add_color_values(const Frame& frame, const std::string& color_by, std::vector<float>& pool);
/// From where to where values lie, without the outermost five in a thousand at either end: stray grains do
/// not take the colours from all others. Shares of a whole span 0 to 1. None where there are none.
std::optional<ValueRange> spread_of(std::vector<float> values, const std::string& color_by);
/// The same of a frame.
std::optional<ValueRange> spread_of(const Frame& frame, const std::string& color_by);

}  // namespace repose
