#pragma once
// Which frames of a run a verb works on.

#include <optional>
#include <string_view>

namespace repose {

/// A-B[:STEP], as the verbs on a RUN take it.
struct FrameRange {
  int first = 0;
  std::optional<int> last = {};  ///< none: to the end
  int step = 1;
  bool holds(int frame) const;
};

/// Reads "12", "3-40", "3-40:2", "3-"; throws Error(usage).
FrameRange parse_frame_range(std::string_view text);

}  // namespace repose
