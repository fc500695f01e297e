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
  const Vec3d center = box.center(), half = 0.5 * box.size();
  std::vector<std::uint16_t> near;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!bodies[b].present) continue;
    const Vec3d& up = bodies[b].up;
    const double extent = is_plain_plane(bodies[b].shape)
                              ? std::abs(up.x) * half.x + std::abs(up.y) * half.y + std::abs(up.z) * half.z
                              : half.length();
    if (bodies.distance_bound(b, center) < extent + reach) near.push_back(static_cast<std::uint16_t>(b));
  }
  return near;
}

/// Along a surface with this normal.
Vec3f kept_force(const SphRubs& rubs, std::uint16_t body, const Vec3f& normal) {
  Vec3f force(0);
  for (std::size_t k = 0; k < SphRubs::kMost; ++k)
    if (rubs.body[k] == body) {
      force = {rubs.force[k][0], rubs.force[k][1], rubs.force[k][2]};
      break;
    }
  return force - force.dot(normal) * normal;
}

/// How far from its surface a layer of particles is felt that lies half a spacing below it [spacings].
constexpr double kLayerReach = kSphSupport - 0.5;

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

/// Of a solid by its distance, with the place that it has under the law.
void add_smooth(const SphModel& model, const Bodies& bodies, std::uint16_t b, const Vec3d& x,
                const SphRubs& rubs, const Vec3d& center, std::vector<SphWall>& walls) {
  const bool by_layer = model.law == YieldLaw::paper;
  const double d0 = model.spacing, reach = (by_layer ? kLayerReach : kSphWallReach) * d0;
  if (bodies.distance_bound(b, x) >= reach) return;
  Touches touches;
  bodies.find_touches(b, x, reach, touches);
  for (const Touch& touch : touches) {
    const double d = touch.distance / d0;
    const double density = by_layer ? sph_solid_layer(d + 0.5) : sph_wall(d);
    const double slope = by_layer ? sph_solid_layer_slope(d + 0.5) : sph_wall_slope(d);
    const Vec3d at = x - touch.distance * touch.normal, n = touch.normal;
    walls.push_back({b, to_float(slope / d0 * n), to_float(n), kept_force(rubs, b, to_float(n)),
                     to_float(at - center), static_cast<float>(d + 0.5), static_cast<float>(density)});
  }
}

void add_covered(const SphModel& model, const Bodies& bodies, std::uint16_t b, const Vec3d& x,
                 const SphRubs& rubs, const Vec3d& center, std::vector<SphWall>& walls) {
  if (bodies.distance_bound(b, x) >= kLayerReach * model.spacing) return;
  const CoverTouch touch = touch_cover(model.covers[model.cover_of[b]], bodies, model.spacing, x);
  if (!(touch.density > 0)) return;
  constexpr double kInside = 0.45;  // that much is about a spacing nearer than at rest
  if (touch.density > kInside) return add_smooth(model, bodies, b, x, rubs, center, walls);
  const Vec3d n = -touch.gradient.normalized();
  const double mirrored = model.law == YieldLaw::paper ? 1 : 2;
  const Vec3d at = x - touch.distance * n;
  walls.push_back({b, to_float(mirrored * touch.gradient), to_float(n), kept_force(rubs, b, to_float(n)),
                   to_float(at - center), static_cast<float>(touch.distance / model.spacing),
                   static_cast<float>(touch.density)});
}

void add_walls(const SphModel& model, const Bodies& bodies, std::span<const std::uint16_t> near,
               std::uint32_t p, SphState& state, SphScratch& scratch, SphSlab& slab) {
  for (const std::uint16_t b : near) {
    const auto add = model.cover_of[b] == SphModel::kSmooth ? add_smooth : add_covered;
    add(model, bodies, b, state.position[p], state.rubs[p], scratch.body_velocity[b].center, slab.walls);
  }
  const std::span<SphWall> walls = std::span(slab.walls).subspan(slab.wall_offset.back());
  share_corners(walls);
  for (const SphWall& wall : walls) {
    state.density[p] += wall.density;
    scratch.gradients[p] += wall.gradient;
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
            bodies_near(bodies, state, slab, 1.001 * kLayerReach * model.spacing);
        for (std::uint32_t p = slab.first; p < slab.end; ++p) {
          slab.wall_offset.push_back(static_cast<std::uint32_t>(slab.walls.size()));
          if (!near.empty() && scratch.is_deep[p] == 0)
            add_walls(model, bodies, near, p, state, scratch, slab);
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
          SphRubs& rubs = state.rubs[p] = {};  // one that sleeps deeply has none
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
