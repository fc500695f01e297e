#pragma once
// What is known of a key of the scene file: its name, unit, range, meaning. The tables of keys
// (keys/tables.h) are made of these.

#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "repose/scene/text/report.h"

namespace repose::scene_file {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// No number of a scene is larger than this in size, in any unit; it keeps later arithmetic finite.
inline constexpr double kLargestNumber = 1e15;

/// What a number may be. Infinity itself is allowed only where `infinite` says so.
struct Range {
  double min = -kInfinity, max = kInfinity;
  bool above_min = false;  ///< min itself is not allowed
  bool infinite = false;

  bool holds(double x) const;
  std::string words() const;  ///< "> 0", "from 0 to 1", ... or nothing
};
inline constexpr Range kAnyNumber{};
inline constexpr Range kPositive{.min = 0, .above_min = true};
inline constexpr Range kNotNegative{.min = 0};
inline constexpr Range kZeroToOne{.min = 0, .max = 1};

/// One of the words that a key takes.
struct Choice {
  std::string_view name;
  bool later = false;  ///< planned, and refused until it is there
};

struct KeyInfo {
  std::string_view name;
  std::string_view unit = {};
  Range range = {};
  std::span<const Choice> choices = {};
  std::string_view doc = {};
  std::string_view without = {};     ///< what happens without the key, where no default value says it
  std::string_view belongs_to = {};  ///< which tables may have it, where not all may: "shape = \"box\""
  bool required = false;
  bool later = false;                  ///< planned, and refused until it is there
  bool of_shape = false;               ///< one of the keys that every table with a shape has
  bool is_path = false;                ///< text that names a file
  double scale = 1;                    ///< what one unit of the file is inside (degrees to radians)
  std::size_t most_items = 1U << 22U;  ///< of a list
};

/// "a number > 0 [m]" and the like: `noun`, then the range and the unit.
std::string expected_words(std::string_view noun, const KeyInfo& info);
/// `"a", "b" or "c"`.
std::string choice_words(std::span<const Choice> choices);

/// Reports that a value does not fit its key: `'key' must be EXPECTED, not VALUE`.
void report_misfit(const Value& value, const KeyInfo& info, std::string_view expected, Report& report);
/// The same for one item within the key's value: `'key' must be EXPECTED: ITEM does not fit`.
void report_item_misfit(const Value& item, const KeyInfo& info, std::string_view expected, Report& report);

/// `WHAT is not available yet in repose 0.1.0 (planned)`.
std::string not_available(std::string_view what);

/// "; did you mean 'x'?", or nothing where no known word is close.
std::string suggestion(std::string_view word, std::span<const std::string_view> known);

}  // namespace repose::scene_file
