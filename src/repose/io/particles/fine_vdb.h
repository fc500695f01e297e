#pragma once
// Fine grains as OpenVDB points, for Houdini and other programs that read VDB, and for later stages. One
// points grid called "points", about 16 bytes a grain before compression:
//
//     P   position, 16 bits an axis within its voxel, which is four radii wide: exact to 6e-5 radii
//     v   velocity, half precision [m/s] (where it is asked for)
//     id  the guide's id times the ratio, and the number within the guide
//     material  index into the scene's materials (where it is asked for)
//
// The grid's metadata has "frame", "time" [s], "radius" [m] of all grains, and "ratio". Compressed with
// Blosc. The same grains give the same bytes, in whatever order they stand in memory.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/refine/fine_grains.h"

namespace repose {

/// What a file says of its grains besides where they are.
struct FineFileHead {
  int frame = 0;
  double time = 0;  ///< [s]
  bool velocities = true;
  /// Of each guide by its id, for files that are to have it; else empty.
  std::vector<std::uint8_t> material = {};

  std::uint8_t material_of(const FineGrains& grains, std::size_t i) const {
    const std::size_t guide = grains.id[i] / grains.ratio;
    return guide < material.size() ? material[guide] : std::uint8_t{0};
  }
};

/// The file's bytes.
std::string encode_fine_vdb(const FineGrains& grains, const FineFileHead& head, Threads& threads);

/// Throws Error(run_failed) where the file is damaged or no such file. Without velocities these are zero.
FineFileHead read_fine_vdb(const std::filesystem::path& path, Threads& threads, FineGrains& grains);

}  // namespace repose
