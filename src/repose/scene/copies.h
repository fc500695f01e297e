#pragma once
// Bodies that a scene gives once and means many times.

#include <cstdint>
#include <string>
#include <vector>

#include "repose/scene/scene.h"

namespace repose {

/// How many bodies a table stands for; at most kMostCopies where a scene was checked.
inline constexpr std::uint64_t kMostCopies = 20000;
std::uint64_t copy_count(const BodyDefinition& body);

/// The name of a copy: the table's own where it stands for one body, else with a number: "wall.0" and so on.
std::string copy_name(const BodyDefinition& body, std::uint64_t copy);

/// All bodies of the scene one by one, tables in the order of the file. Copies run along x first, then y,
/// then z, or in the order of `positions`; keyframes and pivot go along with the copy. Each names the table
/// that it came from (`family`).
std::vector<BodyDefinition> lay_out_bodies(const Scene& scene);

}  // namespace repose
