#pragma once
// Signed distance to the matter that particles stand for (Zhu 2005, chapter 4): phi(x) = |x - X| - r with X
// the mean of the particles within R of x, weighted by k(s) = (1 - s^2)^3 of s = distance / R (eq. 4.2 to
// 4.5). Of a single particle it is exactly the ball of radius r. Of a flat layer it is nearly flat, where a
// sum of bumps shows every particle; r is then how far the surface lies outside of the outermost particles.
//
// Where no particle is within R, phi is R: its own value there, if it had one, would be above R - r.

#include <span>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/grid/particle_cells.h"
#include "repose/math/vec.h"

namespace repose {

struct DistanceSettings {
  double radius;   ///< r [m]
  double support;  ///< R, at most 8 cells [m]
  /// Particles in a block of four cells an edge: where it and the 26 around it hold as many, nothing is
  /// summed up, and phi is -r. 0: sums everywhere.
  std::uint32_t full = 0;
  bool blobbies = false;  ///< by the sum of the weights alone (physics/level_set.h), for comparison
};

/// phi at the middle of every cell [m]. Particles stand in the order of `cells`, and the margin of the grid
/// takes in all that is within R of them. What lies further inside than R - r is not told apart from what is
/// just as deep.
void particle_distance(std::span<const Vec3d> positions, const ParticleCells& cells, const GridPlace& place,
                       const DistanceSettings& settings, Threads& threads, std::vector<float>& phi);

/// The way from the middle of a cell to the mean of the particles near it, and their weight; all zero where
/// none is within R.
struct NearMatter {
  Vec3f way{0, 0, 0};  ///< [m]
  float weight = 0;    ///< sum of k(s) [-]
};

/// What phi is made of, for those who know more of a cell than its particles: |way| - r is phi. Where a cell
/// and the 26 around it hold `full` particles or more, matter is all around: its way is zero, and its weight
/// kAllAround. Needs a support of at most kShortSupport cells.
inline constexpr double kShortSupport = 1.5;
inline constexpr float kAllAround = 1e30F;
void find_near_matter(std::span<const Vec3d> positions, const ParticleCells& cells, const GridPlace& place,
                      double support, std::uint32_t full, Threads& threads, std::vector<NearMatter>& near);

/// One round of smoothing that only lowers phi, so that thin sheets and drops stay: the smaller of phi and
/// its mean over the cell and its six neighbours (Zhu 2005, chapter 4). Cells outside the grid count as
/// `outside`.
void lower_bumps(const TileSet& tiles, float outside, Threads& threads, std::vector<float>& phi);

struct EveningSettings {
  DistanceSettings distance;  ///< that phi was found with
  int rounds = 6;
  double most = 0;  ///< that is taken off a bump at most, in all rounds [m]
};

/// Smoothing of the surface of matter that is whole below it, as liquids are: bumps go as well as pits. First
/// phi near its zero is made the true distance to a flat surface (physics/level_set.h): it bends towards the
/// inside, and smoothing would eat the matter. Then rounds of the mean over the cell and its six neighbours.
/// Drops and sheets lose `most` of their radius and no more.
void even_out(const TileSet& tiles, const GridPlace& place, const EveningSettings& settings, Threads& threads,
              std::vector<float>& phi);

}  // namespace repose
