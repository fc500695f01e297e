#include "repose/pipeline/stages/surface_stage.h"

#include <string>
#include <system_error>

#include "repose/io/atomic_file.h"
#include "repose/io/meshes/surface_file.h"
#include "repose/pipeline/run_folder.h"

namespace repose {

void SurfaceStage::advance(FrameProducts& products) {
  const Frame& frame = products.frame;
  products.surface = make_surface(frame, scene_.materials, surface_options(scene_, frame.kind), threads_);
  create_folder(folder_);
  SurfaceMesh turned;
  const bool turns = scene_.output.up == "y";
  if (turns) {
    turned = *products.surface;
    turn_y_up(turned);
  }
  for (const std::string& format : scene_.surface.formats) {
    const auto path = folder_ / numbered_name("surface", frame.index, format);
    write_surface(path, format, turns ? turned : *products.surface, frame.index, frame.time, threads_, turns);
    std::error_code gone;
    const std::uintmax_t size = std::filesystem::file_size(path, gone);
    if (!gone) bytes_ += size;
  }
}

}  // namespace repose
