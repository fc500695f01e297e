#pragma once
// Bodies askew to the grid, and round ones, as sand rubs on them: which faces slip, and where wall friction
// acts (grid/slip_walls.h). Walls and boxes along the grid need none of it: their closed faces lie in planes.

#include <cstdint>
#include <span>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/grid/friction_stress.h"
#include "repose/solvers/flip/flip_model.h"
#include "repose/solvers/flip/flip_scratch.h"

namespace repose {

/// Whether all of the body's surface lies along the grid.
bool lies_along_grid(const Body& body);

/// By body: 1 where it does not, and is there and not free. Empty if there is none. Closed faces of free
/// bodies move with them as ever: sand that slips along light ones threw them (of 1e-3 of its density).
std::vector<std::uint8_t> find_askew(const Bodies& bodies);

/// With slivers closed (solids.h).
SolidCells closed_to_sand(const SolidCells& solids, std::span<const std::uint8_t> askew, Threads& threads);

struct AskewWalls {
  std::vector<SlipFace> faces;
  std::vector<WallTraction> tractions;  ///< rising by cell
};

/// `part` is by body: which part of the friction solve it is, or kHeldSolid; `motion` how bodies move.
AskewWalls find_askew_walls(const FlipModel& model, const Bodies& bodies,
                            std::span<const BodyVelocity> motion, std::span<const std::uint32_t> part,
                            const FlipScratch& scratch, const FrictionSystem& friction, Threads& threads);

}  // namespace repose
