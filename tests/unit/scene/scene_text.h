#pragma once
// What the tests of the scene reader share.

#include <span>
#include <string>
#include <string_view>

#include "repose/core/error.h"
#include "repose/core/version.h"
#include "repose/scene/load.h"

namespace repose {

/// What every scene needs, five lines, the last ones within [domain]; what a test adds begins on line 6.
inline constexpr std::string_view kNeededLines =
    "[solver]\nspacing = 0.01\n[domain]\nmin = [-1, -1, 0]\nmax = [1, 1, 2]\n";

inline Scene parse_with_needs(std::string_view text, std::span<const std::string> overrides = {}) {
  return parse_scene(std::string(kNeededLines) + std::string(text), "s.toml", "", overrides);
}

/// What is wrong with a scene, or "" where nothing is. Messages that name the version say VERSION.
inline std::string errors_of_text(std::string_view text, std::span<const std::string> overrides = {}) {
  try {
    parse_scene(text, "s.toml", "", overrides);
    return {};
  } catch (const Error& error) {
    if (error.code() != ExitCode::bad_scene) return "another exit code";
    std::string errors = error.what();
    const std::string version = std::string("in repose ") + kVersion;
    for (std::size_t at = 0; (at = errors.find(version, at)) != std::string::npos;)
      errors.replace(at, version.size(), "in repose VERSION");
    return errors;
  }
}

/// The same for a text after the lines that every scene needs.
inline std::string errors_of(std::string_view text, std::span<const std::string> overrides = {}) {
  return errors_of_text(std::string(kNeededLines) + std::string(text), overrides);
}

}  // namespace repose
