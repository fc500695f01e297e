#include "repose/surface/surface.h"

#include <algorithm>
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

}  // namespace

SurfaceOptions surface_options(const Scene& scene) {
  SurfaceOptions options;
  options.spacing = scene.surface.spacing.value_or(0.5 * scene.solver.spacing);
  if (scene.solver.type == SolverKind::flip) {
    // Particles of a liquid lie evenly up to its surface: with this r it is where their volume ends.
    options.radius = scene.surface.radius.value_or(kLiquidSupport * kBorderRadius * scene.solver.spacing);
    options.support = options.radius / kBorderRadius;
    // Blocks of four cells with half the particles that liquid has.
    const double cells = 4 * options.spacing / scene.solver.spacing;
    options.full = static_cast<std::uint32_t>(std::ceil(0.5 * cells * cells * cells));
  } else {
    options.radius = scene.surface.radius.value_or(scene.solver.spacing);
    options.support = 2 * options.radius;
  }
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

SurfaceMesh make_surface(const Frame& frame, std::span<const Material> materials,
                         const SurfaceOptions& options, Threads& threads) {
  SurfaceMesh surface;
  if (frame.particle_count() == 0) return surface;
  const SortedParticles particles = sort_particles(frame, options, threads);
  std::vector<float> phi;
  particle_distance(particles.position, particles.cells, particles.place,
                    {options.radius, options.support, options.full}, threads, phi);
  for (int round = 0; round < options.smoothing; ++round)
    lower_bumps(particles.cells.tiles, static_cast<float>(options.support), threads, phi);
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
