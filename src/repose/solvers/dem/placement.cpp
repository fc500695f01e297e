#include "repose/solvers/dem/placement.h"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/geometry/sampling.h"
#include "repose/particles/neighbors.h"
#include "repose/scene/at_place.h"
#include "repose/solvers/dem/random_grain.h"
#include "repose/solvers/dem/rotation.h"
#include "repose/solvers/dem/settled_fills.h"
#include "repose/solvers/run_cost.h"

namespace repose {
namespace {

constexpr double kClearLattice =
    1 + 1e-6;                        ///< lattice spacing over diameter: touching, yet never overlapping
constexpr double kJitterRoom = 1.1;  ///< likewise where grains are moved at random

/// Distance of two grains over the sum of their radii below which the later one is left out, where they could
/// also make room.
constexpr double kInside = 0.3;

/// Why a grain is left out.
enum Mark : std::uint8_t { kStays, kOverlapping, kCrowded };

/// A grain before it is known whether it stays.
struct Seed {
  Vec3d position;
  double radius;
  std::uint32_t fill;
  std::uint32_t number;              ///< within the fill: what its random numbers go by
  std::optional<Quatd> orientation;  ///< of a grain in a settled packing
};

bool is_settled(const Fill& fill) { return fill.shape && fill.packing == Packing::settled; }

/// Where centres of grains of this radius may be: walls keep them off, open and periodic faces do not.
Box3d region_of(const Domain& domain, double radius) {
  Box3d region{domain.min, domain.max};
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (domain.faces[2 * axis] == FaceKind::wall) region.min[axis] += radius;
    if (domain.faces[2 * axis + 1] == FaceKind::wall) region.max[axis] -= radius;
  }
  return region;
}

std::vector<Vec3d> positions_in_shape(const Scene& scene, const DemModel& model, const Fill& fill,
                                      std::uint32_t index, double radius, std::span<const Shape> obstacles,
                                      Threads& threads) {
  VolumeSampling sampling;
  sampling.jittered = fill.packing == Packing::jittered;
  sampling.min_distance = 2 * radius * kClearLattice;
  sampling.spacing = sampling.jittered ? 2 * radius * kJitterRoom : sampling.min_distance;
  sampling.radius = radius;
  sampling.region = region_of(model.domain, radius);
  sampling.obstacles = obstacles;
  sampling.clearance = radius;
  sampling.seed = scene.info.seed;
  sampling.substream = index;
  return at_place(scene, "fill." + fill.name + ".shape",
                  [&] { return sample_volume(*fill.shape, sampling, threads); });
}

double largest_radius(const DemMaterial& material) {
  double largest = 0;
  for (const DemSize& size : material.sizes) largest = std::max(largest, size.radius);
  return largest;
}

std::vector<Seed> seeds_of(const Scene& scene, const DemModel& model, std::uint32_t index,
                           std::size_t material, std::span<const Shape> obstacles, Threads& threads) {
  const Fill& fill = scene.fills[index];
  const DemMaterial& grains = model.materials[material];
  std::vector<Vec3d> positions = fill.file.empty() ? fill.points : fill.rows.position;
  if (fill.shape)
    positions = positions_in_shape(scene, model, fill, index, largest_radius(grains), obstacles, threads);
  std::vector<Seed> seeds(positions.size());
  threads.for_each(positions.size(), [&](std::size_t k) {
    Random random(scene.info.seed, Stream::fill_size, index, k);
    const double radius =
        fill.rows.diameter.empty() ? random_size(grains, random).radius : 0.5 * fill.rows.diameter[k];
    seeds[k] = {positions[k], radius, index, static_cast<std::uint32_t>(k), {}};
  });
  return seeds;
}

std::vector<Seed> settled_seeds(const Scene& scene, std::uint32_t index, std::size_t material,
                                SettledFills& settled, PlacedFill& placed) {
  const SettledFill packed = settled.place(scene.fills[index], material);
  const PackedGrains& grains = packed.grains;
  placed.volume = packed.volume;
  placed.densest = packed.densest;
  std::vector<Seed> seeds(grains.size());
  for (std::size_t k = 0; k < seeds.size(); ++k)
    seeds[k] = {grains.position[k], grains.radius[k], index, static_cast<std::uint32_t>(k),
                grains.orientation[k]};
  return seeds;
}

/// Marks grains that overlap those of an earlier fill, or an image of their own across a periodic face.
/// Points and files go before shapes, and are never marked.
std::vector<std::uint8_t> find_overlapping(const Scene& scene, const DemModel& model,
                                           const std::vector<Seed>& seeds, Threads& threads) {
  std::vector<Vec3d> positions(seeds.size());
  std::vector<double> radii(seeds.size());
  for (std::size_t i = 0; i < seeds.size(); ++i) positions[i] = seeds[i].position, radii[i] = seeds[i].radius;
  NeighborSearch search;
  at_place(scene, "domain", [&] { search.build(threads, positions, radii, 0, model.box); });
  std::vector<std::uint8_t> marked(seeds.size(), kStays);
  threads.for_each(seeds.size(), [&](std::size_t i) {
    if (!scene.fills[seeds[i].fill].shape) return;
    search.for_each_neighbor(i, [&](std::uint32_t j, const Vec3d& d) {
      const bool goes_before = !scene.fills[seeds[j].fill].shape || j < i;
      if (!goes_before) return;
      // Settled grains make room for each other later, where they are not far inside.
      const bool settled = is_settled(scene.fills[seeds[i].fill]);
      if (settled && seeds[j].fill == seeds[i].fill) return;
      const double reach = (settled ? kInside : 1) * (seeds[i].radius + seeds[j].radius);
      if (d.dot(d) < reach * reach) marked[i] = kOverlapping;
    });
  });
  return marked;
}

/// How a grain starts: as its row of the file says, else as the fill says.
struct StartingMotion {
  Quatd orientation;
  Vec3d velocity, spin;
};

StartingMotion starting_motion(const Fill& fill, const Seed& seed, std::uint64_t random_seed) {
  Random turn(random_seed, Stream::fill_orientation, seed.fill, seed.number);
  Random spread(random_seed, Stream::fill_velocity, seed.fill, seed.number);
  const FillRows& rows = fill.rows;
  StartingMotion motion;
  motion.orientation =
      fill.grain_rotation ? rotation_from_degrees(*fill.grain_rotation) : random_orientation(turn);
  if (seed.orientation) motion.orientation = *seed.orientation;
  if (!rows.orientation.empty()) motion.orientation = rows.orientation[seed.number];
  motion.velocity = rows.velocity.empty() ? fill.velocity : rows.velocity[seed.number];
  motion.velocity += fill.velocity_spread * random_normal(spread);
  motion.spin = rows.angular_velocity.empty() ? fill.angular_velocity : rows.angular_velocity[seed.number];
  if (fill.fixed) motion.velocity = motion.spin = Vec3d(0);
  return motion;
}

void add_grain(const Fill& fill, const DemModel& model, const Seed& seed, std::size_t material,
               DemState& state, PlacedFill& placed) {
  const std::uint16_t shape = model.materials[material].shape;
  const double mass = model.grain_mass(shape, material, seed.radius);
  const StartingMotion motion = starting_motion(fill, seed, model.seed);
  state.id.push_back(state.next_id++);
  state.position.push_back(seed.position);
  state.velocity.push_back(motion.velocity);
  state.orientation.push_back(motion.orientation);
  state.angular_momentum.push_back(
      angular_momentum(model.shapes[shape], motion.orientation, motion.spin, mass, seed.radius));
  state.radius.push_back(seed.radius);
  state.shape.push_back(shape);
  state.material.push_back(static_cast<std::uint8_t>(material));
  state.held.push_back(fill.fixed ? 1 : 0);

  ++placed.count;
  placed.mass += mass;
  placed.bounds.extendBy(seed.position - Vec3d(seed.radius));
  placed.bounds.extendBy(seed.position + Vec3d(seed.radius));
  placed.speed = std::max(placed.speed, motion.velocity.length() + motion.spin.length() * seed.radius);
}

/// Lets the grains of settled fills make room for walls, for others and for each other. Those that find none
/// are marked.
void make_room(const Scene& scene, const DemModel& model, SettledFills& settled,
               const std::vector<std::size_t>& materials, std::vector<Seed>& seeds,
               std::vector<std::uint8_t>& marked) {
  if (std::none_of(scene.fills.begin(), scene.fills.end(), is_settled)) return;
  PackedGrains grains;
  std::vector<std::uint32_t> seed_of;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    if (marked[i] != kStays) continue;
    const Seed& seed = seeds[i];
    const Fill& fill = scene.fills[seed.fill];
    const std::uint16_t shape = model.materials[materials[seed.fill]].shape;
    const bool turns = model.shapes[shape].form.spheres.size() > 1 && !fill.grain_rotation;
    const Freedom freedom = !is_settled(fill) ? Freedom::held
                            : turns           ? Freedom::moves_and_turns
                                              : Freedom::moves;
    grains.add(seed.position, starting_motion(fill, seed, model.seed).orientation, seed.radius, shape,
               freedom);
    seed_of.push_back(static_cast<std::uint32_t>(i));
  }
  const std::vector<std::uint8_t> left_out = settled.make_room(grains);
  for (std::size_t k = 0; k < seed_of.size(); ++k) {
    seeds[seed_of[k]].position = grains.position[k];
    if (seeds[seed_of[k]].orientation) seeds[seed_of[k]].orientation = grains.orientation[k];
    if (left_out[k] != 0) marked[seed_of[k]] = kCrowded;
  }
}

