#pragma once
// Surfaces as binary little-endian PLY, as mesh programs read it: vertices with
//
//     x y z nx ny nz vx vy vz (float), red green blue (uchar, sRGB)
//
// and faces of three vertices each. The frame's number and time stand in comments.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "repose/surface/surface.h"

namespace repose {

void write_surface(const std::filesystem::path& path, const SurfaceMesh& surface, int frame, double time);

/// Reads what write_surface() wrote; colours come back with 8 bits. Throws Error(run_failed) for a file that
/// is damaged or of another kind; whatever the bytes, nothing worse happens.
SurfaceMesh read_surface(const std::filesystem::path& path);

/// The same on bytes in memory; `name` is for messages.
std::vector<std::byte> encode_surface(const SurfaceMesh& surface, int frame, double time);
SurfaceMesh decode_surface(std::span<const std::byte> bytes, const std::string& name);

}  // namespace repose
