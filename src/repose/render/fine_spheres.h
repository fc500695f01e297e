#pragma once
// Fine grains as they are drawn: balls that facets are cut off (facets.h). A grain has its guide's material,
// or its guide's colour where colours show a value. Shade, shape and size are its own, by its id.
//
// Grains of snow are balls of one colour (snow_look.h).
//
// What is its own fades where a pixel holds many grains: a pixel's few samples meet others of them in each
// frame, and the film would sparkle. Colours then go over into their mean and grains into balls.

#include "repose/exec/threads.h"
#include "repose/particles/frame.h"
#include "repose/refine/fine_grains.h"
#include "repose/render/grain_spheres.h"
#include "repose/scene/scene.h"

namespace repose {

/// From where grains are looked at, and how finely.
struct Viewpoint {
  Vec3d eye{0, 0, 0};  ///< [m]
  double pixel = 0;    ///< width of a pixel at unit distance [-]; 0: everything is seen sharply

  /// How much of what is `width` wide [m] is seen: 0 where it covers `least` pixels or less, 1 where it
  /// covers `most`.
  float seen(double width, const Vec3d& at, double least, double most) const;
};

/// The clear coat of quartz.
inline constexpr float kQuartzCoat = 0.35F;
/// Quartz glints where a grain is wider than that many pixels: nothing of it, and all.
inline constexpr double kGlintLeast = 0.7, kGlintMost = 2.5;

/// Takes the place of what `spheres` held. The upper 8 bits of a colour are the number of the grain's shape.
/// `frame` holds the guides. Positions are relative to `origin`;
/// grains beyond the clip plane are left out. `shutter` [s] is how long the shutter is open, around the time
/// of the frame.
void make_fine_spheres(const Scene& scene, const Frame& frame, const FineGrains& fine, const Vec3d& origin,
                       double shutter, const Viewpoint& viewpoint, Threads& threads, GrainSpheres& spheres);

}  // namespace repose
