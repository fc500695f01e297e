#pragma once
// Fine grains as a PLY file of points: x, y, z [m], id, and where it is asked for vx, vy, vz [m/s] and
// material. The radius of all of them stands in the header.

#include <filesystem>

#include "repose/io/particles/fine_vdb.h"
#include "repose/refine/fine_grains.h"

namespace repose {

/// In blocks, so that the file's bytes are never in memory at once.
void write_fine_ply(const std::filesystem::path& path, const FineGrains& grains, const FineFileHead& head);

}  // namespace repose
