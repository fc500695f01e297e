#pragma once
// Matter of the methods that see a continuum (flip, sph): particles that each stand for a cube of matter, the
// spacing of the scene wide. How they come into a run and leave it is the same for all of these methods:
//
//   places     the particles of fills                                                  matter_places.h
//   sources    emitters, sinks, faces of the domain that are open or periodic          matter_sources.h
//   plan       what `repose check` says of fills and emitters, and the speed expected  matter_plan.h
//
// None of these knows a solver's state. What comes is handed over as NewMatter, in the order in which ids are
// given; of what goes, the solver gets the rows that stay. So each keeps its own arrays. What solvers do
// alike with these arrays, whichever they are:
//
//   state      rows that come, go, are put in order, saved and loaded                  matter_state.h
//   step       how long a step may be                                                  matter_step.h
//   report     frames, stats and failures                                              matter_report.h

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "repose/particles/domain_box.h"
#include "repose/scene/scene.h"

namespace repose {

struct MatterSettings {
  std::string solver;                 ///< its name, for messages
  double spacing = 0;                 ///< of particles [m]
  std::vector<double> particle_mass;  ///< by material of the scene [kg]
  Domain domain;
  DomainBox box;  ///< which axes are periodic
  std::uint64_t seed = 1;
  // Of fills.
  double jitter = 0;     ///< how far particles stand from the middle of their place, as a share of it
  double clearance = 0;  ///< from bodies at least, in spacings
  bool has_flat_surface = false;  ///< particles at the free surface are put into one layer (matter_places.h)
  // Of emitters.
  int tries = 1;  ///< points that are drawn in a place, of which the one furthest from others is taken
  /// Of other particles at a new one, over the density at rest: where they are denser, the place is taken.
  double most_crowded = std::numeric_limits<double>::infinity();
};

/// What follows from the scene; the settings of fills are the solver's choice. Throws Error(bad_scene) where
/// one face of two is periodic.
MatterSettings make_matter_settings(const Scene& scene, const std::string& solver);

/// Particles to add.
struct NewMatter {
  std::vector<Vec3d> position;  ///< [m]
  std::vector<Vec3d> velocity;  ///< [m/s]
  std::vector<std::uint8_t> material;
  std::vector<std::uint32_t> source;  ///< index of the fill or emitter among those of the scene

  std::size_t size() const { return position.size(); }
  void add(const Vec3d& x, const Vec3d& v, std::uint8_t of_material, std::uint32_t of_source) {
    position.push_back(x);
    velocity.push_back(v);
    material.push_back(of_material);
    source.push_back(of_source);
  }
};

}  // namespace repose
