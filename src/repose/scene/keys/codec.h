#pragma once
// How a member of a scene struct is read from a value of the file and written back: one Codec a type.
//
//   bool read(value, info, report, out)   takes the value, or reports why it does not fit
//   std::string write(member, info)       TOML text that reads back to the same bits
//   std::string expected(info)            "a number > 0 [m]": for messages and the reference page

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "repose/scene/keys/key_info.h"
#include "repose/scene/scene.h"

namespace repose::scene_file {

template <class T>
struct Codec;

/// The shortest digits that read back to the same number, in the unit of the file.
std::string write_number(double value, double scale = 1);
std::string write_number(float value);
std::string write_list(const std::vector<std::string>& items);

/// A number within the range of its key, or nothing (nothing is reported).
std::optional<double> number_in_range(const Value& value, const KeyInfo& info);
std::optional<std::int64_t> whole_number_in_range(const Value& value, const KeyInfo& info);
/// A list of exactly `count` numbers in range; reports what does not fit. `is_item`: the list is itself an
/// item of the key's list.
bool read_numbers(const Value& value, const KeyInfo& info, std::string_view expected, std::size_t count,
                  double* out, Report& report, bool is_item = false);
/// The position of a text among the key's choices; reports what does not fit and what is not there yet.
std::optional<std::size_t> read_choice(const Value& value, const KeyInfo& info, Report& report);

template <>
struct Codec<double> {
  static std::string expected(const KeyInfo& info) { return expected_words("a number", info); }
  static bool read(const Value& value, const KeyInfo& info, Report& report, double& out) {
    const auto number = number_in_range(value, info);
    if (!number) report_misfit(value, info, expected(info), report);
    if (number) out = *number * info.scale;
    return number.has_value();
  }
  static std::string write(double value, const KeyInfo& info) { return write_number(value, info.scale); }
};

template <class T>
requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) struct Codec<T> {
  static std::string expected(const KeyInfo& info) { return expected_words("a whole number", info); }
  static bool read(const Value& value, const KeyInfo& info, Report& report, T& out) {
    const auto number = whole_number_in_range(value, info);
    const bool good = number && std::in_range<T>(*number);
    if (!good) report_misfit(value, info, expected(info), report);
    if (good) out = static_cast<T>(*number);
    return good;
  }
  static std::string write(T value, const KeyInfo&) { return std::to_string(value); }
};

template <>
struct Codec<bool> {
  static std::string expected(const KeyInfo&) { return "true or false"; }
  static bool read(const Value& value, const KeyInfo& info, Report& report, bool& out) {
    const auto* boolean = std::get_if<bool>(&value.content);
    if (boolean == nullptr) report_misfit(value, info, expected(info), report);
    if (boolean != nullptr) out = *boolean;
    return boolean != nullptr;
  }
  static std::string write(bool value, const KeyInfo&) { return value ? "true" : "false"; }
};

/// Free text, or one of the key's choices where it has any.
template <>
struct Codec<std::string> {
  static std::string expected(const KeyInfo& info) {
    if (!info.choices.empty()) return choice_words(info.choices);
    return info.is_path ? "the path of a file, as text" : "text";
  }
  static bool read(const Value& value, const KeyInfo& info, Report& report, std::string& out);
  static std::string write(const std::string& value, const KeyInfo&) { return toml_string(value); }
};

/// An enum whose values are the positions of the key's choices.
template <class T>
requires std::is_enum_v<T>
struct Codec<T> {
  static std::string expected(const KeyInfo& info) { return choice_words(info.choices); }
  static bool read(const Value& value, const KeyInfo& info, Report& report, T& out) {
    const auto index = read_choice(value, info, report);
    if (index) out = static_cast<T>(*index);
    return index.has_value();
  }
  static std::string write(T value, const KeyInfo& info) {
    return toml_string(info.choices[static_cast<std::size_t>(value)].name);
  }
};

/// Rows of N numbers: Traits says how many, what they are called, and how they go in and out of a T.
template <class T>
struct RowTraits;
template <>
struct RowTraits<Vec2d> {
  static constexpr std::size_t kCount = 2;
  static Vec2d make(const double* x) { return {x[0], x[1]}; }
  static std::array<double, 2> take(const Vec2d& v) { return {v.x, v.y}; }
};
template <>
struct RowTraits<Vec3d> {
  static constexpr std::size_t kCount = 3;
  static Vec3d make(const double* x) { return {x[0], x[1], x[2]}; }
  static std::array<double, 3> take(const Vec3d& v) { return {v.x, v.y, v.z}; }
};
template <>
struct RowTraits<Color> {
  static constexpr std::size_t kCount = 3;
  static Color make(const double* x) {
    return {static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2])};
  }
  static std::array<float, 3> take(const Color& c) { return {c.x, c.y, c.z}; }
};
template <>
struct RowTraits<SizeClass> {
  static constexpr std::size_t kCount = 2;
  static SizeClass make(const double* x) { return {x[0], x[1]}; }
  static std::array<double, 2> take(const SizeClass& s) { return {s.diameter, s.share}; }
};
template <std::size_t N>
struct RowTraits<std::array<double, N>> {
  static constexpr std::size_t kCount = N;
  static std::array<double, N> make(const double* x) {
    std::array<double, N> row;
    for (std::size_t i = 0; i < N; ++i) row[i] = x[i];
    return row;
  }
  static std::array<double, N> take(const std::array<double, N>& row) { return row; }
};

