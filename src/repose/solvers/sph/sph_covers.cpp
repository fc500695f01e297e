#include "repose/solvers/sph/sph_covers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/geometry/surface_particles.h"
#include "repose/physics/sph.h"

namespace repose {
namespace {

constexpr double kRadiusShare = 0.5;   ///< of solver.spacing that a particle's radius has [-]
constexpr double kDensity = 1.15;      ///< of the layer: particles stand 0.89 spacings apart [-]
constexpr double kMostThinness = 0.4;  ///< how deep particles lie in a thin body, as a share of its thickness

Vec3i cell_of(const Vec3d& place, double spacing) {
  const Vec3d x = place / (kSphSupport * spacing);
  return {static_cast<int>(std::floor(x.x)), static_cast<int>(std::floor(x.y)),
          static_cast<int>(std::floor(x.z))};
}

/// Cells along x have keys that follow each other.
std::uint64_t key_of(const Vec3i& cell) {
  constexpr int kFar = 1 << 20;
  const auto part = [](int c) { return static_cast<std::uint64_t>(c + kFar); };
  return part(cell.z) << 42U | part(cell.y) << 21U | part(cell.x);
}

/// Calls f(index) for the cover's particles in the cells around a place in the body's frame.
template <class F>
void for_each_near(const SphCover& cover, double spacing, const Vec3d& place, F&& f) {
  const Vec3i cell = cell_of(place, spacing);
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y) {
      const auto first = std::lower_bound(cover.key.begin(), cover.key.end(), key_of(cell + Vec3i(-1, y, z)));
      const auto end = std::upper_bound(first, cover.key.end(), key_of(cell + Vec3i(1, y, z)));
      for (auto it = first; it != end; ++it) f(static_cast<std::size_t>(it - cover.key.begin()));
    }
}

[[noreturn]] void refuse(const Scene& scene, const Body& body, const char* text) {
  throw Error(
      ExitCode::bad_scene,
      fmt::format("{}body '{}': {}", scene.where("body." + body.family + ".surface"), body.name, text));
}

SphCover make_cover(const Scene& scene, const Body& body, std::size_t b, Threads& threads) {
  const double d0 = scene.solver.spacing;
  if (!std::isfinite(body.ball_radius))
    refuse(scene, body,
           "an unbounded shape cannot be covered with particles; take a box, or surface = \"smooth\"");
  const SurfaceParticles layer = sample_surface(body.shape,
                                                {.radius = body.particle_radius.value_or(kRadiusShare * d0),
                                                 .density = kDensity,
                                                 .offset = -std::min(0.5 * d0, kMostThinness * body.thinness),
                                                 .seed = scene.info.seed,
                                                 .substream = static_cast<std::uint32_t>(b)},
                                                threads);
  std::vector<std::size_t> order(layer.positions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t k) { return key_of(cell_of(layer.positions[k], d0)); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t c) { return key(a) < key(c); });
  SphCover cover;
  cover.body = b;
  for (const std::size_t k : order) {
    cover.position.push_back(layer.positions[k]);
    cover.key.push_back(key(k));
  }
  cover.volume.resize(order.size());
  threads.for_each(order.size(), [&](std::size_t k) {
    double sum = 0;  // delta_b of eq. 16, by volume
    for_each_near(cover, d0, cover.position[k], [&](std::size_t other) {
      sum += sph_kernel((cover.position[other] - cover.position[k]).length() / d0);
    });
    cover.volume[k] = static_cast<float>(kSphLayerShare / sum);
  });
  return cover;
}

}  // namespace

std::vector<SphCover> make_sph_covers(const Scene& scene, const Bodies& bodies, Threads& threads) {
  std::vector<SphCover> covers;
  for (std::size_t b = 0; b < bodies.first_wall(); ++b) {
    if (bodies[b].surface != BodySurface::particles) continue;
    // Copies are alike in their own frames.
    const auto same = std::find_if(covers.begin(), covers.end(), [&](const SphCover& cover) {
      return bodies[cover.body].family == bodies[b].family;
    });
    covers.push_back(same != covers.end() ? *same : make_cover(scene, bodies[b], b, threads));
    covers.back().body = b;
  }
  return covers;
}

CoverTouch touch_cover(const SphCover& cover, const Bodies& bodies, double spacing, const Vec3d& place) {
  const Pose& pose = bodies[cover.body].pose;
  const Vec3d local = pose.to_local(place);
  double weight = 0;
  Vec3d gradient(0), way(0);
  CoverTouch touch;
  for_each_near(cover, spacing, local, [&](std::size_t k) {
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
