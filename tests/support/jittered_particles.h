#pragma once
// Frames of particles that lie one apart, jittered, for tests of surfaces.

#include <cmath>
#include <cstdint>
#include <vector>

#include "repose/core/random.h"
#include "repose/particles/frame.h"

namespace repose::test {

inline Frame frame_of(const std::vector<Vec3d>& positions) {
  Frame frame;
  for (std::size_t p = 0; p < positions.size(); ++p) {
    frame.id.push_back(static_cast<std::uint32_t>(p));
    frame.position.push_back(positions[p]);
    frame.velocity.emplace_back(0);
    frame.radius.push_back(0.5F);
    frame.material.push_back(0);
  }
  return frame;
}

/// Jittered particles one apart that fill the ball of this radius about `center` so that the surface r = 1
/// outside of them is the ball's.
inline Frame ball_of_particles(double radius, const Vec3d& center) {
  std::vector<Vec3d> positions;
  const int edge = static_cast<int>(radius) + 1;
  std::uint64_t number = 0;
  for (int z = -edge; z < edge; ++z)
    for (int y = -edge; y < edge; ++y)
      for (int x = -edge; x < edge; ++x) {
        Random random(4, Stream::test, 0, number++);
        const double a = random.uniform(), b = random.uniform(), c = random.uniform();
        Vec3d at(x + a, y + b, z + c);
        if (at.length() >= radius) continue;
        if (at.length() > radius - 2) at *= (radius - 1) / at.length();
        positions.push_back(center + at);
      }
  return frame_of(positions);
}

/// Likewise below the plane z = 0, in a square of this half width and six deep.
inline Frame slab_of_particles(double half_width) {
  std::vector<Vec3d> positions;
  const int edge = static_cast<int>(half_width);
  std::uint64_t number = 0;
  for (int z = -6; z < 0; ++z)
    for (int y = -edge; y < edge; ++y)
      for (int x = -edge; x < edge; ++x) {
        Random random(5, Stream::test, 0, number++);
        const double a = random.uniform(), b = random.uniform(), c = random.uniform();
        positions.emplace_back(x + a, y + b, z + c > -2 ? -1 : z + c);
      }
  return frame_of(positions);
}

}  // namespace repose::test
