#pragma once
// How matter drifts at large: the mean velocity of the particles of each tile, between tiles by trilinear
// weights.
//
// Particles are moved through a velocity that was found at one moment. Waves on a stream go with the stream
// while they move; to move particles on through the waves as they stood at first shifts what lifts them
// against where they are, and makes waves grow that should not: at one cell a step, those of four cells by a
// tenth a step. So a field counts as steady not where it was found, but in the frame that goes with the drift
// (transfer.h, move_particles). Where solids stop the drift along an axis the flow is steady beside them, and
// along that axis there is none.

#include <array>
#include <span>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/grid/particle_cells.h"
#include "repose/grid/solid_cells.h"
#include "repose/math/vec.h"

namespace repose {

/// By tile [m/s]; zero along an axis where a face across it is closed in part, or none of the tile's
/// particles.
std::vector<Vec3f> find_drift(std::span<const Vec3f> velocities, const ParticleCells& cells,
                              const SolidCells& solids, Threads& threads);

/// The drift within one tile.
class TileDrift {
 public:
  TileDrift(const std::vector<Vec3f>& drift, const ParticleCells& cells, std::size_t tile);

  /// At a point, in cells from the tile's corner, 0 to 8.
  Vec3f at(float x, float y, float z) const {
    const auto place = [](float p, std::size_t& low) {
      const float q = p * (1.0F / kTileEdge) + 0.5F;  // 1 in the middle of the tile
      low = q < 1 ? 0 : 1;
      return q - static_cast<float>(low);
    };
    std::size_t i, j, k;
    const float tx = place(x, i), ty = place(y, j), tz = place(z, k);
    const std::size_t first = i + 3 * j + 9 * k;
    const auto row = [&](std::size_t n) { return around_[n] + tx * (around_[n + 1] - around_[n]); };
    const Vec3f a = row(first), b = row(first + 3), c = row(first + 9), d = row(first + 12);
    const Vec3f low = a + ty * (b - a), high = c + ty * (d - c);
    return low + tz * (high - low);
  }

 private:
  std::array<Vec3f, 27> around_;  ///< by neighbor_slot(); the tile's own where there are no particles
};

}  // namespace repose
