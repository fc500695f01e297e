#pragma once
// What a flip step works in, and can make again.

#include <vector>

#include "repose/grid/extrapolate.h"
#include "repose/grid/particle_cells.h"
#include "repose/grid/particle_distance.h"
#include "repose/grid/solid_cells.h"
#include "repose/grid/transfer.h"
#include "repose/math/mat6.h"
#include "repose/solvers/flip/compaction.h"
#include "repose/solvers/flip/solids.h"

namespace repose {

struct FlipScratch {
  ParticleCells cells;         ///< that the particles stand in, in their order in memory
  FaceVelocity before, after;  ///< what the particles brought, and what became of it [m/s]
  FaceWeight weight;
  FaceVelocity correction;  ///< of positions [m]
  FaceVelocity moving;      ///< what particles move with: after, and the correction over dt [m/s]
  SolidCells solids;
  Vec3d pull{0, 0, 0};                      ///< what gravity adds in the next projection [m/s]
  std::vector<BodyVelocity> body_velocity;  ///< by body: after the step, as far as the liquid goes
  std::vector<BodyImpulse> body_impulse;    ///< by body: what the liquid does to free ones
  std::vector<Vec3d> impulse_before;        ///< by body: of its interval before the step [N s]
  std::vector<Vec6> body_rub;               ///< by body: what friction of sand does to free ones [N s, N m s]
  std::vector<std::uint8_t> askew;          ///< by body: 1 where sand slips along it (askew_walls.h)
  std::vector<float> phi;                   ///< liquid: below 0 [m]
  std::vector<float> crowding;              ///< particles in a cell over those it has room for [-]
  std::vector<double> x;                    ///< pressure times dt / (rho h) [m/s]
  std::vector<double> y;                    ///< the same of the correction of positions [m]
  KnownFaces known;
  Compaction compaction;  ///< of snow

  std::vector<NearMatter> near;
  std::vector<float> outflow;
  std::vector<std::uint32_t> order;
};

}  // namespace repose
