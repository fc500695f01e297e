#pragma once
// Fine grains over frames. Their files are written while the solver goes on to the next frame.

#include <optional>

#include "repose/exec/background.h"
#include "repose/exec/threads.h"
#include "repose/pipeline/run_folder.h"
#include "repose/pipeline/stages/frame_stage.h"
#include "repose/refine/refiner.h"
#include "repose/scene/scene.h"

namespace repose {

class RefineStage final : public FrameStage {
 public:
  /// `scene` and `threads` outlive it. Files go to `folder`.
  RefineStage(const Scene& scene, std::filesystem::path folder, Threads& threads, GuidePart part = {});

  std::string_view name() const override { return "refine"; }
  void advance(FrameProducts& products) override;
  /// It would stand between two frames.
  bool can_be_cut_off() const override { return false; }
  void finish() override { writer_.wait(); }

  bool has_memory() const override { return true; }
  void save(ArchiveWriter& out) const override;
  void load(ArchiveReader& in) override;
  void describe(Manifest& manifest) const override;

  /// The frame that it stands at; -1: none.
  int frame() const { return refiner_ ? last_.index : -1; }
  const FineGrains* grains() const { return refiner_ ? &refiner_->grains() : nullptr; }
  std::uint64_t bytes() const { return bytes_; }  ///< of all files so far

 private:
  void write_files();

  const Scene& scene_;
  std::filesystem::path folder_;
  Threads& threads_;
  GuidePart part_;
  std::optional<Refiner> refiner_;  ///< none before the first frame
  Frame last_;                      ///< that the grains stand at
  std::uint64_t bytes_ = 0;
  Threads writer_threads_;
  Background writer_;  // last: what it works on outlives it
};

}  // namespace repose
