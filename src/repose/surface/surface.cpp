#include "repose/surface/surface.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/exec/algorithms.h"
#include "repose/grid/particle_distance.h"
#include "repose/physics/level_set.h"
#include "repose/surface/surface_net.h"

namespace repose {
namespace {

constexpr double kMostCells = 1 << 20;  ///< from the origin that a grid can number

/// A frame's particles, sorted into the cells of the surface's grid.
struct SortedParticles {
  std::vector<Vec3d> position;
  std::vector<Vec3f> velocity;
  std::vector<std::uint8_t> material;
  ParticleCells cells;
  GridPlace place;
};

/// A tile and those around it must hold all that a cell of it needs.
constexpr double kMostSupport = 7;  ///< [cells]

constexpr double kLiquidSupport = 3;  ///< R of flip particles, in spacings
constexpr double kShaved = 0.2;       ///< that smoothing takes off a drop of liquid, in its radius

/// Adds what lies within R of a wall once more behind it. Ids of these have a mark for each axis, so that no
/// two particles of a cell have the same.
void add_mirrored(const SurfaceOptions& options, Frame& frame) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double wall : {options.walls.min[axis], options.walls.max[axis]}) {
      if (!std::isfinite(wall)) continue;
      const std::size_t count = frame.position.size();
      for (std::size_t p = 0; p < count; ++p) {
        if (!(std::abs(frame.position[p][axis] - wall) < options.support)) continue;
        Vec3d behind = frame.position[p];
        behind[axis] = 2 * wall - behind[axis];
        frame.position.push_back(behind);
        frame.velocity.push_back(frame.velocity[p]);
        frame.material.push_back(frame.material[p]);
        frame.id.push_back(frame.id[p] ^ (0x20000000U << axis));
      }
    }
}

/// Cuts off what lies beyond the walls.
void cut_at_walls(const Box3d& walls, const SortedParticles& particles, Threads& threads,
                  std::vector<float>& phi) {
  const TileSet& tiles = particles.cells.tiles;
  const double cell = particles.place.cell;
  threads.for_each(
      tiles.size(),
      [&](std::size_t tile) {
        const Vec3d corner = tile_corner(particles.place, tiles.coordinate(tile));
        std::array<std::array<double, 8>, 3> beyond;  // of the walls across each axis
        for (int axis = 0; axis < 3; ++axis)
          for (int i = 0; i < 8; ++i) {
            const double x = corner[axis] + cell * (i + 0.5);
            beyond[static_cast<std::size_t>(axis)][static_cast<std::size_t>(i)] =
                std::max(walls.min[axis] - x, x - walls.max[axis]);
          }
        float* own = &phi[tile * kTileCells];
        for (std::size_t z = 0; z < 8; ++z)
          for (std::size_t y = 0; y < 8; ++y)
            for (std::size_t x = 0; x < 8; ++x) {
              const double d = std::max({beyond[0][x], beyond[1][y], beyond[2][z]});
              float& value = own[x + 8 * (y + 8 * z)];
              value = std::max(value, static_cast<float>(d));
            }
      },
      16);
}

bool any_wall(const Box3d& walls) {
  for (int axis = 0; axis < 3; ++axis)
    if (std::isfinite(walls.min[axis]) || std::isfinite(walls.max[axis])) return true;
  return false;
}

SortedParticles sort_particles(const Frame& frame, const SurfaceOptions& options, Threads& threads) {
  SortedParticles sorted;
  sorted.place.cell = options.spacing;
  for (const Vec3d& x : frame.position)
    for (int axis = 0; axis < 3; ++axis)
      if (!(std::abs(x[axis]) < kMostCells * options.spacing))
        throw Error(
            ExitCode::run_failed,
            fmt::format("surface: a particle at ({:.4g}, {:.4g}, {:.4g}) m is too far away for a grid of "
                        "{:.4g} m; raise surface.spacing, or remove what flies off with a sink",
                        x.x, x.y, x.z, options.spacing));
  assert(options.support <= kMostSupport * options.spacing);
  const int margin = static_cast<int>(std::ceil(options.support / options.spacing)) + 2;
  std::vector<std::uint32_t> order;
  sorted.cells = find_cells(frame.position, frame.id, sorted.place, margin, threads, order);
  const auto permute = [&](const auto& from, auto& to) {
    to.resize(from.size());
    gather(threads, std::span(from), std::span<const std::uint32_t>(order), std::span(to));
  };
  permute(frame.position, sorted.position);
  permute(frame.velocity, sorted.velocity);
  permute(frame.material, sorted.material);
  return sorted;
}

/// Mean velocity and colour of the particles within R of a point, weighted as the surface weighs them.
class NearbyMeans {
 public:
  NearbyMeans(const SortedParticles& particles, std::span<const Material> materials, double support)
      : particles_(particles), materials_(materials), support_(support) {}

