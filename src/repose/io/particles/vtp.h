#pragma once
// Files for ParaView and other programs over VTK: VTP (XML PolyData) with the numbers appended as raw
// little-endian bytes, and PVD, the list of a sequence's files with their times. Written by hand: the format
// is small, and linking VTK is not.
//
// A frame's VTP holds a point and a vertex cell for each particle, rows by id, with the arrays
//
//     velocity (3), radius, id, material
//     dem: orientation (4: w x y z), angular_velocity (3), shape
//     and the frame's scalar channels by name
//
// and the field data TimeValue [s] and frame. Types are those of the PLY file (io/particles/frame_columns.h).

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "repose/geometry/triangle_mesh.h"
#include "repose/particles/frame.h"

namespace repose {

void write_vtp(const std::filesystem::path& path, const Frame& frame);

/// Triangles of one body in world coordinates.
struct VtpPart {
  TriangleMesh mesh;
  int number = 0;  ///< the value of the cell array "body"
};
void write_vtp_mesh(const std::filesystem::path& path, int frame, double time,
                    std::span<const VtpPart> parts);

struct PvdEntry {
  double time;       ///< [s]
  std::string file;  ///< relative to the PVD file
};
void write_pvd(const std::filesystem::path& path, std::span<const PvdEntry> entries);

}  // namespace repose
