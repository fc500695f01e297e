#include "repose/pipeline/pictures.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "repose/io/pictures/film.h"
#include "repose/io/read_file.h"
#include "repose/render/camera.h"
#include "repose/scene/load.h"

namespace repose {
namespace {

/// The scene's text without what no picture shows.
std::string picture_text(Scene scene) {
  scene.output = {};
  scene.info.duration = 1;
  return resolved_scene_text(scene);
}

}  // namespace

bool is_painted(const RunFolder& folder, const Scene& scene, int frame) {
  return std::all_of(
      scene.render.formats.begin(), scene.render.formats.end(),
      [&](const std::string& format) { return file_exists(folder.image_file(frame, format)); });
}

bool makes_film(const Scene& scene) {
  const std::vector<std::string>& formats = scene.render.formats;
  return std::find(formats.begin(), formats.end(), "png") != formats.end();
}

bool make_film(const RunFolder& folder, std::span<const int> frames, double fps,
               const std::function<bool(std::size_t done)>& go_on) {
  int gap = frames.size() > 1 ? frames[1] - frames[0] : 1;
  for (std::size_t i = 1; i < frames.size(); ++i) gap = std::min(gap, frames[i] - frames[i - 1]);
  std::vector<std::filesystem::path> images;
  for (const int frame : frames) images.push_back(folder.image_file(frame));
  return write_film(folder.film(), images, {.fps = fps / gap, .go_on = go_on});
}

bool same_pictures(const Scene& a, const Scene& b) {
  // A camera that is framed automatically may also depend on how much matter there will be in the end.
  const Camera of_a = scene_camera(a, 0), of_b = scene_camera(b, 0);
  return of_a.position == of_b.position && of_a.target == of_b.target && picture_text(a) == picture_text(b);
}

}  // namespace repose
