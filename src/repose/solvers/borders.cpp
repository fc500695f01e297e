#include "repose/solvers/borders.h"

#include <algorithm>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "repose/core/error.h"

namespace repose {

DomainBox make_domain_box(const Scene& scene) {
  const Domain& domain = scene.domain;
  DomainBox box{domain.min, domain.max, {}};
  for (unsigned axis = 0; axis < 3; ++axis) {
    box.periodic[axis] = domain.faces[2 * axis] == FaceKind::periodic;
    if (box.periodic[axis] != (domain.faces[2 * axis + 1] == FaceKind::periodic))
      throw Error(ExitCode::bad_scene,
                  fmt::format("{}domain.{}: both faces must be periodic, or none",
                              scene.where(std::string("domain.") + "xyz"[axis]), "xyz"[axis]));
  }
  return box;
}

DomainExit domain_exit(const Domain& domain, const DomainBox& box, const Vec3d& x, double margin) {
  DomainExit exit = DomainExit::none;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (box.periodic[axis]) continue;
    const bool below = x[axis]<domain.min[axis] - margin, above = x[axis]> domain.max[axis] + margin;
    if (!below && !above) continue;
    if (domain.faces[2 * axis + (above ? 1 : 0)] == FaceKind::open) return DomainExit::open_face;
    exit = DomainExit::wall;
  }
  return exit;
}

std::vector<SinkShape> make_sinks(const Scene& scene) {
  std::vector<SinkShape> sinks;
  for (const Sink& sink : scene.sinks)
    sinks.push_back({sink.shape, bounds(sink.shape), sink.start,
                     sink.stop.value_or(std::numeric_limits<double>::infinity())});
  return sinks;
}

bool is_drained(std::span<const SinkShape> sinks, double time, const Vec3d& x) {
  return std::any_of(sinks.begin(), sinks.end(), [&](const SinkShape& sink) {
    return time >= sink.start && time < sink.stop && sink.bounds.intersects(x) &&
           signed_distance(sink.shape, x) < 0;
  });
}

}  // namespace repose
