#pragma once
// Matter that comes and goes while a run lasts: emitters, sinks, and what leaves the domain.
//
// An emitter's shape is cut into places of one particle each. Where matter is due, places that are empty get
// it, those furthest against the stream first: a jet grows out of the back of the shape, as full as its rate
// and velocity make it. What finds no empty place waits. A particle comes anywhere in its place. Where these
// must not come close to each other, the best of several points is taken (Mitchell 1991, "Spectrally optimal
// sampling for distribution ray tracing"): a stream that is even, and no lattice. Then particles are also not
// put where others have left no room, such as between those of a heap that has reached the emitter.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/scene/pouring.h"
#include "repose/scene/scene.h"
#include "repose/solvers/borders.h"
#include "repose/solvers/continuum/matter_settings.h"

namespace repose {

struct MatterEmitter {
  std::string name;
  std::uint8_t material = 0;
  Box3d bounds;               ///< of the places [m]
  std::array<int, 3> size{};  ///< places along each axis of the bounds
  std::vector<int> rank;      ///< by place: layers from the back; below 0 outside of the shape
  int rank_count = 0;
  double particle_mass = 0;  ///< [kg]
  Pouring pouring;
  Vec3d velocity{0, 0, 0};  ///< [m/s]
};

/// What of an emitter is part of a solver's state.
struct MatterEmitterState {
  double owed = 0;            ///< mass due but not yet placed [kg]
  std::uint64_t emitted = 0;  ///< particles so far
};

/// The step that emitters are asked about.
struct EmissionStep {
  double time = 0;          ///< at which it begins [s]
  double dt = 0;            ///< [s]
  std::uint64_t index = 0;  ///< steps before it, from the start of the run
};

struct Emission {
  NewMatter matter;
  std::vector<std::size_t> blocked;  ///< emitters that owe more than they have places for
};

/// Throws Error(bad_scene) where an emitter has no room for a particle.
std::vector<MatterEmitter> make_matter_emitters(const Scene& scene, const MatterSettings& settings,
                                                const Bodies& bodies);

/// What is due in this step, among particles at these positions. One state an emitter.
Emission emit_matter(const std::vector<MatterEmitter>& emitters, const MatterSettings& settings,
                     const EmissionStep& step, std::span<const Vec3d> position,
                     std::span<MatterEmitterState> states);

/// What to tell the user of an emitter that is blocked.
std::string blocked_warning(const MatterEmitter& emitter);

struct Departures {
  std::uint64_t escaped = 0;           ///< particles beyond a wall of the domain
  std::uint64_t left = 0;              ///< particles beyond an open face
  std::uint64_t drained = 0;           ///< particles in a sink
  std::vector<std::uint32_t> staying;  ///< the other rows, in order; not listed where all stay

  bool any() const { return escaped + left + drained > 0; }
};

/// Brings particles that crossed a periodic face back in, and tells which leave at this time [s].
Departures find_departures(std::span<const SinkShape> sinks, const MatterSettings& settings, double time,
                           Threads& threads, std::span<Vec3d> position);

}  // namespace repose
