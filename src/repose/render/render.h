#pragma once
// Pictures of frames. A renderer is made once for a run and then given frames, one at a time; it knows the
// scene (for colours, bodies' shapes, lights and camera) and the grains' shapes, and never a solver.
//
//   frame -> stage (grains, meshes, ground) -> paths (Embree) -> layers -> denoise -> picture -> tone -> PNG
//
// Light: a sun with a disc, a sky, and a fixed number of diffuse bounces. A few samples a pixel are enough,
// because the samples are spread evenly (sampler.h) and the denoiser (denoise.h) takes the rest, guided by
// normals, depth and colour so that the edges of grains stay. The camera stands where the scene puts it or is
// framed from the scene alone (camera.h), so frames may be drawn in any order, on any machine.
//
// The same frame gives the same picture to the bit for any number of threads, and pixels that do not change
// between frames get the same samples, so that a still background does not flicker in a film. Fine grains
// have shape, size and colour by their id, whatever their order in memory: a pile at rest stays as it is.

#include <memory>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/particles/frame.h"
#include "repose/refine/fine_grains.h"
#include "repose/render/image.h"
#include "repose/render/path_tracer.h"
#include "repose/render/tone.h"
#include "repose/scene/scene.h"

namespace repose {

/// The picture that the layers make up.
Image compose(const Layers& layers, Threads& threads);

/// What is drawn in place of a frame's particles.
struct DrawnInstead {
  /// A mesh of the frame's matter in world coordinates [m], in the colour of the first material, and looked
  /// through where that has a `clarity`.
  const TriangleMesh* surface = nullptr;
  /// Where there is no surface.
  const FineGrains* fine = nullptr;
};

class Renderer {
 public:
  /// `scene` and `threads` must outlive the renderer.
  Renderer(const Scene& scene, std::vector<GrainShape> shapes, Threads& threads);
  ~Renderer();

  /// Linear radiance.
  Image render(const Frame& frame, const DrawnInstead& instead = {});
  /// As a screen shows it: with the scene's exposure, the filmic curve and the legend. `image` is the
  /// frame's.
  Image8 developed(const Image& image, const Frame& frame);
  /// Both of them.
  Image8 picture(const Frame& frame, const DrawnInstead& instead = {});

 private:
  const Scene& scene_;
  Threads& threads_;
  std::unique_ptr<Stage> stage_;
  Lighting lighting_;
  Layers layers_;
};

}  // namespace repose
