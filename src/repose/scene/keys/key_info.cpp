#include "repose/scene/keys/key_info.h"

#include <cmath>

#include <fmt/format.h>

#include "repose/core/text.h"
#include "repose/core/version.h"

namespace repose::scene_file {

bool Range::holds(double x) const {
  if (std::isnan(x)) return false;
  if (std::isinf(x)) return infinite && x > 0;
  return std::abs(x) <= kLargestNumber && x <= max && (above_min ? x > min : x >= min);
}

std::string Range::words() const {
  if (std::isfinite(min) && std::isfinite(max))
    return above_min ? fmt::format("> {} and at most {}", min, max) : fmt::format("from {} to {}", min, max);
  if (std::isfinite(min)) return fmt::format("{} {}", above_min ? ">" : ">=", min);
  if (std::isfinite(max)) return fmt::format("<= {}", max);
  return {};
}

std::string expected_words(std::string_view noun, const KeyInfo& info) {
  if (info.range.min == info.range.max) return fmt::format("{}", info.range.min);
  std::string text(noun);
  if (const std::string range = info.range.words(); !range.empty()) text += " " + range;
  if (info.range.infinite) text += " or inf";
  if (!info.unit.empty()) text += fmt::format(" [{}]", info.unit);
  return text;
}

std::string choice_words(std::span<const Choice> choices) {
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) text += i + 1 == choices.size() ? " or " : ", ";
    text += fmt::format("\"{}\"", choices[i].name);
  }
  return text;
}

namespace {

/// Why a number that looks right does not fit, where the expected words do not tell.
std::string size_note(const Value& value, const KeyInfo& info) {
  const auto* number = std::get_if<double>(&value.content);
  if (number == nullptr || std::abs(*number) <= kLargestNumber || info.range.infinite) return {};
  return fmt::format(" (numbers are finite and at most {:g} in size)", kLargestNumber);
}

}  // namespace

void report_misfit(const Value& value, const KeyInfo& info, std::string_view expected, Report& report) {
  report.add(value.place, fmt::format("'{}' must be {}, not {}{}", info.name, expected, describe(value),
                                      size_note(value, info)));
}

void report_item_misfit(const Value& item, const KeyInfo& info, std::string_view expected, Report& report) {
  report.add(item.place, fmt::format("'{}' must be {}: {} does not fit{}", info.name, expected,
                                     describe(item), size_note(item, info)));
}

std::string not_available(std::string_view what) {
  return fmt::format("{} is not available yet in repose {} (planned)", what, kVersion);
}

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
  const std::string near = nearest_word(word, known);
  return near.empty() ? "" : fmt::format(": did you mean '{}'?", near);
}

}  // namespace repose::scene_file
