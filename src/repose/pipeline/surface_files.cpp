#include "repose/pipeline/surface_files.h"

#include <string>
#include <system_error>

#include "repose/io/atomic_file.h"
#include "repose/io/meshes/surface_file.h"
#include "repose/pipeline/run_folder.h"

namespace repose {

std::uintmax_t write_surface_files(const std::filesystem::path& folder, const Scene& scene,
                                   const SurfaceMesh& surface, const Frame& frame, Threads& threads) {
  create_folder(folder);
  SurfaceMesh turned;
  const bool turns = scene.output.up == "y";
  if (turns) {
    turned = surface;
    turn_y_up(turned);
  }
  std::uintmax_t bytes = 0;
  for (const std::string& format : scene.surface.formats) {
    const auto path = folder / numbered_name("surface", frame.index, format);
    write_surface(path, format, turns ? turned : surface, frame.index, frame.time, threads, turns);
    std::error_code gone;
    const std::uintmax_t size = std::filesystem::file_size(path, gone);
    if (!gone) bytes += size;
  }
  return bytes;
}

}  // namespace repose
