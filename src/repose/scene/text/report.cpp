#include "repose/scene/text/report.h"

#include <algorithm>

#include <fmt/format.h>

namespace repose::scene_file {

std::string Report::where(const Place& place) const {
  if (place.override_index >= 0)
    return "--set " + printable(overrides_[static_cast<std::size_t>(place.override_index)], 200);
  return fmt::format("{}:{}:{}", path_, place.line, place.column);
}

void Report::throw_if_any() {
  // A file of nothing but slips is no scene; the first thousand will do.
  constexpr std::size_t kMost = 1000;
  if (errors_.empty()) return;
  std::stable_sort(errors_.begin(), errors_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  for (std::size_t i = 0; i < std::min(errors_.size(), kMost); ++i) {
    if (i > 0) text += '\n';
    text += where(errors_[i].first) + ": " + errors_[i].second;
  }
  if (errors_.size() > kMost) text += fmt::format("\nand {} more errors", errors_.size() - kMost);
  throw Error(ExitCode::bad_scene, text);
}

}  // namespace repose::scene_file
