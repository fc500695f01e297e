#include "repose/refine/advect.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "repose/exec/compact.h"
#include "repose/exec/widest.h"
#include "repose/math/lanes.h"
#include "repose/physics/upsampling.h"

namespace repose {
namespace {

constexpr std::size_t kLanes = Lanes::kCount;
using LaneArray = std::array<float, kLanes>;

/// Grains of a run at most: their data stay in the second level of cache through all steps of a frame.
constexpr std::uint32_t kLongestRun = 2048;
/// Grains that are near enough to each other to have their own choice of the run's guides.
constexpr std::uint32_t kBlock = 64;
/// Cells by which grains are sorted, in the radius of influence: 2^2. A run lies in one radius.
constexpr int kSortCellBits = 2;
/// Runs whose grains are farther apart than this are cut up, in radii of influence.
constexpr double kWidestRun = 2;

/// Guides around a run of grains, in units of FinePlace from the run's own origin: whole numbers, so that
/// differences are exact, and what a grain does never depends on the run that it is in.
struct Candidates {
  std::size_t size = 0;
  std::vector<float> x, y, z, vx, vy, vz;
  std::vector<float> apart;        ///< squared distance to the run's box
  std::vector<std::uint32_t> row;  ///< of the guides looked at
  std::vector<std::uint32_t> near;

  void reserve(std::size_t count) {
    if (count + 2 * kCompactLanes <= row.size()) return;
    for (auto* column : {&x, &y, &z, &vx, &vy, &vz, &apart}) column->resize(2 * (count + kCompactLanes));
    for (auto* column : {&row, &near}) column->resize(2 * (count + kCompactLanes));
  }
};

/// A box in units of FinePlace.
struct RunBox {
  std::array<std::int32_t, 3> low, high;
};

RunBox box_of(const FineGrains& grains, std::uint32_t begin, std::uint32_t end) {
  RunBox box;
  const std::array<const std::vector<std::int32_t>*, 3> columns{&grains.x, &grains.y, &grains.z};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int32_t* c = columns[axis]->data();
    std::int32_t low = c[begin], high = c[begin];
    for (std::uint32_t i = begin; i < end; ++i) low = std::min(low, c[i]), high = std::max(high, c[i]);
    box.low[axis] = low, box.high[axis] = high;
  }
  return box;
}

/// Calls f(first row, end row) for the guides in a box of cells of the grid.
template <class F>
void for_each_guide_run(const GuideStep& guides, const Vec3i& low, const Vec3i& high, F&& f) {
  const TileSet& tiles = guides.cells.tiles;
  const Vec3i base(low.x >> 3, low.y >> 3, low.z >> 3), last(high.x >> 3, high.y >> 3, high.z >> 3);
  for (int tz = base.z; tz <= last.z; ++tz)
    for (int ty = base.y; ty <= last.y; ++ty)
      for (int tx = base.x; tx <= last.x; ++tx) {
        const std::uint32_t tile = tiles.find({tx, ty, tz});
        if (tile == kNoTile) continue;
        const int x0 = std::max(low.x - 8 * tx, 0), x1 = std::min(high.x - 8 * tx, 7);
        for (int z = std::max(low.z - 8 * tz, 0); z <= std::min(high.z - 8 * tz, 7); ++z)
          for (int y = std::max(low.y - 8 * ty, 0); y <= std::min(high.y - 8 * ty, 7); ++y) {
            const std::size_t row = tile * kTileCells + cell_in_tile(0, y, z);
            const std::uint32_t begin = guides.cells.cell_first[row + static_cast<std::size_t>(x0)],
                                end = guides.cells.cell_first[row + static_cast<std::size_t>(x1) + 1];
            if (begin < end) f(begin, end);
          }
      }
}

/// What the guides around sixteen grains say.
struct Led {
  LaneArray x, y, z;    ///< sums of weight times velocity, then mean velocity [m/s]
  LaneArray weight;     ///< sum of weights
  LaneArray own_share;  ///< of the grain's own flight
  LaneArray gap;        ///< to the nearest obstacle at the end of the step, as far as it is known [m]
};

/// Moves one run of grains through the steps; one a thread's chunk, for its memory.
class RunAdvection {
 public:
  RunAdvection(const RefineModel& model, const Crowding* crowding, FineGrains& grains)
      : model_(model),
        crowding_(crowding),
        grains_(grains),
        per_square_(static_cast<float>(std::pow(model.place.unit / model.influence, 2))) {}

