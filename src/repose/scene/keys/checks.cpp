// Checks of the run as a whole, of bodies and pictures, and of names across tables.

#include "repose/scene/keys/checks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "repose/core/error.h"
#include "repose/scene/column_file.h"
#include "repose/scene/copies.h"
#include "repose/scene/grain_shapes.h"
#include "repose/scene/keys/check_parts.h"

namespace repose::scene_file {
namespace {

constexpr double kMostFrames = 1e6;

std::vector<Keyframe> read_keyframes(const std::string& path) {
  constexpr std::array<std::string_view, 7> kNames{"t", "x", "y", "z", "rx", "ry", "rz"};
  const Columns columns = read_columns(path, kNames);
  std::array<const std::vector<double>*, 7> c{};
  for (std::size_t i = 0; i < c.size(); ++i) {
    c[i] = columns.find(kNames[i]);
    if (c[i] == nullptr)
      throw Error(ExitCode::bad_scene,
                  fmt::format("there is no column '{}' (t,x,y,z,rx,ry,rz are needed)", kNames[i]));
  }
  std::vector<Keyframe> keys;
  for (std::size_t i = 0; i < columns.row_count(); ++i)
    keys.push_back({(*c[0])[i], {(*c[1])[i], (*c[2])[i], (*c[3])[i]}, {(*c[4])[i], (*c[5])[i], (*c[6])[i]}});
  if (keys.empty()) throw Error(ExitCode::bad_scene, "there are no rows");
  return keys;
}

/// What a row of keyframes leaves out is the body's own position or rotation.
void complete_keyframes(const Value& table, BodyDefinition& body) {
  const Entry* entry = table.find("keyframes");
  const List* rows = entry != nullptr ? entry->value.list() : nullptr;
  if (rows == nullptr || rows->size() != body.keyframes.size()) return;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    if ((*rows)[i].find("position") == nullptr) body.keyframes[i].position = body.shape.pose.position;
    if ((*rows)[i].find("rotation") == nullptr) body.keyframes[i].rotation = body.shape.rotation_degrees;
  }
}

void check_keyframes(const Value& table, ReadContext& context, BodyDefinition& body) {
  need_exactly_one(table, context, {"keyframes", "keyframes_file"}, "body." + body.name);
  const bool from_file = !body.keyframes_file.empty();
  if (from_file)
    read_named_file(table, context, "keyframes_file", body.keyframes_file,
                    [&](const std::string& path) { body.keyframes = read_keyframes(path); });
  else
    complete_keyframes(table, body);
  for (std::size_t i = 1; i < body.keyframes.size(); ++i)
    if (!(body.keyframes[i].t > body.keyframes[i - 1].t)) {
      context.report.add(place_in(table, from_file ? "keyframes_file" : "keyframes"),
                         fmt::format("keyframes must be in the order of their times: t = {} follows t = {}",
                                     body.keyframes[i].t, body.keyframes[i - 1].t));
      break;
    }
}

void check_dynamic(const Value& table, ReadContext& context, const BodyDefinition& body) {
  need_exactly_one(table, context, {"density", "mass"}, "body." + body.name);
  const bool is_shell = body.shape.thickness > 0;
  if (body.shape.kind == ShapeKind::plane || (body.shape.invert && !is_shell))
    context.report.add(place_in(table, "motion"),
                       "a dynamic body needs a solid of its own: planes and inverted shapes have no end");
}

void check_oscillation(const Value& table, ReadContext& context, const BodyDefinition& body) {
  const Entry* entry = table.find("oscillation");
  if (entry == nullptr) return;
  const Oscillation& o = body.oscillation;
  if (body.motion == Motion::dynamic)
    context.report.add(entry->place,
                       "'oscillation' belongs to motion = \"static\", \"keyframed\" or \"moving\": a dynamic "
                       "body goes where it is pushed");
  else if (o.amplitude == Vec3d(0) && o.rotation == Vec3d(0))
    context.report.add(entry->place,
                       "'oscillation' needs an 'amplitude' [m] or a 'rotation' [deg] other than 0");
  else if (o.pivot && o.rotation == Vec3d(0))
    context.report.add(entry->place,
                       "'pivot' of an oscillation is what its 'rotation' turns about, and it has none");
}

std::vector<std::string_view> names_of(const auto& tables) {
  std::vector<std::string_view> names;
  for (const auto& table : tables) names.push_back(table.name);
  return names;
}

bool contains(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Reports names that refer to nothing.
class References {
 public:
  References(const Value& root, Report& report) : root_(root), report_(report) {}

  /// `name` is what the key of [kind.owner] says; an item of it, where the key is a list.
  void need(std::string_view kind, std::string_view owner, std::string_view key, const std::string& name,
            std::string_view what, const std::vector<std::string_view>& known, int item = -1) {
    if (name.empty() || contains(known, name)) return;
    report_.add(place(kind, owner, key, item),
                fmt::format("there is no {} {}{}", what, in_quotes(name), suggestion(name, known)));
  }
  Place place(std::string_view kind, std::string_view owner, std::string_view key, int item = -1) const {
    const Entry* tables = root_.find(kind);
    const Entry* table = tables != nullptr ? tables->value.find(owner) : nullptr;
    if (table == nullptr) return {};
    const Entry* entry = table->value.find(key);
    if (entry == nullptr) return table->value.place;
    const List* items = entry->value.list();
    const auto index = static_cast<std::size_t>(item);
    return item >= 0 && items != nullptr && index < items->size() ? (*items)[index].place
                                                                  : entry->value.place;
  }

 private:
  const Value& root_;
  Report& report_;
};

/// The faces of the domain that are bodies.
std::vector<std::string> wall_names(const Domain& domain) {
  std::vector<std::string> names;
  for (std::size_t face = 0; face < kFaceNames.size(); ++face)
    if (domain.faces[face] == FaceKind::wall) names.push_back(std::string("domain.") + kFaceNames[face]);
  return names;
}

/// The body of this name, which may be a copy; none if there is no such body.
const BodyDefinition* find_body(const Scene& scene, const std::string& name) {
  for (const BodyDefinition& body : scene.bodies) {
    if (name.rfind(body.name, 0) != 0) continue;
    const std::uint64_t count = std::min(copy_count(body), kMostCopies);
    for (std::uint64_t copy = 0; copy < count; ++copy)
      if (copy_name(body, copy) == name) return &body;
  }
  return nullptr;
}

void check_joints(References& references, ReadContext& context, const Scene& scene) {
  auto known = names_of(scene.bodies);
  known.emplace_back(kWorldName);
  for (const JointDefinition& j : scene.joints) {
    bool all_known = true, any_dynamic = false;
    for (int i = 0; i < 2; ++i) {
      const std::string& name = j.bodies[static_cast<std::size_t>(i)];
      if (name == kWorldName) continue;
      const BodyDefinition* body = find_body(scene, name);
      if (body != nullptr) {
        any_dynamic = any_dynamic || body->motion == Motion::dynamic;
        continue;
      }
      all_known = false;
      if (contains(known, name))
        context.report.add(references.place("joint", j.name, "bodies", i),
                           fmt::format("{} stands for several bodies: name one of them, as '{}.0'",
                                       in_quotes(name), printable(name)));
      else
        references.need("joint", j.name, "bodies", name, "body", known, i);
    }
    if (all_known && j.bodies[0] == j.bodies[1])
      context.report.add(references.place("joint", j.name, "bodies"), "a joint needs two different bodies");
    else if (all_known && !any_dynamic)
      context.report.add(references.place("joint", j.name, "bodies"),
                         "one of the two bodies of a joint must be dynamic: there is nothing to hold");
  }
}

void check_shared_names(const References& references, ReadContext& context, const Scene& scene) {
  const auto materials = names_of(scene.materials);
  for (const BodyDefinition& body : scene.bodies)
    if (contains(materials, body.name))
      context.report.add(references.place("body", body.name, ""),
                         fmt::format("a material is called {} too; [contact.NAME] could not tell them apart",
                                     in_quotes(body.name)));
  for (const GrainDefinition& grain : scene.grains)
    if (find_built_in_grain(grain.name) != nullptr)
      context.report.add(references.place("grain", grain.name, ""),
                         fmt::format("{} is the name of a built-in grain shape", in_quotes(grain.name)));
}

}  // namespace

void check(const Value& table, ReadContext& context, SceneInfo& info) {
  const double frames = info.duration * info.fps;
  if (frames > kMostFrames)
    context.report.add(
        place_in(table, "duration"),
        fmt::format("{} s at {} frames a second are {:.0f} frames; at most {:.0f} are possible",
                    info.duration, info.fps, frames, kMostFrames));
  // Rounded to whole frames it would be none, and the first one stands past the end.
  if (frames < 0.5)
    context.report.add(
        place_in(table, "duration"),
        fmt::format("{} s at {} frames a second are less than half a frame, and a run has at least one: "
                    "'duration' must be at least {:.6g} s, or 'fps' at least {:.6g}",
                    info.duration, info.fps, 0.5 / info.fps, 0.5 / info.duration));
}

void check(const Value& table, ReadContext& context, Domain& domain) {
  domain.given = true;
  if (table.find("min") == nullptr || table.find("max") == nullptr) return;
  for (int axis = 0; axis < 3; ++axis)
    if (!(domain.min[axis] < domain.max[axis])) {
      context.report.add(place_in(table, "max"),
                         fmt::format("'max' must be more than 'min' along each axis: {} is {}, {} is {}",
                                     std::string("min ") + "xyz"[axis], domain.min[axis],
                                     std::string("max ") + "xyz"[axis], domain.max[axis]));
      break;
    }
}

void check(const Value& table, ReadContext& context, BodyDefinition& body) {
  check_shape(table, context, body.shape, true);
  if (body.motion == Motion::keyframed) check_keyframes(table, context, body);
  if (body.motion == Motion::dynamic) check_dynamic(table, context, body);
  check_oscillation(table, context, body);
  if (!body.positions.empty() && body.copies != std::array<int, 3>{1, 1, 1})
    context.report.add(place_in(table, "positions"),
                       fmt::format("[body.{}] needs only one of 'copies' with 'step', or 'positions'",
                                   printable(body.name)));
  if (copy_count(body) > kMostCopies)
    context.report.add(
        place_in(table, "copies"),
        fmt::format("'copies' make {} bodies; at most {} are possible", copy_count(body), kMostCopies));
  if (body.name == kWorldName)
    context.report.add(table.place, "a body must not be called 'world': joints mean the world itself by it");
}

void check(const Value& table, ReadContext& context, JointDefinition& joint) {
  if (joint.axis.length() == 0) context.report.add(place_in(table, "axis"), "'axis' must not be [0, 0, 0]");
}

void check(const Value&, ReadContext&, RefineSettings& refine) { refine.given = true; }

void check(const Value&, ReadContext&, SurfaceSettings& surface) { surface.given = true; }

void check(const Value& table, ReadContext& context, RenderSettings& render) {
  if (render.size[0] % 2 != 0 || render.size[1] % 2 != 0)
    context.report.add(
        place_in(table, "size"),
        fmt::format("'size' must be even, since films need it: not {} x {}", render.size[0], render.size[1]));
  if (render.sun.length() == 0) context.report.add(place_in(table, "sun"), "'sun' must not be [0, 0, 0]");
  if (render.range && !((*render.range)[0] < (*render.range)[1]))
    context.report.add(place_in(table, "range"), "'range' must be a lower and then a higher number");
  if (render.camera_position && render.camera_target && *render.camera_position == *render.camera_target)
    context.report.add(place_in(table, "camera"), "'position' and 'target' of the camera must differ");
  if (render.clip && (*render.clip)[0] == 0 && (*render.clip)[1] == 0 && (*render.clip)[2] == 0)
    context.report.add(place_in(table, "clip"), "'clip' needs a normal other than [0, 0, 0]");
  for (std::size_t i = 1; i < render.camera_keys.size(); ++i)
    if (!(render.camera_keys[i].t > render.camera_keys[i - 1].t)) {
      context.report.add(
          place_in(table, "camera"),
          fmt::format("keyframes of the camera must be in the order of their times: t = {} follows t = {}",
                      render.camera_keys[i].t, render.camera_keys[i - 1].t));
      break;
    }
}

/// An axis that no file is turned to was meant for something else.
void check_up(const Value& root, ReadContext& context, const Scene& scene) {
  const bool turns =
      scene.surface.given || std::any_of(scene.output.formats.begin(), scene.output.formats.end(),
                                         [](const std::string& format) { return format != "ply"; });
  const Entry* output = root.find("output");
  if (scene.output.up == "y" && !turns && output != nullptr)
    context.report.add(
        place_in(output->value, "up"),
        "'up' = \"y\" turns csv, vtp and vdb files, and 'formats' names none of them; ply files "
        "keep z up (repose export --to ply --up y turns them)");
}

void check_references(const Value& root, ReadContext& context, const Scene& scene) {
  References references(root, context.report);
  const auto materials = names_of(scene.materials), bodies = names_of(scene.bodies);
  auto grains = names_of(scene.grains);
  for (const BuiltInGrain& grain : built_in_grains()) grains.push_back(grain.name);
  auto sides = materials;
  sides.insert(sides.end(), bodies.begin(), bodies.end());

  for (const Material& m : scene.materials)
    references.need("material", m.name, "grain", m.grain, "grain shape", grains);
  for (const Fill& f : scene.fills)
    references.need("fill", f.name, "material", f.material, "material", materials);
  for (const Emitter& e : scene.emitters)
    references.need("emitter", e.name, "material", e.material, "material", materials);
  for (const ContactPair& c : scene.contacts)
    for (int i = 0; i < 2; ++i)
      references.need("contact", c.name, "between", c.between[static_cast<std::size_t>(i)],
                      "material or body", sides, i);
  check_joints(references, context, scene);
  check_up(root, context, scene);
  const std::vector<std::string> walls = wall_names(scene.domain);
  auto pushed = bodies;
  pushed.insert(pushed.end(), walls.begin(), walls.end());
  for (const ProbeDefinition& p : scene.probes) {
    check_probe_rows(context, references.place("probe", p.name, "interval"), scene, p);
    for (std::size_t i = 0; i < p.body.items.size(); ++i)
      if (find_body(scene, p.body.items[i]) == nullptr)
        references.need("probe", p.name, "body", p.body.items[i], "body or wall", pushed,
                        static_cast<int>(i));
  }
  for (const CheckDefinition& c : scene.checks) {
    references.need("check", c.name, "probe", c.probe, "probe", names_of(scene.probes));
    check_probe_column(context, references.place("check", c.name, "column"), scene, c);
  }
  check_shared_names(references, context, scene);
}

}  // namespace repose::scene_file
