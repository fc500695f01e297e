#pragma once
// How many threads a process may have, found out before a library starts them: oneTBB ends the process where
// the system refuses one of its threads.

namespace repose {

/// The number of threads to work on: `wanted`, or for 0 one for each of the cores. All of them are started
/// once, at the same time, and end again. Where that fails, `wanted` throws Error(run_failed), and 0 gives 1:
/// a system that refuses a thread has none to spare. More than Threads::kMost throw Error(usage).
int startable_threads(int wanted, int cores);

}  // namespace repose
