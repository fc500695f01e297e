#include "repose/solvers/dem/settled_fills.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/particles/packing/mixture.h"
#include "repose/scene/materials.h"
#include "repose/solvers/dem/covers.h"

namespace repose {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Grains in a tile: enough that its repetition does not show, few enough that it is made in seconds.
constexpr double kFewestInTile = 200, kMostInTile = 2500, kTileToFill = 1.2;
// In one that is only asked how dense it is: it comes out up to 2 % looser than a large one.
constexpr double kDraftTile = 200, kDraftReserve = 1.03;
constexpr double kGuessedFraction = 0.58;
constexpr std::size_t kSingleSizeTile = 400;  ///< grains that tell how dense one size of a mixture packs

constexpr double kTooDense = 1.02;  ///< asked for, over the densest: refused beyond
constexpr double kLoose = 0.75;     ///< likewise: below it grains do not hold each other
constexpr double kTooLoose = 0.6;   ///< likewise: refused below

// Making room.
constexpr double kRoomOverlap = 0.003;  ///< at which it is done, in diameters [-]
constexpr int kRoomIterations = 250;
constexpr int kPatientRounds = 2;  ///< before grains are left out
constexpr int kMixtureRounds =
    10;  ///< likewise in a wide mixture, whose small grains have not touched before
constexpr int kRoomRounds = 30;
constexpr double kLeaveOut = 5e-4;  ///< share of the grains that is left out in a round, at most [-]

std::string reachable_range(const Fill& fill, const Material& material, double densest) {
  const char* turned = fill.grain_rotation ? ", all turned alike by grain_rotation," : "";
  return fmt::format(
      "grains of shape '{}'{} in these sizes pack at random to {:.3f} at most and hold each other down to "
      "about {:.2f}, which is a density of {:.0f} to {:.0f} kg/m3 at this grain_density",
      material.grain, turned, densest, kLoose * densest, kLoose * densest * material.grain_density,
      densest * material.grain_density);
}

void check_fraction(const Scene& scene, const Fill& fill, const Material& material, double densest,
                    double reserve) {
  const double fraction = material.density / material.grain_density, share = fraction / densest;
  if (share <= kTooDense * reserve && share >= kTooLoose) return;
  throw Error(
      ExitCode::bad_scene,
      fmt::format("{}fill '{}': material '{}' asks for a solid fraction (density / grain_density) of "
                  "{:.3f}, but {}. Change density, grain_density, grain or sizes{}, or take packing = "
                  "\"jittered\"",
                  scene.where("material." + material.name + ".density"), fill.name, material.name, fraction,
                  reachable_range(fill, material, densest),
                  fill.grain_rotation ? ", leave grain_rotation out" : ""));
}

}  // namespace

SettledFills::SettledFills(const Scene& scene, const DemModel& model, const Bodies& bodies, Threads& threads,
                           bool draft)
    : scene_(scene), model_(model), bodies_(bodies), threads_(threads), draft_(draft) {
  for (std::size_t b = 0; b < bodies.size(); ++b) walls_.push_back(bodies.world_shape(b));
}

CarveRegion SettledFills::region_of(const Fill& fill, const std::vector<Shape>& others) const {
  CarveRegion region{*fill.shape, walls_, others, model_.box, {Vec3d(-kInfinity), Vec3d(kInfinity)}};
  for (unsigned axis = 0; axis < 3; ++axis) {
    region.bounds.min[axis] = model_.domain.min[axis];
    // The upper face of a periodic box is its lower one.
    region.bounds.max[axis] = model_.box.periodic[axis] ? std::nextafter(model_.domain.max[axis], -kInfinity)
                                                        : model_.domain.max[axis];
  }
  return region;
}

