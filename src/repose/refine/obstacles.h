#pragma once
// Bodies and walls as fine grains meet them: the full shapes, where they stand over one step.

#include <span>
#include <vector>

#include "repose/geometry/shape.h"
#include "repose/particles/frame.h"
#include "repose/refine/refine_model.h"

namespace repose {

/// One body over a step.
struct Obstacle {
  const Body* body = nullptr;
  Pose from, to;
  Vec3d center{0, 0, 0};  ///< of a ball around it at the end of the step [m]
  double radius = 0;      ///< of that ball, infinite for unbounded solids [m]
  bool is_still = false;  ///< through the step
  bool is_plane = false;  ///< a half-space: the distance of x is normal . x - offset
  Vec3d normal{0, 0, 1};
  double offset = 0;  ///< [m]

  /// Of its matter at a point of the world, at the end of the step, over the step's duration dt [m/s].
  Vec3d velocity_at(const Vec3d& point, double dt) const {
    return is_still ? Vec3d(0) : (point - from.to_world(to.to_local(point))) / dt;
  }
  /// At the end of the step.
  SurfacePoint nearest(const Vec3d& point) const {
    return is_plane ? SurfacePoint{normal.dot(point) - offset, normal} : nearest_of_shape(point);
  }
  /// At most the distance to it.
  double distance_bound(const Vec3d& point) const { return (point - center).length() - radius; }

 private:
  SurfacePoint nearest_of_shape(const Vec3d& point) const;
};

/// Bodies that are there between two frames, from `begin` to `end`, shares of the time between them.
std::vector<Obstacle> obstacles_over_step(const RefineModel& model, const Frame& from, const Frame& to,
                                          double begin, double end);

/// A grain at the end of a step.
struct FineMotion {
  Vec3d position;
  Vec3d velocity;
};

/// An obstacle that a grain may meet, and how far it is from it at least.
struct MetObstacle {
  const Obstacle* obstacle = nullptr;
  double free_way = 0;  ///< that the grain can be put before it may touch it [m]
};

/// Puts a grain of a radius [m] out of the obstacles and lets it slide along them: what it had towards a
/// surface is lost, and of its speed along it as much as Coulomb friction takes. Returns the way that it was
/// put [m]. Changes the free ways.
double collide(std::span<MetObstacle> obstacles, double radius, double dt, FineMotion& grain);

}  // namespace repose
