#pragma once
// The stage: one frame made ready for rays. Grains become spheres with a colour each, bodies become meshes
// where they stand in that frame, and the ground is a plane. Positions are kept relative to the middle of
// the scene, so that single precision is enough however far from zero the scene lies.

#include <cstdint>
#include <string>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/geometry/triangle_mesh.h"
#include "repose/particles/frame.h"
#include "repose/render/ray_scene.h"
#include "repose/scene/scene.h"

namespace repose {

/// A point that light falls on.
struct Surface {
  Vec3f position;  ///< lifted off the surface far enough for a ray to start [m]
  Vec3f normal;    ///< unit, towards where the ray came from
  Vec3f albedo;
  bool ground;
};

class Stage {
 public:
  Stage(const Scene& scene, std::vector<GrainShape> shapes, Threads& threads);

  /// Takes the place of what stood here before.
  void set(const Frame& frame);

  const RayScene& rays() const { return rays_; }
  const Vec3d& origin() const { return origin_; }  ///< what ray positions are relative to [m]
  float size() const { return size_; }             ///< half the diagonal of what the camera shows [m]

  /// Height of the ground in ray positions, far below where there is none [m].
  float ground() const { return ground_; }
  /// Whether ray i ends on anything. Rays are to end at the ground: reach().
  bool meets_surface(const RayBatch& rays, const HitBatch& hits, std::size_t i) const {
    return hits.object[i] != kNoObject || rays.tmax[i] < kFar;
  }
  /// How far the ground at this point has faded into the horizon, 0 to 1: far ground has no edge.
  float fade(const Vec3f& position) const;
  Surface surface(const RayBatch& rays, const HitBatch& hits, std::size_t i) const;

  static constexpr float kFar = 1e30F;  ///< the length of a ray that meets nothing [m]

 private:
  /// A body as it is drawn, in its own frame and as placed in the frame at hand.
  struct Drawn {
    std::string name;
    TriangleMesh mesh;
    Color color;
    std::vector<Vec3f> placed_normals;
  };

  void add_bodies(const Frame& frame);
  void add_grains(const Frame& frame);
  Surface grain_surface(const HitBatch& hits, std::size_t i) const;
  Surface body_surface(const RayBatch& rays, const HitBatch& hits, std::size_t i) const;

  const Scene& scene_;
  std::vector<GrainShape> shapes_;
  Threads& threads_;
  Vec3d origin_;
  float size_, ground_;
  std::vector<Drawn> drawn_;
  std::vector<std::size_t> drawn_of_object_;  ///< which of them each object of rays_ is
  RayScene rays_;
  std::vector<Sphere> spheres_;
  std::vector<std::uint32_t> colors_;  ///< one a sphere, packed
  std::uint32_t spheres_object_ = kNoObject;
};

/// Length of a ray [m] from height z with slope dz: to the ground, or without end.
inline float reach(float ground, float z, float dz) {
  const float t = (ground - z) / (dz < 0 ? dz : -1.0F);
  return dz < 0 && t > 0 && t < Stage::kFar ? t : Stage::kFar;
}

}  // namespace repose