SettledFill SettledFills::count(const Fill& fill, std::size_t material) {
  const Material& given = scene_.materials[material];
  const double fraction = given.density / given.grain_density;
  const CarveRegion region = region_of(fill, {});
  // Grains of the fills before it are in the way as walls are.
  std::vector<Shape> solid = walls_;
  for (const Fill& other : scene_.fills) {
    if (&other == &fill) break;
    if (other.shape) solid.push_back(*other.shape);
  }
  CarveRegion free = region;
  free.walls = solid;
  SettledFill out;
  out.volume = region_volume(free, threads_);
  const bool is_mixture = is_wide_mixture(request_of(fill, material).sizes);
  out.densest =
      is_mixture ? densest_mixture(fill, material) : tile_of(fill, material, region, fraction).fraction;
  check_fraction(scene_, fill, given, out.densest, is_mixture ? 1 : kDraftReserve);
  out.count = std::round(out.volume * given.density / mean_grain_mass(scene_, given));
  return out;
}

SettledFill SettledFills::place(const Fill& fill, std::size_t material) {
  const Material& given = scene_.materials[material];
  const double fraction = given.density / given.grain_density;
  std::vector<Shape> others;
  for (const Fill& other : scene_.fills)
    if (&other != &fill && other.shape) others.push_back(*other.shape);
  const CarveRegion region = region_of(fill, others);
  if (is_wide_mixture(request_of(fill, material).sizes))
    return place_mixture(fill, material, region, fraction);
  const Tile& dense = tile_of(fill, material, region, fraction);
  check_fraction(scene_, fill, given, dense.fraction, 1);
  const double solid = model_.shapes[model_.materials[material].shape].volume;
  Tile tile = dense;
  thin_tile(tile, fraction, solid, model_.seed, threads_);
  Carved carved = carve(tile, region, fraction, solid, threads_);
  for (std::uint16_t& shape : carved.grains.shape) shape = model_.materials[material].shape;
  return {std::move(carved.grains), carved.wanted / fraction, dense.fraction};
}

TileRequest SettledFills::request_of(const Fill& fill, std::size_t material) const {
  const DemMaterial& grains = model_.materials[material];
  const DemShape& shape = model_.shapes[grains.shape];
  TileRequest request;
  request.shape = shape.form;
  request.solid = shape.volume;
  for (const DemSize& size : grains.sizes) request.sizes.push_back({size.radius, size.probability});
  if (fill.grain_rotation) request.orientation = rotation_from_degrees(*fill.grain_rotation);
  request.seed = model_.seed;
  return request;
}

/// Lengths of the periodic axes that the fill spans, along which its packing has to close on itself; 0 for
/// the others [m].
Vec3d SettledFills::periodic_spans(const Fill& fill, std::size_t material) const {
  const DemMaterial& grains = model_.materials[material];
  const double largest = model_.shapes[grains.shape].largest;
  const Box3d box = bounds(*fill.shape);
  Vec3d spans(0);
  for (unsigned axis = 0; axis < 3; ++axis) {
    const double length = model_.box.max[axis] - model_.box.min[axis];
    if (model_.box.periodic[axis] &&
        std::min(box.max[axis], model_.box.max[axis]) - std::max(box.min[axis], model_.box.min[axis]) >
            length - 2 * largest * grains.sizes[0].radius)
      spans[axis] = length;
  }
  return spans;
}

const Tile& SettledFills::tile_of(const Fill& fill, std::size_t material, const CarveRegion& region,
                                  double fraction) {
  TileRequest request = request_of(fill, material);
  double mean = 0;
  for (const TileSize& size : request.sizes)
    mean += size.probability * request.solid * size.radius * size.radius * size.radius;
  const double needed = fraction * region_volume(region, threads_) / mean;
  const double count = draft_ ? kDraftTile : std::clamp(kTileToFill * needed, kFewestInTile, kMostInTile);
  const double edge = std::cbrt(count * mean / kGuessedFraction);
  const Vec3d spans = periodic_spans(fill, material);
  double volume = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (spans[axis] > 0) request.lengths[axis] = spans[axis] / std::max(1.0, std::round(spans[axis] / edge));
    volume *= request.lengths[axis] > 0 ? request.lengths[axis] : edge;
  }
  request.count = static_cast<std::size_t>(std::max(1.0, volume * kGuessedFraction / mean));
  request.fraction = fraction;
  for (const KeptTile& kept : tiles_)
    if (kept.material == material && kept.rotation == fill.grain_rotation && kept.lengths == request.lengths)
      return kept.tile;
  tiles_.push_back({material, fill.grain_rotation, request.lengths, make_tile(request, threads_)});
  return tiles_.back().tile;
}

