#pragma once
// Materials to start from: `preset = "dry sand"`. A key written in the scene wins over the preset's.

#include <span>
#include <string_view>

#include "repose/scene/scene.h"

namespace repose {

struct MaterialPreset {
  std::string_view name;
  std::string_view description;  ///< a few words for people
  Material values;
  std::string_view source;  ///< where the numbers come from
};

/// All presets, in the order in which they are listed.
std::span<const MaterialPreset> material_presets();

/// The preset of this name, or null.
const MaterialPreset* find_material_preset(std::string_view name);

}  // namespace repose
