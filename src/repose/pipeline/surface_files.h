#pragma once
// The files of a surface, while a run goes and later.

#include <cstdint>
#include <filesystem>

#include "repose/exec/threads.h"
#include "repose/particles/frame.h"
#include "repose/scene/scene.h"
#include "repose/surface/surface.h"

namespace repose {

/// Writes surface.NNNN.FORMAT into the folder for each of surface.formats, with the axis up that output.up
/// names. Returns their size in bytes.
std::uintmax_t write_surface_files(const std::filesystem::path& folder, const Scene& scene,
                                   const SurfaceMesh& surface, const Frame& frame, Threads& threads);

}  // namespace repose
