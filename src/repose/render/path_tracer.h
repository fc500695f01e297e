#pragma once
// Light carried back along paths: from the camera to a surface, from there to the sun's disc (with a shadow
// ray) and to one cosine-distributed direction, which meets the sky or the next surface, and so on for a
// fixed number of bounces; between fine grains it goes on for as long as it is bright (Russian roulette).
// Surfaces are diffuse. The camera looks through glass (glass.h) with refraction and mirrored sky; light on
// its way from the sun and between surfaces goes through it straight and weakened.
//
// The picture is cut into small tiles. A tile's paths go together, one bounce after the other, so that rays
// that belong together are traced together. A tile depends on nothing but its own pixels: the result is the
// same for any number of threads.

#include <functional>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/render/camera.h"
#include "repose/render/lighting.h"
#include "repose/render/ray_scene.h"
#include "repose/render/stage.h"

namespace repose {

/// What the paths found, by pixel, kept apart for the denoiser. The picture is
/// emitted + albedo * (direct + indirect).
struct Layers {
  int width = 0, height = 0;
  std::vector<Vec3f> direct;    ///< light from the sun on the first surface, over its albedo
  std::vector<Vec3f> indirect;  ///< light from everywhere else, over its albedo
  std::vector<Vec3f> albedo;
  std::vector<Vec3f> emitted;    ///< sky, and what does not depend on light
  std::vector<Vec3f> normal;     ///< mean over the samples: shorter than 1 where it varies
  std::vector<Vec3f> position;   ///< mean over the samples that met a surface, as rays have it [m]
  std::vector<float> footprint;  ///< width of a pixel at that distance [m]; 0 where there is only sky
  std::vector<float> direct_variance, indirect_variance;  ///< of the pixel's mean brightness

  void resize(int w, int h);
};

enum class RayKind { camera, shadow, bounce };

struct TraceSettings {
  int width = 1280, height = 720;
  int samples = 16;  ///< a pixel
  int bounces = 2;   ///< at least, between fine grains
  /// Called with each batch of rays before it is traced, from any thread: for benchmarks. May be empty.
  std::function<void(RayKind, const RayBatch&)> watch;
};

void trace_paths(const Stage& stage, const Lighting& lighting, const Camera& camera,
                 const TraceSettings& settings, Threads& threads, Layers& layers);

}  // namespace repose
