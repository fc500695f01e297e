#pragma once
// Velocities from particles to the faces of a staggered grid and back (Zhu 2005, section 3.2). Component i of
// the velocity stands in the middle of the faces across axis i. A particle counts for the faces within one
// cell of it by the full trilinear hat, so that weights add up to one and momentum is kept: the sum over
// faces of weight times velocity is the sum over particles.
//
// There are no atomic operations and no order that depends on threads: each tile sums its own particles into
// a block of its own that is one cell wider all around, and then each face adds up the blocks that hold it,
// in the order of the tiles around.

#include <array>
#include <span>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/grid/particle_cells.h"
#include "repose/grid/tiles.h"
#include "repose/math/vec.h"

namespace repose {

/// A velocity on faces, by axis: the lower face of each cell, so a face stands once. In m/s.
struct FaceVelocity {
  std::array<std::vector<float>, 3> u;

  void resize(std::size_t cell_count) {
    for (std::vector<float>& component : u) component.assign(cell_count, 0.0F);
  }
};

/// Weight of the particles at each face: 0 where none is near.
using FaceWeight = FaceVelocity;

/// Weighted mean of the particles' velocities at each face; zero where none is near. Particles stand in the
/// order of `cells`, and weigh alike.
void particles_to_faces(std::span<const Vec3d> positions, std::span<const Vec3f> velocities,
                        const ParticleCells& cells, const GridPlace& place, Threads& threads,
                        FaceVelocity& velocity, FaceWeight& weight);

/// Weight of the particles at the middle of each cell: as many as a cell holds where they lie evenly.
void particles_to_cells(std::span<const Vec3d> positions, const ParticleCells& cells, const GridPlace& place,
                        Threads& threads, std::vector<float>& weight);

/// Weighted mean of a value of the particles at the middle of each cell; zero where none is near.
void particle_means(std::span<const Vec3d> positions, std::span<const float> values,
                    const ParticleCells& cells, const GridPlace& place, Threads& threads,
                    std::vector<float>& mean);

/// A field that is known at the middle of cells, at particles.
void cells_to_particles(const std::vector<float>& field, std::span<const Vec3d> positions,
                        const ParticleCells& cells, const GridPlace& place, Threads& threads,
                        std::span<float> values);

/// New velocities of particles from the grid: blend times FLIP (the particle's own plus the change on the
/// grid) plus (1 - blend) times PIC (the grid's).
void faces_to_particles(const FaceVelocity& before, const FaceVelocity& after, double blend,
                        std::span<const Vec3d> positions, const ParticleCells& cells, const GridPlace& place,
                        Threads& threads, std::span<Vec3f> velocities);

/// Moves particles by dt [s] through the velocity field, which is known three cells around every one of them,
/// two cells at most. The midpoint rule (second order) in as many equal steps as it takes for the first to be
/// no longer than `longest` [cells], at most 1, in the frame that goes with the drift (drift.h; by tile) and
/// has the field steady. Positions are not wrapped.
void move_particles(const FaceVelocity& velocity, const std::vector<Vec3f>& drift, const ParticleCells& cells,
                    const GridPlace& place, double dt, double longest, Threads& threads,
                    std::span<Vec3d> positions);

}  // namespace repose
