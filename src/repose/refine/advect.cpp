#include "repose/refine/advect.h"

#include <algorithm>
#include <array>
#include <vector>

#include "repose/exec/widest.h"
#include "repose/math/lanes.h"
#include "repose/physics/upsampling.h"
#include "repose/refine/lead.h"
#include "repose/refine/near_guides.h"
#include "repose/refine/spatial_order.h"
#include "repose/refine/surfaces.h"

namespace repose {
namespace {

constexpr auto kLanes = static_cast<std::uint32_t>(Lanes::kCount);

/// Grains that are near enough to each other to have their own choice of the run's guides and obstacles.
constexpr std::uint32_t kBlock = 64;
/// Runs whose grains are farther apart than this are cut up, in radii of influence.
constexpr double kWidestRun = 3;

/// Radii of influence in a unit of FinePlace.
constexpr float kPerUnit = 1.0F / (1 << FinePlace::kInfluenceBits);
/// For what is compared in float.
constexpr double kRounding = 1.001;

/// Up to sixteen rows of a column; the other lanes are zero.
template <class L, class T>
L load_rows(const std::vector<T>& column, std::uint32_t first, std::uint32_t count) {
  if (count == kLanes) return L::load(&column[first]);
  LaneArray<T> rows{};
  std::copy_n(&column[first], count, rows.begin());
  return L::load(rows.data());
}
template <class L, class T>
void store_rows(const L& lanes, std::uint32_t first, std::uint32_t count, std::vector<T>& column) {
  if (count == kLanes) return lanes.store(&column[first]);
  LaneArray<T> rows;
  lanes.store(rows.data());
  std::copy_n(rows.begin(), count, &column[first]);
}

/// Moves runs of grains through steps; one a thread's chunk, for its memory.
class RunAdvection {
 public:
  RunAdvection(const RefineModel& model, const Crowding* crowding, FineGrains& grains)
      : model_(model), crowding_(crowding), grains_(grains), surfaces_(model) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      if (!model.periodic[a]) continue;
      low_[a] = model.place.from_world(model.domain.min[axis], axis);
      high_[a] = model.place.from_world(model.domain.max[axis], axis);
    }
  }

