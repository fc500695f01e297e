#pragma once
// Fine grains as spheres to be drawn. A grain has its guide's material, or its guide's colour where colours
// show a value, and a shade of its own by its id.

#include "repose/exec/threads.h"
#include "repose/particles/frame.h"
#include "repose/refine/fine_grains.h"
#include "repose/render/grain_spheres.h"
#include "repose/scene/scene.h"

namespace repose {

/// Takes the place of what `spheres` held. `frame` holds the guides. Positions are relative to `origin`;
/// grains beyond the clip plane are left out. `shutter` [s] is how long the shutter is open, around the time
/// of the frame.
void make_fine_spheres(const Scene& scene, const Frame& frame, const FineGrains& fine, const Vec3d& origin,
                       double shutter, Threads& threads, GrainSpheres& spheres);

}  // namespace repose
