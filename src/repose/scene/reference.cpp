#include <fmt/format.h>

#include "repose/core/version.h"
#include "repose/scene/keys/tables.h"
#include "repose/scene/load.h"

namespace repose {
namespace {

using namespace scene_file;

/// Text as it may stand in a cell of a table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string planned_words(const KeyInfo& info) {
  std::vector<std::string> words;
  for (const Choice& choice : info.choices)
    if (choice.later) words.push_back(fmt::format("`\"{}\"`", choice.name));
  return words.empty() ? "" : fmt::format(" Planned: {}.", fmt::join(words, ", "));
}

std::string meaning(const DocumentedKey& key, bool table_is_later) {
  std::string text(key.info.doc);
  // Symbols such as k_r keep their letter.
  if (text.size() > 1 && text[1] != '_')
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  if (!text.empty() && text.back() != '.') text += '.';
  if (!key.info.belongs_to.empty()) text += fmt::format(" For {}.", key.info.belongs_to);
  if (key.info.later && !table_is_later) return "*Planned.* " + text;
  return text + planned_words(key.info);
}

void write_key_table(const std::vector<DocumentedKey>& keys, bool table_is_later, std::string& page) {
  page += "\n| key | must be | default | meaning |\n|---|---|---|---|\n";
  bool told_shape = false;
  for (const DocumentedKey& key : keys) {
    if (key.info.of_shape) {
      if (!told_shape)
        page +=
            fmt::format("| `shape`, ... | a [shape](#shapes) | {} | A solid, with the keys that it has. |\n",
                        cell(key.fallback));
      told_shape = true;
      continue;
    }
    page += fmt::format("| `{}` | {} | {} | {} |\n", key.info.name, cell(key.expected), cell(key.fallback),
                        cell(meaning(key, table_is_later)));
  }
}

/// The keys of a table, those of its own tables ([solver.dem]) under headings of their own.
void write_table(const TableSpec& spec, std::string& page) {
  std::vector<DocumentedKey> keys;
  spec.document(keys);
  while (!keys.empty()) {
    const std::string table = keys.front().table;
    std::vector<DocumentedKey> here, rest;
    for (DocumentedKey& key : keys) (key.table == table ? here : rest).push_back(std::move(key));
    const bool is_whole = table.find('.') == std::string::npos || table.ends_with(".NAME");
    const bool later =
        spec.later || std::all_of(here.begin(), here.end(), [](const auto& k) { return k.info.later; });
    page += fmt::format("\n{} [{}]\n", is_whole ? "##" : "###", table);
    if (is_whole) page += fmt::format("\n{}\n", spec.doc);
    if (later) page += fmt::format("\n*Planned: not available yet in repose {}.*\n", kVersion);
    write_key_table(here, later, page);
    keys = std::move(rest);
  }
}

constexpr std::string_view kIntroduction =
    "# Scene reference\n\n"
    "<!-- Written by `make docs` from the tables of keys in src/repose/scene/keys; do not edit. -->\n\n"
    "A scene is a TOML file. Units are SI, angles are degrees, z points up. Paths are relative to the scene. "
    "Unknown "
    "keys, wrong types and values out of range are errors, and all of them are reported at once. A key "
    "marked "
    "*planned* is known and checked, but using it is an error until it is there. `repose run --set "
    "table.key=value` sets any key from the command line.\n";

/// The keys that all tables with a shape have, once.
void write_shapes(std::string& page) {
  page += "\n## Shapes\n\nKeys of a solid; they stand in the table of whatever has the shape.\n";
  std::vector<DocumentedKey> keys = document_shape();
  for (DocumentedKey& key : keys) key.info.of_shape = false;
  write_key_table(keys, false, page);
}

void write_lists(std::string& page) {
  page +=
      "\n## Material presets\n\n`preset = \"NAME\"` in a [material.NAME].\n\n"
      "| preset | what it is | density | grain_density | friction_angle | friction | restitution | grain |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const MaterialPreset& p : material_presets())
    page +=
        fmt::format("| `{}` | {} | {} | {} | {:.0f} | {} | {} | {} |\n", p.name, cell(p.description),
                    p.values.density, p.values.grain_density, degrees(p.values.friction_angle.value_or(0)),
                    p.values.friction.value_or(0), p.values.restitution, p.values.grain);
  page += "\nSources of these numbers:\n\n";
  for (const MaterialPreset& p : material_presets()) page += fmt::format("- **{}**: {}\n", p.name, p.source);
  page +=
      "\n## Grain shapes\n\n`grain = \"NAME\"` in a [material.NAME]; or a shape of your own, "
      "[grain.NAME].\n\n";
  for (const BuiltInGrain& g : built_in_grains()) page += fmt::format("- `{}`: {}\n", g.name, g.description);
}

}  // namespace

std::string scene_reference_markdown() {
  std::string page(kIntroduction);
  for (const TableSpec& spec : scene_tables()) write_table(spec, page);
  write_shapes(page);
  write_lists(page);
  return page;
}

}  // namespace repose
