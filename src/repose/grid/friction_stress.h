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
// the tangential traction, s n without its part along n, is at most `traction`, and n s n at most `tension`;
// a corner away from the solid bears of it what is on the diagonal alone. What lies inside the solid takes no
// part in an edge's mean. Closed faces of solids askew to the grid slip instead (slip_walls.h).
//
// Solved by accelerated projected gradients with restarts (Beck and Teboulle 2009; O'Donoghue and Candes
// 2015), from the stress of the step before. Fields are float; sums are double, in the order of tiles.
//
// Units: stress and limits are times dt / (rho h) [m/s], masses over rho h^3.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/grid/slip_walls.h"
#include "repose/grid/solid_cells.h"
#include "repose/grid/tile_block.h"
#include "repose/grid/tiles.h"
#include "repose/grid/transfer.h"
#include "repose/math/mat6.h"

namespace repose {
namespace friction {
struct EdgeWeights;
struct TileWalls;
}  // namespace friction

inline constexpr std::size_t kStressSamples = 4, kStressValues = 5 * kStressSamples;

/// Cells of a tile at one height: loops go over whole layers, which are long enough to be vectorised.
inline constexpr std::size_t kLayer = kTileEdge * kTileEdge;

/// xx, yy, xy, xz and yz of a sample of all cells of a layer; zz is what makes the sum of the diagonal zero.
using SampleStress = std::array<std::array<float, kLayer>, 5>;
struct alignas(64) LayerStress {
  std::array<SampleStress, kStressSamples> sample{};
};

/// Stress on a sparse grid, by tiles in any order; zero elsewhere. Of each tile one layer after the other,
/// and of each of these one sample after the other.
struct StressField {
  std::vector<std::array<int, 3>> tile;  ///< coordinates
  std::vector<float> value;              ///< kStressValues * kTileCells a tile

  static constexpr std::size_t place(std::size_t tile, std::size_t sample, std::size_t number,
                                     std::size_t cell) {
    return (((tile * kTileEdge + cell / kLayer) * kStressSamples + sample) * 5 + number) * kLayer +
           cell % kLayer;
  }
};

/// A cell by a solid, one of wall_cells().
struct WallCell {
  std::uint32_t cell;
  float limit;            ///< of |s|_F at the solid
  float traction;         ///< infinity: as much as the matter bears
  Vec3f normal;           ///< out of the solid
  float tension = 1e30F;  ///< the most that the stress may pull at the solid
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
  bool converged = false;
};

class FrictionSystem {
 public:
  /// phi below 0 is matter [m]. `density` at faces over rho; null where it is the same everywhere. The fields
  /// must outlive the system.
  FrictionSystem(const TileSet& tiles, const std::vector<float>& phi, double cell, const SolidCells& solids,
                 const FaceWeight& weight, Threads& threads, const FaceVelocity* density = nullptr);
  ~FrictionSystem();

  /// Cells of the matter with a corner at a closed face, rising.
  std::vector<std::uint32_t> wall_cells() const;

  /// Limits of the next solve. The stress is kept.
  void set_limits(FrictionLimits limits);

  /// The faces that slip and the tractions at solids askew to the grid; without a call there are none.
  /// Tractions start from their `now`.
  void set_slip_walls(std::vector<SlipFace> faces, std::vector<WallTraction> tractions);
  const SlipWalls& slip_walls() const { return slip_walls_; }
  SlipWalls& slip_walls() { return slip_walls_; }

  /// n s n of the present stress in one of wall_cells(): above 0 it pulls at the solid.
  float normal_stress(std::uint32_t cell, const Vec3f& normal) const;

  /// Frobenius norm of the present stress in a cell, the mean of its samples.
  float stress_norm(std::uint32_t cell) const;

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
  static constexpr float kLeastOutside = 0.01F;  ///< share of a cell
  struct Tile {
    std::uint32_t index = 0;
    std::array<float, kTileCells> limit;
    std::array<float, kTileCells> step, stiffness;  ///< of the gradient, and its inverse
    std::array<float, kTileCells> outside;          ///< of solids: share of the cell
    std::array<std::uint32_t, kTileCells> touches;  ///< bit k: the corner of sample k is at a closed face
    std::array<bool, kTileEdge> has_matter{};       ///< by height: where there is none, there is no stress
    std::unique_ptr<friction::EdgeWeights> weight;  ///< none where all are 1
    std::unique_ptr<friction::TileWalls> walls;     ///< none where there are none
    std::vector<LayerStress> now, last;             ///< of the last two iterations
  };
  struct TileSums {
    double against = 0;  ///< below zero: the last step went on in the direction of the one before
    double squares = 0;  ///< of what friction could still take
  };

  /// Matter that is not inside a solid.
  bool is_matter(std::size_t cell) const {
    return phi_[cell] < 0 && solids_.distance[cell] > (kLeastOutside - 0.5F) * cell_;
  }
  bool has_matter(std::size_t tile) const;
  void find_faces(const FaceWeight& weight, const FaceVelocity* density);
  void find_weights(Tile& tile) const;
  void find_steps(Tile& tile) const;
  /// What the stress in one tile does to faces in it and around it.
  static void push_from(const Tile& tile, std::array<Values, 3>& block);
  /// One step of the gradient, from the stress `ahead` of the present one by the last change, and what the
  /// new one does to faces.
  TileSums improve(Tile& tile, const FaceVelocity& velocity, float ahead, std::array<Values, 3>& block) const;
  struct LayerStrain;
  struct LayerSums;
  static void improve_layer(Tile& tile, std::size_t layer, float ahead, const LayerStrain& strain,
                            LayerSums& sum);
  void set_limits(Tile& tile) const;
  void leave_out(Tile& tile) const;
  void push_all();
  void find_forces();
  void start_afresh();
  /// What friction does to a part.
  Vec6 gather(std::span<const FrictionPart> parts, std::size_t part) const;
  void find_velocity(std::span<const FrictionPart> parts, const std::vector<std::uint32_t>& moving,
                     const FaceVelocity& base, FaceVelocity& ahead_of);
  /// Adds up what the tiles around do to faces.
  void sum_forces(const std::vector<std::uint32_t>& tiles);
  void sum_forces(std::uint32_t tile);
  /// The tiles whose faces friction moves.
  std::vector<std::uint32_t> moving_tiles(std::span<const FrictionPart> parts) const;
  /// Scales the stress down where it would give energy to the motion.
  void take_energy_only(const FaceVelocity& velocity, std::span<const FrictionPart> parts);

  const TileSet& tiles_;
  const std::vector<float>& phi_;
  const SolidCells& solids_;
  Threads& threads_;
  float cell_;
  FaceVelocity inverse_mass_, force_;
  FaceVelocity kind_;  ///< of faces: kAir, kMatter or kClosed
  SlipWalls slip_walls_;
  std::vector<Vec6> part_motion_;  ///< ahead of the present one, as the slip walls see parts
  FrictionLimits limits_;
  std::size_t samples_ = 0;  ///< that may bear stress
  std::vector<Tile> active_;
  std::vector<std::uint32_t> rank_;  ///< of each tile among the active ones, or kNoTile
  std::vector<std::uint32_t> near_;  ///< active tiles and those around them
  std::vector<std::array<Values, 3>> pushes_;
  // Where the iteration stands; the next solve goes on from there.
  bool is_moving_ = false;
  double momentum_ = 1;  ///< t of Beck and Teboulle
  float ahead_ = 0;
  FaceVelocity gain_;            ///< what the stress before the present one does to the velocity
  std::vector<Vec6> part_gain_;  ///< and to parts
};

}  // namespace repose
