#pragma once
// What rays meet. The one door to Embree: ray_scene.cpp alone includes it, so that a change of its version
// touches one file. Rays go in batches.
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

/// Rays travel in packets of this many; the arrays of a batch are a whole number of packets long.
inline constexpr std::size_t kPacket = 16;

/// Rays side by side, by component: what vector code writes and packets are filled from.
struct RayBatch {
  std::size_t count = 0;
  std::vector<float> ox, oy, oz;  ///< origin [m]
  std::vector<float> dx, dy, dz;  ///< direction, unit
  std::vector<float> tmax;        ///< length [m]
  std::vector<float> time;        ///< in the shutter interval, 0..1

  void resize(std::size_t n);
  Vec3f origin(std::size_t i) const { return {ox[i], oy[i], oz[i]}; }
  Vec3f direction(std::size_t i) const { return {dx[i], dy[i], dz[i]}; }
};

inline constexpr std::uint32_t kNoObject = 0xFFFFFFFFU;

/// The nearest hit of each ray of a batch.
struct HitBatch {
  std::vector<float> t;                  ///< [m]
  std::vector<std::uint32_t> object;     ///< as add_... returned it, or kNoObject
  std::vector<std::uint32_t> primitive;  ///< sphere or triangle
  std::vector<float> u, v;               ///< barycentric, triangles; of grains with facets u is the facet
  std::vector<float> nx, ny, nz;         ///< geometric normal, outward, not of unit length

  void resize(std::size_t n);
  Vec3f normal(std::size_t i) const { return {nx[i], ny[i], nz[i]}; }
};

struct Sphere {
  Vec3f center;
  float radius;
};

class RayScene {
 public:
  /// Embree builds its hierarchies in a pool of its own, of as many threads as `threads` has.
  explicit RayScene(const Threads& threads);
  ~RayScene();
  RayScene(const RayScene&) = delete;
  RayScene& operator=(const RayScene&) = delete;

  void clear();
  /// The spheres stay the caller's: unchanged until clear() or the end. `at_close` is empty or holds the
  /// spheres at the end of the shutter interval.
  std::uint32_t add_spheres(std::span<const Sphere> spheres, std::span<const Sphere> at_close = {});
  /// Grains with facets (facets.h), in spheres around them. The upper 8 bits of a grain's word are the number
  /// of its shape. All three stay the caller's, as with add_spheres.
  std::uint32_t add_grains(std::span<const Sphere> balls, std::span<const Sphere> at_close,
                           std::span<const std::uint32_t> words);
  /// Positions are copied. `at_close` is empty or holds the positions at the end of the shutter interval.
  std::uint32_t add_mesh(std::span<const Vec3f> positions,
                         std::span<const std::array<std::uint32_t, 3>> triangles,
                         std::span<const Vec3f> at_close = {});
  /// Builds the hierarchy. Before any ray.
  void commit(Threads& threads);

  /// Nearest hit of each ray. Packets pay even for scattered rays (bench/render_bench.cpp) except among
  /// grains with facets, where Embree has no traversal for them: there `scattered` rays go one by one.
  void intersect(const RayBatch& rays, HitBatch& hits, bool scattered = false) const;
  /// 1 for each ray that anything lies on, else 0.
  void occluded(const RayBatch& rays, std::vector<std::uint8_t>& blocked, bool scattered = false) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace repose
