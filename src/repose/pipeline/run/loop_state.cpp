#include "repose/pipeline/run/loop_state.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/core/error.h"

namespace repose {
namespace {

/// A list of named numbers as two entries; names are joined by line ends.
template <class Item, class Number>
void put_named(ArchiveWriter& out, const std::string& entry, const std::vector<Item>& items,
               std::string Item::*name, Number Item::*number) {
  std::string names;
  std::vector<Number> numbers;
  for (const Item& item : items) {
    names += item.*name + '\n';
    numbers.push_back(item.*number);
  }
  out.put(entry + " names", names);
  out.put(entry + " values", numbers);
}

template <class Item, class Number>
void get_named(ArchiveReader& in, const std::string& entry, std::vector<Item>& items, std::string Item::*name,
               Number Item::*number) {
  std::string names;
  std::vector<Number> numbers;
  in.get(entry + " names", names);
  in.get(entry + " values", numbers);
  items.assign(numbers.size(), Item{});
  std::size_t start = 0;
  for (std::size_t i = 0; i < items.size() && start < names.size(); ++i) {
    const std::size_t end = std::min(names.find('\n', start), names.size());
    items[i].*name = names.substr(start, end - start);
    items[i].*number = numbers[i];
    start = end + 1;
  }
}

}  // namespace

void save(const LoopState& state, ArchiveWriter& out) {
  out.put("next frame", state.next_frame);
  out.put("frame steps", state.frame_steps);
  out.put("frame time", state.frame_time);
  put_named(out, "frame wall", state.frame_wall, &StageTime::name, &StageTime::seconds);
  out.put("steps", state.steps);
  out.put("time", state.time);
  out.put("smallest dt", state.dt_min);
  out.put("largest dt", state.dt_max);
  put_named(out, "limits", state.limits, &LimitCount::limit, &LimitCount::steps);
  put_named(out, "wall", state.wall, &StageTime::name, &StageTime::seconds);
  out.put("element steps", state.element_steps);
  out.put("solver seconds", state.solver_seconds);
  out.put("probes", state.probes);
}

void load(LoopState& state, ArchiveReader& in) {
  in.get("next frame", state.next_frame);
  in.get("frame steps", state.frame_steps);
  in.get("frame time", state.frame_time);
  get_named(in, "frame wall", state.frame_wall, &StageTime::name, &StageTime::seconds);
  in.get("steps", state.steps);
  in.get("time", state.time);
  in.get("smallest dt", state.dt_min);
  in.get("largest dt", state.dt_max);
  get_named(in, "limits", state.limits, &LimitCount::limit, &LimitCount::steps);
  get_named(in, "wall", state.wall, &StageTime::name, &StageTime::seconds);
  in.get("element steps", state.element_steps);
  in.get("solver seconds", state.solver_seconds);
  in.get("probes", state.probes);
  if (state.next_frame < 0 || state.next_frame == std::numeric_limits<int>::max() ||
      !std::isfinite(state.frame_time) || !std::isfinite(state.time))
    throw Error(
        ExitCode::run_failed,
        "the checkpoint has a frame or a time that no run can have: it is damaged; start the run anew "
        "with --force");
}

void count_limit(std::vector<LimitCount>& limits, std::string_view limit) {
  const auto found =
      std::find_if(limits.begin(), limits.end(), [&](const LimitCount& l) { return l.limit == limit; });
  if (found != limits.end())
    ++found->steps;
  else
    limits.push_back({std::string(limit), 1});
}

std::string main_limit(const std::vector<LimitCount>& limits) {
  const auto most =
      std::max_element(limits.begin(), limits.end(),
                       [](const LimitCount& a, const LimitCount& b) { return a.steps < b.steps; });
  return most == limits.end() ? "" : most->limit;
}

void add_time(std::vector<StageTime>& times, std::string_view stage, double seconds) {
  const auto found =
      std::find_if(times.begin(), times.end(), [&](const StageTime& t) { return t.name == stage; });
  if (found != times.end())
    found->seconds += seconds;
  else
    times.push_back({std::string(stage), seconds});
}

void add_times(std::vector<StageTime>& times, const std::vector<StageTime>& more) {
  for (const StageTime& stage : more) add_time(times, stage.name, stage.seconds);
}

}  // namespace repose
