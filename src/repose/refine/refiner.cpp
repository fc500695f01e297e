#include "repose/refine/refiner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/exec/algorithms.h"
#include "repose/refine/advect.h"
#include "repose/refine/crowding.h"
#include "repose/refine/sample.h"
#include "repose/refine/spatial_order.h"

namespace repose {
namespace {

/// Grains that are near each other stay so for a while.
constexpr int kFramesPerSort = 8;

template <class T>
void keep_rows(Threads& threads, std::span<const std::uint32_t> rows, std::vector<T>& column) {
  std::vector<T> kept(rows.size());
  gather(threads, std::span<const T>(column), rows, std::span<T>(kept));
  column = std::move(kept);
}

void keep_rows(Threads& threads, std::span<const std::uint32_t> rows, FineGrains& grains) {
  for (auto* column : {&grains.x, &grains.y, &grains.z}) keep_rows(threads, rows, *column);
  for (auto* column : {&grains.vx, &grains.vy, &grains.vz}) keep_rows(threads, rows, *column);
  keep_rows(threads, rows, grains.id);
}

/// Rows of `frame` whose particles are not in `other`; both sorted by id.
std::vector<std::uint32_t> rows_missing_in(const Frame& frame, const Frame& other) {
  std::vector<std::uint32_t> rows;
  std::size_t j = 0;
  for (std::size_t i = 0; i < frame.particle_count(); ++i) {
    while (j < other.particle_count() && other.id[j] < frame.id[i]) ++j;
    if (j == other.particle_count() || other.id[j] != frame.id[i])
      rows.push_back(static_cast<std::uint32_t>(i));
  }
  return rows;
}

/// The places that do not lie beyond an open face.
PlaceBox places_inside(const RefineModel& model) {
  PlaceBox box;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    box.low[a] = std::numeric_limits<std::int32_t>::min();
    box.high[a] = std::numeric_limits<std::int32_t>::max();
    if (model.periodic[a]) continue;
    if (std::isfinite(model.domain.min[axis]))
      box.low[a] = model.place.from_world(model.domain.min[axis], axis);
    if (std::isfinite(model.domain.max[axis]))
      box.high[a] = model.place.from_world(model.domain.max[axis], axis);
  }
  return box;
}

}  // namespace

Refiner::Refiner(const Scene& scene, ParticleKind guides, GuidePart part)
    : model_(std::make_unique<RefineModel>(make_refine_model(scene, guides))),
      part_(part),
      crowding_(std::make_unique<Crowding>(*model_, part.count)) {
  grains_.place = model_->place;
  grains_.radius = model_->radius;
  grains_.ratio = model_->ratio;
}

void Refiner::start(const Frame& frame, Threads& threads) {
  grains_.resize(0);
  runs_.clear();
  left_ = 0;
  std::vector<std::uint32_t> rows(frame.particle_count());
  std::iota(rows.begin(), rows.end(), 0U);
  add_grains(frame, std::move(rows), threads);
}

void Refiner::advance(const Frame& from, const Frame& to, Threads& threads) {
  const GuidePaths paths = find_paths(*model_, from, to);
  const int count = std::max(1, static_cast<int>(std::ceil(paths.duration / model_->longest_step - 1e-6)));
  std::vector<LeadingStep> steps(static_cast<std::size_t>(count));
  for (int n = 0; n < count; ++n) {
    const double begin = static_cast<double>(n) / count, end = static_cast<double>(n + 1) / count;
    LeadingStep& step = steps[static_cast<std::size_t>(n)];
    step.dt = paths.duration / count;
    step.guides = guides_over_step(*model_, paths, begin, end, threads);
    if (model_->spread) step.loose = find_loose_guides(*model_, step.guides, step.dt, threads);
    step.obstacles = obstacles_over_step(*model_, from, to, begin, end);
  }
  if (runs_.empty() || ++frames_since_sort_ >= kFramesPerSort) {
    sort_in_space(threads, grains_, runs_);
    frames_since_sort_ = 0;
  }
  if (model_->density_limit) crowding_->count(grains_, paths.duration, threads);
  advect(*model_, steps, model_->density_limit && !crowding_->is_none() ? crowding_.get() : nullptr, runs_,
         threads, grains_);
  remove_grains(from, to, threads);
  add_grains(to, rows_missing_in(to, from), threads);
}

