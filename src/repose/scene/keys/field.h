#pragma once
// A key of a table, tied to the member of the struct that it fills. A table of keys is a list of these, and
// everything else goes by it: reading and checking (read_table), the resolved scene (write), the reference
// page (info, expected).

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "repose/scene/keys/codec.h"

namespace repose::scene_file {

template <class S>
struct Field {
  KeyInfo info;
  std::string expected;  ///< what a value must be, in words
  /// Takes the value into the struct, or reports why not.
  std::function<bool(const Value&, const KeyInfo&, Report&, S&)> read;
  /// The member as TOML; nothing where it has no value.
  std::function<std::optional<std::string>(const S&, const KeyInfo&)> write;
  /// Whether the key belongs into a table that reads as this struct; empty: always.
  std::function<bool(const S&)> applies;
  /// Keys of the table that this key names, as in [solver.dem]; read and write are empty then.
  std::vector<Field<S>> children;

  bool belongs(const S& s) const { return !applies || applies(s); }
};

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

/// The key of a member.
template <class S, class T>
Field<S> field(T S::*member, KeyInfo info, std::function<bool(const S&)> applies = {}) {
  Field<S> f{info, {}, {}, {}, std::move(applies), {}};
  if constexpr (IsOptional<T>::value) {
    using Inner = typename T::value_type;
    f.expected = Codec<Inner>::expected(info);
    f.read = [member](const Value& value, const KeyInfo& key, Report& report, S& s) {
      Inner inner{};
      if (!Codec<Inner>::read(value, key, report, inner)) return false;
      s.*member = inner;
      return true;
    };
    f.write = [member](const S& s, const KeyInfo& key) -> std::optional<std::string> {
      if (!(s.*member)) return std::nullopt;
      return Codec<Inner>::write(*(s.*member), key);
    };
  } else {
    f.expected = Codec<T>::expected(info);
    f.read = [member](const Value& value, const KeyInfo& key, Report& report, S& s) {
      return Codec<T>::read(value, key, report, s.*member);
    };
    f.write = [member](const S& s, const KeyInfo& key) -> std::optional<std::string> {
      // Empty text and empty lists stand for "not given".
      if constexpr (requires { (s.*member).empty(); })
        if ((s.*member).empty()) return std::nullopt;
      return Codec<T>::write(s.*member, key);
    };
  }
  return f;
}

/// The same for a key that another one, which names a file, stands in for: it is not written back beside
/// that.
template <class S, class T>
Field<S> field_or_file(T S::*member, std::string S::*file, KeyInfo info,
                       std::function<bool(const S&)> applies = {}) {
  Field<S> f = field(member, info, std::move(applies));
  f.write = [file, write = f.write](const S& s, const KeyInfo& key) {
    return (s.*file).empty() ? write(s, key) : std::nullopt;
  };
  return f;
}

/// The key of a struct within a struct, as a key of the outer one. An optional struct (a shape) is there or
/// not before its keys are read.
template <class S, class Inner, class Member>
Field<S> lift(const Field<Inner>& inner, Member S::*member) {
  constexpr bool kOptional = IsOptional<Member>::value;
  Field<S> f{inner.info, inner.expected, {}, {}, {}, {}};
  if (inner.read)
    f.read = [member, read = inner.read](const Value& value, const KeyInfo& key, Report& report, S& s) {
      if constexpr (kOptional) {
        Inner unused;
        return read(value, key, report, s.*member ? *(s.*member) : unused);
      } else {
        return read(value, key, report, s.*member);
      }
    };
  if (inner.write)
    f.write = [member, write = inner.write](const S& s, const KeyInfo& key) -> std::optional<std::string> {
      if constexpr (kOptional) {
        return s.*member ? write(*(s.*member), key) : std::nullopt;
      } else {
        return write(s.*member, key);
      }
    };
  if constexpr (kOptional) {
    if (f.info.belongs_to.empty()) f.info.belongs_to = "a table with a 'shape'";
    f.applies = [member, inner](const S& s) { return s.*member && inner.belongs(*(s.*member)); };
  } else if (inner.applies) {
    f.applies = [member, applies = inner.applies](const S& s) { return applies(s.*member); };
  }
  for (const Field<Inner>& child : inner.children) f.children.push_back(lift<S>(child, member));
  return f;
}

template <class S, class Inner, class Member>
void lift_all(const std::vector<Field<Inner>>& inner, Member S::*member, std::vector<Field<S>>& out) {
  for (const Field<Inner>& f : inner) out.push_back(lift<S>(f, member));
}

/// A key that names a table of its own, with the keys of the member.
template <class S, class Inner>
Field<S> subtable(KeyInfo info, Inner S::*member, const std::vector<Field<Inner>>& inner) {
  Field<S> f{info, "a table", {}, {}, {}, {}};
  lift_all(inner, member, f.children);
  return f;
}
template <class S>
Field<S> subtable(KeyInfo info, std::vector<Field<S>> children) {
  return {info, "a table", {}, {}, {}, std::move(children)};
}

/// Reads the entries of a table by its keys: unknown ones, wrong values, missing ones, ones that are not
/// there yet and ones that do not belong are all reported. `header` is the table as messages call it:
/// "material.sand".
template <class S>
void read_table(const Value& value, const std::vector<Field<S>>& fields, const std::string& header,
                Report& report, S& out) {
  const Table* table = value.table();
  if (table == nullptr)
    return report.add(value.place, fmt::format("'{}' must be a table, not {}", header, describe(value)));
  std::vector<std::string_view> names;
  for (const Field<S>& f : fields) names.push_back(f.info.name);
  bool choices_are_clear = true;
  for (const Entry& entry : *table) {
    const auto name = std::find(names.begin(), names.end(), entry.key);
    if (name == names.end()) {
      report.add(entry.place, fmt::format("unknown key {} in [{}]{}", in_quotes(entry.key), header,
                                          suggestion(entry.key, names)));
      continue;
    }
    const Field<S>& f = fields[static_cast<std::size_t>(name - names.begin())];
    if (f.info.later) report.add(entry.place, not_available(in_quotes(f.info.name)));
    if (f.children.empty())
      choices_are_clear =
          (f.read(entry.value, f.info, report, out) || f.info.choices.empty()) && choices_are_clear;
    else
      read_table(entry.value, f.children, header + "." + entry.key, report, out);
  }
  // Keys that need the whole table to be known: what is missing, and what has no place in it. Without a shape
  // or kind, or with an unknown one, nobody can tell.
  for (const Field<S>& f : fields)
    if (f.info.required && !f.info.choices.empty() && value.find(f.info.name) == nullptr)
      choices_are_clear = false;
  for (const Field<S>& f : fields) {
    if (f.applies && !choices_are_clear) continue;
    const Entry* entry = value.find(f.info.name);
    if (entry == nullptr && f.info.required && f.belongs(out))
      report.add(value.place, fmt::format("[{}] needs '{}', {}", header, f.info.name, f.expected));
    if (entry != nullptr && !f.belongs(out))
      report.add(entry->place,
                 fmt::format("'{}' in [{}] belongs to {}", f.info.name, header, f.info.belongs_to));
  }
}

}  // namespace repose::scene_file
