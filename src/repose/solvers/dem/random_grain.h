#pragma once
// Random properties of grains.

#include "repose/core/random.h"
#include "repose/math/random_normal.h"
#include "repose/math/random_orientation.h"
#include "repose/solvers/dem/dem_model.h"

namespace repose {

/// One of the material's sizes, by number.
inline const DemSize& random_size(const DemMaterial& material, Random& random) {
  double u = random.uniform();
  for (const DemSize& size : material.sizes) {
    u -= size.probability;
    if (u < 0) return size;
  }
  return material.sizes.back();
}

}  // namespace repose
