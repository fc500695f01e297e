#pragma once
// The loop of every later stage: frame after frame, with Ctrl-C and the time that is left.

#include <span>
#include <string_view>

#include "repose/exec/threads.h"
#include "repose/pipeline/progress.h"
#include "repose/pipeline/stoppable.h"
#include "repose/pipeline/stopwatch.h"

namespace repose {

/// Where Ctrl-C may cut the work off: between_frames is for work with a memory.
enum class CutOff { anywhere, between_frames };

/// Calls work(frame number) for each of the frames. `job` is its name for who watches. Returns how many were
/// done: fewer than there are where it was interrupted.
template <class F>
int for_each_frame(std::string_view job, std::span<const int> frames, Threads& threads,
                   const std::atomic<bool>* interrupt, Progress& progress, F&& work,
                   CutOff cut_off = CutOff::anywhere) {
  const Stopwatch watch;
  const int total = static_cast<int>(frames.size());
  int done = 0;
  for (const int frame : frames) {
    if (cut_off == CutOff::anywhere) {
      if (!finish_unless_stopped(threads, interrupt, [&] { work(frame); })) return done;
    } else {
      if (interrupt != nullptr && interrupt->load()) return done;
      work(frame);
    }
    ++done;
    progress.job_advanced({.job = job,
                           .frame = frame,
                           .done = done,
                           .total = total,
                           .elapsed = watch.seconds(),
                           .eta = watch.seconds() / done * (total - done)});
  }
  return done;
}

}  // namespace repose
