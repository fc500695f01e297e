#include "repose/scene/keys/check_parts.h"

#include <filesystem>

#include "repose/core/error.h"
#include "repose/geometry/mesh/mesh_audit.h"

namespace repose::scene_file {
namespace {

constexpr std::size_t kLongestPath = 400, kLongestMessage = 400;

}  // namespace

Place place_in(const Value& table, std::string_view key) {
  const Entry* entry = table.find(key);
  return entry != nullptr ? entry->value.place : table.place;
}

void need_exactly_one(const Value& table, ReadContext& context, std::initializer_list<std::string_view> keys,
                      const std::string& header) {
  std::string words;
  const Entry* last = nullptr;
  std::size_t index = 0, count = 0;
  for (const std::string_view key : keys) {
    words += (index == 0 ? "'" : index + 1 == keys.size() ? " or '" : ", '") + std::string(key) + "'";
    ++index;
    const Entry* entry = table.find(key);
    if (entry == nullptr) continue;
    ++count;
    if (last == nullptr || last->place < entry->place) last = entry;
  }
  if (count == 1) return;
  context.report.add(
      last != nullptr ? last->place : table.place,
      fmt::format("[{}] needs {} of {}", printable(header), count == 0 ? "one" : "only one", words));
}

void read_named_file(const Value& table, ReadContext& context, std::string_view key, std::string& path,
                     const std::function<void(const std::string&)>& read) {
  path = (std::filesystem::path(context.directory) / path).lexically_normal().string();
  try {
    read(path);
  } catch (const Error& error) {
    context.report.add(place_in(table, key), fmt::format("'{}': {}", printable(path, kLongestPath),
                                                         printable(error.what(), kLongestMessage)));
  }
}

namespace {

void check_profile(const Value& table, ReadContext& context, const Shape& shape) {
  // An empty list is told by the key itself.
  if (shape.profile.size() == 1)
    context.report.add(place_in(table, "profile"), "'profile' must have at least 2 points, not 1");
  for (const Vec2d& point : shape.profile)
    if (point.x < 0) {
      context.report.add(place_in(table, "profile"),
                         fmt::format("'profile' must keep to r >= 0: {} does not fit", point.x));
      break;
    }
}

/// Loads the file and refuses what is no solid.
void check_mesh(const Value& table, ReadContext& context, Shape& shape, bool can_be_shell) {
  if (shape.file.empty()) return;  // told already
  read_named_file(table, context, "file", shape.file, [&](const std::string& path) {
    shape.file = path;
    context.meshes.load(shape);
    for (const MeshFinding& finding : mesh_errors(
             *shape.mesh, {.scale = shape.scale, .thickness = shape.thickness, .can_be_shell = can_be_shell}))
      throw Error(ExitCode::bad_scene, fmt::format("{}: {}", finding.text, finding.remedy));
  });
}

}  // namespace

void check_shape(const Value& table, ReadContext& context, Shape& shape, bool can_be_shell) {
  if (shape.kind == ShapeKind::lathe) check_profile(table, context, shape);
  if (shape.kind == ShapeKind::mesh || shape.kind == ShapeKind::heightfield)
    check_mesh(table, context, shape, can_be_shell);
}

}  // namespace repose::scene_file
