#pragma once
// Water whose particles start with a velocity of their own, for tests.

#include <cstdint>

#include "support/flip_scenes.h"

#include "repose/core/random.h"

namespace repose::test {

/// Eight particles a cell in the box from `low` to `high`, each anywhere in its own eighth, where is_wet(x).
template <class IsWet, class Velocity>
void add_water_rows(Scene& scene, const Vec3d& low, const Vec3d& high, const IsWet& is_wet,
                    const Velocity& velocity) {
  const double d = scene.solver.spacing;
  std::vector<Vec3d> positions, velocities;
  const auto count = [&](int axis) {
    return static_cast<int>(std::ceil((high[axis] - low[axis]) / d - 1e-6));
  };
  std::uint64_t number = 0;
  for (int z = 0; z < count(2); ++z)
    for (int y = 0; y < count(1); ++y)
      for (int x = 0; x < count(0); ++x) {
        Random random(1, Stream::test, 0, number++);
        const double a = random.uniform(), b = random.uniform(), c = random.uniform();
        const Vec3d at = low + d * Vec3d(x + a, y + b, z + c);
        if (!is_wet(at)) continue;
        positions.push_back(at);
        velocities.push_back(velocity(at));
      }
  add_rows(scene, positions, velocities, {});
}

}  // namespace repose::test
