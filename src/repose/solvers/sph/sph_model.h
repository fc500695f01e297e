#pragma once
// What does not change while an sph run lasts.

#include <string>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/grid/particle_cells.h"
#include "repose/math/vec.h"
#include "repose/scene/scene.h"
#include "repose/solvers/continuum/matter_settings.h"

namespace repose {

struct SphMaterial {
  double density = 1500;              ///< at rest [kg/m3]
  double slope = 0;                   ///< tangent of friction_angle [-]
  double cohesion = 0;                ///< [Pa]
  std::vector<double> body_friction;  ///< with each body and wall; infinity: no slip [-]
};

/// Longest step over sqrt(spacing / g): what a particle falls in it is a fiftieth of the spacing.
inline constexpr double kWeightShare = 0.2;

struct SphModel {
  MatterSettings matter;
  double spacing = 0;                  ///< d0 [m]
  GridPlace place;                     ///< cells as wide as the kernel reaches
  Vec3d gravity{0, 0, 0};              ///< [m/s2]
  std::vector<SphMaterial> materials;  ///< by material of the scene
  int iterations = 0;                  ///< of pressure and friction; 0: as many as it takes
  double max_density_error = 0.01;     ///< largest compression in a step that may be left
  double cfl = 0.4;                    ///< spacings crossed in a step at most
  double dt = 0;                       ///< given by the scene; 0: none [s]
  std::vector<std::string> notes;

  double volume() const { return spacing * spacing * spacing; }
  double mass(std::uint8_t material) const { return materials[material].density * volume(); }
};

/// Throws Error(bad_scene) where sph cannot do what the scene asks.
SphModel make_sph_model(const Scene& scene, const Bodies& bodies);

}  // namespace repose