  void advance(const LeadingStep& step, std::uint32_t begin, std::uint32_t end) {
    const RunBox box = box_of(grains_, begin, end);
    const double widest = kWidestRun * model_.influence / model_.place.unit;
    const auto extent = [&](std::size_t axis) {
      return static_cast<double>(box.high[axis]) - static_cast<double>(box.low[axis]);
    };
    if (end - begin > 1 && std::max({extent(0), extent(1), extent(2)}) > widest) {
      const std::uint32_t middle = begin + (end - begin) / 2;
      advance(step, begin, middle);
      advance(step, middle, end);
      return;
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
      origin_[axis] = static_cast<std::int32_t>((std::int64_t{box.low[axis]} + box.high[axis]) / 2);
    find_candidates(step.guides, box);
    find_obstacles(step, box);
    step.loose.find_near({model_.place.to_world(box.low[0], box.low[1], box.low[2]),
                          model_.place.to_world(box.high[0], box.high[1], box.high[2])},
                         model_.influence, loose_);
    for (std::uint32_t block = begin; block < end; block += kBlock) {
      const std::uint32_t block_end = std::min(block + kBlock, end);
      const RunBox block_box = box_of(grains_, block, block_end);
      choose_near(block_box);
      if (crowding_ != nullptr) crowding_->look(block_box.low, block_box.high, crowded_);
      for (std::uint32_t first = block; first < block_end; first += kLanes)
        move_lanes(step, first, std::min(first + static_cast<std::uint32_t>(kLanes), block_end));
    }
  }

 private:
  void find_candidates(const GuideStep& guides, const RunBox& box);
  void choose_near(const RunBox& box);
  void find_obstacles(const LeadingStep& step, const RunBox& box);
  void move_lanes(const LeadingStep& step, std::uint32_t first, std::uint32_t end);
  double choose_obstacles(std::uint32_t first, std::uint32_t end);
  void lead_by_walls(const LeadingStep& step, std::uint32_t first, std::size_t count, Led& led);
  void meet_obstacles(const LeadingStep& step, std::uint32_t first, std::uint32_t end, const Led& led);
  void drift(const LeadingStep& step, std::uint32_t first, std::uint32_t end, Led& led);
  void wrap(std::uint32_t first, std::uint32_t end);
  void move_along(const LeadingStep& step, const LaneArray& own_share, const LaneArray& led, float g,
                  float wind, std::uint32_t first, std::size_t count, std::vector<float>& velocities,
                  std::vector<std::int32_t>& places) const;

  const RefineModel& model_;
  const Crowding* crowding_;
  FineGrains& grains_;
  float per_square_;  ///< of a squared distance in units: 1 at the radius of influence
  std::array<std::int32_t, 3> origin_{};
  Candidates candidates_;                        ///< of the run
  Candidates near_;                              ///< of them, of the block at hand
  std::vector<std::uint32_t> loose_;             ///< rows of the loose guides near the run
  Crowding::Block crowded_;                      ///< of the block at hand
  std::vector<const Obstacle*> obstacles_near_;  ///< of those of the run, of the lanes at hand
  std::vector<const Obstacle*> obstacles_;
};

void RunAdvection::find_candidates(const GuideStep& guides, const RunBox& box) {
  const FinePlace& place = model_.place;
  const Vec3d center = place.to_world(origin_[0], origin_[1], origin_[2]);
  Vec3d half;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    half[axis] = 0.5 * place.unit * (static_cast<double>(box.high[a]) - static_cast<double>(box.low[a]) + 2);
  }
  const Vec3d reach = half + Vec3d(model_.influence);
  const Vec3d low = guides.place.to_cells(center - reach), high = guides.place.to_cells(center + reach);
  const auto cell = [](const Vec3d& c) {
    return Vec3i(static_cast<int>(std::floor(c.x)), static_cast<int>(std::floor(c.y)),
                 static_cast<int>(std::floor(c.z)));
  };
  const Vec3f edge = to_float(half / place.unit);
  const auto from_origin = [&](const std::vector<std::int32_t>& c, std::uint32_t g, std::size_t axis) {
    return static_cast<float>(std::int64_t{c[g]} - origin_[axis]);
  };
  Candidates& c = candidates_;
  std::size_t count = 0;
  for_each_guide_run(guides, cell(low), cell(high), [&](std::uint32_t begin, std::uint32_t end) {
    c.reserve(count + (end - begin));
    for (std::uint32_t g = begin; g < end; ++g) c.row[count++] = g;
  });
  c.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t g = c.row[k];
    const float dx = std::fabs(from_origin(guides.x, g, 0)) - edge.x;
    const float dy = std::fabs(from_origin(guides.y, g, 1)) - edge.y;
    const float dz = std::fabs(from_origin(guides.z, g, 2)) - edge.z;
    const float ox = std::max(0.0F, dx), oy = std::max(0.0F, dy), oz = std::max(0.0F, dz);
    c.apart[k] = (ox * ox + oy * oy + oz * oz) * per_square_;
  }
  const std::size_t padded = (count + kCompactLanes - 1) / kCompactLanes * kCompactLanes;
  for (std::size_t k = count; k < padded; ++k) c.apart[k] = INFINITY;
  c.size = indices_below(c.apart.data(), padded, 1.0F, c.near.data());
  for (std::size_t k = 0; k < c.size; ++k) {
    const std::uint32_t g = c.row[c.near[k]];
    c.x[k] = from_origin(guides.x, g, 0);
    c.y[k] = from_origin(guides.y, g, 1);
    c.z[k] = from_origin(guides.z, g, 2);
    c.vx[k] = guides.vx[g], c.vy[k] = guides.vy[g], c.vz[k] = guides.vz[g];
  }
}

