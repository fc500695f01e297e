#include "repose/pipeline/later/frame_range.h"

#include <charconv>

#include <fmt/format.h>

#include "repose/core/error.h"

namespace repose {
namespace {

/// Takes a number from the front of `text`; false where there is none.
bool take_number(std::string_view& text, int& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

bool FrameRange::holds(int frame) const {
  return frame >= first && (!last || frame <= *last) && (frame - first) % step == 0;
}

FrameRange parse_frame_range(std::string_view text) {
  FrameRange range;
  std::string_view rest = text;
  bool good = take_number(rest, range.first);
  if (good && take(rest, '-')) {
    int last = 0;
    if (!rest.empty() && !rest.starts_with(':')) {
      good = take_number(rest, last);
      range.last = last;
    }
  } else {
    range.last = range.first;
  }
  if (good && take(rest, ':')) good = take_number(rest, range.step) && range.step > 0;
  if (!good || !rest.empty() || (range.last && *range.last < range.first))
    throw Error(
        ExitCode::usage,
        fmt::format("'{}' is no range of frames: expected A, A-B or A-B:STEP, such as 0-100:2", text));
  return range;
}

}  // namespace repose
