#pragma once
// Frames as OpenVDB points, for Houdini and other programs that read VDB. One points grid called "points",
// with the attribute names of Houdini:
//
//     P (position), v (velocity), id (int64), pscale (radius), material (int32)
//     dem: orient (quaternion x y z w), w (angular velocity), shape (int32)
//     and the frame's scalar channels by name (float)
//
// Positions are single precision relative to their voxel, which is four mean radii wide: exact to 1e-7 of
// the spacing wherever the scene lies. Points stand by leaf and voxel in the file: `id` tells them apart.
// The grid's metadata has "frame" and "time" [s]. Compressed with Blosc. The same frame gives the same bytes.

#include <filesystem>
#include <string>

#include "repose/exec/threads.h"
#include "repose/particles/frame.h"

namespace repose {

void write_vdb(const std::filesystem::path& path, const Frame& frame, Threads& threads);

/// The file's bytes.
std::string encode_vdb(const Frame& frame, Threads& threads);

}  // namespace repose
