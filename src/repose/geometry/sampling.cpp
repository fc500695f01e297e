#include "repose/geometry/sampling.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "repose/core/error.h"

namespace repose {
namespace {

constexpr double kSlack = 1e-9;     // of the spacing, for distances that should be equal
constexpr std::int64_t kBlock = 8;  // cells along the edge of a block
constexpr std::size_t kBlocksInChunk = 16;
constexpr int kJitterTries = 8;
constexpr int kPointTries = 10000;
constexpr double kMostCells =
    1e13;  // Random tells 2^48 of them apart; a loop over more blocks would never end
constexpr double kThinLattice = 50;  // cells across, below which rounding to whole cells shows

bool is_bounded(const Box3d& box) {
  for (int i = 0; i < 3; ++i)
    if (!std::isfinite(box.min[i]) || !std::isfinite(box.max[i])) return false;
  return true;
}

Box3d own_bounds(const Shape& shape) {
  Shape standing = shape;
  standing.pose = Pose{};
  return bounds(standing);
}

/// The box around `box` in the frame of `pose`; all space where `box` has no bounds.
Box3d to_frame(const Pose& pose, const Box3d& box) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!is_bounded(box)) return {Vec3d(-kInfinity), Vec3d(kInfinity)};
  Box3d out;
  for (int corner = 0; corner < 8; ++corner)
    out.extendBy(pose.to_local({corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y,
                                corner & 4 ? box.max.z : box.min.z}));
  return out;
}

struct Lattice {
  Vec3d middle{0, 0, 0};                   ///< in the shape's frame [m]
  std::array<std::int64_t, 3> n{0, 0, 0};  ///< cells along each axis
  double spacing = 1;                      ///< [m]

  /// Centre of a cell; cells on opposite sides of the middle are exact mirror images.
  Vec3d cell(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const auto steps = [](std::int64_t i, std::int64_t count) {
      return 0.5 * static_cast<double>(2 * i - count + 1);
    };
    return middle + spacing * Vec3d(steps(x, n[0]), steps(y, n[1]), steps(z, n[2]));
  }
  std::uint64_t index(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return static_cast<std::uint64_t>((z * n[1] + y) * n[0] + x);
  }
  std::int64_t blocks(std::size_t axis) const { return (n[axis] + kBlock - 1) / kBlock; }
  std::size_t block_count() const { return static_cast<std::size_t>(blocks(0) * blocks(1) * blocks(2)); }
};

/// A lattice of n cells along each axis about the middle of the box.
Lattice centred_lattice(const Box3d& box, const std::array<double, 3>& n, double spacing) {
  if (n[0] * n[1] * n[2] > kMostCells)
    throw Error(
        ExitCode::bad_scene,
        fmt::format("a shape of {:.3g} x {:.3g} x {:.3g} m has too many cells of {:.3g} m to fill: raise "
                    "solver.spacing or make the shape smaller",
                    box.size().x, box.size().y, box.size().z, spacing));
  Lattice lattice;
  lattice.spacing = spacing;
  lattice.middle = box.center();
  for (std::size_t i = 0; i < 3; ++i) lattice.n[i] = static_cast<std::int64_t>(n[i]);
  return lattice;
}

/// Tests and places the points of one lattice.
class Sampler {
 public:
  Sampler(const Shape& shape, const VolumeSampling& sampling, const Lattice& lattice)
      : shape_(shape),
        sampling_(sampling),
        lattice_(lattice),
        slack_(kSlack * sampling.spacing),
        jitter_(sampling.jittered ? 0.5 * std::max(0.0, sampling.spacing - sampling.min_distance) : 0.0) {}

