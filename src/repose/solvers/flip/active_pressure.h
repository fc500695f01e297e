#pragma once
// The system of the pressure stands on the tiles that have unknowns alone (grid/poisson.h); fields and bodies
// go there and back.

#include <vector>

#include "repose/exec/threads.h"
#include "repose/grid/poisson.h"
#include "repose/solvers/flip/coupling.h"

namespace repose {

/// A field on the tiles that the pressure is solved for, from one on all tiles, times `factor`.
template <class To, class From>
std::vector<To> on_active(const ActiveTiles& active, const std::vector<From>& field, To factor,
                          Threads& threads) {
  std::vector<To> picked(active.from.size() * kTileCells);
  threads.for_each(
      active.from.size(),
      [&](std::size_t tile) {
        for (std::size_t i = 0; i < kTileCells; ++i)
          picked[tile * kTileCells + i] = factor * static_cast<To>(field[active.from[tile] * kTileCells + i]);
      },
      4);
  return picked;
}

/// The other way around; zero elsewhere.
void on_all(const ActiveTiles& active, const std::vector<double>& picked, Threads& threads,
            std::vector<double>& field);

/// What bodies add to the system.
std::vector<LowRankTerm> terms_of(const std::vector<CoupledBody>& coupled, const ActiveTiles& active);

}  // namespace repose
