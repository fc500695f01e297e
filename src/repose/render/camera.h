#pragma once
// The camera: given by the scene, or framed from the scene alone, so that it stands still over the whole run
// and no later frame has to be known.

#include <span>
#include <vector>

#include "repose/math/vec.h"
#include "repose/scene/scene.h"

namespace repose {

struct Camera {
  Vec3d position{0, -5, 2}, target{0, 0, 0};  ///< [m]
  double fov = 0.6108652;                     ///< vertical [rad]
};

/// Points around what the camera should show: fills, emitters and visible bodies (over all their keyframes),
/// and the heap that all matter could make on the ground, within the domain's walls.
std::vector<Vec3d> content_points(const Scene& scene);
Box3d content_bounds(const Scene& scene);

/// Height of the ground [m]: the domain's lower face.
double ground_height(const Scene& scene);

/// A three-quarter view from slightly above, as near as it can be with all the points in the picture and a
/// margin around them. aspect = width / height.
Camera frame_points(std::span<const Vec3d> points, double fov, double aspect);

/// The camera of the scene at a time [s]: keyed, fixed, or framed automatically.
Camera scene_camera(const Scene& scene, double time);

}  // namespace repose
