#pragma once
// What does not change while a run of snow lasts.

#include "repose/bodies/bodies.h"
#include "repose/physics/snow.h"
#include "repose/scene/scene.h"
#include "repose/solvers/flip/flip_model.h"

namespace repose {

struct SnowModel {
  FlipModel grid;              ///< all that snow has of sand on a grid
  SnowCompaction<double> law;  ///< how it packs (physics/snow.h)
  double b_0 = 1, k_b = 0;     ///< velocity transfer at solids, and its change with damage [-]
  double c_0 = 0, k_c = 0;     ///< cohesion, and its change with damage [Pa]
};

/// Throws Error(bad_scene) where the solver cannot do what the scene asks.
SnowModel make_snow_model(const Scene& scene, const Bodies& bodies);

}  // namespace repose
