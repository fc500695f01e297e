#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "repose/scene/scene.h"

namespace repose {

/// Which of the scene's materials has this name; throws Error(bad_scene) if none has.
std::size_t material_index(const Scene& scene, const std::string& name);

/// Those that a fill or an emitter is of.
std::set<std::size_t> used_materials(const Scene& scene);

/// What a [contact] table says about two names, if one names both; else null.
const ContactPair* contact_between(const Scene& scene, const std::string& a, const std::string& b);

}  // namespace repose
