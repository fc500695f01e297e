#pragma once
// Grains that come and go while a run lasts: emitters, sinks, and those that leave the domain.

#include <string>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/core/log.h"
#include "repose/exec/threads.h"
#include "repose/scene/pouring.h"
#include "repose/scene/scene.h"
#include "repose/solvers/borders.h"
#include "repose/solvers/dem/dem_model.h"
#include "repose/solvers/dem/dem_state.h"
#include "repose/solvers/dem/stiffness.h"

namespace repose {

/// An emitter as the solver sees it. Grains come in batches, one each time that the last one has moved half a
/// diameter on; what finds no free spot waits for the next batch.
struct DemEmitter {
  std::string name;
  std::uint8_t material = 0;
  Shape shape;
  Box3d bounds;
  Pouring pouring;
  Vec3d velocity{0, 0, 0};
  double period = 0;  ///< between batches [s]
  double inset = 0;   ///< of centres from the shape's surface [m]
};

/// Throws Error(bad_scene) where an emitter has no room for a grain.
std::vector<DemEmitter> make_emitters(const Scene& scene, const DemModel& model);

/// What an emitter means for speed and depth.
MatterSource matter_source(const DemEmitter& emitter, const Material& material);

/// Adds the grains that are due at the state's time; returns how many. `blocked` gets the emitters that owe
/// more than two batches and a grain.
std::size_t emit_grains(const std::vector<DemEmitter>& emitters, const DemModel& model, const Bodies& bodies,
                        DemState& state, std::vector<bool>& blocked);

/// Takes out grains in sinks and beyond the domain and counts them; returns how many.
std::size_t remove_grains(const std::vector<SinkShape>& sinks, const DemModel& model, DemState& state,
                          Threads& threads);

}  // namespace repose
