#pragma once
// How stiff grains are and how small the time step must be, from what the scene will make of them.
//
// Softer grains allow longer steps but sink into each other. Without `young` the solver takes the softest
// modulus at which neither the fastest impact nor the weight of the deepest matter presses grains together by
// more than kAllowedOverlap of their diameter. Speed and depth are read off the scene: from where things
// fall, how fast they are sent, how high matter is stacked. How long the scene lasts has no say in it, so a
// longer run of a scene is the same run.

#include <span>
#include <string>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/scene/scene.h"
#include "repose/solvers/dem/dem_model.h"

namespace repose {

inline constexpr double kAllowedOverlap = 0.005;  ///< of the diameter [-]

/// Grains that are alike in all that a contact's stiffness depends on.
struct GrainKind {
  std::uint16_t shape;
  std::uint8_t material;
  double radius;      ///< bounding radius [m]
  bool held = false;  ///< never moves: as heavy as a wall
  bool operator==(const GrainKind&) const = default;
};

/// Matter at the start, or matter that an emitter will bring.
struct MatterSource {
  Box3d bounds;            ///< of the grains, or of the emitter [m]
  double speed = 0;        ///< that it starts with, at most [m/s]
  double depth = -1;       ///< of the pile that it makes [m]; negative: as high as its bounds
  bool is_poured = false;  ///< falls from where it is; else it slumps
  bool is_still = false;   ///< weighs on what is below but does not move
};

/// Sets expected_speed, expected_depth, the moduli that were not given, margin and dt of the model, and what
/// follows from them.
void choose_stiffness(const Scene& scene, const Bodies& bodies, std::span<const GrainKind> kinds,
                      std::span<const MatterSource> sources, DemModel& model);

}  // namespace repose
