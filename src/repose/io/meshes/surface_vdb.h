#pragma once
// Surfaces as OpenVDB volumes, for programs that work on those. Three grids over the voxels within three of
// the mesh, named as Houdini names them:
//
//     surface   level set: distance to the mesh, negative inside [m]
//     vel       velocity of the nearest place on the mesh [m/s]
//     Cd        its colour, linear
//
// Voxels are as wide as the cells that the mesh was made on, and have their middles where these have theirs.
// The grids' metadata has "frame" and "time" [s]. Compressed with Blosc. The same surface gives the same
// bytes, whatever the number of threads.

#include <string>

#include "repose/exec/threads.h"
#include "repose/surface/surface.h"

namespace repose {

/// Throws Error(run_failed) where OpenVDB fails.
std::string encode_surface_vdb(const SurfaceMesh& surface, int frame, double time, Threads& threads);

}  // namespace repose
