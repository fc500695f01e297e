#pragma once
// From radiance to what a screen shows: exposure, a filmic curve, sRGB.

#include "repose/exec/threads.h"
#include "repose/render/image.h"

namespace repose {

/// Display brightness 0..1 (linear) of a scene brightness: a toe, a straight middle and a soft shoulder.
/// Krzysztof Narkowicz's fit to the ACES curve (2015, "ACES filmic tone mapping curve").
float filmic_curve(float x);

/// Linear 0..1 to sRGB-encoded 0..1. IEC 61966-2-1.
float encode_srgb(float linear);

/// exposure in stops.
Image8 develop(const Image& image, double exposure, Threads& threads);

}  // namespace repose
