// Keys of [probe] and [check].

#include "repose/scene/keys/tables.h"

namespace repose::scene_file {
namespace {

constexpr Choice kProbes[] = {{"flow"}, {"force"}, {"region"}, {"pile"}, {"slope"}};
constexpr Choice kPileAxes[] = {{"radius"}, {"x"}, {"y"}};

using Probe = ProbeDefinition;
using Check = CheckDefinition;

bool has_axis(const Probe& probe) { return probe.type == ProbeKind::pile || probe.type == ProbeKind::slope; }

}  // namespace

const std::vector<Field<ProbeDefinition>>& probe_fields() {
  static const std::vector<Field<Probe>> fields = [] {
    std::vector<Field<Probe>> f = {
        field(&Probe::type, {.name = "type",
                             .choices = kProbes,
                             .doc = "mass that flows into a shape, force on bodies, what is in a region, the "
                                    "form of a pile, or the slope of a free surface, as in a drum",
                             .required = true}),
    };
    lift_all(shape_fields(), &Probe::shape, f);
    f[1].info.required = false;
    f[1].info.without = "a body instead";
    f.push_back(
        field(&Probe::body, {.name = "body",
                             .doc = "force: a [body.NAME] or a wall of the domain (`\"domain.z-\"`), or a "
                                    "list of them, whose forces are added",
                             .without = "a shape instead",
                             .most_items = 10000}));
    f.push_back(field(
        &Probe::along,
        {.name = "along",
         .choices = kPileAxes,
         .doc =
             "what the pile's profile is taken over: the distance from the vertical through the shape's "
             "position, or the distance from there along x or y; of a slope: by a plane, or by a line over x "
             "or y",
         .belongs_to = "type = \"pile\" or \"slope\""},
        std::function<bool(const Probe&)>(has_axis)));
    f.push_back(field(
        &Probe::interval,
        {.name = "interval", .unit = "s", .range = kNotNegative, .doc = "between rows; 0: every step"}));
    f.push_back(
        field(&Probe::start, {.name = "start", .unit = "s", .range = kNotNegative, .doc = "when it begins"}));
    f.push_back(field(
        &Probe::stop,
        {.name = "stop", .unit = "s", .range = kNotNegative, .doc = "when it ends", .without = "never"}));
    return f;
  }();
  return fields;
}

const std::vector<Field<CheckDefinition>>& check_fields() {
  static const std::vector<Field<Check>> fields = {
      field(&Check::probe, {.name = "probe", .doc = "name of a [probe.NAME]", .without = "stat instead"}),
      field(&Check::stat, {.name = "stat", .doc = "a column of stats.csv", .without = "probe instead"}),
      field(&Check::column, {.name = "column", .doc = "of the probe's file", .without = "stat instead"}),
      field(&Check::at, {.name = "at",
                         .unit = "s",
                         .range = kNotNegative,
                         .doc = "the row nearest to this time is looked at",
                         .without = "the last row"}),
      field(&Check::over, {.name = "over",
                           .unit = "s",
                           .range = kNotNegative,
                           .doc = "span of time whose mean is looked at",
                           .without = "at instead"}),
      field(&Check::min, {.name = "min", .doc = "the least that passes", .without = "no lower bound"}),
      field(&Check::max, {.name = "max", .doc = "the most that passes", .without = "no upper bound"}),
  };
  return fields;
}

}  // namespace repose::scene_file