  /// `tile` is the one that the point is counted to.
  void find(std::size_t tile, const Vec3f& point, Vec3f& velocity, Color& color) const {
    const GridPlace& place = particles_.place;
    const Vec3d at(point);
    const Vec3d local = (at - tile_corner(place, particles_.cells.tiles.coordinate(tile))) / place.cell;
    const int reach = static_cast<int>(std::ceil(support_ / place.cell));
    const Vec3i low(static_cast<int>(std::floor(local.x)) - reach,
                    static_cast<int>(std::floor(local.y)) - reach,
                    static_cast<int>(std::floor(local.z)) - reach);
    float weight = 0;
    velocity = Vec3f(0);
    color = Color(0);
    for_each_run(particles_.cells, tile, low, low + Vec3i(2 * reach),
                 [&](std::uint32_t begin, std::uint32_t end, const Vec3i&) {
                   for (std::uint32_t p = begin; p < end; ++p) {
                     const Vec3d d = particles_.position[p] - at;
                     const float w =
                         neighborhood_weight(static_cast<float>(1 - d.dot(d) / (support_ * support_)));
                     weight += w;
                     velocity += w * particles_.velocity[p];
                     color += w * color_of(particles_.material[p]);
                   }
                 });
    if (weight > 0) {
      velocity /= weight;
      color /= weight;
    }
  }

 private:
  Color color_of(std::size_t material) const {
    return material < materials_.size() ? materials_[material].color : Color(0.5F);
  }

  const SortedParticles& particles_;
  std::span<const Material> materials_;
  double support_;  ///< [m]
};

Box3d walls_of(const Domain& domain) {
  Box3d walls = SurfaceOptions{}.walls;
  for (int axis = 0; axis < 3; ++axis) {
    const auto face = static_cast<std::size_t>(2 * axis);
    if (domain.faces[face] == FaceKind::wall) walls.min[axis] = domain.min[axis];
    if (domain.faces[face + 1] == FaceKind::wall) walls.max[axis] = domain.max[axis];
  }
  return walls;
}

}  // namespace

SurfaceOptions surface_options(const Scene& scene, ParticleKind kind) {
  SurfaceOptions options;
  // Three times as fine as the solver's grid is enough for liquids: their particles lie evenly.
  const bool is_liquid = kind == ParticleKind::fluid;
  options.spacing = scene.surface.spacing.value_or((is_liquid ? 0.75 : 0.5) * scene.solver.spacing);
  options.method = scene.surface.method;
  if (is_liquid && options.method == SurfaceMethod::average) {
    // Particles of a liquid lie evenly up to its surface: with this r it is where their volume ends.
    options.radius = scene.surface.radius.value_or(kLiquidSupport * kBorderRadius * scene.solver.spacing);
    options.support = options.radius / kBorderRadius;
    options.shave = kShaved * options.radius;
    // Blocks of four cells with half the particles that liquid has.
    const double cells = 4 * options.spacing / scene.solver.spacing;
    options.full = static_cast<std::uint32_t>(std::ceil(0.5 * cells * cells * cells));
  } else {
    options.radius = scene.surface.radius.value_or(scene.solver.spacing);
    options.support = 2 * options.radius;
  }
  if (is_liquid && scene.domain.given) options.walls = walls_of(scene.domain);
  options.smoothing = scene.surface.smoothing;
  if (options.support > kMostSupport * options.spacing)
    throw Error(
        ExitCode::bad_scene,
        fmt::format(
            "{}surface.spacing is {:.4g} m: too fine for particles of surface.radius = {:.4g} m; take "
            "{:.4g} m or more",
            scene.where("surface.spacing"), options.spacing, options.radius, options.support / kMostSupport));
  return options;
}

namespace {

void smooth(const SurfaceOptions& options, const SortedParticles& particles, Threads& threads,
            std::vector<float>& phi) {
  const TileSet& tiles = particles.cells.tiles;
  if (options.shave > 0 && options.smoothing > 0) {
    even_out(tiles, particles.place,
             {{options.radius, options.support, options.full}, kEvenings * options.smoothing, options.shave},
             threads, phi);
    return;
  }
  for (int round = 0; round < options.smoothing; ++round)
    lower_bumps(tiles, static_cast<float>(options.support), threads, phi);
}

}  // namespace

SurfaceMesh make_surface(const Frame& frame, std::span<const Material> materials,
                         const SurfaceOptions& options, Threads& threads) {
  SurfaceMesh surface;
  surface.spacing = options.spacing;
  if (frame.particle_count() == 0) return surface;
  const bool has_walls = any_wall(options.walls);
  Frame mirrored;
  if (has_walls) {
    mirrored.id = frame.id;
    mirrored.position = frame.position;
    mirrored.velocity = frame.velocity;
    mirrored.material = frame.material;
    add_mirrored(options, mirrored);
  }
  const SortedParticles particles = sort_particles(has_walls ? mirrored : frame, options, threads);
  std::vector<float> phi;
  particle_distance(
      particles.position, particles.cells, particles.place,
      {options.radius, options.support, options.full, options.method == SurfaceMethod::blobbies}, threads,
      phi);
  smooth(options, particles, threads, phi);
  if (has_walls) cut_at_walls(options.walls, particles, threads, phi);
  SurfaceNet net = surface_net(particles.cells.tiles, particles.place, phi, threads);

  const NearbyMeans means(particles, materials, options.support);
  surface.velocity.resize(net.tile.size());
  surface.color.resize(net.tile.size());
  threads.for_each(net.tile.size(), [&](std::size_t v) {
    means.find(net.tile[v], net.mesh.positions[v], surface.velocity[v], surface.color[v]);
  });
  surface.mesh = std::move(net.mesh);
  return surface;
}

}  // namespace repose
