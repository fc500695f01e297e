#include "repose/scene/keys/tables.h"

#include "repose/scene/keys/checks.h"

namespace repose::scene_file {
namespace {

constexpr std::size_t kLongestName = 64;
constexpr std::size_t kMostMaterials = 255;  // particles carry the material as a byte
constexpr std::size_t kMostTables = 10000;

template <class S>
void write_fields(const S& s, const std::vector<Field<S>>& fields, const std::string& table,
                  std::vector<ResolvedKey>& out) {
  for (const Field<S>& f : fields) {
    if (f.info.later || !f.belongs(s) || !f.children.empty()) continue;
    const auto text = f.write(s, f.info);
    out.push_back(
        {table, std::string(f.info.name), text.value_or(""), f.info.unit, f.info.without, f.info.is_path});
  }
  for (const Field<S>& f : fields)
    if (!f.info.later && !f.children.empty())
      write_fields(s, f.children, table + "." + std::string(f.info.name), out);
}

/// The default of a key as the reference tells it. A key that does not belong into an empty table has one
/// too.
template <class S>
std::string fallback_words(const Field<S>& f) {
  if (f.info.required) return "required";
  if (!f.info.without.empty()) return std::string(f.info.without);
  S s;
  if constexpr (requires { s.shape.emplace(); }) s.shape.emplace();
  const auto text = f.write(s, f.info);
  return text ? fmt::format("`{}`", *text) : "none";
}

template <class S>
void document_fields(const std::vector<Field<S>>& fields, const std::string& table,
                     std::vector<DocumentedKey>& out) {
  for (const Field<S>& f : fields)
    if (f.children.empty()) out.push_back({table, f.info, f.expected, fallback_words(f)});
  for (const Field<S>& f : fields) {
    if (f.children.empty()) continue;
    const std::string name = table + "." + std::string(f.info.name);
    std::vector<DocumentedKey> children;
    document_fields(f.children, name, children);
    for (DocumentedKey& child : children) {
      child.info.later = child.info.later || f.info.later;
      out.push_back(std::move(child));
    }
  }
}

/// Whether a table belongs into the resolved scene. A table that turns a stage on by being there must not.
template <class S>
bool is_in_use(const S&) {
  return true;
}
bool is_in_use(const SurfaceSettings& surface) { return surface.given; }

/// A table that stands once: [scene].
template <class S>
TableSpec single(std::string_view name, S Scene::*member, const std::vector<Field<S>>& fields,
                 std::string_view doc, bool later = false) {
  const bool required = std::any_of(fields.begin(), fields.end(),
                                    [](const Field<S>& f) { return f.info.required && !f.applies; });
  TableSpec spec{name, false, later, required, doc, {}, {}, {}};
  spec.read = [name, member, &fields](const Value& value, ReadContext& context, Scene& scene) {
    read_table(value, fields, std::string(name), context.report, scene.*member);
    if (value.table() != nullptr) check(value, context, scene.*member);
  };
  spec.write = [name, member, later, &fields](const Scene& scene, std::vector<ResolvedKey>& out) {
    if (!later && is_in_use(scene.*member)) write_fields(scene.*member, fields, std::string(name), out);
  };
  spec.document = [name, &fields](std::vector<DocumentedKey>& out) {
    document_fields(fields, std::string(name), out);
  };
  return spec;
}

bool is_good_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

/// Tables of which there may be any number: [material.NAME].
template <class S>
TableSpec named(std::string_view name, std::vector<S> Scene::*member, const std::vector<Field<S>>& fields,
                std::string_view doc, bool later = false) {
  TableSpec spec{name, true, later, false, doc, {}, {}, {}};
  spec.read = [name, member, &fields](const Value& value, ReadContext& context, Scene& scene) {
    const Table* tables = value.table();
    if (tables == nullptr)
      return context.report.add(
          value.place, fmt::format("'{}' must hold tables [{}.NAME], not {}", name, name, describe(value)));
    const std::size_t most = std::is_same_v<S, Material> ? kMostMaterials : kMostTables;
    if (tables->size() > most)
      return context.report.add(value.place, fmt::format("{} tables [{}.NAME]; at most {} are possible",
                                                         tables->size(), name, most));
    for (const Entry& entry : *tables) {
      if (!is_good_name(entry.key))
        context.report.add(entry.place,
                           fmt::format("the name {} in [{}.NAME] must be 1 to {} of the characters A-Z "
                                       "a-z 0-9 _ -",
                                       in_quotes(entry.key), name, kLongestName));
      S s;
      s.name = entry.key;
      if (entry.value.table() != nullptr) prepare(entry.value, s);
      read_table(entry.value, fields, std::string(name) + "." + printable(entry.key), context.report, s);
      if (entry.value.table() != nullptr) check(entry.value, context, s);
      (scene.*member).push_back(std::move(s));
    }
  };
  spec.write = [name, member, later, &fields](const Scene& scene, std::vector<ResolvedKey>& out) {
    if (later) return;
    for (const S& s : scene.*member) write_fields(s, fields, std::string(name) + "." + s.name, out);
  };
  spec.document = [name, &fields](std::vector<DocumentedKey>& out) {
    document_fields(fields, std::string(name) + ".NAME", out);
  };
  return spec;
}

}  // namespace

std::vector<DocumentedKey> document_shape() {
  std::vector<DocumentedKey> keys;
  document_fields(shape_fields(), "", keys);
  return keys;
}

const std::vector<TableSpec>& scene_tables() {
  static const std::vector<TableSpec> tables = {
      single("scene", &Scene::info, scene_fields(), "The run as a whole."),
      single("domain", &Scene::domain, domain_fields(),
             "The box that matter lives in. Matter that leaves through an open face is "
             "removed and counted (`left` in stats.csv)."),
      single("solver", &Scene::solver, solver_fields(), "The method, and how fine it works."),
      named("material", &Scene::materials, material_fields(), "What matter is."),
      named("grain", &Scene::grains, grain_fields(),
            "A grain shape of your own: spheres that move together."),
      named(
          "contact", &Scene::contacts, contact_fields(),
          "Numbers for one pair of materials or bodies, instead of the mixing rule: between two materials "
          "the "
          "geometric mean of both, against a body the body's, against a wall of the domain its friction "
          "and the "
          "material's restitution; between two bodies the geometric mean of both, against a wall the body's "
          "restitution. A body's name stands for all its copies."),
      named("fill", &Scene::fills, fill_fields(),
            "Matter at the start: in a shape, at points, or from a file; exactly one of these."),
      named("emitter", &Scene::emitters, emitter_fields(), "Matter that comes in during the run."),
      named("sink", &Scene::sinks, sink_fields(), "Matter inside the shape is removed."),
      named("zone", &Scene::zones, zone_fields(), "Wetting, drag and wind inside a shape, under sph."),
      named("body", &Scene::bodies, body_fields(), "Rigid objects."),
      named("joint", &Scene::joints, joint_fields(), "What holds two bodies together."),
      named("probe", &Scene::probes, probe_fields(), "Measurements during the run, one file each."),
      named("check", &Scene::checks, check_fields(),
            "What must hold in the end, so that scenes test themselves."),
      single("refine", &Scene::refine, refine_fields(), "Many fine grains that follow the particles."),
      single("surface", &Scene::surface, surface_fields(),
             "A smooth mesh around the particles, for every frame that is written."),
      single("output", &Scene::output, output_fields(), "What is written."),
      single("render", &Scene::render, render_fields(), "Pictures and the film."),
  };
  return tables;
}

}  // namespace repose::scene_file
