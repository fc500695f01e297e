#include "repose/solvers/flip/active_pressure.h"

#include <algorithm>

namespace repose {

void on_all(const ActiveTiles& active, const std::vector<double>& picked, Threads& threads,
            std::vector<double>& field) {
  field.assign(active.to.size() * kTileCells, 0.0);
  threads.for_each(
      active.from.size(),
      [&](std::size_t tile) {
        std::copy_n(&picked[tile * kTileCells], kTileCells, &field[active.from[tile] * kTileCells]);
      },
      4);
}

std::vector<LowRankTerm> terms_of(const std::vector<CoupledBody>& coupled, const ActiveTiles& active) {
  std::vector<LowRankTerm> terms;
  for (const CoupledBody& one : coupled) {
    LowRankTerm& term = terms.emplace_back();
    term.inner = one.term.inner;
    for (std::size_t k = 0; k < one.term.cells.size(); ++k) {
      const std::uint32_t tile = active.to[one.term.cells[k] / kTileCells];
      if (tile == kNoTile) continue;
      term.cells.push_back(static_cast<std::uint32_t>(tile * kTileCells + one.term.cells[k] % kTileCells));
      term.rows.push_back(one.term.rows[k]);
    }
  }
  return terms;
}

}  // namespace repose
