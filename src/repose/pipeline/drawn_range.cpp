#include "repose/pipeline/drawn_range.h"

#include <array>
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "repose/io/atomic_file.h"
#include "repose/io/read_file.h"
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

}  // namespace repose