/// Those of the run's guides that reach a block of its grains.
void RunAdvection::choose_near(const RunBox& box) {
  std::array<float, 3> middle, half;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const float low = static_cast<float>(box.low[axis] - origin_[axis]),
                high = static_cast<float>(box.high[axis] - origin_[axis]);
    middle[axis] = 0.5F * (low + high);
    half[axis] = 0.5F * (high - low) + 1;
  }
  const Candidates& all = candidates_;
  Candidates& c = near_;
  const std::size_t padded = (all.size + kCompactLanes - 1) / kCompactLanes * kCompactLanes;
  c.reserve(padded);
  REPOSE_INDEPENDENT_TURNS
  for (std::size_t k = 0; k < all.size; ++k) {
    const float ox = std::max(0.0F, std::fabs(all.x[k] - middle[0]) - half[0]);
    const float oy = std::max(0.0F, std::fabs(all.y[k] - middle[1]) - half[1]);
    const float oz = std::max(0.0F, std::fabs(all.z[k] - middle[2]) - half[2]);
    c.apart[k] = (ox * ox + oy * oy + oz * oz) * per_square_;
  }
  for (std::size_t k = all.size; k < padded; ++k) c.apart[k] = INFINITY;
  c.size = indices_below(c.apart.data(), padded, 1.0F, c.near.data());
  const auto take = [&](const std::vector<float>& from, std::vector<float>& to) {
    for (std::size_t k = 0; k < c.size; ++k) to[k] = from[c.near[k]];
  };
  take(all.x, c.x);
  take(all.y, c.y);
  take(all.z, c.z);
  take(all.vx, c.vx);
  take(all.vy, c.vy);
  take(all.vz, c.vz);
}

void RunAdvection::find_obstacles(const LeadingStep& step, const RunBox& box) {
  obstacles_.clear();
  const FinePlace& place = model_.place;
  const Vec3d center = place.to_world(origin_[0], origin_[1], origin_[2]);
  double square = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double edge =
        place.unit * (static_cast<double>(box.high[axis]) - static_cast<double>(box.low[axis]) + 2);
    square += 0.25 * edge * edge;
  }
  const double reach = std::sqrt(square) + model_.influence;
  for (const Obstacle& obstacle : step.obstacles) {
    if (obstacle.distance_bound(center) > reach) continue;
    if (obstacle.nearest(center).distance > reach) continue;
    obstacles_.push_back(&obstacle);
  }
}

