#pragma once
// Stages over frames: what is made of each frame once it is simulated, while the run goes and later on its
// files. They are called one after the other for each frame that is written, in the order of time:
//
//     frame ─► refine ─► surface ─► pictures
//
// Most look at one frame only. One that carries something from frame to frame (refine) saves it in a
// checkpoint, under its own name.

#include <optional>
#include <string_view>

#include "repose/core/archive.h"
#include "repose/io/run/manifest.h"
#include "repose/particles/frame.h"
#include "repose/refine/fine_grains.h"
#include "repose/surface/surface.h"

namespace repose {

/// A frame, and what stages have made of it so far.
struct FrameProducts {
  Frame frame;  ///< as its file holds it (io/particles/ply.h)
  const FineGrains* fine = nullptr;
  std::optional<SurfaceMesh> surface;
};

class FrameStage {
 public:
  FrameStage() = default;
  virtual ~FrameStage() = default;
  FrameStage(const FrameStage&) = delete;
  FrameStage& operator=(const FrameStage&) = delete;

  /// Of its wall time and of its section in a checkpoint.
  virtual std::string_view name() const = 0;
  /// From the frame that it stands at to this one, with its files. Where it stands at this one already, only
  /// the files are made again. Throws Error(run_failed) where a file cannot be written.
  virtual void advance(FrameProducts& products) = 0;
  /// Whether Ctrl-C may cut advance() off: what it left half done is thrown away then.
  virtual bool can_be_cut_off() const { return true; }
  /// Returns when all files are complete; throws as advance() does.
  virtual void finish() {}

  virtual bool has_memory() const { return false; }
  virtual void save(ArchiveWriter&) const {}
  virtual void load(ArchiveReader&) {}
  virtual void describe(Manifest&) const {}
};

}  // namespace repose