  /// One step of the grains [begin, end).
  void advance(const LeadingStep& step, std::uint32_t begin, std::uint32_t end) {
    const PlaceBox box = find_boxes(begin, end);
    const double widest = kWidestRun * (1 << FinePlace::kInfluenceBits);
    if (end - begin > 1 && std::max({box.extent(0), box.extent(1), box.extent(2)}) > widest) {
      const std::uint32_t middle = begin + (end - begin) / 2;
      advance(step, begin, middle);
      advance(step, middle, end);
      return;
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
      origin_[axis] = static_cast<std::int32_t>((std::int64_t{box.low[axis]} + box.high[axis]) / 2);
    guides_.find(model_, step.guides, box, origin_);
    surfaces_.enter_run(step.obstacles, step.dt, box);
    if (crowding_ != nullptr) crowding_->look(box, step.dt, crowded_);
    step.loose.find_near({model_.place.to_world(box.low[0], box.low[1], box.low[2]),
                          model_.place.to_world(box.high[0], box.high[1], box.high[2])},
                         model_.influence, loose_);
    for (std::uint32_t block = begin; block < end; block += kBlock) {
      const PlaceBox& block_box = boxes_[(block - begin) / kBlock];
      const ChosenGuides guides = guides_.choose(block_box);
      surfaces_.enter_block(block_box);
      const bool drifts = crowding_ != nullptr && crowded_.any_in(block_box);
      const std::uint32_t block_end = std::min(block + kBlock, end);
      for (std::uint32_t first = block; first < block_end; first += kLanes)
        move(step, guides, drifts, first, std::min(kLanes, block_end - first));
    }
  }

 private:
  /// Of each block, and of all of them.
  PlaceBox find_boxes(std::uint32_t begin, std::uint32_t end) {
    boxes_.clear();
    for (std::uint32_t block = begin; block < end; block += kBlock)
      boxes_.push_back(box_of(grains_, block, std::min(block + kBlock, end)));
    PlaceBox box = boxes_.front();
    for (const PlaceBox& other : boxes_) box.include(other);
    return box;
  }

  void move(const LeadingStep& step, const ChosenGuides& guides, bool drifts, std::uint32_t first,
            std::uint32_t count);
  void spread(const LeadingStep& step, std::uint32_t first, std::uint32_t count, Led& led) const;
  void lead_by_surfaces(std::uint32_t first, std::uint32_t count, Led& led);
  IntLanes move_along(const LeadingStep& step, const Led& led, const Lanes& led_velocity, int axis,
                      std::uint32_t first, std::uint32_t count, std::vector<float>& velocities) const;
  void drift(const std::array<IntLanes, 3>& before, std::uint32_t first, std::uint32_t count);
  void meet_surfaces(const std::array<IntLanes, 3>& before, std::uint32_t first, std::uint32_t count);
  void wrap(std::uint32_t first, std::uint32_t count);

  const RefineModel& model_;
  const Crowding* crowding_;
  FineGrains& grains_;
  std::array<std::int32_t, 3> low_{}, high_{};  ///< of a periodic domain
  std::array<std::int32_t, 3> origin_{};        ///< of the run
  std::vector<PlaceBox> boxes_;                 ///< of the run's blocks
  NearGuides guides_;
  Surfaces surfaces_;
  std::vector<std::uint32_t> loose_;  ///< rows of the loose guides near the run
  Crowding::Block crowded_;
};

/// A step of up to sixteen grains.
void RunAdvection::move(const LeadingStep& step, const ChosenGuides& guides, bool drifts, std::uint32_t first,
                        std::uint32_t count) {
  const std::array<IntLanes, 3> before{load_rows<IntLanes>(grains_.x, first, count),
                                       load_rows<IntLanes>(grains_.y, first, count),
                                       load_rows<IntLanes>(grains_.z, first, count)};
  const auto from_origin = [&](std::size_t axis) {
    return to_lanes(before[axis] - IntLanes(origin_[axis])) * Lanes(kPerUnit);
  };
  Led led = lead(model_, guides, {from_origin(0), from_origin(1), from_origin(2)});
  if (!loose_.empty()) spread(step, first, count, led);
  if (surfaces_.any_near()) lead_by_surfaces(first, count, led);

  const IntLanes dx = move_along(step, led, led.x, 0, first, count, grains_.vx),
                 dy = move_along(step, led, led.y, 1, first, count, grains_.vy),
                 dz = move_along(step, led, led.z, 2, first, count, grains_.vz);
  store_rows(before[0] + dx, first, count, grains_.x);
  store_rows(before[1] + dy, first, count, grains_.y);
  store_rows(before[2] + dz, first, count, grains_.z);
  if (drifts) drift(before, first, count);
  if (!step.obstacles.empty()) meet_surfaces(before, first, count);
  wrap(first, count);
}

void RunAdvection::spread(const LeadingStep& step, std::uint32_t first, std::uint32_t count, Led& led) const {
  LaneArray<float> x, y, z, own_share, weight;
  led.x.store(x.data());
  led.y.store(y.data());
  led.z.store(z.data());
  led.own_share.store(own_share.data());
  led.weight.store(weight.data());
  step.loose.spread(model_, loose_, grains_, first,
                    {.x = {x.data(), count},
                     .y = {y.data(), count},
                     .z = {z.data(), count},
                     .own_share = {own_share.data(), count},
                     .weights = {weight.data(), count}});
  led.x = Lanes::load(x.data());
  led.y = Lanes::load(y.data());
  led.z = Lanes::load(z.data());
  led.own_share = Lanes::load(own_share.data());
}

void RunAdvection::lead_by_surfaces(std::uint32_t first, std::uint32_t count, Led& led) {
  LaneVectors<std::int32_t> places;
  load_rows<IntLanes>(grains_.x, first, count).store(places.x.data());
  load_rows<IntLanes>(grains_.y, first, count).store(places.y.data());
  load_rows<IntLanes>(grains_.z, first, count).store(places.z.data());
  LaneArray<float> weight;
  LaneVectors<float> velocity;
  led.weight.store(weight.data());
  led.x.store(velocity.x.data());
  led.y.store(velocity.y.data());
  led.z.store(velocity.z.data());
  surfaces_.lead(count, places, weight, velocity);
  led.x = Lanes::load(velocity.x.data());
  led.y = Lanes::load(velocity.y.data());
  led.z = Lanes::load(velocity.z.data());
}

/// New velocities along one axis (Ihmsen 2013, eq. 25); returns the way, in units, rounded.
IntLanes RunAdvection::move_along(const LeadingStep& step, const Led& led, const Lanes& led_velocity,
                                  int axis, std::uint32_t first, std::uint32_t count,
                                  std::vector<float>& velocities) const {
  const Lanes flown = flown_velocity(load_rows<Lanes>(velocities, first, count), Lanes(model_.gravity[axis]),
                                     Lanes(model_.drag), Lanes(model_.wind[axis]), Lanes(step.dt));
  const Lanes v = blended_velocity(led.own_share, led_velocity, flown);
  store_rows(v, first, count, velocities);
  const Lanes way = v * Lanes(step.dt / model_.place.unit);
  return truncated(way + select(way < Lanes(0), Lanes(-0.5), Lanes(0.5)));
}

/// From where they are too many at the start of the step. Leaves the velocity as it is.
void RunAdvection::drift(const std::array<IntLanes, 3>& before, std::uint32_t first, std::uint32_t count) {
  LaneVectors<std::int32_t> places;
  before[0].store(places.x.data());
  before[1].store(places.y.data());
  before[2].store(places.z.data());
  for (std::uint32_t l = 0; l < count; ++l) {
    const auto way = crowded_.way(places.x[l], places.y[l], places.z[l]);
    grains_.x[first + l] += way[0];
    grains_.y[first + l] += way[1];
    grains_.z[first + l] += way[2];
  }
}

void RunAdvection::meet_surfaces(const std::array<IntLanes, 3>& before, std::uint32_t first,
                                 std::uint32_t count) {
  const auto way = [&](const std::vector<std::int32_t>& column, std::size_t axis) {
    return to_lanes(load_rows<IntLanes>(column, first, count) - before[axis]) * Lanes(kPerUnit);
  };
  const Lanes x = way(grains_.x, 0), y = way(grains_.y, 1), z = way(grains_.z, 2);
  const Lanes square = (x * x + y * y) + z * z;
  const double free = surfaces_.way_to_others() / (kRounding * model_.influence);
  if (!surfaces_.any_near() && !any(square >= Lanes(free * free))) return;
  LaneArray<float> squared_way;
  square.store(squared_way.data());
  surfaces_.meet(first, count, squared_way, grains_);
}

/// Back into a periodic domain.
void RunAdvection::wrap(std::uint32_t first, std::uint32_t count) {
  const std::array<std::vector<std::int32_t>*, 3> columns{&grains_.x, &grains_.y, &grains_.z};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!model_.periodic[axis]) continue;
    const std::int32_t low = low_[axis], high = high_[axis];
    for (std::uint32_t i = first; i < first + count; ++i) {
      std::int32_t& c = (*columns[axis])[i];
      while (c < low) c += high - low;
      while (c >= high) c -= high - low;
    }
  }
}

}  // namespace

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