/// Ihmsen 2013, eq. 23, and what eq. 24 needs.
void lead_ihmsen2013(const Candidates& c, const LaneArray& px, const LaneArray& py, const LaneArray& pz,
                     float per_square, Led& led) {
  const Lanes x = Lanes::load(px.data()), y = Lanes::load(py.data()), z = Lanes::load(pz.data());
  Lanes sum(0.0F), most(0.0F), sx(0.0F), sy(0.0F), sz(0.0F);
  for (std::size_t k = 0; k < c.size; ++k) {
    const Lanes dx = x - Lanes(c.x[k]), dy = y - Lanes(c.y[k]), dz = z - Lanes(c.z[k]);
    const Lanes w = ihmsen2013_weight(((dx * dx + dy * dy) + dz * dz) * Lanes(per_square));
    sum += w;
    most = max(most, w);
    sx += w * Lanes(c.vx[k]);
    sy += w * Lanes(c.vy[k]);
    sz += w * Lanes(c.vz[k]);
  }
  LaneArray largest;
  sum.store(led.weight.data());
  most.store(largest.data());
  sx.store(led.x.data());
  sy.store(led.y.data());
  sz.store(led.z.data());
  for (std::size_t l = 0; l < kLanes; ++l) led.own_share[l] = ihmsen2013_own_share(largest[l], led.weight[l]);
}

/// Alduan 2009, eq. 3.
void lead_alduan2009(const Candidates& c, const LaneArray& px, const LaneArray& py, const LaneArray& pz,
                     float per_square, Led& led) {
  for (auto* sum : {&led.x, &led.y, &led.z, &led.weight}) sum->fill(0);
  LaneArray count{};
  for (std::size_t k = 0; k < c.size; ++k) {
    REPOSE_INDEPENDENT_TURNS
    for (std::size_t l = 0; l < kLanes; ++l) {
      const float dx = px[l] - c.x[k], dy = py[l] - c.y[k], dz = pz[l] - c.z[k];
      const float square = ((dx * dx + dy * dy) + dz * dz) * per_square;
      const float w = square < 1 ? alduan2009_weight(std::sqrt(square)) : 0.0F;
      count[l] += square < 1 ? 1.0F : 0.0F;
      led.weight[l] += w;
      led.x[l] += w * c.vx[k];
      led.y[l] += w * c.vy[k];
      led.z[l] += w * c.vz[k];
    }
  }
  for (std::size_t l = 0; l < kLanes; ++l) led.own_share[l] = alduan2009_own_share(count[l]);
}

/// Takahashi 2014, section 3.3, with the continuum's velocity and density (eq. 2) at the grain itself.
void lead_takahashi2014(const Candidates& c, const LaneArray& px, const LaneArray& py, const LaneArray& pz,
                        float per_square, float dense, Led& led) {
  for (auto* sum : {&led.x, &led.y, &led.z, &led.weight}) sum->fill(0);
  LaneArray density{};
  for (std::size_t k = 0; k < c.size; ++k) {
    REPOSE_INDEPENDENT_TURNS
    for (std::size_t l = 0; l < kLanes; ++l) {
      const float dx = px[l] - c.x[k], dy = py[l] - c.y[k], dz = pz[l] - c.z[k];
      const float square = ((dx * dx + dy * dy) + dz * dz) * per_square;
      const float w = takahashi2014_sharp(square);
      density[l] += takahashi2014_smooth(square);
      led.weight[l] += w;
      led.x[l] += w * c.vx[k];
      led.y[l] += w * c.vy[k];
      led.z[l] += w * c.vz[k];
    }
  }
  for (std::size_t l = 0; l < kLanes; ++l)
    led.own_share[l] = 1 - (led.weight[l] > 0 ? takahashi2014_led_share(density[l], dense) : 0.0F);
}

