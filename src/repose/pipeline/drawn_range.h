#pragma once
// What the colours of a run's images span, and where they are taken from. The scene may leave both open
// (render.range, render.camera), and then they depend on when an image is drawn: during the run, from what
// the scene lets expect; later, from all frames that there are by then. So they are kept beside the images
// (images/colors.json, camera.json), and those that are added get the same.

#include "repose/pipeline/run_folder.h"
#include "repose/scene/scene.h"

namespace repose {

/// Sets render.range, where colours show a value and the scene leaves it open, to that of the images in the
/// folder. Leaves it open where none is kept or they show something else.
void take_drawn_range(const RunFolder& folder, Scene& scene);

/// Keeps the range that images are drawn with from now on; forgets the last one where the scene leaves it
/// open.
void keep_drawn_range(const RunFolder& folder, const Scene& scene);

/// The same of the camera. `automatic` is the scene that may leave it open.
void take_drawn_camera(const RunFolder& folder, Scene& scene);
void keep_drawn_camera(const RunFolder& folder, const Scene& automatic, const Scene& scene);

}  // namespace repose
