#pragma once
// The grains that a run starts with. A shape is filled with a settled packing (settled_fills.h), or on a
// lattice wide enough that no two grains can touch, however they are turned; points and files are taken as
// they are. What would start inside a body or a wall, or overlap the grains of an earlier fill, is left out
// and counted.

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
  std::uint64_t crowded = 0;   ///< grains of a settled packing that found no room between walls and others
  double expected = 0;         ///< what `count` is of a fill that is counted, however large
  double mass = 0;             ///< [kg]
  double volume = 0;           ///< of a settled packing: what grains can reach [m3]
  double densest = 0;          ///< likewise: solid fraction of the densest random packing [-]
  Box3d bounds;                ///< of the grains [m]
  double speed = 0;            ///< largest at the start [m/s]
};

struct Placement {
  DemState state;
  std::vector<PlacedFill> fills;
  std::vector<std::size_t> counted;  ///< fills of a draft that were counted, not made
};

/// Throws Error(bad_scene) where a fill cannot be placed. `draft`: only to be counted; settled packings, and
/// other fills that are large, are then counted by their volume.
Placement place_fills(const Scene& scene, const DemModel& model, const Bodies& bodies, Threads& threads,
                      bool draft = false);

/// The bodies of the scene as obstacles in the world, walls of the domain not among them.
std::vector<Shape> obstacles_of(const Bodies& bodies);

}  // namespace repose
