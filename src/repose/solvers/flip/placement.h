#pragma once
// The particles that a flip run starts with: eight a cell, each at a random place in its own eighth (Zhu
// 2005, section 3.1), so that flows do not feel a lattice.
//
// Particles within one spacing of the fill's free surface are put half a spacing deep, in the middle of the
// layer that they stand for: the surface is flat from the start. Beside solids they are not: flow away from a
// wall would draw the layer off it as a sheet, with gaps around that show as furrows. Zhu puts those within a
// cell half a cell deep; there the layer is twice too dense, and as the flow evens it out the surface rises
// by a quarter of a cell. That fits his r; here evenly spread particles have their surface where their volume
// ends (liquid.h).

#include <string>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/scene/scene.h"
#include "repose/solvers/flip/flip_model.h"
#include "repose/solvers/flip/flip_state.h"

namespace repose {

struct FlipFill {
  std::string name;
  std::uint64_t count = 0;
  std::uint64_t rejected = 0;  ///< inside a body, outside the domain, or in an earlier fill
};

/// Adds the fills to the state. Throws Error(bad_scene) where one cannot be placed.
std::vector<FlipFill> place_liquid(const Scene& scene, const FlipModel& model, const Bodies& bodies,
                                   Threads& threads, FlipState& state);

}  // namespace repose
