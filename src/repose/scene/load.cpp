#include "repose/scene/load.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/scene/keys/checks.h"
#include "repose/scene/keys/tables.h"
#include "repose/scene/text/screen.h"
#include "repose/scene/text/toml_reader.h"

namespace repose {
namespace {

using namespace scene_file;

void read_tables(const Value& root, ReadContext& context, Scene& scene) {
  std::vector<std::string_view> names;
  for (const TableSpec& spec : scene_tables()) names.push_back(spec.name);
  for (const Entry& entry : *root.table())
    if (std::find(names.begin(), names.end(), entry.key) == names.end())
      context.report.add(
          entry.place, fmt::format("unknown table {}{}", in_quotes(entry.key), suggestion(entry.key, names)));
  for (const TableSpec& spec : scene_tables()) {
    const Entry* entry = root.find(spec.name);
    if (entry == nullptr) {
      // Read as an empty table, so that what it needs is told.
      if (spec.required) spec.read(Value{{}, Table{}}, context, scene);
      continue;
    }
    if (spec.later) context.report.add(entry->place, not_available(in_quotes(spec.name)));
    spec.read(entry->value, context, scene);
  }
}

/// Remembers where each table and each of its keys stands.
void note_places(const Value& value, const std::string& prefix, const Report& report, Scene& scene) {
  for (const Entry& entry : *value.table()) {
    const std::string key = prefix + entry.key;
    scene.places.emplace(key, report.where(entry.value.table() != nullptr ? entry.place : entry.value.place));
    if (entry.value.table() != nullptr) note_places(entry.value, key + ".", report, scene);
  }
}

std::string read_scene_file(const std::string& path) {
  std::error_code error;
  const auto tried = [&] {
    return fmt::format("'{}' (in the folder '{}')", path, std::filesystem::current_path(error).string());
  };
  if (!std::filesystem::exists(path, error))
    throw Error(ExitCode::usage, "there is no scene file " + tried());
  if (!std::filesystem::is_regular_file(path, error))
    throw Error(ExitCode::usage, "the scene " + tried() + " is not a file");
  std::ifstream in(path, std::ios::binary);
  // One byte more than will be taken: enough to see that it is too long, whatever it is.
  std::string text(kLargestText + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (in.bad() || !in.is_open()) throw Error(ExitCode::usage, "cannot read the scene file " + tried());
  return text;
}

/// The word of a scene file for one choice of a key.
template <class Struct>
std::string_view choice_name(const std::vector<Field<Struct>>& fields, std::string_view key,
                             std::size_t choice) {
  for (const Field<Struct>& f : fields)
    if (f.info.name == key) return f.info.choices[choice].name;
  return {};
}

}  // namespace

Scene load_scene(const std::string& path, std::span<const std::string> overrides) {
  const std::string text = read_scene_file(path);
  const std::filesystem::path folder = std::filesystem::absolute(path).lexically_normal().parent_path();
  return parse_scene(text, path, folder.string(), overrides);
}

Scene parse_scene(std::string_view text, const std::string& path, const std::string& directory,
                  std::span<const std::string> overrides) {
  Report report(path, overrides);
  ReadContext context{report, directory};
  Value root = read_toml(text, report);
  apply_overrides(root, overrides, report);
  Scene scene;
  scene.path = path;
  scene.directory = directory;
  read_tables(root, context, scene);
  check_references(root, context, scene);
  report.throw_if_any();
  note_places(root, "", report, scene);
  return scene;
}

std::string_view solver_name(SolverKind kind) {
  return choice_name(solver_fields(), "type", static_cast<std::size_t>(kind));
}

std::string_view shape_name(ShapeKind kind) {
  return choice_name(shape_fields(), "shape", static_cast<std::size_t>(kind));
}

std::string_view motion_name(Motion motion) {
  return choice_name(body_fields(), "motion", static_cast<std::size_t>(motion));
}

std::string Scene::where(std::string key) const {
  while (true) {
    const auto found = places.find(key);
    if (found != places.end()) return found->second + ": ";
    const std::size_t dot = key.rfind('.');
    if (dot == std::string::npos) return path.empty() ? "" : path + ": ";
    key.resize(dot);
  }
}

int Scene::frame_count() const {
  return std::max(1, static_cast<int>(std::lround(info.duration * info.fps)));
}

}  // namespace repose
