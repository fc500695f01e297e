#pragma once
// The stress that friction inside matter and at solids takes up: of all stresses within the limits of
// Coulomb's law, the one that takes most of the energy of motion (Narain, Golas and Lin 2010, "Free-Flowing
// Granular Materials with Two-Way Solid Coupling"; as recalled, not opened). With u the velocity on faces and
// m the share of matter around them, it has the least
//
//   1/2 sum over faces of m u^2,    u = u_before - m^-1 B^T s,    |s|_F <= limit at every sample
//
// where B u is the rate of strain and B^T its exact adjoint, so friction takes energy and never gives any. It
// is exact at rest: within the limits matter is rigid, and nothing creeps.
//
// Samples. On a staggered grid d_x u stands in the middle of a cell and d_y u + d_x v on an edge, but the
// limit binds all six numbers at once. So a cell has four samples, at every second of its corners. A sample
// has the cell's own diagonal strains and those of the three edges that meet in its corner; each of a cell's
// twelve edges is in one sample. A cell's diagonal stress is the mean of its samples, an edge's stress the
// mean of those of the four cells around it. (Two samples a cell, at opposite corners, would see every edge
// too, but those at the surface by half: columns then ran half as far to one side as to the other.) Every
// strain of the grid is seen (none can grow unseen), the limit is the same in every direction, and it is a
// limit on each sample alone, which makes the problem one of projected gradients.
//
// Solids. Faces that solids close move with them. The samples of a cell by a solid have limits of their own:
// the tangential traction, s n without its part along n, is at most `traction`; a corner away from the solid
// bears of it what is on the diagonal alone. What lies inside the solid takes no part in an edge's mean.
//
// Solved by accelerated projected gradients with restarts (Beck and Teboulle 2009; O'Donoghue and Candes
// 2015), from the stress of the step before. Fields are float; sums are double, in the order of tiles.
//
// Units: stress and limits are times dt / (rho h) [m/s], masses over rho h^3.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/grid/solid_cells.h"
#include "repose/grid/tile_block.h"
#include "repose/grid/tiles.h"
#include "repose/grid/transfer.h"
#include "repose/math/mat6.h"

namespace repose {

inline constexpr std::size_t kStressSamples = 4, kStressValues = 5 * kStressSamples;

/// Stress on a sparse grid, by tiles in any order; zero elsewhere. Of each tile, for one sample after the
/// other, xx, yy, xy, xz and yz of all its cells; zz is what makes the sum of the diagonal zero.
struct StressField {
  std::vector<std::array<int, 3>> tile;  ///< coordinates
  std::vector<float> value;              ///< kStressValues * kTileCells a tile
};

/// A cell by a solid, one of wall_cells().
struct WallCell {
  std::uint32_t cell;
  float limit;     ///< of |s|_F at the solid
  float traction;  ///< infinity: as much as the matter bears
  Vec3f normal;    ///< out of the solid
};

struct FrictionLimits {
  std::vector<float> inside;    ///< by cell: of |s|_F; 0 where there is no matter
  std::vector<WallCell> walls;  ///< rising; they stand in place of `inside`
};

/// A solid that friction can move.
struct FrictionPart {
  struct Face {
    std::size_t axis, face;
    Vec6 row;  ///< its velocity over that of the solid
  };
  std::vector<Face> faces;  ///< that it closes
  Mat6 inverse_mass{};      ///< times rho h^3
  Vec6 velocity{};          ///< before, then after friction
  Vec6 impulse{};           ///< what friction did to it, over rho h^3
};

struct FrictionResult {
  int iterations = 0;
  /// Difference of velocities across a cell that friction could still take: root mean square [m/s].
  double residual = 0;
  bool converged = true;
};

class FrictionSystem {
 public:
  /// phi below 0 is matter [m]. The fields must outlive the system.
  FrictionSystem(const TileSet& tiles, const std::vector<float>& phi, double cell, const SolidCells& solids,
                 const FaceWeight& weight, Threads& threads);

  /// Cells of the matter with a corner at a closed face, rising.
  std::vector<std::uint32_t> wall_cells() const;

  /// Limits of the next solve. The stress is kept.
  void set_limits(FrictionLimits limits);

  void set_stress(const StressField& stress, float scale);
  StressField stress(float scale) const;

  /// Adds what the present stress does to a velocity and to parts.
  void add_forces(FaceVelocity& velocity, std::span<FrictionPart> parts);

  /// Finds the stress for this velocity, which has no friction in it yet and must be known one cell into the
  /// air. Both stay as they are.
  FrictionResult solve(const FaceVelocity& velocity, std::span<const FrictionPart> parts, double tolerance,
                       int max_iterations);

  /// What friction does to each face by the present stress: an impulse over rho h^3 [m/s]. Faces of solids
  /// as well.
  const FaceVelocity& forces() const { return force_; }
  /// By face: share of matter around it; 0 at closed faces and in the air.
  double mass(std::size_t axis, std::size_t face) const {
    const float inverse = inverse_mass_.u[axis][face];
    return inverse > 0 ? 1 / static_cast<double>(inverse) : 0;
  }

 private:
  using Block = TileBlock<1>;
  using Values = std::array<float, Block::kCells>;
  struct Tile {
    std::uint32_t index = 0;
    std::array<float, kTileCells> limit;  ///< a large number in wall cells: these look after themselves
    std::array<float, kTileCells> step;   ///< of the gradient
    /// By sample and edge: how much the edge counts, 1 inside; none where all are 1.
    std::vector<std::array<float, kTileCells>> ratio;
    std::array<std::uint8_t, kTileCells> touches;  ///< bit k: the corner of sample k is at a closed face
    std::array<bool, kTileEdge> has_matter{};      ///< by height: where there is none, there is no stress
    std::size_t first_wall = 0, end_wall = 0;
    std::vector<float> now, last;  ///< stress of the last two iterations, as StressField has it
  };
  struct TileSums {
    double against = 0;  ///< below zero: the last step went on in the direction of the one before
    double squares = 0;  ///< of what friction could still take
  };

  /// Matter that is not deep in a solid.
  bool is_matter(std::size_t cell) const { return phi_[cell] < 0 && solids_.distance[cell] > -cell_; }
  bool has_matter(std::size_t tile) const;
  void find_faces(const FaceWeight& weight);
  void find_ratios(Tile& tile) const;
  void find_steps(Tile& tile) const;
  void sum_forces();
  static void push_from(const Tile& tile, std::array<Values, 3>& block);
  TileSums improve(Tile& tile, const FaceVelocity& velocity, float ahead) const;
  /// Scales the stress down where it would give energy to the motion.
  void take_energy_only(const FaceVelocity& velocity, std::span<const FrictionPart> parts);

  const TileSet& tiles_;
  const std::vector<float>& phi_;
  const SolidCells& solids_;
  Threads& threads_;
  float cell_;
  FaceVelocity inverse_mass_, force_;
  FaceVelocity kind_;  ///< of faces: kAir, kMatter or kClosed
  FrictionLimits limits_;
  std::size_t samples_ = 0;  ///< that may bear stress
  std::vector<Tile> active_;
  std::vector<std::uint32_t> rank_;  ///< of each tile among the active ones, or kNoTile
  std::vector<std::uint32_t> near_;  ///< active tiles and those around them
  std::vector<std::array<Values, 3>> pushes_;
};

}  // namespace repose
