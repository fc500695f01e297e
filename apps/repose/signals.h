#pragma once
// Ctrl-C and the like.

#include <atomic>

namespace repose::command {

/// Notes SIGINT, SIGTERM and SIGHUP (a terminal that is closed) from here on, so that a run can write its
/// checkpoint and say how to go on; the second one of the same kind ends the process at once.
void note_stop_signals();

/// True once one of them came.
const std::atomic<bool>& stop_flag();

/// Lets a write fail that would end the process otherwise: to a pipe that nobody reads (`repose run ... |
/// head` finishes) and past a limit on the size of files.
void survive_failed_writes();

}  // namespace repose::command
