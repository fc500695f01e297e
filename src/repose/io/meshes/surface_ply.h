#pragma once
// Surfaces as binary little-endian PLY, as mesh programs read it: vertices with
//
//     x y z nx ny nz vx vy vz (float), red green blue (uchar, sRGB)
//
// and faces of three vertices each. The frame's number and time stand in comments.

#include <cstddef>
#include <vector>

#include "repose/surface/surface.h"

namespace repose {

std::vector<std::byte> encode_surface_ply(const SurfaceMesh& surface, int frame, double time);

}  // namespace repose