template <class T>
concept NumberRow = requires {
  RowTraits<T>::kCount;
};

template <NumberRow T>
struct Codec<T> {
  static constexpr std::size_t kCount = RowTraits<T>::kCount;
  static std::string noun() { return std::to_string(kCount) + " numbers"; }
  static std::string expected(const KeyInfo& info) { return expected_words(noun(), info); }
  static bool read(const Value& value, const KeyInfo& info, Report& report, T& out) {
    return read_row(value, info, report, out, expected(info), false);
  }
  static bool read_row(const Value& value, const KeyInfo& info, Report& report, T& out,
                       std::string_view expected_text, bool is_item) {
    std::array<double, kCount> numbers{};
    if (!read_numbers(value, info, expected_text, kCount, numbers.data(), report, is_item)) return false;
    out = RowTraits<T>::make(numbers.data());
    return true;
  }
  static std::string write(const T& row, const KeyInfo&) {
    std::vector<std::string> items;
    for (const auto x : RowTraits<T>::take(row)) items.push_back(write_number(x));
    return write_list(items);
  }
};

template <std::size_t N>
struct Codec<std::array<int, N>> {
  static std::string expected(const KeyInfo& info) {
    return expected_words(std::to_string(N) + " whole numbers", info);
  }
  static bool read(const Value& value, const KeyInfo& info, Report& report, std::array<int, N>& out) {
    const List* items = value.list();
    if (items == nullptr || items->size() != N)
      return report_misfit(value, info, expected(info), report), false;
    for (std::size_t i = 0; i < N; ++i) {
      const auto number = whole_number_in_range((*items)[i], info);
      if (!number || !std::in_range<int>(*number))
        return report_item_misfit((*items)[i], info, expected(info), report), false;
      out[i] = static_cast<int>(*number);
    }
    return true;
  }
  static std::string write(const std::array<int, N>& row, const KeyInfo&) {
    std::vector<std::string> items;
    for (const int x : row) items.push_back(std::to_string(x));
    return write_list(items);
  }
};

/// Two names.
template <>
struct Codec<std::array<std::string, 2>> {
  static std::string expected(const KeyInfo&) { return "a list of 2 names"; }
  static bool read(const Value& value, const KeyInfo& info, Report& report, std::array<std::string, 2>& out);
  static std::string write(const std::array<std::string, 2>& names, const KeyInfo&) {
    return write_list({toml_string(names[0]), toml_string(names[1])});
  }
};

/// One name, or a list of names.
template <>
struct Codec<NameList> {
  static std::string expected(const KeyInfo&) { return "a name or a list of names"; }
  static bool read(const Value& value, const KeyInfo& info, Report& report, NameList& out);
  static std::string write(const NameList& names, const KeyInfo&);
};

/// A list of anything above.
template <class T>
struct Codec<std::vector<T>> {
  static std::string expected(const KeyInfo& info) {
    if constexpr (NumberRow<T>)
      return expected_words("a list of rows of " + Codec<T>::noun(), info);
    else if constexpr (std::is_same_v<T, std::string>)
      return "a list of " + Codec<T>::expected(info);
    else
      return Codec<T>::expected_list(info);
  }
  static bool read(const Value& value, const KeyInfo& info, Report& report, std::vector<T>& out) {
    const List* items = value.list();
    if (items == nullptr || items->empty() || items->size() > info.most_items)
      return report_misfit(value, info, expected(info), report), false;
    std::vector<T> read_items(items->size());
    bool good = true;
    for (std::size_t i = 0; i < items->size(); ++i)
      good = read_item((*items)[i], info, report, read_items[i]) && good;
    if (good) out = std::move(read_items);
    return good;
  }
  static bool read_item(const Value& item, const KeyInfo& info, Report& report, T& out) {
    if constexpr (NumberRow<T>)
      return Codec<T>::read_row(item, info, report, out, expected(info), true);
    else
      return Codec<T>::read(item, info, report, out);
  }
  static std::string write(const std::vector<T>& values, const KeyInfo& info) {
    std::vector<std::string> items;
    for (const T& value : values) items.push_back(Codec<T>::write(value, info));
    return write_list(items);
  }
};

/// { t, position, rotation }: what is left out keeps the body's own pose (checks.cpp fills it in).
template <>
struct Codec<Keyframe> {
  static std::string expected_list(const KeyInfo&) {
    return "a list of tables { t [s], position [m], rotation [deg] }";
  }
  static bool read(const Value& value, const KeyInfo& info, Report& report, Keyframe& out);
  static std::string write(const Keyframe& key, const KeyInfo&);
};
/// { t, position, target }
template <>
struct Codec<CameraKey> {
  static std::string expected_list(const KeyInfo&) {
    return "a list of tables { t [s], position [m], target [m] }";
  }
  static bool read(const Value& value, const KeyInfo& info, Report& report, CameraKey& out);
  static std::string write(const CameraKey& key, const KeyInfo&);
};

}  // namespace repose::scene_file
