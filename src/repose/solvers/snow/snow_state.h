#pragma once
// What a restart of a run of snow needs: that of sand on a grid, and what each particle is like.

#include <vector>

#include "repose/solvers/flip/flip_state.h"

namespace repose {

struct SnowState : FlipState {
  std::vector<float> durability;  ///< share of its structure that is whole; never rises [-]
  std::vector<float> packing;     ///< density over that of snow as it fell, as its flow has made it [-]

  template <class State, class F>
  static void for_each_channel(State& state, F&& f) {
    FlipState::for_each_channel(state, f);
    f("snow.durability", state.durability);
    f("snow.packing", state.packing);
  }
};

}  // namespace repose
