// The parts of a run as the command puts them together.

#include "repose/pipeline/run/run.h"

namespace repose {

RunParts default_parts() {
  return {[](const Scene& scene, Threads& threads, const LogSink& log) {
    return make_solver(scene, threads, log);
  }};
}

RunSummary run(const Scene& scene, const RunOptions& options, Threads& threads, Progress& progress) {
  return run(scene, options, threads, progress, default_parts());
}

}  // namespace repose
