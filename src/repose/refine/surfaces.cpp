#include "repose/refine/surfaces.h"

#include <algorithm>
#include <cmath>

#include "repose/exec/widest.h"
#include "repose/physics/upsampling.h"

namespace repose {
namespace {

constexpr std::size_t kLanes = Lanes::kCount;

/// For what is compared in float, rounded this way and that.
constexpr double kRounding = 1.001;

}  // namespace

/// Sixteen grains and where one obstacle is nearest to them.
struct Surfaces::Points {
  LaneVectors<double> at;        ///< [m]
  LaneArray<double> distance;    ///< [m]
  LaneVectors<double> normal;    ///< [-]
  LaneVectors<double> velocity;  ///< of the obstacle there [m/s]
};

void Surfaces::enter(const PlaceBox& box, Choice& choice) const {
  const FinePlace& place = model_.place;
  const Vec3d low = place.to_world(box.low[0], box.low[1], box.low[2]),
              high = place.to_world(box.high[0], box.high[1], box.high[2]);
  choice.middle = 0.5 * (low + high);
  choice.half = 0.5 * (high - low).length() + place.unit;
  choice.near.clear();
}

/// An obstacle leads grains within the radius of influence.
void Surfaces::consider(const Obstacle& obstacle, Choice& choice) const {
  double distance = obstacle.distance_bound(choice.middle);
  if (distance - choice.half < model_.influence) distance = obstacle.nearest(choice.middle).distance;
  if (distance - choice.half < model_.influence)
    choice.near.push_back({&obstacle, distance});
  else
    choice.others = std::min(choice.others, distance - choice.half);
}

void Surfaces::enter_run(std::span<const Obstacle> obstacles, double dt, const PlaceBox& box) {
  all_ = obstacles;
  dt_ = dt;
  enter(box, run_);
  run_.others = std::numeric_limits<double>::infinity();
  for (const Obstacle& obstacle : obstacles) consider(obstacle, run_);
}

void Surfaces::enter_block(const PlaceBox& box) {
  enter(box, block_);
  block_.others = run_.others;
  for (const Near& near : run_.near) consider(*near.obstacle, block_);
  distance_.resize(block_.near.size());
}

/// Where a body is nearest, as far as it matters: grains that no guide leads, and those that are surely out
/// of its influence, get a distance that is too short, but not within the influence if it is not.
void Surfaces::find_points(const Near& near, std::size_t count, const LaneArray<float>& weight,
                           Points& points) const {
  const Obstacle& obstacle = *near.obstacle;
  if (obstacle.is_plane) {
    const Vec3d n = obstacle.normal;
    REPOSE_INDEPENDENT_TURNS
    for (std::size_t l = 0; l < kLanes; ++l)
      points.distance[l] =
          (n.x * points.at.x[l] + n.y * points.at.y[l] + n.z * points.at.z[l]) - obstacle.offset;
    points.normal.x.fill(n.x), points.normal.y.fill(n.y), points.normal.z.fill(n.z);
  }
  if (obstacle.is_plane && obstacle.is_still) {
    for (auto* axis : {&points.velocity.x, &points.velocity.y, &points.velocity.z}) axis->fill(0);
    return;
  }
  for (std::size_t l = 0; l < count; ++l) {
    const Vec3d at(points.at.x[l], points.at.y[l], points.at.z[l]);
    SurfacePoint surface{near.distance - (at - block_.middle).length(), Vec3d(0)};
    if (obstacle.is_plane || (surface.distance < model_.influence && weight[l] > 0))
      surface = obstacle.nearest(at);
    const Vec3d v = surface.distance < model_.influence ? obstacle.velocity_at(at, dt_) : Vec3d(0);
    points.distance[l] = surface.distance;
    points.normal.x[l] = surface.normal.x, points.normal.y[l] = surface.normal.y,
    points.normal.z[l] = surface.normal.z;
    points.velocity.x[l] = v.x, points.velocity.y[l] = v.y, points.velocity.z[l] = v.z;
  }
}

/// Boundary particles are among the guides of Ihmsen 2013, eq. 24. Here a surface counts by its distance,
/// towards and away from it: along it guides that slide must not leave their grains behind, unless nothing
/// slips on it. It has no part in the own share: a grain that falls to the ground alone does not float above
/// it.
void Surfaces::lead(std::size_t count, const LaneVectors<std::int32_t>& places,
                    const LaneArray<float>& weight, LaneVectors<float>& velocity) {
  const FinePlace& place = model_.place;
  const double h = model_.influence, spacing = model_.guide_spacing / h;
  Points points{};
  LaneVectors<double> v;
  REPOSE_INDEPENDENT_TURNS
  for (std::size_t l = 0; l < kLanes; ++l) {
    points.at.x[l] = place.origin.x + place.unit * static_cast<double>(places.x[l]);
    points.at.y[l] = place.origin.y + place.unit * static_cast<double>(places.y[l]);
    points.at.z[l] = place.origin.z + place.unit * static_cast<double>(places.z[l]);
    v.x[l] = static_cast<double>(velocity.x[l]);
    v.y[l] = static_cast<double>(velocity.y[l]);
    v.z[l] = static_cast<double>(velocity.z[l]);
  }
  for (std::size_t k = 0; k < block_.near.size(); ++k) {
    const Near& near = block_.near[k];
    find_points(near, count, weight, points);
    distance_[k] = points.distance;
    // 1: all of the obstacle's velocity; 0: along the normal only.
    const double all = std::isinf(near.obstacle->body->friction) ? 1 : 0;
    REPOSE_INDEPENDENT_TURNS
    for (std::size_t l = 0; l < kLanes; ++l) {
      const double s = std::max(0.0, points.distance[l]) / h, w = wall_weight(s * s, spacing);
      const double share = weight[l] > 0 ? w / (w + static_cast<double>(weight[l])) : 0.0;
      const double x = points.velocity.x[l] - v.x[l], y = points.velocity.y[l] - v.y[l],
                   z = points.velocity.z[l] - v.z[l];
      const double nx = points.normal.x[l], ny = points.normal.y[l], nz = points.normal.z[l];
      const double towards = (1 - all) * ((x * nx + y * ny) + z * nz);
      v.x[l] += share * (all * x + towards * nx);
      v.y[l] += share * (all * y + towards * ny);
      v.z[l] += share * (all * z + towards * nz);
    }
  }
  for (std::size_t l = 0; l < kLanes; ++l) {
    velocity.x[l] = static_cast<float>(v.x[l]);
    velocity.y[l] = static_cast<float>(v.y[l]);
    velocity.z[l] = static_cast<float>(v.z[l]);
  }
}

/// Before it may touch anything [m].
double Surfaces::free_way(std::size_t lane) const {
  double nearest = block_.others;
  for (const LaneArray<double>& distance : distance_) nearest = std::min(nearest, distance[lane]);
  return nearest - model_.radius - kMargin * model_.place.unit;
}

void Surfaces::meet(std::uint32_t first, std::size_t count, const LaneArray<float>& squared_way,
                    FineGrains& grains) {
  const FinePlace& place = model_.place;
  const double h = model_.influence;
  for (std::size_t l = 0; l < count; ++l) {
    const double free = free_way(l), square = kRounding * h * h * static_cast<double>(squared_way[l]);
    if (free > 0 && square < free * free) continue;
    const std::size_t i = first + l;
    const FineMotion before{place.to_world(grains.x[i], grains.y[i], grains.z[i]),
                            Vec3d(grains.vx[i], grains.vy[i], grains.vz[i])};
    FineMotion grain = before;
    meet(l, std::sqrt(square), grain);
    if (grain.position == before.position) continue;
    grains.x[i] = place.from_world(grain.position.x, 0);
    grains.y[i] = place.from_world(grain.position.y, 1);
    grains.z[i] = place.from_world(grain.position.z, 2);
    grains.vx[i] = static_cast<float>(grain.velocity.x);
    grains.vy[i] = static_cast<float>(grain.velocity.y);
    grains.vz[i] = static_cast<float>(grain.velocity.z);
  }
}

/// A grain that went this way [m] in the step.
void Surfaces::meet(std::size_t lane, double way, FineMotion& grain) {
  const FineMotion before = grain;
  const double used = way + model_.radius + kMargin * model_.place.unit;
  met_.clear();
  for (std::size_t k = 0; k < block_.near.size(); ++k)
    met_.push_back({block_.near[k].obstacle, distance_[k][lane] - used});
  way += collide(met_, model_.radius, dt_, grain);
  if (way < way_to_others()) return;
  grain = before;
  met_.clear();
  for (const Obstacle& obstacle : all_) met_.push_back({&obstacle});
  collide(met_, model_.radius, dt_, grain);
}

}  // namespace repose
