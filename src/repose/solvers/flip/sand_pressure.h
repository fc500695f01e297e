#pragma once
// The pressure of sand: it pushes and never pulls. In every cell of the sand
//
//   x >= 0,  outflow >= -slack,  one of the two an equality
//
// so sand that is thrown apart flies apart, and cells that are not full do not resist until they are: what
// they may take up in a step is their slack. Found by solves of the same system as that of a liquid
// (grid/projection.h) with ever other cells: those that would pull leave, those that would be compressed come
// back.
//
// Snow (compaction.h) besides bears tension up to its cohesion, x >= -tension, and gives way under a pressure
// beyond its strength: slack grows with x there. That is a system with a diagonal of its own in each round,
// Newton's method for a law that is linear between two rounds.

#include <cstdint>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/grid/poisson.h"
#include "repose/solvers/flip/coupling.h"
#include "repose/solvers/flip/flip_model.h"
#include "repose/solvers/flip/flip_scratch.h"
#include "repose/solvers/flip/flip_state.h"

namespace repose {

class SandPressure {
 public:
  SandPressure(const FlipModel& model, const Bodies& bodies, double dt, Threads& threads,
               FlipScratch& scratch);

  /// Makes scratch.after, which has no pressure in it yet, one that compresses nothing, together with free
  /// bodies. scratch.x is the guess, and then the pressure. `rounds`: solves at most.
  PoissonResult solve(int rounds, double tolerance);

  /// Takes the present pressure off another velocity.
  void push(FaceVelocity& velocity, KnownFaces& known) const;

  /// Bodies as the last solve had them, and how they move after it without the share of friction.
  const std::vector<CoupledBody>& coupled() const { return coupled_; }

  /// Moves particles of cells that are too full apart (pressure.h has why). Finds scratch.correction; returns
  /// the largest excess of any cell, as a share.
  double correct_positions();

  /// The largest rate at which any cell is still compressed [1/s].
  double compression() const;

 private:
  void find_slack(double dt);
  void find_snow_slack(double dt);
  /// What friction bears of the largest stress is not left to the pressure.
  void find_strength();
  /// Velocities of solids that snow does not take over count less in the outflow.
  void absorb_solids();
  /// Of snow that is packed further: what its slack gains with x goes to the diagonal of the system, and what
  /// it has at x = 0 to `slack`.
  void yield_to_pressure(PoissonSystem& system, std::vector<float>& slack);
  /// Snow that fills a closed room, such as that before a piston, has a pressure all the same.
  void soften_closed_parts(PoissonSystem& system) const;
  /// The least x that a cell can have.
  double least_of(std::size_t cell) const {
    return tension_.empty() ? 0.0 : -static_cast<double>(tension_[cell]);
  }
  bool choose_cells();
  int choose_in_tile(std::size_t tile, double least, double still);

  const FlipModel& model_;
  const Bodies& bodies_;
  double dt_;
  Threads& threads_;
  FlipScratch& scratch_;
  const TileSet& tiles_;
  std::vector<float> phi_;      ///< that of the sand, 0 in cells that bear no pressure
  std::vector<float> slack_;    ///< by cell [m/s]
  std::vector<float> tension_;  ///< of snow: the least x by cell, taken positive; empty: 0 [m/s]
  std::vector<float> at_rest_,
      strength_;  ///< of snow: x from which it is packed, without and with friction [m/s]
  std::vector<std::uint8_t> is_yielding_;  ///< of snow: it was so in the last round
  std::vector<std::uint8_t> at_surface_;
  std::vector<CoupledBody> coupled_;
};

}  // namespace repose
