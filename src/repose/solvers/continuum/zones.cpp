#include "repose/solvers/continuum/zones.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "repose/core/error.h"

namespace repose {

std::vector<ZoneShape> make_zones(const Scene& scene) {
  std::vector<ZoneShape> zones;
  for (const Zone& zone : scene.zones) zones.push_back({zone, bounds(zone.shape)});
  return zones;
}

double time_in(const Zone& zone, double time, double dt) {
  const double stop = zone.stop.value_or(std::numeric_limits<double>::infinity());
  return std::max(0.0, std::min(time + dt, stop) - std::max(time, zone.start));
}

bool pass_zones(std::span<const ZoneShape> zones, double time, double dt, const Vec3d& x, float& wetness,
                Vec3d& velocity) {
  bool is_in = false;
  for (const ZoneShape& each : zones) {
    const Zone& zone = each.zone;
    const double t = time_in(zone, time, dt);
    if (!(t > 0) || !each.bounds.intersects(x) || signed_distance(zone.shape, x) >= 0) continue;
    is_in = true;
    wetness = static_cast<float>(std::clamp(static_cast<double>(wetness) + t * zone.wetness_rate, 0.0, 1.0));
    if (zone.drag > 0) velocity += (1 - std::exp(-zone.drag * t)) * (zone.wind - velocity);
  }
  return is_in;
}

void refuse_zones(const Scene& scene, const char* solver) {
  if (!scene.zones.empty())
    throw Error(ExitCode::bad_scene,
                fmt::format("{}zone '{}': the {} solver has no zones; take \"sph\"",
                            scene.where("zone." + scene.zones[0].name), scene.zones[0].name, solver));
  refuse_wetness(scene, solver);
}

void refuse_wetness(const Scene& scene, const char* solver) {
  for (const Zone& zone : scene.zones)
    if (zone.wetness_rate != 0)
      throw Error(ExitCode::bad_scene,
                  fmt::format("{}zone '{}': the {} solver knows no wetness; drag and wind alone work",
                              scene.where("zone." + zone.name + ".wetness_rate"), zone.name, solver));
  for (const Fill& fill : scene.fills)
    if (fill.wetness)
      throw Error(ExitCode::bad_scene,
                  fmt::format("{}fill '{}': the {} solver knows wetness by material only; take \"sph\", or "
                              "another material",
                              scene.where("fill." + fill.name + ".wetness"), fill.name, solver));
}

}  // namespace repose
