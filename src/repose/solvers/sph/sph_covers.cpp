#include "repose/solvers/sph/sph_covers.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "repose/bodies/cover_bodies.h"
#include "repose/core/error.h"
#include "repose/geometry/surface_particles.h"
#include "repose/physics/sph.h"

namespace repose {
namespace {

constexpr double kDensity = 1.15;      ///< of the layer: particles stand 0.89 spacings apart [-]
constexpr double kMostThinness = 0.4;  ///< how deep particles lie in a thin body, as a share of its thickness

[[noreturn]] void refuse(const Scene& scene, const Body& body, const char* text) {
  throw Error(
      ExitCode::bad_scene,
      fmt::format("{}body '{}': {}", scene.where("body." + body.family + ".surface"), body.name, text));
}

SphCover make_cover(const Scene& scene, const Body& body, std::size_t b, Threads& threads) {
  const double d0 = scene.solver.spacing, most = kMostCoverRadius * d0;
  if (!std::isfinite(body.ball_radius))
    refuse(scene, body,
           "an unbounded shape cannot be covered with particles; take a box, or surface = \"smooth\"");
  const SurfaceParticles layer =
      sample_surface(body.shape,
                     {.radius = std::min(body.particle_radius.value_or(most), most),
                      .density = kDensity,
                      .offset = -std::min(0.5 * d0, kMostThinness * body.thinness),
                      .seed = scene.info.seed,
                      .substream = static_cast<std::uint32_t>(b)},
                     threads);
  SphCover cover;
  cover.position = layer.positions;
  cover.near.build(cover.position, kSphSupport * d0, threads);
  cover.volume.resize(cover.position.size());
  threads.for_each(cover.position.size(), [&](std::size_t k) {
    double sum = 0;  // delta_b of eq. 16, by volume
    cover.near.for_each_near(cover.position[k], [&](std::uint32_t other) {
      sum += sph_kernel((cover.position[other] - cover.position[k]).length() / d0);
    });
    cover.volume[k] = static_cast<float>(kSphLayerShare / sum);
  });
  return cover;
}

}  // namespace

std::vector<SphCover> make_sph_covers(const Scene& scene, const Bodies& bodies, Threads& threads) {
  return cover_bodies<SphCover>(bodies, bodies.first_wall(),
                                [&](std::size_t b) { return make_cover(scene, bodies[b], b, threads); });
}

CoverTouch touch_cover(const SphCover& cover, const Bodies& bodies, double spacing, const Vec3d& place) {
  const Pose& pose = bodies[cover.body].pose;
  const Vec3d local = pose.to_local(place);
  double weight = 0;
  Vec3d gradient(0), way(0);
  CoverTouch touch;
  cover.near.for_each_near(local, [&](std::uint32_t k) {
    const Vec3d d = local - cover.position[k];
    const double r = d.length() / spacing, volume = static_cast<double>(cover.volume[k]);
    if (r >= kSphSupport) return;
    const double w = volume * sph_kernel(r);
    touch.density += w;
    gradient += (volume * sph_kernel_slope(r) / (spacing * spacing)) * d;
    way += w * d;
    weight += w;
  });
  if (!(weight > 0) || gradient.length() == 0) return {};
  touch.distance = -way.dot(gradient) / (weight * gradient.length());
  touch.gradient = rotate(pose.rotation, gradient);
  return touch;
}

}  // namespace repose
