#include "repose/io/particles/up_axis.h"

namespace repose {
namespace {

template <class T>
void turn_all(std::vector<T>& values) {
  for (T& value : values) value = to_y_up(value);
}

}  // namespace

void turn_y_up(Frame& frame) {
  turn_all(frame.position);
  turn_all(frame.velocity);
  turn_all(frame.orientation);
  turn_all(frame.angular_velocity);
  for (BodyRow& body : frame.bodies) {
    body.pose = {to_y_up(body.pose.position), to_y_up(body.pose.rotation)};
    for (Vec3d* v : {&body.velocity, &body.angular_velocity, &body.force, &body.torque}) *v = to_y_up(*v);
  }
}

void turn_y_up(std::vector<GrainShape>& shapes) {
  for (GrainShape& shape : shapes)
    for (ShapeSphere& sphere : shape.spheres) sphere.center = to_y_up(sphere.center);
}

void turn_y_up(TriangleMesh& mesh) {
  turn_all(mesh.positions);
  turn_all(mesh.normals);
}

}  // namespace repose
