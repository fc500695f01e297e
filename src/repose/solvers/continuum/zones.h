#pragma once
// Zones: shapes in which matter gets wetter or dries, and air slows it down or carries it along.

#include <span>
#include <vector>

#include "repose/geometry/shape.h"
#include "repose/scene/scene.h"

namespace repose {

struct ZoneShape {
  Zone zone;
  Box3d bounds;  ///< of its shape [m]
};
std::vector<ZoneShape> make_zones(const Scene& scene);

/// Of the time from `time` on [s], over dt [s], the part in which a zone works [s].
double time_in(const Zone& zone, double time, double dt);

/// What zones do to a particle at x from `time` on, over dt [s]: its wetness grows at their rate within 0..1,
/// and its velocity nears that of their air as exp(-drag t). Whether it is in any that works.
bool pass_zones(std::span<const ZoneShape> zones, double time, double dt, const Vec3d& x, float& wetness,
                Vec3d& velocity);

/// Throws Error(bad_scene): for solvers without zones, and without wetness by fill.
void refuse_zones(const Scene& scene, const char* solver);
/// Likewise for those whose zones have drag and wind alone.
void refuse_wetness(const Scene& scene, const char* solver);

}  // namespace repose