void take_means(Led& led) {
  for (std::size_t l = 0; l < kLanes; ++l) {
    const float inverse = led.weight[l] > 0 ? 1 / led.weight[l] : 0.0F;
    led.x[l] *= inverse;
    led.y[l] *= inverse;
    led.z[l] *= inverse;
  }
}

/// Those within the radius of influence of any of these grains; returns at most how far away the others are.
double RunAdvection::choose_obstacles(std::uint32_t first, std::uint32_t end) {
  const RunBox box = box_of(grains_, first, end);
  const FinePlace& place = model_.place;
  const Vec3d low = place.to_world(box.low[0], box.low[1], box.low[2]),
              high = place.to_world(box.high[0], box.high[1], box.high[2]);
  const Vec3d middle = 0.5 * (low + high);
  const double half = 0.5 * (high - low).length() + place.unit;
  double others = std::numeric_limits<double>::max();
  obstacles_near_.clear();
  for (const Obstacle* obstacle : obstacles_) {
    double gap = obstacle->distance_bound(middle) - half;
    if (gap < model_.influence) gap = obstacle->nearest(middle).distance - half;
    if (gap < model_.influence)
      obstacles_near_.push_back(obstacle);
    else
      others = std::min(others, gap);
  }
  return std::min(others, 1e30);
}

/// Boundary particles are among the guides of Ihmsen 2013, eq. 24. Here a surface counts by its distance,
/// towards and away from it: along it guides that slide must not leave their grains behind, unless nothing
/// slips on it. It has no part in the own share: a grain that falls to the ground alone does not float above
/// it.
void RunAdvection::lead_by_walls(const LeadingStep& step, std::uint32_t first, std::size_t count, Led& led) {
  const double h = model_.influence, spacing = model_.guide_spacing / h;
  const double others = choose_obstacles(first, first + static_cast<std::uint32_t>(count));
  led.gap.fill(0);
  for (std::size_t l = 0; l < count; ++l) {
    double gap = others;
    if (!(led.weight[l] > 0)) {
      if (obstacles_near_.empty()) led.gap[l] = static_cast<float>(gap);
      continue;
    }
    const std::size_t i = first + l;
    const Vec3d at = model_.place.to_world(grains_.x[i], grains_.y[i], grains_.z[i]);
    Vec3d v(led.x[l], led.y[l], led.z[l]);
    for (const Obstacle* obstacle : obstacles_near_) {
      const SurfacePoint wall = obstacle->nearest(at);
      gap = std::min(gap, wall.distance);
      if (wall.distance >= h) continue;
      const double s = std::max(0.0, wall.distance) / h, w = wall_weight(s * s, spacing);
      const Vec3d apart = obstacle->velocity_at(at, step.dt) - v;
      const double share = w / (w + static_cast<double>(led.weight[l]));
      v += share * (std::isinf(obstacle->body->friction) ? apart : apart.dot(wall.normal) * wall.normal);
    }
    led.x[l] = static_cast<float>(v.x), led.y[l] = static_cast<float>(v.y),
    led.z[l] = static_cast<float>(v.z);
    led.gap[l] = static_cast<float>(gap);
  }
}

