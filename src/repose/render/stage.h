#pragma once
// The stage: one frame made ready for rays. Grains become spheres with a colour each, bodies become meshes
// where they stand in that frame, and the ground is a plane. Positions are kept relative to the middle of
// the scene, so that single precision is enough however far from zero the scene lies.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/particles/frame.h"
#include "repose/refine/fine_grains.h"
#include "repose/render/body_meshes.h"
#include "repose/render/fine_spheres.h"
#include "repose/render/grain_spheres.h"
#include "repose/render/ray_scene.h"
#include "repose/scene/scene.h"

namespace repose {

/// A point that light falls on.
struct Surface {
  Vec3f position;  ///< lifted off the surface far enough for a ray to start [m]
  Vec3f normal;    ///< unit, towards where the ray came from
  Vec3f albedo;
  bool ground;
  float coat;               ///< how much of a clear coat lies on it, 0 (most grains) to 1
  float glint = 0;          ///< how bright its facet of ice is (snow_look.h), 0: it has none
  Vec3f facet = {0, 0, 1};  ///< unit
};

/// A point on a body or a liquid that is looked through.
struct ClearSurface {
  Vec3f normal;  ///< unit, towards where the ray came from
  Vec3f color;
  float opacity;     ///< of this one surface, looking straight at it
  bool thin;         ///< a sheet; else the skin of a solid or a liquid, which bends the ray
  bool entering;     ///< the ray goes into it
  float index;       ///< of refraction, over that of air [-]
  float roughness;   ///< of the sun's image in it: alpha of GGX [-]
  Vec3f absorption;  ///< of light on its way through the inside [1/m]
  float film;        ///< a gap to a solid behind it that is thinner than this is none [m]
};

class Stage {
 public:
  Stage(const Scene& scene, std::vector<GrainShape> shapes, Threads& threads);

  /// Takes the place of what stood here before.
  /// `surface` is a mesh of the matter in world coordinates [m]; it is drawn instead of the grains, and so
  /// are `fine` grains, as they look from where `viewpoint` says.
  void set(const Frame& frame, const TriangleMesh* surface = nullptr, const FineGrains* fine = nullptr,
           const Viewpoint& viewpoint = {});

  const RayScene& rays() const { return rays_; }
  /// Bodies that are looked through: they end no ray.
  const RayScene& clear_rays() const { return clear_rays_; }
  bool has_clear() const { return !clear_.empty(); }
  /// Bounces that light may need at most: between fine grains it goes to and fro more often than between few
  /// large ones, and most often in snow. 0: few are enough.
  int most_bounces() const;
  bool is_moving() const { return shutter_ > 0; }  ///< rays have a time
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

  ClearSurface clear_surface(const RayBatch& rays, const HitBatch& hits, std::size_t i) const;

  static constexpr float kFar = 1e30F;  ///< the length of a ray that meets nothing [m]

 private:
  /// A body as it stands in the frame at hand.
  struct Placed {
    std::vector<Vec3f> normals;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    Color color;
    float opacity, coat;
    bool thin;
    std::optional<Vec3f> absorption = std::nullopt;  ///< of a clear liquid [1/m]
  };

  void add_grains(const Frame& frame);
  void add_fine_grains(const Frame& frame, const FineGrains& fine);
  void add_surface(const TriangleMesh& surface);
  void add_bodies(const Frame& frame);
  void add_body(const BodyMesh& body, const BodyRow& row);
  Color grain_albedo(std::uint32_t k) const;
  Surface grain_surface(const RayBatch& rays, const HitBatch& hits, std::size_t i) const;
  Surface fine_surface(const RayBatch& rays, const HitBatch& hits, std::size_t i) const;
  Surface body_surface(const RayBatch& rays, const HitBatch& hits, std::size_t i) const;

  const Scene& scene_;
  std::vector<GrainShape> shapes_;
  Threads& threads_;
  Vec3d origin_;
  float size_, ground_;
  double shutter_;  ///< [s]
  std::vector<BodyMesh> meshes_;
  RayScene rays_, clear_rays_;
  std::vector<Placed> solid_, clear_;  ///< by object of rays_ and of clear_rays_
  GrainSpheres grains_;
  std::uint32_t grains_object_ = kNoObject;
  bool fine_ = false;      ///< the grains are fine ones
  bool snow_ = false;      ///< the grains are snow
  bool facetted_ = false;  ///< some of them have facets
  bool glints_ = false;    ///< quartz among them glints
  Viewpoint viewpoint_;
};

inline constexpr float kGlassIndex = 1.5F, kWaterIndex = 1.33F;  ///< of refraction [-]

/// Length of a ray [m] from height z with slope dz: to the ground, or without end.
inline float reach(float ground, float z, float dz) {
  const float t = (ground - z) / (dz < 0 ? dz : -1.0F);
  return dz < 0 && t > 0 && t < Stage::kFar ? t : Stage::kFar;
}

}  // namespace repose
