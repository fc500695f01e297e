#include "repose/refine/refine_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/physics/upsampling.h"
#include "repose/scene/materials.h"

namespace repose {
namespace {

/// The threshold density of Takahashi 2014 over that of a bed; the paper gives no number. Half a bed, so that
/// its surface is led and what is loose flies.
constexpr double kDenseShare = 0.5;

/// Snow can be packed, all else has one density.
double packed_density(const Scene& scene) {
  double packed = 1;
  for (const std::size_t m : used_materials(scene))
    if (const Material& material = scene.materials[m]; material.kind == MaterialKind::snow)
      packed = std::max(packed, material.density_max / material.density);
  return packed;
}

}  // namespace

RefineModel make_refine_model(const Scene& scene, ParticleKind kind) {
  RefineModel model;
  model.method = scene.refine.method;
  model.ratio = static_cast<std::uint32_t>(scene.refine.ratio);
  model.guide_radius =
      0.5 * scene.solver.spacing * (kind == ParticleKind::grains ? 1.0 : kContinuumGuideRadius);
  model.guide_spacing =
      kind == ParticleKind::grains ? kGrainSpacing * model.guide_radius : scene.solver.spacing;
  const double radii = model.method == RefineMethod::alduan2009 ? kAlduanInfluence : kIhmsenInfluence;
  model.influence = scene.refine.influence.value_or(radii * model.guide_radius);
  model.dense = kDenseShare * takahashi2014_rest_density(model.guide_spacing / model.influence);
  // As many balls of this radius have the volume of a guide's.
  model.radius = scene.refine.radius.value_or(0.5 * scene.solver.spacing / std::cbrt(model.ratio));
  model.longest_step = scene.refine.step;
  model.packed = packed_density(scene);
  model.density_limit = scene.refine.density_limit;
  model.spread = scene.refine.spread;
  model.drag = scene.refine.drag;
  model.gravity = scene.info.gravity;
  model.wind = scene.info.wind;
  model.seed = scene.info.seed;
  model.bodies = Bodies(scene);
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  model.domain = scene.domain.given ? Box3d(scene.domain.min, scene.domain.max)
                                    : Box3d(Vec3d(-kInfinite), Vec3d(kInfinite));
  for (std::size_t axis = 0; axis < 3; ++axis)
    model.periodic[axis] = scene.domain.given && scene.domain.faces[2 * axis] == FaceKind::periodic;
  model.place.unit = std::ldexp(model.influence, -FinePlace::kInfluenceBits);
  model.place.origin = scene.domain.given ? 0.5 * (scene.domain.min + scene.domain.max) : Vec3d(0);
  return model;
}

}  // namespace repose
