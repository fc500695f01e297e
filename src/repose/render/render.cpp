#include "repose/render/render.h"

#include <cmath>

#include "repose/render/denoise.h"
#include "repose/render/legend.h"

namespace repose {

Image compose(const Layers& layers, Threads& threads) {
  Image image(layers.width, layers.height);
  threads.for_each(image.pixels.size(), [&](std::size_t i) {
    const Vec3f light = layers.direct[i] + layers.indirect[i];
    const Vec3f& albedo = layers.albedo[i];
    image.pixels[i] = layers.emitted[i] + Vec3f(albedo.x * light.x, albedo.y * light.y, albedo.z * light.z);
  });
  return image;
}

Renderer::Renderer(const Scene& scene, std::vector<GrainShape> shapes, Threads& threads)
    : scene_(scene),
      threads_(threads),
      stage_(std::make_unique<Stage>(scene, std::move(shapes), threads)),
      lighting_(make_lighting(scene.render)) {}

Renderer::~Renderer() = default;

Image Renderer::render(const Frame& frame, const DrawnInstead& instead) {
  const RenderSettings& settings = scene_.render;
  const Camera camera = scene_camera(scene_, frame.time);
  const double pixel = 2 * std::tan(0.5 * camera.fov) / settings.size[1];
  stage_->set(frame, instead.surface, instead.fine, {camera.position, pixel});
  const TraceSettings trace{.width = settings.size[0],
                            .height = settings.size[1],
                            .samples = settings.samples,
                            .bounces = settings.bounces,
                            .watch = {}};
  trace_paths(*stage_, lighting_, camera, trace, threads_, layers_);
  if (settings.denoise) denoise(layers_, threads_);
  return compose(layers_, threads_);
}

Image8 Renderer::developed(const Image& image, const Frame& frame) {
  Image8 picture = develop(image, scene_.render.exposure, threads_);
  draw_legend(picture, scene_, frame);
  return picture;
}

Image8 Renderer::picture(const Frame& frame, const DrawnInstead& instead) {
  return developed(render(frame, instead), frame);
}

}  // namespace repose
