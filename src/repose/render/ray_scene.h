#pragma once
// What rays meet. The one door to Embree: ray_scene.cpp alone includes it, so that a change of its version
// touches one file. Rays go in batches, and the scene decides how they travel (packets or alone).
//
// Positions are single precision relative to an origin that the caller chooses near the scene.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/geometry/triangle_mesh.h"
#include "repose/math/vec.h"

namespace repose {

struct Ray {
  Vec3f origin;     ///< [m]
  float tmax;       ///< length [m]
  Vec3f direction;  ///< unit
  float time;       ///< in the shutter interval, 0..1
};

inline constexpr std::uint32_t kNoObject = 0xFFFFFFFFU;

struct Hit {
  float t;                  ///< [m]
  std::uint32_t object;     ///< as add_... returned it, or kNoObject
  std::uint32_t primitive;  ///< sphere or triangle
  float u, v;               ///< barycentric, triangles
  Vec3f normal;             ///< geometric, outward, not of unit length
};

struct Sphere {
  Vec3f center;
  float radius;
};

/// Rays that start close together and go about the same way travel faster as packets.
enum class RayBundle { coherent, scattered };

class RayScene {
 public:
  RayScene();
  ~RayScene();
  RayScene(const RayScene&) = delete;
  RayScene& operator=(const RayScene&) = delete;

  void clear();
  /// The spheres stay the caller's: unchanged until clear() or the end. `at_close` is empty or holds the
  /// spheres at the end of the shutter interval.
  std::uint32_t add_spheres(std::span<const Sphere> spheres, std::span<const Sphere> at_close = {});
  /// Positions are copied. `at_close` is empty or holds the positions at the end of the shutter interval.
  std::uint32_t add_mesh(std::span<const Vec3f> positions,
                         std::span<const std::array<std::uint32_t, 3>> triangles,
                         std::span<const Vec3f> at_close = {});
  /// Builds the hierarchy. Before any ray.
  void commit(Threads& threads);

  /// Nearest hit of each ray.
  void intersect(std::span<const Ray> rays, std::span<Hit> hits, RayBundle bundle) const;
  /// Whether anything lies on each ray.
  void occluded(std::span<const Ray> rays, std::span<std::uint8_t> blocked, RayBundle bundle) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace repose
