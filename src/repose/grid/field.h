#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/grid/tiles.h"

namespace repose {

/// The largest magnitude in a field.
template <class T>
double largest(Threads& threads, const std::vector<T>& field) {
  constexpr std::size_t kChunk = 16 * kTileCells;
  return threads.reduce(
      field.size(), T(0),
      [&](std::size_t begin, std::size_t end) {
        T most = 0;
        for (std::size_t i = begin; i < end; ++i) most = std::max(most, std::abs(field[i]));
        return most;
      },
      [](T a, T b) { return std::max(a, b); }, kChunk);
}

/// How far inside matter the middle of a cell is, from the distance to it in cells: 1 at its surface, 2 a
/// cell or more inside, 0 a cell or more outside.
inline float depth_inside(float phi) { return 1 + std::clamp(-phi, -1.0F, 1.0F); }

/// The share of matter in the room of a cell, face or edge, from the mean of depth_inside() around it.
inline float share_of_matter(float inside) { return std::clamp(inside - 0.5F, 0.0F, 1.0F); }

}  // namespace repose
