#pragma once
// Liquid that comes and goes while a run lasts: emitters, sinks, and what leaves the domain.
//
// An emitter's shape is cut into places of one particle each. Where liquid is due, places that are empty get
// it, those furthest against the stream first: a jet grows out of the back of the shape, as full as its rate
// and velocity make it. What finds no empty place waits.

#include <string>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/scene/scene.h"
#include "repose/solvers/flip/flip_model.h"
#include "repose/solvers/flip/flip_state.h"

namespace repose {

struct FlipEmitter {
  std::string name;
  std::uint8_t material = 0;
  Box3d bounds;               ///< of the places [m]
  std::array<int, 3> size{};  ///< places along each axis of the bounds
  std::vector<int> rank;      ///< by place: layers from the back; below 0 outside of the shape
  int rank_count = 0;
  double rate = 0;             ///< [kg/s]
  Vec3d velocity{0, 0, 0};     ///< [m/s]
  double start = 0, stop = 0;  ///< [s]; infinite stop: never
};

struct FlipSink {
  Shape shape;
  Box3d bounds;
  double start = 0, stop = 0;  ///< [s]
};

/// Throws Error(bad_scene) where an emitter has no room for a particle.
std::vector<FlipEmitter> make_flip_emitters(const Scene& scene, const FlipModel& model, const Bodies& bodies);
std::vector<FlipSink> make_flip_sinks(const Scene& scene);

/// Adds what is due in the step of dt [s] that begins now; returns the emitters that owe more than they can
/// place in a long while.
std::vector<std::size_t> emit_liquid(const std::vector<FlipEmitter>& emitters, const FlipModel& model,
                                     double dt, FlipState& state);

/// Takes out particles in sinks and beyond the domain and counts them; brings those that crossed a periodic
/// face back in.
void remove_liquid(const std::vector<FlipSink>& sinks, const FlipModel& model, FlipState& state,
                   Threads& threads);

}  // namespace repose
