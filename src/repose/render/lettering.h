#pragma once
// Words and numbers on pictures: a font of our own, drawn with a round pen along straight strokes, as a
// plotter does. It has the printable characters that labels need, at any size, with soft edges.

#include <array>
#include <cstdint>
#include <string_view>

#include "repose/render/image.h"

namespace repose {

using Rgb8 = std::array<std::uint8_t, 3>;  ///< sRGB

/// Width of a text whose capitals are `height` pixels high [pixel].
double text_width(std::string_view text, double height);

/// The capitals stand between y and y + height; x is the left edge. What lies outside the picture is cut.
void draw_text(Image8& image, std::string_view text, double x, double y, double height, const Rgb8& color);

/// Mixes a colour over the pixels x0 <= x < x1, y0 <= y < y1; share 1 covers them.
void fill_rectangle(Image8& image, int x0, int y0, int x1, int y1, const Rgb8& color, double share = 1);

}  // namespace repose
