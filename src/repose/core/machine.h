#pragma once

namespace repose {

/// Memory that a process may have here [bytes]: that of the machine, or less where the process is held to
/// less (a container, ulimit -v). Infinity where nothing is known.
double available_memory();

}  // namespace repose
