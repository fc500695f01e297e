#pragma once
// TOML text to a tree of values: the one door to toml++.

#include <string>
#include <string_view>

#include "repose/scene/text/report.h"
#include "repose/scene/text/value.h"

namespace repose::scene_file {

/// The tree of a whole file. A syntax error is the only one that is told then: throws Error(bad_scene).
Value read_toml(std::string_view text, Report& report);

/// Changes the tree as the `--set key.path=value` arguments say, in their order; what is wrong with one goes
/// into the report. A value that is a bare word or several (flip, dry sand, grains/a.csv) is taken as text.
void apply_overrides(Value& root, std::span<const std::string> overrides, Report& report);

}  // namespace repose::scene_file
