#pragma once
// What does not change while an sph run lasts.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/grid/particle_cells.h"
#include "repose/math/vec.h"
#include "repose/scene/scene.h"
#include "repose/solvers/continuum/matter_settings.h"
#include "repose/solvers/sph/sph_covers.h"

namespace repose {

struct SphMaterial {
  double density = 1500;              ///< at rest [kg/m3]
  double slope = 0;                   ///< tangent of friction_angle [-]
  double cohesion = 0;                ///< dry [Pa]
  double wet_cohesion = 0;            ///< at least, where wetness works in full [Pa]
  double uneven = 0;                  ///< compression that is taken for the unevenness of particles [-]
  std::vector<double> body_friction;  ///< with each body and wall; infinity: no slip [-]
};

/// Friction from which on it keeps particles in their places: that of 15 degrees [-].
inline constexpr double kHolds = 0.268;
/// Longest step over what it takes to cross a spacing at the speed sqrt(p / density), where friction does not
/// hold: pressure turns with the particles that it acts between, and in longer steps sets them in motion.
inline constexpr double kPressureShare = 0.25;
/// Longest step over sqrt(spacing / g): what a particle falls in it is a fiftieth of the spacing.
inline constexpr double kWeightShare = 0.2;
inline constexpr double kLeastPull = 0.1;  ///< stands for gravity where there is less [m/s2]

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
  double viscosity = 0;                ///< alpha of the artificial one, dry [-]
  double wet_viscosity = 0;            ///< the same where wetness works in full [-]
  std::vector<double> wetness;         ///< of new particles, by material of the scene
  bool has_wetness = false;            ///< something is wet or can get wet
  bool sleeps = false;                 ///< whether particles at rest stop moving (sph_sleep.h)
  std::optional<double> sleep_speed;   ///< given by the scene [m/s]
  YieldLaw law = YieldLaw::coulomb;
  std::vector<SphCover> covers;
  std::vector<std::size_t> cover_of;  ///< by body: in covers; kSmooth: none
  std::vector<std::string> notes;

  static constexpr std::size_t kSmooth = ~std::size_t{0};
  double volume() const { return spacing * spacing * spacing; }
  double mass(std::uint8_t material) const { return materials[material].density * volume(); }
  double longest_step() const { return kWeightShare * std::sqrt(spacing / pull()); }
  /// Gravity, or what stands for it where there is less [m/s2].
  double pull() const { return std::max(gravity.length(), kLeastPull); }
  /// Ten times the speed of a fall by one spacing [m/s].
  double signal_speed() const { return 10 * std::sqrt(2 * pull() * spacing); }
};

/// Throws Error(bad_scene) where sph cannot do what the scene asks.
SphModel make_sph_model(const Scene& scene, const Bodies& bodies, Threads& threads);

}  // namespace repose