void RunAdvection::move_lanes(const LeadingStep& step, std::uint32_t first, std::uint32_t end) {
  const std::size_t count = end - first;
  LaneArray px{}, py{}, pz{};
  for (std::size_t l = 0; l < count; ++l) {
    px[l] = static_cast<float>(grains_.x[first + l] - origin_[0]);
    py[l] = static_cast<float>(grains_.y[first + l] - origin_[1]);
    pz[l] = static_cast<float>(grains_.z[first + l] - origin_[2]);
  }
  Led led;
  switch (model_.method) {
    case RefineMethod::ihmsen2013:
      lead_ihmsen2013(near_, px, py, pz, per_square_, led);
      break;
    case RefineMethod::alduan2009:
      lead_alduan2009(near_, px, py, pz, per_square_, led);
      break;
    case RefineMethod::takahashi2014:
      lead_takahashi2014(near_, px, py, pz, per_square_, static_cast<float>(model_.dense), led);
      break;
  }
  take_means(led);
  if (!loose_.empty())
    step.loose.spread(model_, loose_, grains_, first,
                      {.x = {led.x.data(), count},
                       .y = {led.y.data(), count},
                       .z = {led.z.data(), count},
                       .own_share = {led.own_share.data(), count},
                       .weights = {led.weight.data(), count}});
  if (!obstacles_.empty()) lead_by_walls(step, first, count, led);

  const Vec3f g = to_float(model_.gravity), wind = to_float(model_.wind);
  move_along(step, led.own_share, led.x, g.x, wind.x, first, count, grains_.vx, grains_.x);
  move_along(step, led.own_share, led.y, g.y, wind.y, first, count, grains_.vy, grains_.y);
  move_along(step, led.own_share, led.z, g.z, wind.z, first, count, grains_.vz, grains_.z);
  if (!crowded_.drift.empty()) drift(step, first, end, led);
  if (!obstacles_.empty()) meet_obstacles(step, first, end, led);
  wrap(first, end);
}

/// Along one axis, with gravity g [m/s2] and the wind [m/s] there.
void RunAdvection::move_along(const LeadingStep& step, const LaneArray& own_share, const LaneArray& led,
                              float g, float wind, std::uint32_t first, std::size_t count,
                              std::vector<float>& velocities, std::vector<std::int32_t>& places) const {
  const auto dt = static_cast<float>(step.dt), drag = static_cast<float>(model_.drag);
  const auto units = static_cast<float>(step.dt / model_.place.unit);
  LaneArray v{};
  std::array<std::int32_t, kLanes> moved{};
  std::copy_n(&velocities[first], count, v.begin());
  REPOSE_INDEPENDENT_TURNS
  for (std::size_t l = 0; l < kLanes; ++l) {
    v[l] = blended_velocity(own_share[l], led[l], flown_velocity(v[l], g, drag, wind, dt));
    const float distance = v[l] * units;
    moved[l] = static_cast<std::int32_t>(distance + (distance < 0 ? -0.5F : 0.5F));
  }
  std::copy_n(v.begin(), count, &velocities[first]);
  for (std::size_t l = 0; l < count; ++l) places[first + l] += moved[l];
}

/// From where they are too many. Leaves the velocity as it is.
void RunAdvection::drift(const LeadingStep& step, std::uint32_t first, std::uint32_t end, Led& led) {
  const double units = step.dt / model_.place.unit;
  for (std::uint32_t i = first; i < end; ++i) {
    const Vec3f v = crowding_->drift(crowded_, grains_.x[i], grains_.y[i], grains_.z[i]);
    if (v == Vec3f(0)) continue;
    grains_.x[i] += static_cast<std::int32_t>(std::lround(static_cast<double>(v.x) * units));
    grains_.y[i] += static_cast<std::int32_t>(std::lround(static_cast<double>(v.y) * units));
    grains_.z[i] += static_cast<std::int32_t>(std::lround(static_cast<double>(v.z) * units));
    led.gap[i - first] = 0;
  }
}

/// Back into a periodic domain.
void RunAdvection::wrap(std::uint32_t first, std::uint32_t end) {
  const std::array<std::vector<std::int32_t>*, 3> columns{&grains_.x, &grains_.y, &grains_.z};
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    if (!model_.periodic[a]) continue;
    const std::int32_t low = model_.place.from_world(model_.domain.min[axis], axis),
                       high = model_.place.from_world(model_.domain.max[axis], axis);
    for (std::uint32_t i = first; i < end; ++i) {
      std::int32_t& c = (*columns[a])[i];
      while (c < low) c += high - low;
      while (c >= high) c -= high - low;
    }
  }
}

