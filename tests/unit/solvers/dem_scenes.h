#pragma once
// Small dem scenes for tests, built in code.

#include <cstdint>
#include <string>

#include "repose/scene/scene.h"
#include "repose/solvers/dem/dem_solver.h"

namespace repose::test {

/// A material of stiff enough grains; friction and restitution as they stand.
Material material_of(const std::string& name, const std::string& grain, double young = 1e7);

Shape box_shape(const Vec3d& size, const Vec3d& position);

/// An empty box with walls all around but an open top, and one material.
Scene box_scene(const std::string& grain, const Vec3d& size, double spacing);

/// Space without end and without gravity.
Scene void_scene(const std::string& grain, double spacing);

void add_fill(Scene& scene, const Shape& shape, Packing packing = Packing::jittered);
void add_point(Scene& scene, const Vec3d& position, const Vec3d& velocity = Vec3d(0),
               const Vec3d& angular_velocity = Vec3d(0));

/// Steps to the time [s]; the text of a failure, or "".
std::string advance(Solver& solver, double time);

std::uint64_t state_hash(const Solver& solver);

}  // namespace repose::test
