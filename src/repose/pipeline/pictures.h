#pragma once
// The images and the film in a run's folder.

#include <functional>
#include <span>

#include "repose/pipeline/run_folder.h"
#include "repose/scene/scene.h"

namespace repose {

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