/// What a fill will be like that is not made.
void expect_fill(const Scene& scene, const DemModel& model, std::size_t index, std::size_t material,
                 double count, PlacedFill& placed) {
  const Fill& fill = scene.fills[index];
  placed.count = static_cast<std::uint64_t>(std::min(count, 1e18));
  placed.expected = count;
  placed.mass = count * mean_grain_mass(scene, scene.materials[material]);
  const Box3d box = bounds(*fill.shape);
  for (int axis = 0; axis < 3; ++axis) {
    placed.bounds.min[axis] = std::max(box.min[axis], model.domain.min[axis]);
    placed.bounds.max[axis] = std::min(box.max[axis], model.domain.max[axis]);
  }
  // Random speeds: hardly any is more than four standard deviations from the mean.
  placed.speed = fill.velocity.length() + 4 * fill.velocity_spread +
                 fill.angular_velocity.length() * largest_radius(model.materials[material]);
}

/// The fills of a draft: counted where they are settled or large. Returns seeds of the others.
std::vector<Seed> draft_seeds(const Scene& scene, const DemModel& model, const Bodies& bodies,
                              std::span<const Shape> obstacles, Placement& placement, Threads& threads) {
  SettledFills settled(scene, model, bodies, threads, true);
  const std::vector<double> expected = expected_fill_counts(scene, threads);
  std::vector<Seed> seeds;
  for (std::uint32_t f = 0; f < scene.fills.size(); ++f) {
    const Fill& fill = scene.fills[f];
    const std::size_t material = material_index(scene, fill.material);
    if (!is_settled(fill) && (!fill.shape || expected[f] <= kMostMadeToCount)) {
      const std::vector<Seed> own = seeds_of(scene, model, f, material, obstacles, threads);
      seeds.insert(seeds.end(), own.begin(), own.end());
      continue;
    }
    placement.counted.push_back(f);
    double count = expected[f];
    if (is_settled(fill)) {
      const SettledFill packed = settled.count(fill, material);
      placement.fills[f].volume = packed.volume;
      placement.fills[f].densest = packed.densest;
      count = packed.count;
    }
    expect_fill(scene, model, f, material, count, placement.fills[f]);
  }
  return seeds;
}

}  // namespace

