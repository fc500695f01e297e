#pragma once
// The camera: given by the scene, or framed from the scene alone, so that it stands still over the whole run
// and no later frame has to be known.

#include "repose/math/vec.h"
#include "repose/scene/scene.h"

namespace repose {

struct Camera {
  Vec3d position{0, -5, 2}, target{0, 0, 0};  ///< [m]
  double fov = 0.6108652;                     ///< vertical [rad]
};

/// What the camera should show: the box around fills, emitters and visible bodies (over all their
/// keyframes), and around the pile that all matter could make on the ground, cut at the domain's walls.
Box3d content_bounds(const Scene& scene);

/// Height of the ground [m]: the domain's lower face.
double ground_height(const Scene& scene);

/// A three-quarter view from slightly above with all corners of `box` in the picture. aspect = width/height.
Camera frame_box(const Box3d& box, double fov, double aspect);

/// The camera of the scene at a time [s]: keyed, fixed, or framed automatically.
Camera scene_camera(const Scene& scene, double time);

}  // namespace repose
