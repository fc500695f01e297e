// Checks of what matter is and where it starts, comes from and goes.

#include <algorithm>
#include <array>
#include <filesystem>

#include "repose/core/error.h"
#include "repose/scene/column_file.h"
#include "repose/scene/grain_slopes.h"
#include "repose/scene/keys/check_parts.h"
#include "repose/scene/keys/checks.h"
#include "repose/scene/presets.h"

namespace repose::scene_file {
namespace {

template <class S>
void check_times(const Value& table, ReadContext& context, const S& s) {
  if (s.stop && *s.stop < s.start)
    context.report.add(place_in(table, "stop"),
                       fmt::format("'stop' must be at or after 'start' ({} s), not {}", s.start, *s.stop));
}

void check_has_volume(const Value& table, ReadContext& context, const Shape& shape,
                      std::string_view purpose) {
  if (shape.kind == ShapeKind::plane)
    context.report.add(place_in(table, "shape"), fmt::format("a plane has no volume {}", purpose));
}

/// In a fill with a mesh, 'file' is the mesh's.
void take_mesh_file(const Value& table, ReadContext& context, Fill& fill) {
  need_exactly_one(table, context, {"shape", "points"}, "fill." + fill.name);
  if (fill.file.empty() && table.find("file") == nullptr)
    context.report.add(table.place, fmt::format("[fill.{}] needs 'file', the path of a file, as text",
                                                printable(fill.name)));
  fill.shape->file = fill.file;
}

/// Three or four columns that stand together, or none.
template <std::size_t N>
bool take_columns(const Columns& columns, const std::array<std::string_view, N>& names,
                  std::array<const std::vector<double>*, N>& out) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < N; ++i) {
    out[i] = columns.find(names[i]);
    if (out[i] != nullptr) ++found;
  }
  if (found != 0 && found != N)
    throw Error(ExitCode::bad_scene,
                fmt::format("the columns {} stand together or not at all", fmt::join(names, " ")));
  return found == N;
}

std::vector<Vec3d> take_vectors(const Columns& columns, const std::array<std::string_view, 3>& names) {
  std::array<const std::vector<double>*, 3> parts{};
  std::vector<Vec3d> vectors;
  if (!take_columns(columns, names, parts)) return vectors;
  vectors.reserve(columns.row_count());
  for (std::size_t i = 0; i < columns.row_count(); ++i)
    vectors.emplace_back((*parts[0])[i], (*parts[1])[i], (*parts[2])[i]);
  return vectors;
}

std::vector<Quatd> take_quaternions(const Columns& columns) {
  std::array<const std::vector<double>*, 4> parts{};
  std::vector<Quatd> quaternions;
  if (!take_columns<4>(columns, {"qw", "qx", "qy", "qz"}, parts)) return quaternions;
  for (std::size_t i = 0; i < columns.row_count(); ++i) {
    const Quatd q((*parts[0])[i], (*parts[1])[i], (*parts[2])[i], (*parts[3])[i]);
    if (!(std::abs(q.length() - 1) < 1e-3))
      throw Error(ExitCode::bad_scene, fmt::format("row {}: qw qx qy qz is not of length 1", i + 1));
    quaternions.push_back(q.normalized());
  }
  return quaternions;
}

/// Diameters from the column d, or from radius, which particle files of a run have.
std::vector<double> take_diameters(const Columns& columns) {
  const std::vector<double>* diameters = columns.find("d");
  const std::vector<double>* radii = columns.find("radius");
  std::vector<double> out;
  if (diameters == nullptr && radii == nullptr) return out;
  for (std::size_t i = 0; i < columns.row_count(); ++i) {
    out.push_back(diameters != nullptr ? (*diameters)[i] : 2 * (*radii)[i]);
    if (!(out.back() > 0))
      throw Error(ExitCode::bad_scene, fmt::format("row {}: a diameter must be more than 0", i + 1));
  }
  return out;
}

FillRows read_fill_rows(const std::string& path) {
  constexpr std::array<std::string_view, 15> kWanted{"x",  "y",  "z",  "vx", "vy", "vz", "wx",    "wy",
                                                     "wz", "qw", "qx", "qy", "qz", "d",  "radius"};
  const Columns columns = read_columns(path, kWanted);
  FillRows rows;
  rows.position = take_vectors(columns, {"x", "y", "z"});
  if (rows.position.empty()) throw Error(ExitCode::bad_scene, "there are no columns x y z, or no rows");
  rows.velocity = take_vectors(columns, {"vx", "vy", "vz"});
  rows.angular_velocity = take_vectors(columns, {"wx", "wy", "wz"});
  rows.orientation = take_quaternions(columns);
  rows.diameter = take_diameters(columns);
  return rows;
}

/// As the CLUMP tool writes them, which lists some spheres twice: a second one would push twice.
std::vector<std::array<double, 4>> read_spheres(const std::string& path) {
  constexpr std::array<std::string_view, 4> kNames{"x", "y", "z", "r"};
  const std::vector<double> numbers = read_number_lines(path, kNames);
  std::vector<std::array<double, 4>> spheres;
  for (std::size_t i = 0; i + 3 < numbers.size(); i += 4) {
    const std::array<double, 4> sphere{numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]};
    if (!(sphere[3] > 0))
      throw Error(ExitCode::bad_scene,
                  fmt::format("the radius of sphere {} must be more than 0, not {}", i / 4 + 1, sphere[3]));
    if (std::find(spheres.begin(), spheres.end(), sphere) == spheres.end()) spheres.push_back(sphere);
  }
  return spheres;
}

