#pragma once
// Small scenes for the tests of pictures.

#include <vector>

#include "repose/particles/frame.h"
#include "repose/render/render.h"
#include "repose/scene/scene.h"

namespace repose {

/// One material of the given grey without variation, a small picture, no ground.
inline Scene plain_scene(float grey = 0.5F) {
  Scene scene;
  Material material;
  material.name = "sand";
  material.color = {grey, grey, grey};
  scene.materials.push_back(material);
  scene.render.size = {64, 64};
  scene.render.samples = 16;
  scene.render.color_variation = 0;
  scene.render.ground = false;
  scene.render.denoise = false;
  return scene;
}

inline void add_sphere(Frame& frame, const Vec3d& position, float radius) {
  frame.id.push_back(static_cast<std::uint32_t>(frame.id.size()));
  frame.position.push_back(position);
  frame.velocity.emplace_back(0.0F, 0.0F, 0.0F);
  frame.radius.push_back(radius);
  frame.material.push_back(0);
}

/// A layer of n x n touching spheres on the ground with every third missing: shadows, gaps, many edges.
inline Frame bed_of_spheres(int n, double radius) {
  Frame frame;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      if ((x + 2 * y) % 3 != 0)
        add_sphere(frame, Vec3d(2 * x - n, 2 * y - n, 1 + 0.3 * ((x * y) % 4)) * radius,
                   static_cast<float>(radius));
  return frame;
}

/// One more fine grain, of the particle of `guide()`.
inline void add_fine(FineGrains& fine, const Vec3d& position) {
  fine.id.push_back(static_cast<std::uint32_t>(fine.id.size()));
  for (int axis = 0; axis < 3; ++axis)
    (axis == 0 ? fine.x : axis == 1 ? fine.y : fine.z).push_back(fine.place.from_world(position[axis], axis));
  for (auto* part : {&fine.vx, &fine.vy, &fine.vz}) part->push_back(0);
}

inline FineGrains no_fine_grains(double radius) {
  FineGrains fine;
  fine.place.unit = 1e-3 * radius;
  fine.radius = radius;
  fine.ratio = 1000000;
  return fine;
}

/// bed_of_spheres as fine grains of one particle, which is `guide()`.
inline FineGrains bed_of_fine_grains(int n, double radius) {
  FineGrains fine = no_fine_grains(radius);
  for (const Vec3d& position : bed_of_spheres(n, radius).position) add_fine(fine, position);
  return fine;
}

inline Frame guide() {
  Frame frame;
  add_sphere(frame, {0, 0, 0}, 1);
  return frame;
}

}  // namespace repose
