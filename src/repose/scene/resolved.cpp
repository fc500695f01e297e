#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/hash.h"
#include "repose/core/text_lines.h"
#include "repose/scene/keys/tables.h"
#include "repose/scene/load.h"

namespace repose {
namespace {

using scene_file::ResolvedKey;

std::vector<ResolvedKey> resolve(const Scene& scene) {
  std::vector<ResolvedKey> keys;
  for (const auto& spec : scene_file::scene_tables()) spec.write(scene, keys);
  return keys;
}

bool may_change_on_resume(const ResolvedKey& key) {
  return key.table == "output" || key.table == "surface" || key.table == "render" ||
         key.table.starts_with("render.") || key.path() == "scene.duration";
}

/// The path in a key's text, which is a TOML string.
std::string path_in(const ResolvedKey& key) {
  std::string path;
  for (std::size_t i = 1; i + 1 < key.text.size(); ++i) {
    if (key.text[i] == '\\') ++i;
    path += key.text[i];
  }
  return path;
}

/// What a key is hashed and compared by: its text, or the content of the file that it names.
std::string content_of(const ResolvedKey& key) {
  if (!key.is_path || key.text.empty()) return key.text;
  try {
    const std::string bytes = read_whole_file(path_in(key));
    return "file " + to_hex(hash_bytes(std::as_bytes(std::span(bytes))));
  } catch (const Error&) {
    return "missing file";
  }
}

std::uint64_t hash_keys(const Scene& scene, bool physics_only) {
  std::string text;
  for (const ResolvedKey& key : resolve(scene)) {
    if (physics_only && may_change_on_resume(key)) continue;
    text += key.path() + " = " + content_of(key) + "\n";
  }
  return hash_bytes(std::as_bytes(std::span(text)));
}

std::string table_of(const std::string& path) { return path.substr(0, path.rfind('.')); }

/// Contents by key.
std::map<std::string, std::string> physics_contents(const Scene& scene) {
  std::map<std::string, std::string> contents;
  for (const ResolvedKey& key : resolve(scene))
    if (!may_change_on_resume(key)) contents[key.path()] = content_of(key);
  return contents;
}

}  // namespace

std::string resolved_scene_text(const Scene& scene) {
  std::string text = "# Every key with the value that was used. This file runs as it is.\n";
  std::string table;
  for (const ResolvedKey& key : resolve(scene)) {
    if (key.table != table) {
      table = key.table;
      text += fmt::format("\n[{}]\n", table);
    }
    if (key.text.empty() && key.without.ends_with("instead")) continue;
    if (key.text.empty())
      text += fmt::format("# {}: {}\n", key.key, key.without.empty() ? "none" : key.without);
    else if (key.unit.empty())
      text += fmt::format("{} = {}\n", key.key, key.text);
    else
      text += fmt::format("{} = {}  # [{}]\n", key.key, key.text, key.unit);
  }
  return text;
}

std::uint64_t scene_hash(const Scene& scene) { return hash_keys(scene, false); }

std::uint64_t physics_hash(const Scene& scene) { return hash_keys(scene, true); }

std::vector<std::string> changed_physics_keys(const Scene& before, const Scene& after) {
  const auto old_contents = physics_contents(before), new_contents = physics_contents(after);
  std::set<std::string> old_tables, new_tables, changed_set;
  for (const auto& [key, content] : old_contents) old_tables.insert(table_of(key));
  for (const auto& [key, content] : new_contents) new_tables.insert(table_of(key));
  const auto compare = [&](const auto& these, const auto& others, const std::set<std::string>& other_tables) {
    for (const auto& [key, content] : these) {
      const auto found = others.find(key);
      if (!other_tables.contains(table_of(key)))
        changed_set.insert(table_of(key));  // the whole table came or went
      else if (found == others.end() || found->second != content)
        changed_set.insert(key);
    }
  };
  compare(old_contents, new_contents, new_tables);
  compare(new_contents, old_contents, old_tables);
  std::vector<std::string> changed(changed_set.begin(), changed_set.end());
  if (changed.empty() && physics_hash(before) != physics_hash(after))
    changed.emplace_back("the order of the tables");
  return changed;
}

}  // namespace repose
