#include "repose/scene/materials.h"

#include <fmt/format.h>

#include "repose/core/error.h"

namespace repose {

std::size_t material_index(const Scene& scene, const std::string& name) {
  for (std::size_t m = 0; m < scene.materials.size(); ++m)
    if (scene.materials[m].name == name) return m;
  throw Error(ExitCode::bad_scene, fmt::format("there is no material '{}'", name));
}

std::set<std::size_t> used_materials(const Scene& scene) {
  std::set<std::size_t> used;
  for (const Fill& fill : scene.fills) used.insert(material_index(scene, fill.material));
  for (const Emitter& emitter : scene.emitters) used.insert(material_index(scene, emitter.material));
  return used;
}

const ContactPair* contact_between(const Scene& scene, const std::string& a, const std::string& b) {
  for (const ContactPair& contact : scene.contacts) {
    const auto& between = contact.between;
    if ((between[0] == a && between[1] == b) || (between[0] == b && between[1] == a)) return &contact;
  }
  return nullptr;
}

}  // namespace repose
