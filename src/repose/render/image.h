#pragma once
// Pictures as plain data: rows from top to bottom, pixels from left to right.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "repose/math/vec.h"

namespace repose {

/// What the camera saw: linear RGB radiance, not limited to 1.
struct Image {
  int width = 0, height = 0;
  std::vector<Vec3f> pixels;

  Image() = default;
  Image(int w, int h)
      : width(w), height(h), pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  }
};

/// What a screen shows: sRGB, 8 bits a channel.
struct Image8 {
  int width = 0, height = 0;
  std::vector<std::array<std::uint8_t, 3>> pixels;
};

}  // namespace repose
