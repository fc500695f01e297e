#include "repose/scene/keys/codec.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace repose::scene_file {
namespace {

/// The keys of a small table within a list, each with its own codec.
struct RowKey {
  std::string_view name;
  bool required;
  double* number;  ///< one of these two
  Vec3d* vector;
};

bool read_row_table(const Value& value, const KeyInfo& info, std::string_view expected, Report& report,
                    std::span<const RowKey> keys) {
  const Table* table = value.table();
  if (table == nullptr) return report_item_misfit(value, info, expected, report), false;
  std::vector<std::string_view> names;
  for (const RowKey& key : keys) names.push_back(key.name);
  bool good = true;
  for (const Entry& entry : *table) {
    const auto key = std::find(names.begin(), names.end(), entry.key);
    if (key == names.end()) {
      report.add(entry.place, fmt::format("unknown key {} in an item of '{}'{}", in_quotes(entry.key),
                                          info.name, suggestion(entry.key, names)));
      good = false;
      continue;
    }
    const RowKey& row_key = keys[static_cast<std::size_t>(key - names.begin())];
    const KeyInfo key_info{.name = row_key.name};
    good = (row_key.number != nullptr ? Codec<double>::read(entry.value, key_info, report, *row_key.number)
                                      : Codec<Vec3d>::read(entry.value, key_info, report, *row_key.vector)) &&
           good;
  }
  for (const RowKey& key : keys)
    if (key.required && value.find(key.name) == nullptr) {
      report.add(value.place, fmt::format("an item of '{}' needs '{}'", info.name, key.name));
      good = false;
    }
  return good;
}

/// The shortest text that reads back as the same bits. "-0" would be an integer, which has no sign.
template <class Real>
std::string decimal(Real value) {
  return value == 0 && std::signbit(value) ? "-0.0" : fmt::format("{}", value);
}

}  // namespace

std::string write_number(double value, double scale) {
  if (scale == 1 || value == 0 || !std::isfinite(value)) return decimal(value);
  // The fewest digits whose number times the scale gives the same bits; a number that was read has one.
  const double guess = value / scale;
  for (int digits = 1; digits <= 17; ++digits) {
    std::string text = fmt::format("{:.{}g}", guess, digits);
    if (std::strtod(text.c_str(), nullptr) * scale == value) return text;
  }
  for (const double direction : {-kInfinity, kInfinity}) {
    double near = guess;
    for (int step = 0; step < 4; ++step) {
      near = std::nextafter(near, direction);
      if (near * scale == value) return decimal(near);
    }
  }
  return decimal(guess);
}

std::string write_number(float value) { return decimal(value); }

std::string write_list(const std::vector<std::string>& items) {
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::optional<double> number_in_range(const Value& value, const KeyInfo& info) {
  double number = 0;
  if (const auto* whole = std::get_if<std::int64_t>(&value.content))
    number = static_cast<double>(*whole);
  else if (const auto* real = std::get_if<double>(&value.content))
    number = *real;
  else
    return std::nullopt;
  if (!info.range.holds(number)) return std::nullopt;
  return number;
}

std::optional<std::int64_t> whole_number_in_range(const Value& value, const KeyInfo& info) {
  const auto* whole = std::get_if<std::int64_t>(&value.content);
  if (whole == nullptr) return std::nullopt;
  // Compared as numbers; only seeds come near 2^63, and they have no upper bound but that.
  const auto number = static_cast<double>(*whole);
  if (number < info.range.min || number > info.range.max ||
      (info.range.above_min && number <= info.range.min))
    return std::nullopt;
  return *whole;
}

bool read_numbers(const Value& value, const KeyInfo& info, std::string_view expected, std::size_t count,
                  double* out, Report& report, bool is_item) {
  const List* items = value.list();
  if (items == nullptr || items->size() != count) {
    (is_item ? report_item_misfit : report_misfit)(value, info, expected, report);
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = number_in_range((*items)[i], info);
    if (!number) return report_item_misfit((*items)[i], info, expected, report), false;
    out[i] = *number;
  }
  return true;
}

std::optional<std::size_t> read_choice(const Value& value, const KeyInfo& info, Report& report) {
  const std::string expected = choice_words(info.choices);
  const std::string* text = value.text();
  if (text == nullptr) return report_misfit(value, info, expected, report), std::nullopt;
  std::vector<std::string_view> names;
  for (const Choice& choice : info.choices) names.push_back(choice.name);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != *text) continue;
    if (info.choices[i].later)
      report.add(value.place, not_available(fmt::format("{} = \"{}\"", info.name, names[i])));
    return i;
  }
  report.add(value.place, fmt::format("'{}' must be {}, not {}{}", info.name, expected, describe(value),
                                      suggestion(*text, names)));
  return std::nullopt;
}

