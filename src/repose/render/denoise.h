#pragma once
// Takes the noise of few samples out of the light and leaves what is sharp in the picture: an edge-avoiding
// a-trous wavelet filter (Dammertz et al. 2010, "Edge-avoiding a-trous wavelet transform for fast global
// illumination filtering"), whose brightness weight goes by the variance that the samples showed (the
// spatial part of Schied et al. 2017, "Spatiotemporal variance-guided filtering", section 4.4).
//
// What is filtered is light over albedo, so the colours of grains stay as they are. Sunlight and the rest are
// filtered apart: the first has sharp shadows, the second is smooth. A neighbour counts less the more its
// normal differs, the further it lies off the pixel's tangent plane, and the more its brightness differs in
// units of the noise. Weights are 1 / (1 + d)^2 instead of exp(-d): about the same shape and quick to
// evaluate for many pixels at once.

#include "repose/exec/threads.h"
#include "repose/render/path_tracer.h"

namespace repose {

/// Filters layers.direct and layers.indirect in place.
void denoise(Layers& layers, Threads& threads);

}  // namespace repose
