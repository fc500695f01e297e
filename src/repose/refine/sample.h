#pragma once
// Fine grains in the volume of a guide, at random: each guide has a sampling of its own, so that no pattern
// shows.
//
//   Ihmsen 2013, section 4.1: around seven support points, the guide's centre and the six points where the
//   sphere touches its bounding box, in cubes as wide as the sphere. Volumes of neighbours overlap, so that
//   neither gaps between spheres nor the edges of cubes show. (The paper says that three times more lie
//   inside the bounding box than outside; by this rule four of seven do.) Alduan 2009, section 4.2: uniformly
//   in the sphere, by rejection.

#include <cstdint>
#include <span>

#include "repose/particles/frame.h"
#include "repose/refine/obstacles.h"
#include "repose/refine/refine_model.h"

namespace repose {

/// Offset of a grain from its guide's centre in units of the guide's radius, by the numbers of guide and
/// grain; `turn` counts tries.
Vec3d sample_offset(const RefineModel& model, std::uint32_t guide, std::uint32_t grain, std::uint32_t turn);

/// The grains of one row of a frame to rows [first, first + ratio) of `grains`. None is in an obstacle.
void sample_guide(const RefineModel& model, const Frame& frame, std::size_t row,
                  std::span<const Obstacle> obstacles, std::size_t first, FineGrains& grains);

}  // namespace repose
