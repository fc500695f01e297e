#pragma once
// Work of a stage that Ctrl-C may cut off, because its results are thrown away then.

#include "repose/core/error.h"
#include "repose/exec/threads.h"

namespace repose {

/// Calls work(), whose parallel loops stop once the flag is raised. False where they did.
template <class F>
bool finish_unless_stopped(Threads& threads, const std::atomic<bool>* flag, F&& work) {
  const StopScope stop(threads, flag);
  try {
    threads.check_stop();
    work();
    return true;
  } catch (const Error& error) {
    if (error.code() != ExitCode::interrupted) throw;
    return false;
  }
}

}  // namespace repose
