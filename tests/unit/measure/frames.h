#pragma once
// Frames made by hand, for probes to look at.

#include <cmath>
#include <string>
#include <vector>

#include "repose/measure/grain_table.h"
#include "repose/particles/frame.h"
#include "repose/scene/scene.h"

namespace repose::test {

/// A scene with one material of this grain density, and no bounds.
inline Scene plain_scene(double grain_density = 2500) {
  Scene scene;
  Material material;
  material.name = "sand";
  material.grain_density = grain_density;
  scene.materials.push_back(material);
  return scene;
}

inline std::vector<GrainShape> lone_spheres() { return {{"sphere", {{Vec3d(0), 1}}}}; }

inline void add_grain(Frame& frame, const Vec3d& position, double radius, const Vec3d& velocity = Vec3d(0)) {
  frame.id.push_back(frame.id.empty() ? 0 : frame.id.back() + 1);
  frame.position.push_back(position);
  frame.velocity.emplace_back(velocity);
  frame.radius.push_back(static_cast<float>(radius));
  frame.material.push_back(0);
  frame.orientation.emplace_back();
  frame.angular_velocity.emplace_back(0.0F);
  frame.shape.push_back(0);
}

inline Shape box(const Vec3d& size, const Vec3d& position = Vec3d(0)) {
  Shape shape;
  shape.kind = ShapeKind::box;
  shape.size = size;
  shape.pose.position = position;
  return shape;
}

/// The half-space below this height.
inline Shape below(double z) {
  Shape shape;
  shape.kind = ShapeKind::plane;
  shape.pose.position = {0, 0, z};
  return shape;
}

inline double ball_volume(double radius) { return 4 * kPi / 3 * radius * radius * radius; }

/// A face-centred cubic lattice of touching balls, cells -n to n about the origin along each axis.
inline Frame fcc_lattice(double radius, int n) {
  Frame frame;
  const double a = 2 * std::sqrt(2.0) * radius;
  const Vec3d basis[] = {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
  for (int i = -n; i <= n; ++i)
    for (int j = -n; j <= n; ++j)
      for (int k = -n; k <= n; ++k)
        for (const Vec3d& b : basis) add_grain(frame, a * (Vec3d(i, j, k) + b), radius);
  return frame;
}

}  // namespace repose::test
