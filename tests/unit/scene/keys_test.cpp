// Every key of every table, by the tables themselves: it can be read, comes back the same from the resolved
// text, is checked for type and range, and stands on the reference page.

#include <set>

#include "scene_text.h"
#include <gtest/gtest.h>

#include "repose/scene/keys/tables.h"
#include "repose/scene/text/toml_reader.h"

namespace repose::scene_file {
namespace {

/// Calls f(table name, keys) for each table.
template <class F>
void for_each_table(F&& f) {
  f("scene", scene_fields());
  f("domain", domain_fields());
  f("solver", solver_fields());
  f("material.NAME", material_fields());
  f("grain.NAME", grain_fields());
  f("contact.NAME", contact_fields());
  f("fill.NAME", fill_fields());
  f("emitter.NAME", emitter_fields());
  f("sink.NAME", sink_fields());
  f("zone.NAME", zone_fields());
  f("body.NAME", body_fields());
  f("joint.NAME", joint_fields());
  f("probe.NAME", probe_fields());
  f("check.NAME", check_fields());
  f("refine", refine_fields());
  f("surface", surface_fields());
  f("output", output_fields());
  f("render", render_fields());
}

/// Calls f(path, key, S{}) for each key, also those of tables within tables.
template <class S, class F>
void for_each_key(const std::string& table, const std::vector<Field<S>>& fields, F& f) {
  for (const Field<S>& field : fields) {
    const std::string path = table + "." + std::string(field.info.name);
    if (field.children.empty())
      f(path, field, S{});
    else
      for_each_key(path, field.children, f);
  }
}
template <class F>
void for_each_key(F&& f) {
  for_each_table([&](const std::string& table, const auto& fields) { for_each_key(table, fields, f); });
}

Value value_of(const std::string& toml) {
  const std::string path = "v.toml";
  Report report(path, {});
  return read_toml("v = " + toml, report).table()->front().value;
}

/// A number that fits the range, not the default of anything.
double sample_number(const Range& range) {
  if (std::isfinite(range.min) && std::isfinite(range.max)) return range.min + 0.75 * (range.max - range.min);
  if (std::isfinite(range.min)) return range.min + 3.5;
  return -1.25;
}

std::string repeat(const std::string& item, int count) {
  return fmt::format("[{}]",
                     fmt::join(std::vector<std::string>(static_cast<std::size_t>(count), item), ", "));
}

/// A value that fits what the key expects, as TOML.
std::string sample_toml(const KeyInfo& info, const std::string& expected, bool truth = true) {
  std::string number = fmt::format("{}", sample_number(info.range));
  std::string whole = fmt::format("{:.0f}", std::floor(sample_number(info.range)));
  const bool is_list = expected.starts_with("a list of ");
  if (!info.choices.empty()) {
    const std::string word = toml_string(info.choices.back().name);
    return is_list ? "[" + word + "]" : word;
  }
  if (expected == "1") return "1";
  if (expected == "true or false") return truth ? "true" : "false";
  if (expected == "text" || expected.starts_with("the path")) return "\"some text\"";
  if (expected == "a list of 2 names") return "[\"a\", \"b\"]";
  if (expected.starts_with("a list of tables { t [s], position [m], rotation"))
    return "[{ t = 1, position = [1, 2, 3], rotation = [4, 5, 6] }]";
  if (expected.starts_with("a list of tables { t [s], position [m], target"))
    return "[{ t = 1, position = [1, 2, 3], target = [4, 5, 6] }]";
  for (int count = 2; count <= 4; ++count) {
    if (expected.starts_with(fmt::format("{} numbers", count))) return repeat(number, count);
    if (expected.starts_with(fmt::format("{} whole numbers", count))) return repeat(whole, count);
    if (expected.starts_with(fmt::format("a list of rows of {} numbers", count)))
      return repeat(repeat(number, count), 2);
  }
  if (expected == "a name or a list of names") return R"(["a", "b"])";
  if (expected.starts_with("a number")) return number;
  if (expected.starts_with("a whole number")) return whole;
  return "no sample for " + expected;
}

/// Fills, and probes, read the keys of a shape only where they have one.
template <class S>
void engage_shape(S& s) {
  if constexpr (requires { s.shape.emplace(); }) s.shape.emplace();
}

/// Reads a value into the key; the errors as text.
template <class S>
std::string read_errors(const Field<S>& field, const std::string& toml, S& s) {
  engage_shape(s);
  const std::string path = "v.toml";
  Report report(path, {});
  field.read(value_of(toml), field.info, report, s);
  try {
    report.throw_if_any();
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(SceneKeys, EveryKeyIsReadAndWrittenBack) {
  int count = 0;
  for_each_key([&]<class S>(const std::string& path, const Field<S>& field, S s) {
    const bool is_true = field.write(s, field.info) == "true";
    const std::string sample = sample_toml(field.info, field.expected, !is_true);
    const std::string errors = read_errors(field, sample, s);
    EXPECT_TRUE(errors.empty() || errors.ends_with("(planned)")) << path << " = " << sample << "\n" << errors;
    const auto text = field.write(s, field.info);
    ASSERT_TRUE(text.has_value()) << path;
    if (path != "scene.version") {
      EXPECT_NE(text, field.write(S{}, field.info)) << path << " was not taken";
    }
    S again;
    read_errors(field, *text, again);
    EXPECT_EQ(field.write(again, field.info), text) << path;
    ++count;
  });
  EXPECT_GT(count, 240);
}

TEST(SceneKeys, EveryKeyRefusesAnotherType) {
  for_each_key([&]<class S>(const std::string& path, const Field<S>& field, S s) {
    const bool takes_any_text = field.expected == "text" || field.expected.starts_with("the path") ||
                                field.expected.starts_with("a name or");
    for (const char* wrong : {"true", "\"some text\"", "1979-05-27", "{ a = 1 }", "[[[]]]", "{}"}) {
      if (field.expected == "true or false" && std::string(wrong) == "true") continue;
      if (takes_any_text && wrong[0] == '"') continue;
      // A table by face may be empty.
      if (path == "domain.friction" && std::string(wrong) == "{}") continue;
      EXPECT_NE(read_errors(field, wrong, s), "") << path << " = " << wrong;
    }
  });
}

TEST(SceneKeys, EveryNumberIsCheckedForItsRange) {
  int count = 0;
  for_each_key([&]<class S>(const std::string& path, const Field<S>& field, S s) {
    const std::string& expected = field.expected;
    const std::string sample = sample_toml(field.info, expected);
    const Range& range = field.info.range;
    const bool is_number = expected.find("number") != std::string::npos || expected == "1";
    if (!is_number || !field.info.choices.empty()) return;
    std::vector<double> wrong{-kInfinity, 1e300};
    if (!range.infinite) wrong.push_back(kInfinity);
    if (std::isfinite(range.min)) wrong.push_back(range.above_min ? range.min : range.min - 1);
    if (std::isfinite(range.max)) wrong.push_back(range.max + 1);
    // Put the wrong number in the place of each good one.
    const std::string good = expected.find("whole") != std::string::npos
                                 ? fmt::format("{:.0f}", std::floor(sample_number(range)))
                                 : fmt::format("{}", sample_number(range));
    for (const double x : wrong) {
      std::string text = sample;
      text.replace(text.find(good), good.size(), fmt::format("{}", x));
      EXPECT_NE(read_errors(field, text, s), "") << path << " = " << text;
      ++count;
    }
    std::string text = sample;
    text.replace(text.find(good), good.size(), "nan");
    EXPECT_NE(read_errors(field, text, s), "") << path << " = " << text;
  });
  EXPECT_GT(count, 300);
}

TEST(SceneKeys, EveryChoiceIsRead) {
  for_each_key([&]<class S>(const std::string& path, const Field<S>& field, S s) {
    for (const Choice& choice : field.info.choices) {
      const bool is_list = field.expected.starts_with("a list of ");
      const std::string word = toml_string(choice.name);
      const std::string errors = read_errors(field, is_list ? "[" + word + "]" : word, s);
      EXPECT_EQ(errors.empty(), !choice.later) << path << " = " << word << "\n" << errors;
      const auto text = field.write(s, field.info);
      ASSERT_TRUE(text.has_value()) << path;
      EXPECT_NE(text->find(word), std::string::npos) << path << " = " << word;
    }
  });
}

TEST(SceneKeys, EveryKeyIsDescribed) {
  const std::string page = scene_reference_markdown();
  for_each_key([&]<class S>(const std::string& path, const Field<S>& field, S s) {
    engage_shape(s);
    EXPECT_FALSE(field.info.doc.empty()) << path;
    EXPECT_FALSE(field.expected.empty()) << path;
    if (!field.write(s, field.info) && !field.info.required && path != "scene.title") {
      EXPECT_FALSE(field.info.without.empty()) << path << " does not say what happens without it";
    }
    if (field.applies) {
      EXPECT_FALSE(field.info.belongs_to.empty()) << path;
    }
    const std::string table = path.substr(0, path.rfind('.'));
    const std::size_t heading =
        page.find(field.info.of_shape ? "# Shapes\n" : fmt::format("# [{}]\n", table));
    ASSERT_NE(heading, std::string::npos) << table;
    const std::size_t next = page.find("\n#", heading);
    const std::size_t row = page.find(fmt::format("| `{}` | ", field.info.name), heading);
    EXPECT_LT(row, next) << path;
  });
}

TEST(SceneKeys, NamesAreUniqueInATable) {
  for_each_table([&](const std::string& table, const auto& fields) {
    std::set<std::string_view> names;
    for (const auto& field : fields)
      EXPECT_TRUE(names.insert(field.info.name).second) << table << "." << field.info.name;
  });
}

/// The contract's tables and keys. A key that is taken out or renamed breaks people's scenes.
// Long lines are joined from pieces on purpose. NOLINTBEGIN(bugprone-suspicious-missing-comma)
constexpr std::string_view kContract[] = {
    "scene: version title duration fps gravity wind seed settle",
    "domain: min max x y z friction",
    "solver: type spacing",
    "solver.dem: integrator dt normal alpha beta stiffness damping contact_time restitution_speed",
    "solver.dem: attraction tangential k_t damping_t skin cfl",
    "solver.sph: iterations max_density_error yield sleep sleep_speed viscosity cfl dt",
    "solver.flip: blend yield tolerance cfl dt",
    "solver.snow: yield tolerance cfl dt",
    "material.NAME: preset kind density grain_density friction_angle friction rolling_friction restitution "
    "young poisson "
    "cohesion wetness viscosity grain sizes color durability b_0 k_b k_q p_0 mu_0 k_f c_0 k_c",
    "grain.NAME: spheres file mass",
    "contact.NAME: between friction restitution cohesion",
    "fill.NAME: material shape points file velocity angular_velocity velocity_spread rotation packing "
    "wetness fixed size "
    "radius radius_top tube height profile position scale",
    "emitter.NAME: material shape rate velocity start stop fade position rotation scale size radius height "
    "profile file",
    "sink.NAME: shape start stop position rotation scale",
    "zone.NAME: shape wetness_rate drag wind start stop",
    "body.NAME: shape invert thickness motion density mass velocity angular_velocity pivot friction "
    "restitution young "
    "poisson surface particle_radius roughness release remove keyframes keyframes_file interpolation copies "
    "step jitter "
    "positions color opacity visible size radius radius_top tube height profile file position rotation scale",
    "joint.NAME: bodies type position axis release",
    "probe.NAME: type shape body along interval start stop",
    "check.NAME: probe stat column at over min max",
    "refine: method ratio step radius drag",
    "surface: method spacing radius smoothing formats",
    "output: every formats fine_formats fine_channels up",
    "render: enabled size samples bounces denoise color_by range clip sun sun_strength sun_size sky_strength "
    "sky_color "
    "ground ground_color exposure color_variation motion_blur",
    "render.camera: position target fov keyframes",
};
// NOLINTEND(bugprone-suspicious-missing-comma)

TEST(SceneKeys, HoldTheContract) {
  std::set<std::string> known;
  for_each_key([&]<class S>(const std::string& path, const Field<S>&, const S&) { known.insert(path); });
  for (std::string_view line : kContract) {
    const std::string table(line.substr(0, line.find(':')));
    line.remove_prefix(line.find(':') + 1);
    while (!line.empty()) {
      line.remove_prefix(1);
      const std::size_t end = std::min(line.find(' '), line.size());
      EXPECT_TRUE(known.contains(table + "." + std::string(line.substr(0, end))))
          << table << "." << line.substr(0, end);
      line.remove_prefix(end);
    }
  }
}

}  // namespace
}  // namespace repose::scene_file
