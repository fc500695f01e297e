// Keys of [scene] and [domain].

#include <algorithm>

#include "repose/scene/keys/tables.h"

namespace repose::scene_file {
namespace {

constexpr Choice kFaces[] = {{"wall"}, {"open"}, {"periodic"}};

constexpr KeyInfo axis_info(std::string_view name) {
  return {
      .name = name,
      .choices = kFaces,
      .doc = "the two faces across this axis; a pair such as [\"wall\", \"open\"] gives the low one first"};
}

/// x, y or z of the domain: one word for both faces, or a pair.
Field<Domain> axis_field(std::string_view name, std::size_t axis) {
  Field<Domain> f{axis_info(name), choice_words(kFaces) + ", or a pair of them", {}, {}, {}, {}};
  f.read = [axis, expected = f.expected](const Value& value, const KeyInfo& key, Report& report,
                                         Domain& domain) {
    FaceKind &low = domain.faces[2 * axis], &high = domain.faces[2 * axis + 1];
    if (const List* pair = value.list()) {
      if (pair->size() != 2) return report_misfit(value, key, expected, report), false;
      if (!Codec<FaceKind>::read((*pair)[0], key, report, low) ||
          !Codec<FaceKind>::read((*pair)[1], key, report, high))
        return false;
      if ((low == FaceKind::periodic) == (high == FaceKind::periodic)) return true;
      report.add(value.place, fmt::format("'{}' must be \"periodic\" on both faces or on none", key.name));
      return false;
    }
    if (value.text() == nullptr) return report_misfit(value, key, expected, report), false;
    if (!Codec<FaceKind>::read(value, key, report, low)) return false;
    high = low;
    return true;
  };
  f.write = [axis](const Domain& domain, const KeyInfo& key) -> std::optional<std::string> {
    return write_list({Codec<FaceKind>::write(domain.faces[2 * axis], key),
                       Codec<FaceKind>::write(domain.faces[2 * axis + 1], key)});
  };
  return f;
}

/// A number for all faces, or a table by face with a default for the others.
bool read_face_friction(const Value& value, const KeyInfo& key, Report& report, Domain& domain) {
  const Table* table = value.table();
  if (table == nullptr) {
    double friction = 0;
    if (!Codec<double>::read(value, key, report, friction)) return false;
    domain.friction.fill(friction);
    return true;
  }
  if (const Entry* all = value.find("default"))
    if (const auto number = number_in_range(all->value, key)) domain.friction.fill(*number);
  std::vector<std::string_view> names(kFaceNames.begin(), kFaceNames.end());
  names.emplace_back("default");
  bool good = true;
  for (const Entry& entry : *table) {
    const auto name = std::find(names.begin(), names.end(), entry.key);
    KeyInfo face_key = key;
    face_key.name = entry.key;
    double friction = 0;
    if (name == names.end()) {
      report.add(entry.place, fmt::format("unknown face {} in 'friction' of [domain]{}", in_quotes(entry.key),
                                          suggestion(entry.key, names)));
      good = false;
    } else if (!Codec<double>::read(entry.value, face_key, report, friction)) {
      good = false;
    } else if (entry.key != "default") {
      domain.friction[static_cast<std::size_t>(name - names.begin())] = friction;
    }
  }
  return good;
}

Field<Domain> friction_field() {
  KeyInfo info{.name = "friction",
               .range = {.min = 0, .infinite = true},
               .doc = "of the walls, for all or by face, as in { default = 0.5, \"z-\" = 0.8 }; inf: no slip",
               .without = "0.5 on all faces"};
  Field<Domain> f{info, Codec<double>::expected(info) + ", or a table of them by face", {}, {}, {}, {}};
  f.read = read_face_friction;
  f.write = [](const Domain& domain, const KeyInfo&) -> std::optional<std::string> {
    std::vector<std::string> items;
    for (std::size_t face = 0; face < 6; ++face)
      items.push_back(fmt::format("\"{}\" = {}", kFaceNames[face], write_number(domain.friction[face])));
    return fmt::format("{{ {} }}", fmt::join(items, ", "));
  };
  return f;
}

}  // namespace

const std::vector<Field<SceneInfo>>& scene_fields() {
  static const std::vector<Field<SceneInfo>> fields = {
      field(&SceneInfo::version,
            {.name = "version", .range = {.min = 1, .max = 1}, .doc = "of the scene format"}),
      field(&SceneInfo::title, {.name = "title", .doc = "for people"}),
      field(&SceneInfo::duration, {.name = "duration",
                                   .unit = "s",
                                   .range = kPositive,
                                   .doc = "simulated time, rounded to whole frames; half a frame at least"}),
      field(&SceneInfo::fps, {.name = "fps",
                              .unit = "1/s",
                              .range = {.min = 0, .max = 1e6, .above_min = true},
                              .doc = "frames a second; frame 0 is the initial state"}),
      field(&SceneInfo::gravity, {.name = "gravity", .unit = "m/s2", .doc = "acceleration of everything"}),
      field(&SceneInfo::wind, {.name = "wind",
                               .unit = "m/s",
                               .doc = "velocity of the air, which fine grains feel by refine.drag"}),
      field(&SceneInfo::seed, {.name = "seed",
                               .range = kNotNegative,
                               .doc = "of all random numbers; another seed is another run"}),
      field(&SceneInfo::settle,
            {.name = "settle",
             .unit = "s",
             .range = kNotNegative,
             .doc = "time that is run before frame 0; releases, removals, keyframes, emitters, sinks "
                    "and zones wait"}),
  };
  return fields;
}

const std::vector<Field<Domain>>& domain_fields() {
  static const std::vector<Field<Domain>> fields = {
      field(&Domain::min, {.name = "min", .unit = "m", .doc = "the low corner", .required = true}),
      field(&Domain::max, {.name = "max", .unit = "m", .doc = "the high corner", .required = true}),
      axis_field("x", 0),
      axis_field("y", 1),
      axis_field("z", 2),
      friction_field(),
  };
  return fields;
}

}  // namespace repose::scene_file
