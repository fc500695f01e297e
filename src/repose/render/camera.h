#pragma once
// The camera: given by the scene, or framed automatically, so that it stands still over the whole run. While
// a run goes, no later frame is known, and it is framed from the scene alone; afterwards from where matter
// was.

#include <span>
#include <vector>

#include "repose/math/vec.h"
#include "repose/particles/frame.h"
#include "repose/scene/scene.h"

namespace repose {

struct Camera {
  Vec3d position{0, -5, 2}, target{0, 0, 0};  ///< [m]
  double fov = 0.6108652;                     ///< vertical [rad]
};

/// Points around what the camera should show: fills, emitters and visible bodies (over all their keyframes),
/// and the heap that all matter could make on the ground, within the domain: beyond it matter is removed. The
/// domain itself where its walls are drawn.
std::vector<Vec3d> content_points(const Scene& scene);
Box3d content_bounds(const Scene& scene);

/// Where matter was over a run.
class SeenMatter {
 public:
  /// Looks at a frame: at some ten thousand particles of it.
  void add(const Frame& frame);
  /// Without the outermost hundredth of the volume, to each side along each axis, of what all frames show
  /// together: a heap stays, and what flies about or has left does not count. Empty where nothing was seen
  /// [m].
  Box3d bounds() const;

 private:
  struct Seen {
    Vec3d position;  ///< [m]
    double weight;   ///< volume of the particles that it stands for [m3]
  };
  std::vector<Seen> seen_;
};

/// Whether the scene leaves the camera open.
bool camera_is_automatic(const Scene& scene);
/// Points around the matter that was seen, and around visible bodies as far as these are near it.
std::vector<Vec3d> seen_points(const Scene& scene, const SeenMatter& seen);

/// Height of the ground [m]: the domain's lower face.
double ground_height(const Scene& scene);

/// A three-quarter view from slightly above, as near as it can be with all the points in the picture and a
/// margin around them. aspect = width / height.
Camera frame_points(std::span<const Vec3d> points, double fov, double aspect);

/// The camera of the scene at a time [s]: keyed, fixed, or framed automatically.
Camera scene_camera(const Scene& scene, double time);

}  // namespace repose
