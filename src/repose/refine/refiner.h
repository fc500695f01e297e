#pragma once
// Refine: hundreds of fine grains for each particle of a run, for pictures. The particles of the frames are
// guides: they carry what the grains cannot have, forces between grains. The grains carry what the guides are
// too coarse for: flight under gravity and drag, and contact with the full shapes of bodies and walls.
//
//   frame, next frame ─► paths of guides ─► steps of some 10 ms: grid of guides, obstacles
//                                             │
//   grains ─► sort in space ─► run by run through all steps: velocity led or flown, move, collide ─► grains
//
// The three ways to lead a grain stand in physics/upsampling.h: Alduan 2009, Ihmsen 2013 (the default) and
// Takahashi 2014. Grains do not meet each other. What boundary particles do in Ihmsen 2013, obstacles do by
// their distance.
//
// Reads frames only: guides may be grains of dem (by their centres) or particles of any other solver. Guides
// that appear bring their grains with them, and take them along when they vanish.
//
// The same frames give the same bits for any number of threads and any order of grains in memory: a grain's
// step is a function of the grain and the frames, and sums over guides run cell by cell and by id.

#include <cstdint>
#include <memory>
#include <vector>

#include "repose/core/archive.h"
#include "repose/exec/threads.h"
#include "repose/particles/frame.h"
#include "repose/refine/crowding.h"
#include "repose/refine/fine_grains.h"
#include "repose/refine/refine_model.h"
#include "repose/scene/scene.h"

namespace repose {

class Refiner {
 public:
  Refiner(const Scene& scene, ParticleKind guides, GuidePart part = {});

  /// Samples the guides of the first frame.
  void start(const Frame& frame, Threads& threads);
  /// From one frame to the next. Throws Error(run_failed) where there would be more grains than can be
  /// numbered.
  void advance(const Frame& from, const Frame& to, Threads& threads);

  const RefineModel& model() const { return *model_; }
  const FineGrains& grains() const { return grains_; }
  /// Those that passed an open face of the domain, since the start.
  std::uint64_t left() const { return left_; }

  /// All that the future depends on, in the order in memory.
  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  void add_grains(const Frame& frame, std::vector<std::uint32_t> rows, Threads& threads);
  void remove_grains(const Frame& from, const Frame& to, Threads& threads);

  std::unique_ptr<const RefineModel> model_;  ///< in a place of its own, which others refer to
  GuidePart part_;
  FineGrains grains_;
  std::vector<std::uint32_t> runs_;  ///< of grains that are near each other; empty: not known (sort_in_space)
  int frames_since_sort_ = 0;
  std::unique_ptr<Crowding> crowding_;
  std::uint64_t left_ = 0;
};

}  // namespace repose
