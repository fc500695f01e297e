#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/grid/tiles.h"

namespace repose {

/// The largest magnitude in a field.
inline double largest(Threads& threads, const std::vector<float>& field) {
  constexpr std::size_t kChunk = 16 * kTileCells;
  return threads.reduce(
      field.size(), 0.0F,
      [&](std::size_t begin, std::size_t end) {
        float most = 0;
        for (std::size_t i = begin; i < end; ++i) most = std::max(most, std::abs(field[i]));
        return most;
      },
      [](float a, float b) { return std::max(a, b); }, kChunk);
}

}  // namespace repose
