#pragma once
// Where space ends for the particles of every method: periodic faces, and sinks.

#include <span>
#include <vector>

#include "repose/geometry/shape.h"
#include "repose/particles/domain_box.h"
#include "repose/scene/scene.h"

namespace repose {

/// The scene's domain with its periodic axes. Throws Error(bad_scene) where one face of two is periodic.
DomainBox make_domain_box(const Scene& scene);

/// How a particle came out of the domain. Past several faces at once, an open one is the way it took.
enum class DomainExit { none, open_face, wall };

/// `margin` is how far beyond a face it must be [m].
DomainExit domain_exit(const Domain& domain, const DomainBox& box, const Vec3d& x, double margin);

struct SinkShape {
  Shape shape;
  Box3d bounds;
  double start = 0, stop = 0;  ///< [s]; infinite stop: never
};
std::vector<SinkShape> make_sinks(const Scene& scene);

/// Whether a sink takes what is at x at this time [s].
bool is_drained(std::span<const SinkShape> sinks, double time, const Vec3d& x);

}  // namespace repose