double SettledFills::densest_mixture(const Fill& fill, std::size_t material) {
  for (const KeptFraction& kept : mixtures_)
    if (kept.material == material && kept.rotation == fill.grain_rotation) return kept.fraction;
  TileRequest request = request_of(fill, material);
  const std::vector<TileSize> sizes =
      std::exchange(request.sizes, std::vector<TileSize>{{request.sizes[0].radius, 1}});
  request.count = kSingleSizeTile;
  const double single = make_tile(request, threads_).fraction;
  const double fraction = std::max(single, kMixtureReach * mixture_fraction(sizes, single));
  mixtures_.push_back({material, fill.grain_rotation, fraction});
  return fraction;
}

SettledFill SettledFills::place_mixture(const Fill& fill, std::size_t material, const CarveRegion& region,
                                        double fraction) {
  const double densest = densest_mixture(fill, material);
  check_fraction(scene_, fill, scene_.materials[material], densest, 1);
  TileRequest request = request_of(fill, material);
  request.lengths = periodic_spans(fill, material);
  request.fraction = fraction;
  Carved carved = pack_mixture(request, region, threads_);
  for (std::uint16_t& shape : carved.grains.shape) shape = model_.materials[material].shape;
  return {std::move(carved.grains), carved.wanted / fraction, densest};
}

std::vector<std::uint8_t> SettledFills::make_room(PackedGrains& grains) {
  std::vector<GrainShape> shapes;
  for (const DemShape& shape : model_.shapes) shapes.push_back(shape.form);
  std::vector<std::uint8_t> left_out(grains.size(), 0);
  std::vector<std::uint32_t> row(grains.size());
  std::iota(row.begin(), row.end(), 0U);
  PackedGrains left = grains;
  add_covers(model_, bodies_, shapes, left);
  const bool is_mixture = has_wide_mixture(scene_, model_);
  for (int round = 0; round < kRoomRounds; ++round) {
    Crowd crowd(left, shapes, walls_, model_.box, threads_);
    if (is_mixture) crowd.stiffen_by_size();
    const CrowdState state = crowd.relax({.iterations = kRoomIterations, .allowed_overlap = kRoomOverlap});
    for (std::size_t k = 0; k < row.size(); ++k) {
      grains.position[row[k]] = left.position[k];
      grains.orientation[row[k]] = left.orientation[k];
    }
    if (state.deepest_overlap <= kSettledOverlap) break;
    // The deepest of those that still overlap find no room here.
    if (round < (is_mixture ? kMixtureRounds : kPatientRounds)) continue;
    const std::vector<std::uint8_t> keep =
        all_but_deepest(crowd.overlaps(), kSettledOverlap,
                        static_cast<std::size_t>(std::ceil(kLeaveOut * static_cast<double>(left.size()))));
    for (std::size_t k = 0; k < row.size(); ++k)
      if (keep[k] == 0) left_out[row[k]] = 1;
    left.select(keep);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < row.size(); ++k)
      if (keep[k] != 0) row[kept++] = row[k];
    row.resize(kept);
  }
  return left_out;
}

bool has_wide_mixture(const Scene& scene, const DemModel& model) {
  return std::any_of(scene.fills.begin(), scene.fills.end(), [&](const Fill& fill) {
    if (!fill.shape || fill.packing != Packing::settled) return false;
    std::vector<TileSize> sizes;
    for (const DemSize& size : model.materials[material_index(scene, fill.material)].sizes)
      sizes.push_back({size.radius, size.probability});
    return is_wide_mixture(sizes);
  });
}

std::string looseness_warning(const Fill& fill, const Material& material, double densest) {
  const double fraction = material.density / material.grain_density;
  if (fraction >= kLoose * densest) return {};
  return fmt::format(
      "fill '{}' starts at a solid fraction of {:.3f} and will fall together under its weight: {}", fill.name,
      fraction, reachable_range(fill, material, densest));
}

}  // namespace repose
