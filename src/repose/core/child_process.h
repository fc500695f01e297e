#pragma once
// Work that may crash, hang or take all memory, done in a copy of this process that may die: for libraries
// that read files and cannot be trusted with any bytes. The copy has no stdout and stderr, ignores Ctrl-C
// (its parent answers it) and goes with its parent.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace repose {

struct ChildLimits {
  int seconds = 60;                    ///< of CPU time, and of wall time twice that
  std::uint64_t memory = 4ULL << 30U;  ///< that it may take [bytes]
};

struct ChildAnswer {
  std::optional<std::string> bytes;  ///< what the work returned; none where it died
  std::string failure;               ///< why it died: "it crashed (Segmentation fault)", ...
};

/// Runs work() in a child process. It must not use threads. Throws Error(run_failed) where no process can be
/// started.
ChildAnswer run_in_child(const std::function<std::string()>& work, const ChildLimits& limits = {});

}  // namespace repose
