#pragma once
// A mesh around the matter of each frame, in files.

#include <cstdint>
#include <filesystem>

#include "repose/exec/threads.h"
#include "repose/pipeline/stages/frame_stage.h"
#include "repose/scene/scene.h"

namespace repose {

class SurfaceStage final : public FrameStage {
 public:
  /// `scene` and `threads` outlive it.
  SurfaceStage(const Scene& scene, std::filesystem::path folder, Threads& threads)
      : scene_(scene), folder_(std::move(folder)), threads_(threads) {}

  std::string_view name() const override { return "surface"; }
  void advance(FrameProducts& products) override;

  std::uint64_t bytes() const { return bytes_; }  ///< of all files so far

 private:
  SurfaceMesh surface_of(const FrameProducts& products) const;

  const Scene& scene_;
  std::filesystem::path folder_;
  Threads& threads_;
  std::uint64_t bytes_ = 0;
};

}  // namespace repose
