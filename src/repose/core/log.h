#pragma once
// Where messages go: an argument, never a global. The command decides what becomes of them.

#include <functional>
#include <string_view>

namespace repose {

enum class LogLevel {
  info,
  warning,
  activity  ///< what a long set-up works on now: shown while it lasts, not kept
};

/// Called with one message, without a newline at its end.
using LogSink = std::function<void(LogLevel, std::string_view)>;

}  // namespace repose
