#pragma once
// Frames to images to a film, in a run's folder.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/particles/frame.h"
#include "repose/pipeline/run_folder.h"
#include "repose/render/render.h"
#include "repose/scene/scene.h"
#include "repose/surface/surface.h"

namespace repose {

/// Draws frames into the run's image files. What it refers to must outlive it.
class Painter {
 public:
  Painter(const Scene& scene, std::vector<GrainShape> shapes, RunFolder folder, Threads& threads);
  /// The frame as its file holds it (io/particles/ply.h, round_to_file_precision). `surface` is drawn in
  /// place of the particles.
  void paint(const Frame& frame, const SurfaceMesh* surface = nullptr);

 private:
  RunFolder folder_;
  std::vector<std::string> formats_;
  Scene scene_;  // with the range of the images that are there
  Renderer renderer_;
};

/// The surface that pictures of this frame show in place of its particles: what the run's folder holds of it
/// (`repose surface` may have made that later), or what the scene asks for. Without velocities and colours
/// where it was read.
std::optional<SurfaceMesh> drawn_surface(const RunFolder& folder, const Scene& scene, const Frame& frame,
                                         Threads& threads);

/// Whether the images of a frame are there, in all formats that the scene asks for.
bool is_painted(const RunFolder& folder, const Scene& scene, int frame);
/// Films are made of PNG images.
bool makes_film(const Scene& scene);

/// The film of these images, at the speed of the simulation where frames are left out evenly. go_on() is
/// asked before each image; returns false where it said no.
bool make_film(const RunFolder& folder, std::span<const int> frames, double fps,
               const std::function<bool(std::size_t done)>& go_on);

/// Whether pictures of the same frame look the same under both scenes, which differ in what a resume may
/// change.
bool same_pictures(const Scene& a, const Scene& b);

}  // namespace repose
