#pragma once
// Particles spread evenly over the surface of a shape, or over a surface at a distance from it: what bodies
// are covered with where grains should feel a rough surface, and what continuum solvers use as boundaries.
//
// Bell 2005, section 3.3.1, after Witkin and Heckbert 1994: particles are scattered over triangles of the
// surface, as many as a density asks for, and then float along the level set phi = offset. Each step moves a
// particle by a repulsion from its neighbours (eq. 20, with a kernel of compact support) and back onto the
// level set along the normal.
//
// Where this departs from the paper: phi is the exact signed distance of the shape, not one sampled on voxels
// (mesh/mesh_solid.h says why), and the scattered particles keep a distance from each other from the start.
// Repulsion evens out the neighbourhood of a particle within tens of steps, but a surplus of particles in one
// region would spread like heat, in steps that grow with the square of its size; a scattering with distance
// has no such surplus.
//
// Distances are straight through space, so the two sides of a wall thinner than the range of the repulsion
// (1.8 spacings) push each other's particles aside too.
//
// The result is the same for any number of threads: a particle's sum runs over its neighbours in an order
// given by their numbers.

#include <cstdint>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/geometry/shape.h"

namespace repose {

struct SurfaceSampling {
  double radius = 0.01;  ///< of the particles [m]
  /// Area of the particles' discs over that of the surface: a surface of area A gets density A / (pi
  /// radius^2) of them. 0.9 lets discs just touch, 1 (the paper's own measure) overlaps them by 5 % of the
  /// diameter, more closes the gaps between spheres.
  double density = 1;
  /// Of the centres from the surface, along its normal [m]: 0 on the surface, -radius for particles that lie
  /// inside and touch it, which is what keeps a body's size.
  double offset = 0;
  std::uint64_t seed = 1;
  std::uint32_t substream = 0;  ///< tells bodies apart
  int most_steps = 200;
  /// Converged when the root mean square of a step's way is less than this share of the mean distance.
  double tolerance = 2e-3;
};

struct SurfaceParticles {
  std::vector<Vec3d> positions;  ///< in the frame that holds the shape
  std::vector<Vec3d> normals;    ///< unit, outwards
  double area = 0;               ///< of the level set, from its triangles [m2]
  double spacing = 0;            ///< distance of neighbours if the particles stood in perfect hexagons [m]
  int steps = 0;
  bool converged = false;
};

/// For any shape with a bounded surface. Throws Error(bad_scene) for planes, and where there would be more
/// than 50 million particles. No particles come where the level set does not exist: a wall thinner than twice
/// an inward offset.
SurfaceParticles sample_surface(const Shape& shape, const SurfaceSampling& sampling, Threads& threads);

/// How even a covering is, in units of its spacing. Perfect hexagons have 1, 0, 1 and 0.577.
struct SurfaceEvenness {
  double mean = 0;      ///< of the distance to the nearest neighbour
  double spread = 0;    ///< its standard deviation
  double smallest = 0;  ///< of them
  double gap = 0;  ///< largest distance of a place on the surface to the nearest particle, over many places
};
SurfaceEvenness measure_evenness(const Shape& shape, const SurfaceSampling& sampling,
                                 const SurfaceParticles& particles, Threads& threads);

}  // namespace repose
