#include "repose/solvers/sph/sph_walls.h"

#include <algorithm>
#include <cmath>

#include "repose/physics/sph.h"

namespace repose {
namespace {

/// Bodies that come near to a slab's particles.
std::vector<std::uint16_t> bodies_near(const Bodies& bodies, const SphState& state, const SphSlab& slab,
                                       double reach) {
  Box3d box;
  for (std::uint32_t p = slab.first; p < slab.end; ++p) box.extendBy(state.position[p]);
  const Vec3d center = box.center();
  const double radius = 0.5 * box.size().length() + reach;
  std::vector<std::uint16_t> near;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (bodies[b].present && bodies.distance_bound(b, center) < radius)
      near.push_back(static_cast<std::uint16_t>(b));
  return near;
}

Vec3f kept_force(const SphRubs& rubs, std::uint16_t body) {
  for (std::size_t k = 0; k < SphRubs::kMost; ++k)
    if (rubs.body[k] == body) return {rubs.force[k][0], rubs.force[k][1], rubs.force[k][2]};
  return Vec3f(0);
}

/// Where two solids meet at an angle, the sand that both replace counts once. On a lattice the row along the
/// edge of two walls is 0.019 of the density, 0.84 of the product of what each of them adds.
void share_corners(std::span<SphWall> walls) {
  constexpr float kBoth = 0.84F, kMost = 0.5F;
  for (SphWall& wall : walls) {
    float both = 0;
    for (const SphWall& other : walls)
      both += (1 - std::abs(wall.normal.dot(other.normal))) * std::min(other.density, kMost);
    wall.gradient *= 1 - std::min(kBoth * both, kMost);
    wall.shared = both;
  }
  for (SphWall& wall : walls) wall.density *= 1 - std::min(0.5F * kBoth * wall.shared, kMost);
}

void add_walls(const SphModel& model, const Bodies& bodies, std::span<const std::uint16_t> near,
               std::uint32_t p, SphState& state, SphScratch& scratch, SphSlab& slab) {
  const double d0 = model.spacing, reach = kSphWallReach * d0;
  Touches touches;
  for (const std::uint16_t b : near) {
    const Vec3d& x = state.position[p];
    if (bodies.distance_bound(b, x) >= reach) continue;
    touches.clear();
    bodies.find_touches(b, x, reach, touches);
    for (const Touch& touch : touches) {
      const double d = touch.distance / d0;
      const Vec3d at = x - touch.distance * touch.normal, n = touch.normal;
      const Vec3f gradient = to_float(sph_wall_slope(d) / d0 * n), normal = to_float(n);
      Vec3f force = kept_force(state.rubs[p], b);
      force -= force.dot(normal) * normal;
      slab.walls.push_back({b, gradient, normal, force, to_float(at - scratch.body_velocity[b].center),
                            static_cast<float>(sph_wall(d))});
    }
  }
  share_corners(std::span(slab.walls).subspan(slab.wall_offset.back()));
  for (std::size_t k = slab.wall_offset.back(); k < slab.walls.size(); ++k) {
    state.density[p] += slab.walls[k].density;
    scratch.gradients[p] += slab.walls[k].gradient;
  }
}

}  // namespace

void find_walls(const SphModel& model, const Bodies& bodies, Threads& threads, SphState& state,
                SphScratch& scratch) {
  threads.for_each(
      scratch.slab_count,
      [&](std::size_t s) {
        SphSlab& slab = scratch.slabs[s];
        slab.walls.clear();
        slab.wall_offset.clear();
        const std::vector<std::uint16_t> near =
            bodies_near(bodies, state, slab, kSphWallReach * model.spacing);
        for (std::uint32_t p = slab.first; p < slab.end; ++p) {
          slab.wall_offset.push_back(static_cast<std::uint32_t>(slab.walls.size()));
          if (!near.empty()) add_walls(model, bodies, near, p, state, scratch, slab);
        }
        slab.wall_offset.push_back(static_cast<std::uint32_t>(slab.walls.size()));
        slab.met.clear();
        for (const std::uint16_t b : near)
          if (std::any_of(slab.walls.begin(), slab.walls.end(),
                          [&](const SphWall& w) { return w.body == b; }))
            slab.met.push_back(b);
      },
      1);
}

void keep_rubs(Threads& threads, SphScratch& scratch, SphState& state) {
  threads.for_each(
      scratch.slab_count,
      [&](std::size_t s) {
        SphSlab& slab = scratch.slabs[s];
        for (std::uint32_t p = slab.first; p < slab.end; ++p) {
          SphRubs& rubs = state.rubs[p] = {};
          std::size_t kept = 0;
          for (const SphWall& wall : slab.walls_of(p)) {
            if (kept == SphRubs::kMost) break;
            rubs.body[kept] = wall.body;
            rubs.force[kept++] = {wall.force.x, wall.force.y, wall.force.z};
          }
        }
      },
      1);
}

}  // namespace repose
