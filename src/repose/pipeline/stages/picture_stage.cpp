#include "repose/pipeline/stages/picture_stage.h"

#include <filesystem>
#include <utility>

#include "repose/io/atomic_file.h"
#include "repose/io/meshes/surface_ply.h"
#include "repose/io/particles/fine_file.h"
#include "repose/io/pictures/exr.h"
#include "repose/io/pictures/png.h"
#include "repose/io/read_file.h"
#include "repose/pipeline/drawn_range.h"

namespace repose {
namespace {

/// So that images that are added to others show the same by the same colours, from the same place.
Scene with_drawn_look(Scene scene, const RunFolder& folder) {
  take_drawn_range(folder, scene);
  take_drawn_camera(folder, scene);
  return scene;
}

}  // namespace

PictureStage::PictureStage(const Scene& scene, std::vector<GrainShape> shapes, RunFolder target,
                           Threads& threads)
    : target_(std::move(target)),
      scene_(with_drawn_look(scene, target_)),
      renderer_(scene_, std::move(shapes), threads) {}

void PictureStage::advance(FrameProducts& products) {
  const Frame& frame = products.frame;
  create_folder(target_.images());
  const Image image =
      renderer_.render(frame, {products.surface ? &products.surface->mesh : nullptr, products.fine});
  for (const std::string& format : scene_.render.formats)
    write_file(target_.image_file(frame.index, format),
               format == "exr" ? encode_exr(image) : encode_png(renderer_.developed(image, frame)));
}

DrawnMatter drawn_matter(const RunFolder& folder, const Scene& scene, const Frame& frame, Threads& threads) {
  DrawnMatter drawn;
  const std::filesystem::path made = folder.surfaces() / numbered_name("surface", frame.index, "ply");
  if (file_exists(made))
    drawn.surface = SurfaceMesh{read_surface_ply(made), {}, {}, 1};
  else if (scene.surface.given && !scene.surface.fine)
    drawn.surface = make_surface(frame, scene.materials, surface_options(scene, frame.kind), threads);
  else if (has_fine_grains(folder.fine(), frame.index))
    drawn.fine = read_fine_grains(folder.fine(), frame.index, threads);
  return drawn;
}

}  // namespace repose
