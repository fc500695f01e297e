#pragma once
// The grains of a frame as spheres to be drawn, with a colour each.

#include <cstdint>
#include <span>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/particles/frame.h"
#include "repose/render/ray_scene.h"
#include "repose/scene/scene.h"

namespace repose {

struct GrainSpheres {
  std::vector<Sphere> at_open;        ///< when the shutter opens
  std::vector<Sphere> at_close;       ///< when it closes; empty where nothing is blurred
  std::vector<std::uint32_t> colors;  ///< packed (grain_colors.h)
  std::vector<std::uint32_t> ids;     ///< of fine grains that may glint, else empty
};

/// Takes the place of what `spheres` held. Positions are relative to `origin`; compounds become their
/// spheres; grains beyond the clip plane are left out. `shutter` [s] is how long the shutter is open, around
/// the time of the frame.
void make_spheres(const Scene& scene, std::span<const GrainShape> shapes, const Frame& frame,
                  const Vec3d& origin, double shutter, Threads& threads, GrainSpheres& spheres);

}  // namespace repose
