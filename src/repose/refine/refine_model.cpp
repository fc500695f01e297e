#include "repose/refine/refine_model.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/physics/upsampling.h"

namespace repose {
namespace {

/// What Ihmsen 2013 takes for all scenes [s].
constexpr double kUsualStep = 0.01;

RefineMethod method_of(const std::string& name) {
  if (name == "alduan2009") return RefineMethod::alduan2009;
  return name == "takahashi2014" ? RefineMethod::takahashi2014 : RefineMethod::ihmsen2013;
}

}  // namespace

RefineModel make_refine_model(const Scene& scene, bool guides_are_grains) {
  RefineModel model;
  model.method = method_of(scene.refine.method);
  model.ratio = static_cast<std::uint32_t>(std::lround(scene.refine.ratio));
  if (model.ratio < 1)
    throw Error(ExitCode::bad_scene,
                fmt::format("{}refine.ratio is {}: it is at least one fine grain a particle",
                            scene.where("refine.ratio"), scene.refine.ratio));
  model.guide_radius = 0.5 * scene.solver.spacing * (guides_are_grains ? 1.0 : kContinuumGuideRadius);
  model.influence =
      model.guide_radius * (model.method == RefineMethod::alduan2009 ? kAlduanInfluence : kIhmsenInfluence);
  // As many balls of this radius have the volume of a guide's.
  model.radius = scene.refine.radius.value_or(0.5 * scene.solver.spacing / std::cbrt(model.ratio));
  model.longest_step = scene.refine.step > 0 ? scene.refine.step : kUsualStep;
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
