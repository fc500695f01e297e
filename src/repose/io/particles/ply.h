#pragma once
// Frames as binary little-endian PLY: one row a particle, rows by id, in this order
//
//     x y z vx vy vz radius (float), id (uint), material (uint8)
//     dem: qw qx qy qz wx wy wz (float), shape (uint16)
//     then the frame's scalar channels by name (float)
//
// The columns are those of io/particles/frame_columns.h; the frame's number and time stand in comments.
// Bodies are not in it: they are in bodies.csv.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "repose/particles/frame.h"

namespace repose {

void write_ply(const std::filesystem::path& path, const Frame& frame);

/// Throws Error(run_failed) for a file that is damaged or no frame; whatever the bytes, nothing worse
/// happens.
Frame read_ply(const std::filesystem::path& path);

/// The same on bytes in memory; `name` is for messages.
std::vector<std::byte> encode_ply(const Frame& frame);
Frame decode_ply(std::span<const std::byte> bytes, const std::string& name);

/// Rounds positions as the file does, so that an image of the frame in memory is the image of its file.
void round_to_file_precision(Frame& frame);

}  // namespace repose
