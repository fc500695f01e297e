#pragma once
// A smooth surface around the particles of a frame, whatever solver they come from: the level set of Zhu
// 2005, chapter 4 (grid/particle_distance.h), on a sparse grid that is finer than the particles lie apart,
// smoothed by steps that only lower it, and its zero as triangles. Vertices carry the velocity and the colour
// of the particles near them, so that the surface can be blurred and shaded as they would be.
//
// Blobbies, the sum of the particles' kernels, are there for comparison: they show every particle.
//
// Liquid lies flat against the walls of the domain, and meets them at a right angle: particles are mirrored
// across a wall, and what the surface has beyond it is cut off.
//
// Triangles are made by surface nets (Gibson 1998, "Constrained Elastic Surface Nets"): one vertex for each
// cube of eight cell middles that the surface passes, in the mean of the places where it cuts the cube's
// edges, moved onto the surface. Cost goes with the particles and the surface, not with the space around
// them.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/geometry/triangle_mesh.h"
#include "repose/math/vec.h"
#include "repose/particles/frame.h"
#include "repose/scene/scene.h"

namespace repose {

/// Rounds of smoothing for each that was asked for, of what bumps are taken off: these are wider than the
/// grid's cells.
inline constexpr int kEvenings = 5;

struct SurfaceOptions {
  SurfaceMethod method = SurfaceMethod::average;
  double spacing = 0.005;  ///< edge of the grid's cells, at least R / 7 [m]
  double radius = 0.01;    ///< r: how far the surface lies outside of the outermost particles [m]
  double support = 0.02;   ///< R: particles within this count [m]
  int smoothing = 1;       ///< rounds
  /// What rounds take off bumps, in all [m]. 0: they only widen, so that thin sheets and single grains stay
  /// as they are; else there are kEvenings as many.
  double shave = 0;
  std::uint32_t full = 0;  ///< particles in 4 x 4 x 4 cells that leave no gap; 0: not known
  /// Walls of the domain that liquid lies against; infinite where there is none [m].
  Box3d walls{Vec3d(-std::numeric_limits<double>::infinity()),
              Vec3d(std::numeric_limits<double>::infinity())};
};

/// From [surface] and solver.spacing: r is the particles' spacing and R twice r, as in the paper, on a grid
/// of half the spacing (of a fluid three quarters). Of particles of a
/// fluid, which lie evenly up to its surface, R is three spacings and r such that the surface is there
/// (physics/level_set.h, kBorderRadius). Blobbies are made as of any other particles. Throws Error(bad_scene)
/// where the grid is too fine for R.
SurfaceOptions surface_options(const Scene& scene, ParticleKind kind);

struct SurfaceMesh {
  TriangleMesh mesh;
  std::vector<Vec3f> velocity;  ///< by vertex [m/s]
  std::vector<Color> color;     ///< by vertex, linear
  double spacing = 1;           ///< edge of the cells that it was made on [m]
};

/// No triangles where there are no particles. Throws Error(run_failed) where the particles are spread so far
/// that a grid of this spacing cannot number its cells.
SurfaceMesh make_surface(const Frame& frame, std::span<const Material> materials,
                         const SurfaceOptions& options, Threads& threads);

}  // namespace repose
