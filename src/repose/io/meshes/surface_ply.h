#pragma once
// Surfaces as binary little-endian PLY, as mesh programs read it: vertices with
//
//     x y z nx ny nz vx vy vz (float), red green blue (uchar, sRGB)
//
// and faces of three vertices each. The frame's number and time stand in comments, and so does it where the y
// axis points up.

#include <cstddef>
#include <filesystem>
#include <vector>

#include "repose/surface/surface.h"

namespace repose {

/// `y_up`: it was turned (io/particles/up_axis.h).
std::vector<std::byte> encode_surface_ply(const SurfaceMesh& surface, int frame, double time,
                                          bool y_up = false);

/// The mesh of such a file, with z up. Throws Error(run_failed) where it is damaged.
TriangleMesh read_surface_ply(const std::filesystem::path& path);

}  // namespace repose