/// The friction of a preset belongs to its grains. Others stand at its slope with another one, which dem
/// looks up; where nobody measured that, they have what materials have without a preset.
void adapt_friction(const Value& table, Material& material) {
  constexpr double kFriction = 0.5;
  const Entry* grain = table.find("grain");
  const std::string* shape = grain != nullptr ? grain->value.text() : nullptr;
  if (shape == nullptr || *shape == material.grain) return;
  if (friction_for_slope(*shape, *material.friction_angle))
    material.friction.reset();
  else
    material.friction = kFriction;
}

}  // namespace

void prepare(const Value& table, Material& material) {
  const Entry* preset = table.find("preset");
  const std::string* name = preset != nullptr ? preset->value.text() : nullptr;
  const MaterialPreset* known = name != nullptr ? find_material_preset(*name) : nullptr;
  if (known == nullptr) return;
  const std::string own_name = material.name;
  material = known->values;
  material.name = own_name;
  // An angle of the scene's own stands for the preset's coefficients too, which give another angle.
  if (table.find("friction_angle") != nullptr) {
    material.friction.reset();
    material.rolling_friction.reset();
  } else if (material.kind == MaterialKind::granular && table.find("rolling_friction") == nullptr) {
    adapt_friction(table, material);
  }
}

void check(const Value& table, ReadContext& context, Material& material) {
  if (!material.preset.empty() && find_material_preset(material.preset) == nullptr) {
    std::vector<std::string_view> names;
    for (const MaterialPreset& preset : material_presets()) names.push_back(preset.name);
    context.report.add(place_in(table, "preset"),
                       fmt::format("there is no preset {}{}", in_quotes(material.preset),
                                   suggestion(material.preset, names)));
  }
  if (material.kind != MaterialKind::fluid && material.density > material.grain_density)
    context.report.add(
        place_in(table, table.find("density") != nullptr ? "density" : "grain_density"),
        fmt::format("'density' (of the bulk, {} kg/m3) must not be more than 'grain_density' ({} kg/m3)",
                    material.density, material.grain_density));
}

void check(const Value& table, ReadContext& context, GrainDefinition& grain) {
  need_exactly_one(table, context, {"spheres", "file"}, "grain." + grain.name);
  if (!grain.file.empty())
    read_named_file(table, context, "file", grain.file, [&](const std::string& path) {
      grain.spheres = read_spheres(path);
      if (grain.spheres.empty() || grain.spheres.size() > 1000)
        throw Error(ExitCode::bad_scene,
                    fmt::format("{} spheres; 1 to 1000 are possible", grain.spheres.size()));
    });
  for (const auto& sphere : grain.spheres)
    if (!(sphere[3] > 0)) {
      context.report.add(place_in(table, "spheres"),
                         fmt::format("the radius of a sphere must be more than 0, not {}", sphere[3]));
      break;
    }
}

void check(const Value& table, ReadContext& context, ContactPair& contact) {
  if (!contact.friction && !contact.restitution && !contact.cohesion)
    context.report.add(table.place, fmt::format("[contact.{}] needs 'friction', 'restitution' or 'cohesion'",
                                                printable(contact.name)));
}

void prepare(const Value& table, Fill& fill) {
  if (table.find("shape") != nullptr) fill.shape.emplace();
}

void check(const Value& table, ReadContext& context, Fill& fill) {
  const bool has_mesh =
      fill.shape && (fill.shape->kind == ShapeKind::mesh || fill.shape->kind == ShapeKind::heightfield);
  if (has_mesh)
    take_mesh_file(table, context, fill);
  else
    need_exactly_one(table, context, {"shape", "points", "file"}, "fill." + fill.name);
  if (fill.shape) {
    check_shape(table, context, *fill.shape);
    check_has_volume(table, context, *fill.shape, "to fill");
    if (has_mesh) fill.file = fill.shape->file;
  }
  if (!fill.file.empty() && !has_mesh)
    read_named_file(table, context, "file", fill.file,
                    [&](const std::string& path) { fill.rows = read_fill_rows(path); });
}

void check(const Value& table, ReadContext& context, Emitter& emitter) {
  check_shape(table, context, emitter.shape);
  check_has_volume(table, context, emitter.shape, "to emit from");
  check_times(table, context, emitter);
  if (emitter.fade > 0 && !emitter.stop)
    context.report.add(place_in(table, "fade"), "'fade' is time before 'stop': give that too");
  else if (emitter.fade > 0 && emitter.fade > *emitter.stop - emitter.start)
    context.report.add(place_in(table, "fade"),
                       fmt::format("'fade' must be at most the {} s from 'start' to 'stop', not {}",
                                   *emitter.stop - emitter.start, emitter.fade));
}

void check(const Value& table, ReadContext& context, Sink& sink) {
  check_shape(table, context, sink.shape);
  check_times(table, context, sink);
}

void check(const Value& table, ReadContext& context, Zone& zone) {
  check_shape(table, context, zone.shape);
  check_times(table, context, zone);
}

}  // namespace repose::scene_file