std::vector<Shape> obstacles_of(const Bodies& bodies) {
  std::vector<Shape> obstacles;
  for (std::size_t b = 0; b < bodies.first_wall(); ++b) obstacles.push_back(bodies.world_shape(b));
  return obstacles;
}

Placement place_fills(const Scene& scene, const DemModel& model, const Bodies& bodies, Threads& threads,
                      bool draft) {
  Placement placement;
  for (const Fill& fill : scene.fills) placement.fills.push_back({.name = fill.name, .bounds = {}});
  const std::vector<Shape> obstacles = obstacles_of(bodies);
  SettledFills settled(scene, model, bodies, threads);
  std::vector<Seed> seeds;
  std::vector<std::size_t> materials;
  for (const Fill& fill : scene.fills) materials.push_back(material_index(scene, fill.material));
  if (draft) seeds = draft_seeds(scene, model, bodies, obstacles, placement, threads);
  for (std::uint32_t f = 0; !draft && f < scene.fills.size(); ++f) {
    const std::vector<Seed> own = is_settled(scene.fills[f])
                                      ? settled_seeds(scene, f, materials[f], settled, placement.fills[f])
                                      : seeds_of(scene, model, f, materials[f], obstacles, threads);
    seeds.insert(seeds.end(), own.begin(), own.end());
  }
  if (seeds.size() >= std::numeric_limits<std::uint32_t>::max())
    throw Error(ExitCode::bad_scene, scene.where("solver.spacing") +
                                         "the fills have more than 4 billion grains: raise solver.spacing");
  std::vector<std::uint8_t> marked = find_overlapping(scene, model, seeds, threads);
  if (!draft) make_room(scene, model, settled, materials, seeds, marked);

  for (std::size_t i = 0; i < seeds.size(); ++i) {
    PlacedFill& placed = placement.fills[seeds[i].fill];
    if (marked[i] == kOverlapping)
      ++placed.rejected;
    else if (marked[i] == kCrowded)
      ++placed.crowded;
    else
      add_grain(scene.fills[seeds[i].fill], model, seeds[i], materials[seeds[i].fill], placement.state,
                placed);
  }
  return placement;
}

}  // namespace repose
