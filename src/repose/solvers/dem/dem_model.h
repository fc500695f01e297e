#pragma once
// What a dem run is made of and what does not change while it runs: grain shapes, materials, how each
// material meets each other surface, the domain, the time step that the contacts ask for.
//
// How surfaces are paired. A [contact] table that names both sides decides. Elsewhere:
//  - two materials: the geometric means of their friction, restitution, cohesion and rolling friction;
//  - a material and a body: the body's own friction and restitution, no cohesion, the material's rolling
//    friction;
//  - a material and a wall of the domain: the same, but the material's restitution.
// Stiffness follows Hertz (Bell 2005, eq. 14): bodies and walls without `young` are rigid.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/particles/domain_box.h"
#include "repose/particles/frame.h"
#include "repose/scene/materials.h"
#include "repose/scene/scene.h"
#include "repose/solvers/dem/contact_kernel.h"

namespace repose {

/// A grain shape at a bounding radius of one, about its centre of mass. Lengths, areas, ... scale with powers
/// of a grain's own bounding radius.
struct DemShape {
  GrainShape form;
  double volume = 0;                 ///< [-]
  Imath::M33d inverse_inertia;       ///< for a mass of one; a multiple of the unit matrix if isotropic [-]
  Imath::M33d inertia;               ///< for a mass of one [-]
  bool isotropic = false;            ///< inertia is the same about every axis
  bool is_round = false;             ///< one sphere
  double smallest = 1, largest = 1;  ///< radii of its spheres [-]
  double most_turning = 0;           ///< inverse inertia about any axis, at most, for a mass of one [-]
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
  double friction = 0;          ///< [-]
  double restitution = 0;       ///< [-]
  double cohesion = 0;          ///< [Pa]
  double rolling_friction = 0;  ///< [-]
  std::vector<DemSize> sizes;
};

/// How two surfaces meet, and what that was made from.
struct PairLaw : PairLawOf<double> {
  double restitution = 0;  ///< as asked for [-]
  double crowding = 1;     ///< how many more places than small compounds the two may touch in [-]
  TangentialLaw tangential = TangentialLaw::coulomb_viscous;
};

/// A body covered with spheres (covers.h).
struct BodyCover {
  std::size_t body = 0;
  std::vector<Vec3d> centers;  ///< in the body's frame [m]
  std::vector<float> radii;    ///< [m]
};

/// Two grains with more spheres than this may touch in so many places that they swing faster together than
/// kPackingFactor (time_step.h) allows for.
inline constexpr std::size_t kFewSpheres = 9;

struct DemModel {
  Vec3d gravity{0, 0, 0};  ///< [m/s2]
  std::uint64_t seed = 1;
  Domain domain;
  DomainBox box;
  std::vector<DemShape> shapes;
  bool has_large_compounds = false;  ///< shapes of so many spheres that the step must count their contacts
  std::vector<DemMaterial> materials;
  std::vector<BodyCover> covers;
  std::size_t surface_count = 0;              ///< materials, then bodies
  std::vector<PairLaw> laws;                  ///< [material * surface_count + surface]
  KernelSettings kernel;                      ///< which laws all contacts follow
  std::vector<PairLawOf<float>> kernel_laws;  ///< the same laws for the kernel

  double smallest_radius = 0;  ///< of all spheres [m]
  double margin = 0;           ///< of neighbour lists [m]
  double near_margin = 0;      ///< of the candidates in them that are looked at in every step [m]
  double expected_speed = 0;   ///< that stiffness and time step were chosen for [m/s]
  double expected_depth = 0;   ///< likewise [m]
  double body_weight_pressure = 0, body_impact_pressure = 0;  ///< of dynamic bodies, likewise [Pa]
  double weight_overlap = 0;  ///< that the weight of the deepest matter makes, in diameters [-]
  double dt = 0;              ///< that contacts ask for, or as given [s]
  bool dt_is_given = false;
  const char* contact_limit = "";     ///< what limits dt
  double contact_phase = 0;           ///< dt times frequency that every contact is held to [-]
  double tolerance = 1e-5;            ///< of a step of rkf45, in smallest radii [-]
  double cfl = 0.1;                   ///< share of the smallest radius that a grain may move in a step [-]
  std::vector<std::string> notes;     ///< what was decided here, for people
  std::vector<std::string> warnings;  ///< what the scene asks for and may regret

  std::size_t law_index(std::size_t a, std::size_t b) const {
    return std::min(a, b) * surface_count + std::max(a, b);
  }
  bool is_covered(std::size_t body) const {
    return std::any_of(covers.begin(), covers.end(), [&](const BodyCover& c) { return c.body == body; });
  }
  const PairLaw& law(std::size_t a, std::size_t b) const { return laws[law_index(a, b)]; }
  /// The largest of all materials [kg/m3].
  double grain_density() const {
    double largest = 0;
    for (const DemMaterial& material : materials) largest = std::max(largest, material.grain_density);
    return largest;
  }
  double grain_mass(std::size_t shape, std::size_t material, double radius) const {
    return materials[material].grain_density * shapes[shape].volume * radius * radius * radius;
  }
};

/// Shapes, materials and laws but for stiffness and time step. Throws Error(bad_scene) where the scene asks
/// for what this solver cannot do.
DemModel make_dem_model(const Scene& scene, const Bodies& bodies);

/// Of the grains of a material, by number [kg].
double mean_grain_mass(const Scene& scene, const Material& material);

/// A grain shape from spheres as written: about the centre of mass, with bounding radius one.
DemShape make_dem_shape(const std::string& name, std::vector<ShapeSphere> spheres, GrainMass mass);

}  // namespace repose
