#pragma once
// Boundary particles (Ihmsen 2013, section 3.3): a body with `surface = "particles"` meets sand by particles
// that cover it, spread evenly but not regularly (geometry/surface_particles.h). Each stands for as much
// volume as its neighbours leave it (eq. 16), so that any sampling no coarser than the spacing will do.
//
// They lie half a spacing below the surface, where the first layer of sand would be if the body were sand:
// particles at rest touch the surface with their own radius, as they do on a smooth body.

#include <cstdint>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/geometry/point_grid.h"
#include "repose/scene/scene.h"

namespace repose {

struct SphCover {
  std::size_t body = 0;
  std::vector<Vec3d> position;  ///< in the body's frame [m]
  std::vector<float> volume;    ///< of sand that a particle stands for [spacing^3]
  PointGrid near;               ///< finds them
};

/// What a cover is to a particle.
struct CoverTouch {
  double density = 0;       ///< what it adds to the density, over that at rest
  Vec3d gradient{0, 0, 0};  ///< of that, by the particle's place, in the world [1/m]
  double distance = 0;      ///< from the cover's particles, along the gradient [m]
};

/// Largest radius of boundary particles that leaves sand no gap between them, over the spacing.
inline constexpr double kMostCoverRadius = 0.5;

/// Of the bodies that ask for it, with particles of their `particle_radius` or that. Throws Error(bad_scene)
/// where one cannot be covered.
std::vector<SphCover> make_sph_covers(const Scene& scene, const Bodies& bodies, Threads& threads);

/// At a place in the world [m].
CoverTouch touch_cover(const SphCover& cover, const Bodies& bodies, double spacing, const Vec3d& place);

}  // namespace repose
