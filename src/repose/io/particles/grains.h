#pragma once
// grains.json: the sphere lists that the particles' `shape` column refers to.
//
//     {"schema": 1, "grains": [{"name": "tetrahedron", "spheres": [[x, y, z, r], ...]}, ...]}
//
// in units of a grain's bounding radius, about its centre of mass.

#include <filesystem>
#include <span>
#include <vector>

#include "repose/particles/frame.h"

namespace repose {

void write_grains(const std::filesystem::path& path, std::span<const GrainShape> shapes);
std::vector<GrainShape> read_grains(const std::filesystem::path& path);

}  // namespace repose
