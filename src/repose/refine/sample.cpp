#include "repose/refine/sample.h"

#include <algorithm>
#include <vector>

#include "repose/core/random.h"

namespace repose {
namespace {

/// Places that are looked at before a grain is pushed out of what it lies in.
constexpr std::uint32_t kTries = 16;

Vec3d in_cube(Random& random) {
  const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
  return {x, y, z};
}

Vec3d in_ball(Random& random) {
  while (true) {
    const Vec3d at = in_cube(random);
    if (at.dot(at) <= 1) return at;
  }
}

/// The centre, then both ends of each axis.
Vec3d support_point(std::uint32_t which) {
  Vec3d at(0);
  if (which > 0) at[static_cast<int>((which - 1) / 2)] = which % 2 == 0 ? 1 : -1;
  return at;
}

bool is_free(std::span<const Obstacle* const> near, const Vec3d& at, double radius) {
  return std::none_of(near.begin(), near.end(), [&](const Obstacle* obstacle) {
    return obstacle->distance_bound(at) < radius && obstacle->nearest(at).distance < radius;
  });
}

}  // namespace

Vec3d sample_offset(const RefineModel& model, std::uint32_t guide, std::uint32_t grain, std::uint32_t turn) {
  Random random(model.seed, Stream::fine_grain, turn, std::uint64_t{guide} * model.ratio + grain);
  if (model.method == RefineMethod::alduan2009) return in_ball(random);
  // Each support point has its share; which ones have one more differs from guide to guide.
  return support_point((guide + grain) % 7) + in_cube(random);
}

void sample_guide(const RefineModel& model, const Frame& frame, std::size_t row,
                  std::span<const Obstacle> obstacles, std::size_t first, FineGrains& grains) {
  const Vec3d center = frame.position[row];
  // Guides may differ in size.
  const double r = frame.kind == ParticleKind::grains
                       ? static_cast<double>(frame.radius[row])
                       : kContinuumGuideRadius * static_cast<double>(frame.radius[row]);
  std::vector<const Obstacle*> near;
  for (const Obstacle& obstacle : obstacles)
    if (obstacle.distance_bound(center) < 4 * r + model.radius &&
        obstacle.nearest(center).distance < 4 * r + model.radius)
      near.push_back(&obstacle);
  std::vector<MetObstacle> met;
  for (std::uint32_t k = 0; k < model.ratio; ++k) {
    FineMotion grain{center, Vec3d(frame.velocity[row])};
    for (std::uint32_t turn = 0; turn < kTries; ++turn) {
      const Vec3d at = center + r * sample_offset(model, frame.id[row], k, turn);
      if (!is_free(near, at, model.radius)) continue;
      grain.position = at;
      break;
    }
    const Vec3d velocity = grain.velocity;
    met.clear();
    for (const Obstacle* obstacle : near) met.push_back({obstacle});
    collide(met, model.radius, 1, grain);
    const std::size_t i = first + k;
    grains.x[i] = model.place.from_world(grain.position.x, 0);
    grains.y[i] = model.place.from_world(grain.position.y, 1);
    grains.z[i] = model.place.from_world(grain.position.z, 2);
    grains.vx[i] = static_cast<float>(velocity.x);
    grains.vy[i] = static_cast<float>(velocity.y);
    grains.vz[i] = static_cast<float>(velocity.z);
    grains.id[i] = frame.id[row] * model.ratio + k;
  }
}

}  // namespace repose
