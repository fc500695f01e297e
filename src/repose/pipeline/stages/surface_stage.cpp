#include "repose/pipeline/stages/surface_stage.h"

#include <cmath>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"
#include "repose/io/meshes/surface_file.h"
#include "repose/pipeline/run_folder.h"
#include "repose/refine/fine_frame.h"

namespace repose {

SurfaceMesh SurfaceStage::surface_of(const FrameProducts& products) const {
  const Frame& frame = products.frame;
  if (!scene_.surface.fine)
    return make_surface(frame, scene_.materials, surface_options(scene_, frame.kind), threads_);
  if (products.fine == nullptr)
    throw Error(ExitCode::usage,
                fmt::format("{}frame {} has no fine grains for surface.fine: add [refine] to "
                            "the scene, or make them by repose refine",
                            scene_.where("surface.fine"), frame.index));
  const Frame fine = fine_frame(*products.fine, frame, threads_);
  Scene finer;
  finer.surface = scene_.surface;
  finer.solver.spacing = scene_.solver.spacing / std::cbrt(products.fine->ratio);
  return make_surface(fine, scene_.materials, surface_options(finer, fine.kind), threads_);
}

void SurfaceStage::advance(FrameProducts& products) {
  const Frame& frame = products.frame;
  products.surface = surface_of(products);
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
