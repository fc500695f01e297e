#pragma once
// Frames of guides made by hand.

#include <vector>

#include "repose/core/random.h"
#include "repose/particles/frame.h"
#include "repose/scene/scene.h"

namespace repose {

/// A scene that is refined, without walls or bodies.
inline Scene refined_scene(int ratio, double spacing = 0.1) {
  Scene scene;
  scene.solver.spacing = spacing;
  scene.refine.given = true;
  scene.refine.ratio = ratio;
  return scene;
}

inline void add_guide(Frame& frame, std::uint32_t id, const Vec3d& position, const Vec3f& velocity,
                      float radius) {
  frame.id.push_back(id);
  frame.position.push_back(position);
  frame.velocity.push_back(velocity);
  frame.radius.push_back(radius);
  frame.material.push_back(0);
}

/// n^3 guides, a spacing apart and a little off, the first about the origin.
inline Frame guide_block(int n, double spacing, const Vec3f& velocity, double jitter = 0.2) {
  Frame frame;
  frame.kind = ParticleKind::grains;
  for (int k = 0; k < n * n * n; ++k) {
    Random random(7, Stream::test, 0, static_cast<std::uint64_t>(k));
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
    add_guide(frame, static_cast<std::uint32_t>(k),
              spacing * (Vec3d(k % n, k / n % n, k / (n * n)) + jitter * Vec3d(x, y, z)), velocity,
              static_cast<float>(0.5 * spacing));
  }
  return frame;
}

/// The same guides a time [s] later, each on its way.
inline Frame moved_on(const Frame& frame, double time) {
  Frame next = frame;
  ++next.index;
  next.time += time;
  for (std::size_t i = 0; i < next.position.size(); ++i) next.position[i] += time * Vec3d(next.velocity[i]);
  return next;
}

}  // namespace repose
