#pragma once
// The grains that a run starts with. A shape is filled on a lattice wide enough that no two grains can touch,
// however they are turned; points and files are taken as they are. What would start inside a body or a wall,
// or overlap the grains of an earlier fill, is left out and counted.

#include <string>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/scene/scene.h"
#include "repose/solvers/dem/dem_model.h"
#include "repose/solvers/dem/dem_state.h"

namespace repose {

struct PlacedFill {
  std::string name;
  std::uint64_t count = 0;
  std::uint64_t rejected = 0;  ///< for overlapping grains of another fill
  double mass = 0;             ///< [kg]
  Box3d bounds;                ///< of the grains [m]
  double speed = 0;            ///< largest at the start [m/s]
};

struct Placement {
  DemState state;
  std::vector<PlacedFill> fills;
};

/// Throws Error(bad_scene) where a fill cannot be placed.
Placement place_fills(const Scene& scene, const DemModel& model, const Bodies& bodies, Threads& threads);

/// The bodies of the scene as obstacles in the world, walls of the domain not among them.
std::vector<Shape> obstacles_of(const Bodies& bodies);

}  // namespace repose