void Refiner::add_grains(const Frame& frame, std::vector<std::uint32_t> rows, Threads& threads) {
  std::erase_if(rows, [&](std::uint32_t row) { return !part_.holds(frame.id[row]); });
  if (rows.empty()) return;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t last = (std::uint64_t{frame.id[rows.back()]} + 1) * model_->ratio;
  if (last > kMost)
    throw Error(ExitCode::run_failed,
                fmt::format("{} fine grains a particle would make more than {} in all: lower refine.ratio",
                            model_->ratio, kMost));
  const std::size_t first = grains_.size();
  grains_.resize(first + rows.size() * model_->ratio);
  // The grains of a guide are a run.
  if (!runs_.empty())
    for (std::size_t k = 1; k <= rows.size(); ++k)
      runs_.push_back(static_cast<std::uint32_t>(first + k * model_->ratio));
  const std::vector<Obstacle> obstacles = obstacles_over_step(*model_, frame, frame, 0, 1);
  threads.for_each(
      rows.size(),
      [&](std::size_t k) {
        sample_guide(*model_, frame, rows[k], obstacles, first + k * model_->ratio, grains_);
      },
      16);
}

/// Those whose guide is gone, and those that left through an open face.
void Refiner::remove_grains(const Frame& from, const Frame& to, Threads& threads) {
  const bool guides_stay = rows_missing_in(from, to).empty();
  const std::uint32_t last_guide = to.id.empty() ? 0 : to.id.back();
  std::vector<std::uint8_t> is_there(std::size_t{last_guide} + 1, 0);
  for (const std::uint32_t id : to.id) is_there[id] = 1;
  const auto has_guide = [&](std::size_t i) {
    const std::uint32_t guide = grains_.id[i] / model_->ratio;
    return guides_stay || (guide <= last_guide && is_there[guide] != 0);
  };
  const PlaceBox domain = places_inside(*model_);
  const auto is_inside = [&](std::size_t i) {
    const auto is_between = [&](std::int32_t c, std::size_t axis) {
      return static_cast<int>(c >= domain.low[axis]) & static_cast<int>(c <= domain.high[axis]);
    };
    return (is_between(grains_.x[i], 0) & is_between(grains_.y[i], 1) & is_between(grains_.z[i], 2)) != 0;
  };
  const auto count_if = [&](const auto& condition) {
    return threads.reduce(
        grains_.size(), std::uint64_t{0},
        [&](std::size_t begin, std::size_t end) {
          std::uint64_t count = 0;
          for (std::size_t i = begin; i < end; ++i) count += condition(i) ? 1 : 0;
          return count;
        },
        [](std::uint64_t a, std::uint64_t b) { return a + b; });
  };
  const std::uint64_t outside = count_if([&](std::size_t i) { return !is_inside(i); });
  if (outside == 0 && guides_stay) return;
  left_ += guides_stay ? outside : count_if([&](std::size_t i) { return !is_inside(i) && has_guide(i); });
  std::vector<std::uint32_t> kept;
  select_indices(
      threads, grains_.size(), [&](std::size_t i) { return is_inside(i) && has_guide(i); }, kept);
  if (kept.size() == grains_.size()) return;
  keep_rows(threads, kept, grains_);
  for (std::uint32_t& first : runs_)
    first = static_cast<std::uint32_t>(std::lower_bound(kept.begin(), kept.end(), first) - kept.begin());
  runs_.erase(std::unique(runs_.begin(), runs_.end()), runs_.end());
  if (kept.empty()) runs_.clear();
}

void Refiner::save(ArchiveWriter& out) const {
  out.put("fine id", grains_.id);
  out.put("fine x", grains_.x);
  out.put("fine y", grains_.y);
  out.put("fine z", grains_.z);
  out.put("fine vx", grains_.vx);
  out.put("fine vy", grains_.vy);
  out.put("fine vz", grains_.vz);
  out.put("fine left", left_);
  // Only for the order in memory, so that files come out the same.
  out.put("fine runs", runs_);
  out.put("fine frames since sort", frames_since_sort_);
}

void Refiner::load(ArchiveReader& in) {
  in.get("fine id", grains_.id);
  in.get("fine x", grains_.x);
  in.get("fine y", grains_.y);
  in.get("fine z", grains_.z);
  in.get("fine vx", grains_.vx);
  in.get("fine vy", grains_.vy);
  in.get("fine vz", grains_.vz);
  in.get("fine left", left_);
  in.get("fine runs", runs_);
  in.get("fine frames since sort", frames_since_sort_);
  const std::size_t n = grains_.size();
  for (const std::size_t size : {grains_.x.size(), grains_.y.size(), grains_.z.size(), grains_.vx.size(),
                                 grains_.vy.size(), grains_.vz.size()})
    if (size != n)
      throw Error(ExitCode::run_failed,
                  "the saved fine grains have arrays of unequal length: they are damaged");
  if (!runs_.empty() &&
      (runs_.front() != 0 || runs_.back() != n || !std::is_sorted(runs_.begin(), runs_.end())))
    throw Error(ExitCode::run_failed, "the saved fine grains have wrong runs: they are damaged");
}

}  // namespace repose