  void sample_block(std::size_t block, std::vector<Vec3d>& out) const {
    const auto b = static_cast<std::int64_t>(block);
    const std::array<std::int64_t, 3> low{b % lattice_.blocks(0) * kBlock,
                                          b / lattice_.blocks(0) % lattice_.blocks(1) * kBlock,
                                          b / (lattice_.blocks(0) * lattice_.blocks(1)) * kBlock};
    std::array<std::int64_t, 3> high;
    for (std::size_t i = 0; i < 3; ++i) high[i] = std::min(low[i] + kBlock, lattice_.n[i]);
    Tests tests;
    if (!choose_tests(low, high, tests)) return;
    for (std::int64_t z = low[2]; z < high[2]; ++z)
      for (std::int64_t y = low[1]; y < high[1]; ++y)
        for (std::int64_t x = low[0]; x < high[0]; ++x) sample_cell(x, y, z, tests, out);
  }

 private:
  /// What still has to be asked for the points of a block.
  struct Tests {
    bool shape = true;
    std::vector<const Shape*> obstacles;
  };

  /// Distances change by no more than the way between two points, so the middle of a block can speak for all
  /// of it. False where no point of the block can stay.
  bool choose_tests(const std::array<std::int64_t, 3>& low, const std::array<std::int64_t, 3>& high,
                    Tests& tests) const {
    const Vec3d a = lattice_.cell(low[0], low[1], low[2]),
                b = lattice_.cell(high[0] - 1, high[1] - 1, high[2] - 1);
    const Vec3d middle = 0.5 * (a + b);
    const double reach = 0.5 * (b - a).length() + std::sqrt(3.0) * jitter_ + slack_;
    const double depth = -distance_in_own_frame(shape_, middle).distance - sampling_.radius;
    if (depth < -reach) return false;
    tests.shape = depth < reach;
    const Vec3d world = shape_.pose.to_world(middle);
    for (const Shape& obstacle : sampling_.obstacles) {
      const double room = signed_distance(obstacle, world) - sampling_.clearance;
      if (room < -reach) return false;
      if (room < reach) tests.obstacles.push_back(&obstacle);
    }
    return true;
  }

  void sample_cell(std::int64_t x, std::int64_t y, std::int64_t z, const Tests& tests,
                   std::vector<Vec3d>& out) const {
    const Vec3d center = lattice_.cell(x, y, z);
    if (jitter_ > 0) {
      Random random(sampling_.seed, Stream::fill_position, sampling_.substream, lattice_.index(x, y, z));
      const int tries = sampling_.radius > 0 ? kJitterTries : 1;
      for (int i = 0; i < tries; ++i) {
        Vec3d shift;
        for (int axis = 0; axis < 3; ++axis) shift[axis] = random.uniform(-jitter_, jitter_);
        if (keep(center + shift, tests, out)) return;
      }
      if (sampling_.radius <= 0) return;
    }
    keep(center, tests, out);
  }

  bool keep(const Vec3d& point, const Tests& tests, std::vector<Vec3d>& out) const {
    if (tests.shape && distance_in_own_frame(shape_, point).distance > -sampling_.radius + slack_)
      return false;
    const Vec3d world = shape_.pose.to_world(point);
    for (int i = 0; i < 3; ++i)
      if (world[i] < sampling_.region.min[i] - slack_ || world[i] > sampling_.region.max[i] + slack_)
        return false;
    for (const Shape* obstacle : tests.obstacles)
      if (signed_distance(*obstacle, world) < sampling_.clearance - slack_) return false;
    out.push_back(world);
    return true;
  }

  const Shape& shape_;
  const VolumeSampling& sampling_;
  const Lattice& lattice_;
  double slack_, jitter_;  // [m]
};

std::vector<Vec3d> sample_lattice(const Shape& shape, const VolumeSampling& sampling, const Lattice& lattice,
                                  Threads& threads) {
  const Sampler sampler(shape, sampling, lattice);
  const std::size_t blocks = lattice.block_count();
  std::vector<std::vector<Vec3d>> parts((blocks + kBlocksInChunk - 1) / kBlocksInChunk);
  threads.for_chunks(blocks, kBlocksInChunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    for (std::size_t block = begin; block < end; ++block) sampler.sample_block(block, parts[chunk]);
  });
  std::size_t count = 0;
  for (const auto& part : parts) count += part.size();
  std::vector<Vec3d> points;
  points.reserve(count);
  for (auto& part : parts) {
    points.insert(points.end(), part.begin(), part.end());
    part = {};
  }
  return points;
}

