#pragma once
// The friction of a material's grains: as given, or the one with which they stand at the slope that is given.

#include <string>
#include <vector>

#include "repose/scene/grain_slopes.h"
#include "repose/scene/scene.h"

namespace repose {

/// Notes say what was chosen. Throws Error(bad_scene) where the slope is out of reach.
GrainFriction grain_friction(const Scene& scene, const Material& material, std::vector<std::string>& notes);

}  // namespace repose
