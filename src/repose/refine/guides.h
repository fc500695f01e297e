#pragma once
// Guide particles between two frames. A frame has positions and velocities; in between a guide goes along the
// cubic that fits both (Hermite), so that a cache of 25 frames a second serves steps of 10 ms. Its velocity
// over a step is the distance that it goes in the step over the time: a grain that follows one guide goes
// exactly where it goes.

#include <cstdint>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/grid/particle_cells.h"
#include "repose/particles/frame.h"
#include "repose/refine/refine_model.h"

namespace repose {

/// Guides of two frames, each with its row in both.
struct GuidePaths {
  std::vector<std::uint32_t> id;
  std::vector<Vec3d> start, end;  ///< [m]; of a periodic domain the image that is nearest to the start
  std::vector<Vec3f> velocity, last_velocity;  ///< at start and end [m/s]
  double duration = 0;                         ///< [s]
};

/// Guides that are in both frames, and those that end in the first: these go on with their velocity.
GuidePaths find_paths(const RefineModel& model, const Frame& from, const Frame& to);

/// Position at a share of the way in time, 0 to 1 [m].
Vec3d position_at(const GuidePaths& paths, std::size_t guide, double share);

/// The guides over one step, cell by cell. Images beyond periodic faces are guides like others.
struct GuideStep {
  GridPlace place;
  ParticleCells cells;
  std::vector<std::int32_t> x, y, z;    ///< at the start of the step (FinePlace)
  std::vector<float> vx, vy, vz;        ///< distance gone in the step over its duration [m/s]
  std::vector<std::uint8_t> in_flight;  ///< nothing but gravity and little else acts on it over the frame
};

/// From `begin` to `end`, shares of the paths' duration.
GuideStep guides_over_step(const RefineModel& model, const GuidePaths& paths, double begin, double end,
                           Threads& threads);

}  // namespace repose
