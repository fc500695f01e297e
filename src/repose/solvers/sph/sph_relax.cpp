#include "repose/solvers/sph/sph_relax.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/core/random.h"
#include "repose/physics/sph.h"
#include "repose/solvers/continuum/free_bodies.h"
#include "repose/solvers/sph/sph_pairs.h"
#include "repose/solvers/sph/sph_scratch.h"
#include "repose/solvers/sph/sph_walls.h"

namespace repose {
namespace {

/// Steps down the gradient, and how far each goes: below 0.6 spacings^2 they do not overshoot. Afterwards
/// densities differ by 0.8 %, and no two particles are closer than 0.65 spacings.
constexpr int kSteps = 40;
constexpr double kStepLength = 0.4;
constexpr double kMostMove = 0.2;  ///< in a step [spacings]
/// How far from a surface particles are looked at during all steps [spacings].
constexpr double kNearSurface = 2;
/// The push of a solid is made for pressure that it mirrors (sph_walls.h). As sand in its place, as here, it
/// pushes half as much.
constexpr float kAsSand = 0.5F;

/// The end of a fill where nothing is beyond.
class FillEnd {
 public:
  FillEnd(const Scene& scene, const MatterSettings& settings) : scene_(scene), settings_(settings) {}

  /// Of the fill's shape, and of the domain's faces that are not periodic.
  SurfacePoint at(std::uint32_t fill, const Vec3d& x) const {
    SurfacePoint end = distance_and_normal(*scene_.fills[fill].shape, x);
    if (end.distance > -kNearSurface * settings_.spacing && has_matter(beyond(x, end)))
      end.distance = -std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
      if (settings_.box.periodic[static_cast<std::size_t>(axis)]) continue;
      Vec3d up(0);
      up[axis] = 1;
      const double above = x[axis] - settings_.domain.max[axis], below = settings_.domain.min[axis] - x[axis];
      if (above > end.distance) end = {above, up};
      if (below > end.distance) end = {below, -up};
    }
    return end;
  }

 private:
  Vec3d beyond(const Vec3d& x, const SurfacePoint& end) const {
    Vec3d point = x + (0.25 * settings_.spacing - end.distance) * end.normal;
    wrap_into(settings_.box, point);
    return point;
  }
  bool has_matter(const Vec3d& x) const {
    return std::any_of(scene_.fills.begin(), scene_.fills.end(),
                       [&](const Fill& fill) { return fill.shape && signed_distance(*fill.shape, x) < 0; });
  }

  const Scene& scene_;
  const MatterSettings& settings_;
};

double distance_to_solids(const Bodies& bodies, const Vec3d& x, double reach) {
  double nearest = reach;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (bodies.distance_bound(b, x) < nearest) nearest = std::min(nearest, bodies.nearest(b, x).distance);
  return nearest;
}

/// Anywhere in its cube, but not through a solid.
Vec3d shifted(const SphModel& model, const Bodies& bodies, std::uint32_t id, const Vec3d& x) {
  Random random(model.matter.seed, Stream::fill_shift, 0, id);
  const double a = random.uniform(-0.5, 0.5), b = random.uniform(-0.5, 0.5), c = random.uniform(-0.5, 0.5);
  const Vec3d shift = model.spacing * Vec3d(a, b, c);
  const double room = 0.9 * distance_to_solids(bodies, x, model.spacing), way = shift.length();
  return x + std::min(1.0, std::max(0.0, room) / way) * shift;
}

/// Downhill for a particle [1/m]: away from others, whose gradient is given, and from solids.
Vec3d push_of_matter(std::span<const SphWall> walls, const Vec3f& gradient) {
  Vec3f push = -gradient;
  for (const SphWall& wall : walls) push += (1 - kAsSand) * wall.gradient;
  return Vec3d(push);
}

/// What the end of its fill adds to it, where solids do not push already: up to three faces that meet.
Vec3d push_of_ends(const FillEnd& ends, std::uint32_t fill, const Vec3d& x, std::span<const SphWall> walls,
                   double spacing) {
  Vec3d push(0), from = x;
  for (int face = 0; face < 3; ++face) {
    const SurfacePoint end = ends.at(fill, from);
    double missing = -kAsSand * sph_wall_slope(-end.distance / spacing) / spacing;
    if (!(missing > 0)) break;
    for (const SphWall& wall : walls)
      missing -= kAsSand * std::max(0.0, Vec3d(wall.gradient).dot(end.normal));
    push -= std::max(0.0, missing) * end.normal;
    from -= (end.distance + spacing) * end.normal;  // out of reach of this one
  }
  return push;
}

class Relaxation {
 public:
  Relaxation(const Scene& scene, const SphModel& model, const Bodies& bodies,
             std::span<const std::uint32_t> fill, Threads& threads, SphState& state)
      : model_(model),
        bodies_(bodies),
        fill_(fill),
        threads_(threads),
        state_(state),
        ends_(scene, model_.matter),
        moves_(fill.size()),
        is_near_end_(fill.size()) {
    model_.law = YieldLaw::coulomb;  // whose solids are smooth
    scratch_.is_deep.assign(state.size(), 0);
    scratch_.body_velocity = body_velocities(bodies);
    for (std::size_t id = 0; id < fill.size(); ++id) {
      const Fill& of = scene.fills[fill[id]];
      moves_[id] = of.shape && of.packing == Packing::settled ? 1 : 0;
    }
  }

