#pragma once
// OpenEXR files: linear radiance in half precision, for compositing. The same picture gives the same bytes.

#include <cstddef>
#include <vector>

#include "repose/render/image.h"

namespace repose {

/// Channels R, G, B (half, linear Rec. 709), ZIP compression. Values beyond half's range are cut to it.
std::vector<std::byte> encode_exr(const Image& image);

}  // namespace repose