bool Codec<std::string>::read(const Value& value, const KeyInfo& info, Report& report, std::string& out) {
  if (!info.choices.empty()) {
    const auto index = read_choice(value, info, report);
    if (index) out = info.choices[*index].name;
    return index.has_value();
  }
  const std::string* text = value.text();
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (text == nullptr ||
      (info.is_path && (text->empty() || std::any_of(text->begin(), text->end(), is_control))))
    return report_misfit(value, info, expected(info), report), false;
  out = *text;
  return true;
}

bool Codec<std::array<std::string, 2>>::read(const Value& value, const KeyInfo& info, Report& report,
                                             std::array<std::string, 2>& out) {
  const List* items = value.list();
  if (items == nullptr || items->size() != 2)
    return report_misfit(value, info, expected(info), report), false;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string* text = (*items)[i].text();
    if (text == nullptr) return report_item_misfit((*items)[i], info, expected(info), report), false;
    out[i] = *text;
  }
  return true;
}

bool Codec<NameList>::read(const Value& value, const KeyInfo& info, Report& report, NameList& out) {
  const auto is_name = [](const Value& v) { return v.text() != nullptr && !v.text()->empty(); };
  const List* items = value.list();
  if (items == nullptr ? !is_name(value) : items->empty() || items->size() > info.most_items)
    return report_misfit(value, info, expected(info), report), false;
  std::vector<std::string> names;
  if (items == nullptr) names.push_back(*value.text());
  for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
    if (!is_name((*items)[i])) return report_item_misfit((*items)[i], info, expected(info), report), false;
    names.push_back(*(*items)[i].text());
  }
  out.items = std::move(names);
  return true;
}

std::string Codec<NameList>::write(const NameList& names, const KeyInfo&) {
  std::vector<std::string> items;
  for (const std::string& name : names.items) items.push_back(toml_string(name));
  return items.size() == 1 ? items[0] : write_list(items);
}

bool Codec<Keyframe>::read(const Value& value, const KeyInfo& info, Report& report, Keyframe& out) {
  const RowKey keys[] = {{"t", true, &out.t, nullptr},
                         {"position", false, nullptr, &out.position},
                         {"rotation", false, nullptr, &out.rotation}};
  return read_row_table(value, info, expected_list(info), report, keys);
}

std::string Codec<Keyframe>::write(const Keyframe& key, const KeyInfo& info) {
  return fmt::format("{{ t = {}, position = {}, rotation = {} }}", write_number(key.t),
                     Codec<Vec3d>::write(key.position, info), Codec<Vec3d>::write(key.rotation, info));
}

bool Codec<CameraKey>::read(const Value& value, const KeyInfo& info, Report& report, CameraKey& out) {
  const RowKey keys[] = {{"t", true, &out.t, nullptr},
                         {"position", true, nullptr, &out.position},
                         {"target", true, nullptr, &out.target}};
  return read_row_table(value, info, expected_list(info), report, keys);
}

std::string Codec<CameraKey>::write(const CameraKey& key, const KeyInfo& info) {
  return fmt::format("{{ t = {}, position = {}, target = {} }}", write_number(key.t),
                     Codec<Vec3d>::write(key.position, info), Codec<Vec3d>::write(key.target, info));
}

}  // namespace repose::scene_file
