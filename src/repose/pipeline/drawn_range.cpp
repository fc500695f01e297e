#include "repose/pipeline/drawn_range.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "repose/io/atomic_file.h"
#include "repose/io/read_file.h"
#include "repose/render/camera.h"
#include "repose/render/color_fields.h"

namespace repose {

void take_drawn_range(const RunFolder& folder, Scene& scene) {
  if (scene.render.range || !colors_show_a_value(scene.render.color_by) || !file_exists(folder.drawn_range()))
    return;
  // What somebody else wrote there says nothing.
  const auto kept = nlohmann::json::parse(read_text(folder.drawn_range()), nullptr, false);
  if (!kept.is_object() || kept.value("color_by", nlohmann::json()) != scene.render.color_by) return;
  const auto range = kept.find("range");
  if (range == kept.end() || !range->is_array() || range->size() != 2 || !(*range)[0].is_number() ||
      !(*range)[1].is_number())
    return;
  scene.render.range = {(*range)[0].get<double>(), (*range)[1].get<double>()};
}

void keep_drawn_range(const RunFolder& folder, const Scene& scene) {
  if (!scene.render.range || !colors_show_a_value(scene.render.color_by)) {
    std::error_code nothing_there;
    std::filesystem::remove(folder.drawn_range(), nothing_there);
    return;
  }
  create_folder(folder.images());
  const nlohmann::json kept{{"color_by", scene.render.color_by}, {"range", *scene.render.range}};
  write_file(folder.drawn_range(), kept.dump() + "\n");
}

namespace {

std::optional<Vec3d> vector_in(const nlohmann::json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_array() || found->size() != 3) return std::nullopt;
  Vec3d v;
  for (int axis = 0; axis < 3; ++axis) {
    const nlohmann::json& number = (*found)[static_cast<std::size_t>(axis)];
    if (!number.is_number() || !std::isfinite(number.get<double>())) return std::nullopt;
    v[axis] = number.get<double>();
  }
  return v;
}

}  // namespace

void take_drawn_camera(const RunFolder& folder, Scene& scene) {
  if (!camera_is_automatic(scene) || !file_exists(folder.drawn_camera())) return;
  const auto kept = nlohmann::json::parse(read_text(folder.drawn_camera()), nullptr, false);
  if (!kept.is_object()) return;
  const auto position = vector_in(kept, "position"), target = vector_in(kept, "target");
  if (!position || !target || *position == *target) return;
  scene.render.camera_position = position;
  scene.render.camera_target = target;
}

void keep_drawn_camera(const RunFolder& folder, const Scene& automatic, const Scene& scene) {
  if (!camera_is_automatic(automatic) || camera_is_automatic(scene)) {
    std::error_code nothing_there;
    std::filesystem::remove(folder.drawn_camera(), nothing_there);
    return;
  }
  const Vec3d &p = *scene.render.camera_position, &t = *scene.render.camera_target;
  const nlohmann::json kept{{"position", {p.x, p.y, p.z}}, {"target", {t.x, t.y, t.z}}};
  write_file(folder.drawn_camera(), kept.dump() + "\n");
}

}  // namespace repose
