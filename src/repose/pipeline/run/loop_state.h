#pragma once
// What the frame loop itself remembers: where it stands, and what it counted. Part of a checkpoint, and not
// of the state hash (there are wall times in it).

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "repose/core/archive.h"
#include "repose/measure/probes.h"
#include "repose/solvers/solver.h"

namespace repose {

struct LimitCount {
  std::string limit;
  std::uint64_t steps = 0;
};

struct LoopState {
  int next_frame = 0;                 ///< the frame that the steps work towards
  std::uint64_t frame_steps = 0;      ///< since the frame before
  double frame_time = 0;              ///< simulated in these steps [s]
  std::vector<StageTime> frame_wall;  ///< wall time since the frame before, by stage [s]

  // over the whole run
  std::uint64_t steps = 0;
  double time = 0;                                                      ///< simulated in these steps [s]
  double dt_min = std::numeric_limits<double>::infinity(), dt_max = 0;  ///< [s]
  std::vector<LimitCount> limits;
  std::vector<StageTime> wall;
  double element_steps = 0;   ///< elements times steps
  double solver_seconds = 0;  ///< wall time in the solver's steps [s]

  std::vector<ProbeState> probes;  ///< in the order of the scene
};

void save(const LoopState& state, ArchiveWriter& out);
void load(LoopState& state, ArchiveReader& in);

/// Adds one step under the name of what limited it.
void count_limit(std::vector<LimitCount>& limits, std::string_view limit);
/// The limit with the most steps; "" for none.
std::string main_limit(const std::vector<LimitCount>& limits);
/// Adds time to a stage, which is appended where it is new.
void add_time(std::vector<StageTime>& times, std::string_view stage, double seconds);
void add_times(std::vector<StageTime>& times, const std::vector<StageTime>& more);

}  // namespace repose