  void run() {
    if (std::find(moves_.begin(), moves_.end(), 1) == moves_.end()) return;
    shift();
    for (int step = 0; step < kSteps; ++step) {
      find_neighbors();
      push_apart();
    }
    threads_.for_each(state_.size(), [&](std::size_t p) { bring_inside(state_.position[p]); });
    select_rows(state_, order_by_id(state_), threads_);
    std::fill(state_.density.begin(), state_.density.end(), 0.0F);
  }

 private:
  void shift() {
    threads_.for_each(state_.size(), [&](std::size_t p) {
      const std::uint32_t id = state_.id[p];
      if (moves_[id] == 0) return;
      Vec3d& x = state_.position[p];
      is_near_end_[id] = ends_.at(fill_[id], x).distance > -kNearSurface * model_.spacing ? 1 : 0;
      x = shifted(model_, bodies_, id, x);
    });
  }

  void find_neighbors() {
    threads_.for_each(state_.size(),
                      [&](std::size_t p) { wrap_into(model_.matter.box, state_.position[p]); });
    scratch_.cells = find_cells(state_.position, state_.id, model_.place, 0, threads_, scratch_.order);
    select_rows(state_, scratch_.order, threads_);
    find_pairs(model_, threads_, state_, scratch_);
    find_walls(model_, bodies_, threads_, state_, scratch_);
  }

  void push_apart() {
    threads_.for_each(
        scratch_.slab_count,
        [&](std::size_t s) {
          SphSlab& slab = scratch_.slabs[s];
          for (std::uint32_t p = slab.first; p < slab.end; ++p)
            if (moves_[state_.id[p]] != 0) push_apart(slab, p);
        },
        1);
  }

  void push_apart(SphSlab& slab, std::uint32_t p) {
    const std::uint32_t id = state_.id[p];
    const double d0 = model_.spacing;
    Vec3d& x = state_.position[p];
    Vec3d push = push_of_matter(slab.walls_of(p), scratch_.gradients[p]);
    if (is_near_end_[id] != 0) push += push_of_ends(ends_, fill_[id], x, slab.walls_of(p), d0);
    const Vec3d move = kStepLength * d0 * d0 * push;
    x += std::min(1.0, kMostMove * d0 / std::max(move.length(), 1e-12)) * move;
  }

  void bring_inside(Vec3d& x) const {
    wrap_into(model_.matter.box, x);
    for (int axis = 0; axis < 3; ++axis)
      x[axis] = std::clamp(x[axis], model_.matter.domain.min[axis], model_.matter.domain.max[axis]);
  }

  SphModel model_;
  const Bodies& bodies_;
  std::span<const std::uint32_t> fill_;  ///< by id
  Threads& threads_;
  SphState& state_;
  FillEnd ends_;
  std::vector<char> moves_, is_near_end_;  ///< by id
  SphScratch scratch_;
};

}  // namespace

void relax_places(const Scene& scene, const SphModel& model, const Bodies& bodies,
                  std::span<const std::uint32_t> fill, Threads& threads, SphState& state) {
  Relaxation(scene, model, bodies, fill, threads, state).run();
}

}  // namespace repose
