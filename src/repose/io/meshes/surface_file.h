#pragma once
// The formats that a surface is written in, by name.

#include <filesystem>
#include <string_view>

#include "repose/exec/threads.h"
#include "repose/surface/surface.h"

namespace repose {

/// `format` is "ply" or "vdb"; `y_up` says that the surface was turned.
void write_surface(const std::filesystem::path& path, std::string_view format, const SurfaceMesh& surface,
                   int frame, double time, Threads& threads, bool y_up = false);

/// For programs whose y axis points up (io/particles/up_axis.h).
void turn_y_up(SurfaceMesh& surface);

}  // namespace repose
