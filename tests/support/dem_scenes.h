#pragma once
// Small dem scenes for tests, built in code, and what one does with them.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "repose/scene/scene.h"
#include "repose/solvers/dem/dem_solver.h"

namespace repose::test {

/// A material of stiff enough grains, friction 0.5, restitution 0.5.
Material material_of(const std::string& name, const std::string& grain, double young = 1e7);

Shape box_shape(const Vec3d& size, const Vec3d& position);

/// An empty box from the origin with walls all around but an open top, and one material.
Scene box_scene(const std::string& grain, const Vec3d& size, double spacing);

/// Space without end and without gravity.
Scene void_scene(const std::string& grain, double spacing);

/// Space without end but for a floor at z = 0.
Scene floor_scene(const std::string& grain, double spacing);

void add_fill(Scene& scene, const Shape& shape, Packing packing = Packing::jittered);
void add_point(Scene& scene, const Vec3d& position, const Vec3d& velocity = Vec3d(0),
               const Vec3d& angular_velocity = Vec3d(0));

/// Grains with a row each; empty velocities are 0, orientations are random.
void add_rows(Scene& scene, std::span<const Vec3d> positions, std::span<const Vec3d> velocities,
              std::span<const Vec3d> spins);

/// The time step that the solver would choose [s].
double automatic_dt(const Scene& scene);

/// Steps to the time [s]; the text of a failure, or "".
std::string advance(Solver& solver, double time);

std::uint64_t state_hash(const Solver& solver);

/// Spin of a row of the state, in the world [rad/s].
Vec3d spin_of(const DemSolver& solver, std::size_t row = 0);

}  // namespace repose::test
