#pragma once
// PNG files. The same picture gives the same bytes: no time stamp, fixed filter and compression.

#include <cstddef>
#include <filesystem>
#include <vector>

#include "repose/render/image.h"

namespace repose {

/// 8-bit RGB, marked as sRGB.
std::vector<std::byte> encode_png(const Image8& image);

void write_png(const std::filesystem::path& path, const Image8& image);

}  // namespace repose
