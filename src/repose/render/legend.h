#pragma once
// The legend of a picture that is coloured by a value: a bar of the colours with numbers and the unit.

#include <string>
#include <vector>

#include "repose/particles/frame.h"
#include "repose/render/image.h"
#include "repose/scene/scene.h"

namespace repose {

/// A number beside the bar.
struct Tick {
  double value;
  std::string label;
};

/// Round numbers from `low` to `high`, four to seven of them, all with as many digits as the finest needs.
std::vector<Tick> make_ticks(double low, double high);

/// Draws it at the right edge; nothing where the colours of the frame show no value, the scene wants no
/// legend, or the picture is too small to read it.
void draw_legend(Image8& image, const Scene& scene, const Frame& frame);

}  // namespace repose