void RunAdvection::meet_obstacles(const LeadingStep& step, std::uint32_t first, std::uint32_t end,
                                  const Led& led) {
  const FinePlace& place = model_.place;
  for (std::uint32_t i = first; i < end; ++i) {
    FineMotion grain{place.to_world(grains_.x[i], grains_.y[i], grains_.z[i]),
                     Vec3d(grains_.vx[i], grains_.vy[i], grains_.vz[i])};
    // Distances change by no more than the way that the grain went.
    const double way = 1.001 * step.dt * grain.velocity.length() + 4 * place.unit;
    if (static_cast<double>(led.gap[i - first]) - way > model_.radius) continue;
    const Vec3d before = grain.position;
    collide(obstacles_, model_.radius, step.dt, grain);
    if (grain.position == before) continue;
    grains_.x[i] = place.from_world(grain.position.x, 0);
    grains_.y[i] = place.from_world(grain.position.y, 1);
    grains_.z[i] = place.from_world(grain.position.z, 2);
    grains_.vx[i] = static_cast<float>(grain.velocity.x);
    grains_.vy[i] = static_cast<float>(grain.velocity.y);
    grains_.vz[i] = static_cast<float>(grain.velocity.z);
  }
}

/// Ten bits of each coordinate along a Morton curve: only a hint of what is near, so that it may repeat.
std::uint32_t morton(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  const auto spread = [](std::uint32_t v) {
    v &= 1023U;
    v = (v | (v << 16U)) & 0x030000FFU;
    v = (v | (v << 8U)) & 0x0300F00FU;
    v = (v | (v << 4U)) & 0x030C30C3U;
    v = (v | (v << 2U)) & 0x09249249U;
    return v;
  };
  return spread(x) | (spread(y) << 1U) | (spread(z) << 2U);
}

/// `spare` is memory of the same size, which changes hands.
template <class T>
void reorder(Threads& threads, std::span<const std::uint32_t> order, std::vector<T>& spare,
             std::vector<T>& column) {
  spare.resize(column.size());
  gather(threads, std::span<const T>(column), order, std::span<T>(spare));
  std::swap(column, spare);
}

}  // namespace

void sort_in_space(Threads& threads, FineGrains& grains, std::vector<std::uint32_t>& runs) {
  constexpr int shift = FinePlace::kInfluenceBits - kSortCellBits;
  SortablePairs<std::uint32_t> pairs;
  pairs.keys.resize(grains.size());
  pairs.values.resize(grains.size());
  threads.for_each(grains.size(), [&](std::size_t i) {
    const auto cell = [&](std::int32_t c) { return static_cast<std::uint32_t>(c >> shift); };
    pairs.keys[i] = morton(cell(grains.x[i]), cell(grains.y[i]), cell(grains.z[i]));
    pairs.values[i] = static_cast<std::uint32_t>(i);
  });
  sort_pairs(threads, pairs);
  runs.clear();
  for (std::uint32_t i = 0; i < pairs.keys.size(); ++i)
    if (i == 0 || (pairs.keys[i] >> (3 * kSortCellBits)) != (pairs.keys[i - 1] >> (3 * kSortCellBits)) ||
        i - runs.back() >= kLongestRun)
      runs.push_back(i);
  runs.push_back(static_cast<std::uint32_t>(grains.size()));
  pairs.other_keys = {};
  pairs.keys = {};
  std::vector<float> spare;
  for (auto* column : {&grains.vx, &grains.vy, &grains.vz}) reorder(threads, pairs.values, spare, *column);
  spare = {};
  std::vector<std::int32_t> places;
  for (auto* column : {&grains.x, &grains.y, &grains.z}) reorder(threads, pairs.values, places, *column);
  reorder(threads, pairs.values, pairs.other_values, grains.id);
}

void advect(const RefineModel& model, std::span<const LeadingStep> steps, const Crowding* crowding,
            std::span<const std::uint32_t> runs, Threads& threads, FineGrains& grains) {
  if (runs.empty()) return;
  constexpr std::size_t kRunsAtOnce = 64;
  threads.for_chunks(runs.size() - 1, kRunsAtOnce, [&](std::size_t begin, std::size_t end, std::size_t) {
    run_widest([&] {
      RunAdvection advection(model, crowding, grains);
      for (std::size_t r = begin; r < end; ++r)
        for (const LeadingStep& step : steps) advection.advance(step, runs[r], runs[r + 1]);
    });
  });
}

}  // namespace repose
