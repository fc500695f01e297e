#pragma once
// The formats that a frame's particles are written in, by name.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "repose/exec/threads.h"
#include "repose/particles/frame.h"

namespace repose {

/// "ply", "csv", "vtp", "vdb".
std::span<const std::string_view> particle_formats();

/// `format` is one of particle_formats().
void write_particles(const std::filesystem::path& path, std::string_view format, const Frame& frame,
                     Threads& threads);

}  // namespace repose
