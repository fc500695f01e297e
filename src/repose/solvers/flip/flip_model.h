#pragma once
// What does not change while a flip run lasts.

#include <cmath>
#include <string>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/grid/particle_cells.h"
#include "repose/scene/scene.h"
#include "repose/solvers/continuum/matter_settings.h"

namespace repose {

/// Longest step over sqrt(h / g): the fastest waves that the grid knows have a period of 3.5 of these.
inline constexpr double kWaveShare = 0.5;

struct FlipModel {
  GridPlace place;           ///< cells of twice the spacing, from the domain's lower corner
  MatterSettings matter;     ///< spacing: half a cell
  double support = 0;        ///< R: how far particles tell where the surface is [m]
  double density = 0;        ///< of the liquid [kg/m3]
  double particle_mass = 0;  ///< [kg]
  double viscosity = 0;      ///< 0 for thin liquids, which flow as without [Pa s]
  bool is_sand = false;
  YieldLaw yield = YieldLaw::coulomb;
  double slope = 0, sine = 0;         ///< of sand: tangent and sine of friction_angle [-]
  double cohesion = 0;                ///< of sand [Pa]
  std::vector<double> body_friction;  ///< of sand with each body and wall; infinity: no slip [-]
  Vec3d gravity{0, 0, 0};             ///< [m/s2]
  double blend = 0.95, tolerance = 1e-6;
  double cfl = 2;  ///< cells crossed in a step at most
  double dt = 0;   ///< given by the scene; 0: none [s]
  // Of the friction of sand.
  int sand_turns = 3;            ///< of pressure and friction in a step at most
  int sand_iterations = 10;      ///< in a turn at most
  double sand_tolerance = 5e-5;  ///< over gravity times dt
  std::vector<std::string> notes;

  double cell_volume() const { return place.cell * place.cell * place.cell; }
  double longest_step() const { return kWaveShare * std::sqrt(place.cell / gravity.length()); }
};

/// The grid, gravity, and how matter comes and goes; `solver` names it in messages. Of the matter itself
/// nothing. Throws Error(bad_scene) where the domain does not go into the grid.
FlipModel lay_grid(const Scene& scene, const std::string& solver);

/// Friction of a material with each body and wall; infinity: no slip.
std::vector<double> find_body_friction(const Scene& scene, const Bodies& bodies, const std::string& material);

/// Throws Error(bad_scene) where flip cannot do what the scene asks.
FlipModel make_flip_model(const Scene& scene, const Bodies& bodies);

}  // namespace repose
