#pragma once
// How much room water takes: what the grid calls liquid, and what the surface around its particles encloses.

#include <algorithm>

#include "repose/solvers/flip/flip_solver.h"
#include "repose/surface/surface.h"

namespace repose::test {

/// Of the liquid on the grid after the last step [m3]: cells whole or in part, as far as walls leave them.
inline double grid_volume(const FlipSolver& solver) {
  const FlipScratch& scratch = solver.scratch();
  const double h = solver.model().place.cell;
  double cells = 0;
  for (std::size_t i = 0; i < scratch.phi.size(); ++i)
    if (scratch.solids.distance[i] > 0) cells += std::clamp(0.5 - scratch.phi[i] / h, 0.0, 1.0);
  return cells * h * h * h;
}

/// Of the surface [m3]: a sixth of the sum of the triple products of its triangles' corners.
inline double surface_volume(const FlipSolver& solver, const Scene& scene, Threads& threads) {
  Frame frame;
  solver.fill_frame(frame);
  const SurfaceMesh surface =
      make_surface(frame, scene.materials, surface_options(scene, ParticleKind::fluid), threads);
  double sum = 0;
  for (const auto& t : surface.mesh.triangles) {
    const Vec3d a(surface.mesh.positions[t[0]]), b(surface.mesh.positions[t[1]]),
        c(surface.mesh.positions[t[2]]);
    sum += a.dot(b.cross(c)) / 6;
  }
  return sum;
}

}  // namespace repose::test