/// How many cells along one axis are worth trying.
struct CellChoice {
  double down, up;
};
CellChoice whole_cells(double cells) {
  if (cells > kThinLattice) return {std::round(cells), std::round(cells)};
  return {std::max(1.0, std::floor(cells + kSlack)), std::max(1.0, std::ceil(cells - kSlack))};
}

/// Of the lattices with a whole number of cells along each axis, rounded down or up, the one whose number of
/// points is nearest to volume / spacing^3.
Lattice lattice_by_volume(const Shape& shape, const Box3d& box, double spacing, Threads& threads) {
  const Vec3d cells = box.size() / spacing;
  const CellChoice x = whole_cells(cells.x), y = whole_cells(cells.y), z = whole_cells(cells.z);
  Lattice best = centred_lattice(box, {x.down, y.down, z.down}, spacing);
  if (x.up == x.down && y.up == y.down && z.up == z.down) return best;
  VolumeSampling alone;
  alone.spacing = spacing;
  const double wanted = volume(shape) / (spacing * spacing * spacing);
  double best_error = std::numeric_limits<double>::infinity();
  for (int choice = 0; choice < 8; ++choice) {
    const Lattice lattice = centred_lattice(
        box, {choice & 1 ? x.up : x.down, choice & 2 ? y.up : y.down, choice & 4 ? z.up : z.down}, spacing);
    const std::size_t count = sample_lattice(shape, alone, lattice, threads).size();
    const double error = std::abs(static_cast<double>(count) - wanted);
    if (error < best_error) {
      best = lattice;
      best_error = error;
    }
  }
  return best;
}

}  // namespace

std::vector<Vec3d> sample_volume(const Shape& shape, const VolumeSampling& sampling, Threads& threads) {
  assert(sampling.spacing > 0 && sampling.min_distance <= sampling.spacing);
  const double a = sampling.spacing;
  const Box3d own = own_bounds(shape), region = to_frame(shape.pose, sampling.region);
  Box3d box;
  bool clipped = false;
  for (int i = 0; i < 3; ++i) {
    box.min[i] = std::max(own.min[i] + sampling.radius, region.min[i]);
    box.max[i] = std::min(own.max[i] - sampling.radius, region.max[i]);
    if (box.max[i] < box.min[i] - kSlack * a) return {};
    clipped = clipped || region.min[i] > own.min[i] || region.max[i] < own.max[i];
  }
  if (!is_bounded(box))
    throw Error(ExitCode::bad_scene,
                "a shape without bounds cannot be filled: give the scene a domain, or the "
                "fill a bounded shape");

  if (sampling.radius <= 0 && !sampling.jittered && !clipped)
    return sample_lattice(shape, sampling, lattice_by_volume(shape, box, a, threads), threads);
  std::array<double, 3> n{};
  for (int i = 0; i < 3; ++i) {
    const double cells = (box.max[i] - box.min[i]) / a;
    n[static_cast<std::size_t>(i)] = sampling.radius > 0 ? std::max(0.0, std::floor(cells + kSlack)) + 1
                                     : sampling.jittered ? std::max(1.0, std::ceil(cells - kSlack))
                                                         : std::max(1.0, std::round(cells));
  }
  return sample_lattice(shape, sampling, centred_lattice(box, n, a), threads);
}

std::optional<Vec3d> sample_point(const Shape& shape, Random& random, double inset) {
  const Box3d box = own_bounds(shape);
  if (!is_bounded(box)) return std::nullopt;
  for (int i = 0; i < kPointTries; ++i) {
    Vec3d p;
    for (int axis = 0; axis < 3; ++axis) {
      const double low = box.min[axis] + inset, high = box.max[axis] - inset;
      p[axis] = low < high ? random.uniform(low, high) : 0.5 * (low + high);
    }
    if (distance_in_own_frame(shape, p).distance <= -inset) return shape.pose.to_world(p);
  }
  return std::nullopt;
}

}  // namespace repose
