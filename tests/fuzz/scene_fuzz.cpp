// Any text is a scene or an Error, never a crash, a hang or a leak. A scene that was read also resolves to
// text that reads back to the same text. Some bytes before a zero byte are taken as a `--set` argument.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "repose/core/error.h"
#include "repose/scene/load.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> overrides;
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos && zero < 200) {
    overrides.emplace_back(text.substr(0, zero));
    text.remove_prefix(zero + 1);
  }
  std::string resolved;
  try {
    const repose::Scene scene = repose::parse_scene(text, "fuzz.toml", "no-such-folder", overrides);
    resolved = repose::resolved_scene_text(scene);
  } catch (const repose::Error&) {
    return 0;
  }
  // What was read without an error must read again without one.
  const repose::Scene again = repose::parse_scene(resolved, "resolved.toml", "");
  if (repose::resolved_scene_text(again) != resolved) std::abort();
  return 0;
}
