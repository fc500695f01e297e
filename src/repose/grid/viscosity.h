#pragma once
// The velocity on faces after a time step of viscosity: an implicit step, stable for any, in the variational
// form of Batty and Bridson 2008, "Accurate Viscous Free Surfaces for Buckling, Coiling, and Rotating
// Liquids". Of all velocities u it is the one with the least
//
//   1/2 sum over faces of m (u - u_before)^2 + s sum over cells and edges of V D : D
//
// with s = dt mu / (rho h^2), m and V the shares of liquid in the cubes around faces, cells and edges, and D
// the symmetric gradient times h: d_x u in the middles of cells, (d_y u + d_x v) / 2 on edges. The free
// surface is where V ends: no traction, without a word about it, so a blob in the air keeps its momentum and
// goes on turning. Faces that solids close have the velocity of the solid: liquid sticks to them. Of an edge
// between a closed face and an open one the wall takes a part: the gradient is over the way to the wall
// alone, so that a wall stands where it is, not at the nearest face.
//
// A solid that the liquid can move adds 1/2 (U - U_before) . M (U - U_before) / (rho h^3), U its velocity and
// spin, and the faces that it closes move with it: six unknowns more, solved with the others. So light bodies
// go with thick liquids and do not rattle.
//
// Conjugate gradients with the diagonal in front. Fields are float; sums are double, in the order of tiles.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/grid/solid_cells.h"
#include "repose/grid/tiles.h"
#include "repose/grid/transfer.h"
#include "repose/math/mat6.h"

namespace repose {

struct ViscousResult {
  int iterations = 0;
  double residual = 0;  ///< largest of any face over the largest momentum of one
  bool converged = true;
};

/// A solid that is free to move.
struct RigidPart {
  struct Face {
    std::size_t axis, face;
    Vec6 row;  ///< its velocity over that of the solid
  };
  std::vector<Face> faces;  ///< that it closes
  Mat6 mass;                ///< over rho h^3
  Vec6 velocity;            ///< before, then after the step
};

class ViscousSystem {
 public:
  /// phi below 0 is liquid [m]; faces without a weight have no mass. The fields must outlive the system.
  ViscousSystem(const TileSet& tiles, const std::vector<float>& phi, double cell, const SolidCells& solids,
                const FaceWeight& weight, double strength, Threads& threads);

  /// From the velocity before to the one after.
  ViscousResult solve(double tolerance, int max_iterations, FaceVelocity& velocity,
                      std::span<RigidPart> parts = {});

  /// What the liquid does to solids at the faces that they close, in a step that ended with this velocity:
  /// an impulse along the axis over rho h^3 [m/s].
  void find_drag(const FaceVelocity& velocity, FaceVelocity& drag);

 private:
  static constexpr int kEdge = 9;
  using Weights = std::array<float, kEdge * kEdge * kEdge>;
  /// s times shares of liquid around one tile.
  struct Tile {
    std::uint32_t index = 0;
    Weights cell;                                           ///< twice; of cells -1 to 7
    Weights xy, xz, yz;                                     ///< of edges 0 to 8
    std::array<std::array<float, kTileCells>, 3> mass;      ///< of lower faces
    std::array<std::array<float, kTileCells>, 3> free;      ///< 1 where the velocity is to be found, else 0
    std::array<std::array<float, kTileCells>, 3> diagonal;  ///< of the matrix
  };

  /// `inside` by cell: how far in the liquid [cells].
  void weigh(const std::vector<float>& inside, const FaceWeight& weight, double strength, Tile& tile);
  void find_diagonal(Tile& tile) const;
  /// out = M u - div tau(u) in one tile, all faces.
  void apply(const Tile& tile, const FaceVelocity& u, FaceVelocity& out) const;
  template <class F>
  void for_each_tile(const F& f) const;
  template <class F>
  void for_each_face(const F& f) const;
  struct Iteration;
  static float precondition(const Tile& tile, std::size_t axis, std::size_t i, float residual);
  void begin(FaceVelocity& velocity, std::span<const RigidPart> parts, Iteration& it) const;
  /// The matrix times the direction; returns the direction times that.
  double find_image(std::span<const RigidPart> parts, Iteration& it) const;
  /// One step of conjugate gradients.
  void improve(FaceVelocity& velocity, std::span<RigidPart> parts, Iteration& it) const;
  /// The inverse of a part's own block of the matrix, with the diagonal for the liquid.
  Mat6 inverse_block(const RigidPart& part) const;
  /// Sum over all faces.
  double dot(const FaceVelocity& a, const FaceVelocity& b) const;
  double largest(const FaceVelocity& a) const;

  const TileSet& tiles_;
  const SolidCells& solids_;
  Threads& threads_;
  std::vector<Tile> active_;
  std::vector<std::uint32_t> rank_;  ///< of each tile among the active ones, or kNoTile
};

}  // namespace repose
