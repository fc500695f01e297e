#pragma once
// What a dem run is made of and what does not change while it runs: grain shapes, materials, how each
// material meets each other surface, the domain, the time step that the contacts ask for.
//
// How surfaces are paired. A [contact] table that names both sides decides. Elsewhere:
//  - two materials: the geometric mean of their friction, and of their restitution;
//  - a material and a body: the body's own friction and restitution;
//  - a material and a wall of the domain: the wall's friction and the material's restitution.
// Stiffness follows Hertz (Bell 2005, eq. 14): bodies and walls without `young` are rigid.

#include <cstdint>
#include <string>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/particles/domain_box.h"
#include "repose/particles/frame.h"
#include "repose/scene/scene.h"

namespace repose {

/// A grain shape at a bounding radius of one, about its centre of mass. Lengths, areas, ... scale with powers
/// of a grain's own bounding radius.
struct DemShape {
  GrainShape form;
  double volume = 0;                 ///< [-]
  Imath::M33d inverse_inertia;       ///< for a mass of one; a multiple of the unit matrix if isotropic [-]
  Imath::M33d inertia;               ///< for a mass of one [-]
  bool isotropic = false;            ///< inertia is the same about every axis
  double smallest = 1, largest = 1;  ///< radii of its spheres [-]
};

/// Grains of one size that a material has.
struct DemSize {
  double radius;       ///< bounding radius [m]
  double mass;         ///< [kg]
  double probability;  ///< that a grain, picked by number, is of this size [-]
};

struct DemMaterial {
  std::uint16_t shape = 0;
  double grain_density = 0;  ///< [kg/m3]
  double young = 0;          ///< as used [Pa]
  bool young_is_automatic = false;
  double poisson = 0;
  double friction = 0;     ///< [-]
  double restitution = 0;  ///< [-]
  std::vector<DemSize> sizes;
};

/// How a material meets another surface.
struct PairLaw {
  double modulus = 0;   ///< E_eff [Pa]
  double damping = 0;   ///< k_d / sqrt(m_eff k_r) [-]
  double friction = 0;  ///< mu [-]
};

/// Friction of eq. 18 below its Coulomb limit: k_t = fixed + rate m_eff.
struct TangentialRate {
  double fixed = 0;  ///< as given in the scene [N s/m]
  double rate = 0;   ///< automatic [1/s]
};

struct DemModel {
  Vec3d gravity{0, 0, 0};  ///< [m/s2]
  std::uint64_t seed = 1;
  Domain domain;
  DomainBox box;
  std::vector<DemShape> shapes;
  std::vector<DemMaterial> materials;
  std::size_t surface_count = 0;  ///< materials, then bodies
  std::vector<PairLaw> laws;      ///< [material * surface_count + surface]
  TangentialRate tangential;

  double smallest_radius = 0;  ///< of all spheres [m]
  double margin = 0;           ///< of neighbour lists [m]
  double expected_speed = 0;   ///< that stiffness and time step were chosen for [m/s]
  double expected_depth = 0;   ///< likewise [m]
  double body_weight_pressure = 0, body_impact_pressure = 0;  ///< of dynamic bodies, likewise [Pa]
  double weight_overlap = 0;  ///< that the weight of the deepest matter makes, in diameters [-]
  double dt = 0;              ///< that contacts ask for, or as given [s]
  bool dt_is_given = false;
  const char* contact_limit = "";     ///< what limits dt
  double contact_phase = 0;           ///< dt times frequency that every contact is held to [-]
  double cfl = 0.1;                   ///< share of the smallest radius that a grain may move in a step [-]
  std::vector<std::string> notes;     ///< what was decided here, for people
  std::vector<std::string> warnings;  ///< what the scene asks for and may regret

  const PairLaw& law(std::size_t material, std::size_t surface) const {
    return laws[material * surface_count + surface];
  }
  double grain_mass(std::size_t shape, std::size_t material, double radius) const {
    return materials[material].grain_density * shapes[shape].volume * radius * radius * radius;
  }
};

/// Shapes, materials and laws but for stiffness and time step. Throws Error(bad_scene) where the scene asks
/// for what this solver cannot do.
DemModel make_dem_model(const Scene& scene, const Bodies& bodies);

/// Which of the scene's materials has this name; throws Error(bad_scene) if none has.
std::size_t material_index(const Scene& scene, const std::string& name);

/// A grain shape from spheres as written: about the centre of mass, with bounding radius one.
DemShape make_dem_shape(const std::string& name, std::vector<ShapeSphere> spheres, GrainMass mass);

}  // namespace repose
