#pragma once
// Films: a row of images through ffmpeg, which runs as a child process (no shell) and reads the images from
// us, so that they may have any names. The film appears under its name when it is complete.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>

namespace repose {

struct FilmOptions {
  double fps = 24;
  /// Called before each image with the number of those that are done; false stops. May be empty.
  std::function<bool(std::size_t done)> go_on = {};
};

/// The ffmpeg that would run, as found on PATH.
std::optional<std::filesystem::path> find_ffmpeg();
/// What to tell a user who has none.
inline constexpr const char* kNoFfmpeg =
    "ffmpeg was not found: install it (Debian: apt-get install ffmpeg), then make the film with 'repose "
    "render'";

/// H.264 in mp4, yuv420p; odd sizes are padded by a pixel. Returns false where go_on() did: no film then.
/// Throws Error(run_failed) with ffmpeg's own words where it fails; images are never touched.
bool write_film(const std::filesystem::path& film, std::span<const std::filesystem::path> images,
                const FilmOptions& options);

}  // namespace repose
