#pragma once
// Files for programs whose y axis points up (Houdini, Maya). One rule for every vector that leaves: (x, y, z)
// becomes (x, z, -y), a quarter turn about x. It holds for positions, velocities, spins, forces, and for the
// axes that grains and bodies have of their own, so that shapes in grains.json and body meshes are turned
// too and an orientation turns the one into the other as before. Only components change places and signs:
// nothing is rounded.

#include <vector>

#include "repose/geometry/triangle_mesh.h"
#include "repose/particles/frame.h"

namespace repose {

template <class T>
Imath::Vec3<T> to_y_up(const Imath::Vec3<T>& v) {
  return {v.x, v.z, -v.y};
}
template <class T>
Imath::Quat<T> to_y_up(const Imath::Quat<T>& q) {
  return {q.r, to_y_up(q.v)};
}

/// Particles and bodies.
void turn_y_up(Frame& frame);
void turn_y_up(std::vector<GrainShape>& shapes);
void turn_y_up(TriangleMesh& mesh);

}  // namespace repose
