#pragma once
// All that is wrong with a scene, gathered so that it is told in one go.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "repose/core/error.h"
#include "repose/scene/text/value.h"

namespace repose::scene_file {

class Report {
 public:
  /// `path` and `overrides` are what places are told by; both outlive the report.
  Report(const std::string& path, std::span<const std::string> overrides)
      : path_(path), overrides_(overrides) {}

  void add(const Place& place, std::string message) { errors_.emplace_back(place, std::move(message)); }
  std::size_t count() const { return errors_.size(); }

  /// `file:line:col`, or `--set key=value`.
  std::string where(const Place& place) const;
  /// Throws one Error(bad_scene) with a line for each error, in the order of the file, if there are any.
  void throw_if_any();

 private:
  const std::string& path_;
  std::span<const std::string> overrides_;
  std::vector<std::pair<Place, std::string>> errors_;
};

}  // namespace repose::scene_file
