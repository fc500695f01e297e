// Checks of [probe] and [check].

#include <algorithm>
#include <cmath>

#include "repose/scene/keys/check_parts.h"
#include "repose/scene/keys/checks.h"
#include "repose/scene/probe_columns.h"

namespace repose::scene_file {
namespace {

constexpr double kMostRows = 1e7;  ///< of a probe's table

/// A probe works on a shape or on bodies, by its type.
void check_subject(const Value& table, ReadContext& context, const ProbeDefinition& probe) {
  const bool is_force = probe.type == ProbeKind::force;
  const std::string_view wanted = is_force ? "body" : "shape", other = is_force ? "shape" : "body";
  const std::string header = printable(probe.name);
  if (table.find(wanted) == nullptr)
    context.report.add(table.place, fmt::format("[probe.{}] needs '{}'", header, wanted));
  if (const Entry* entry = table.find(other))
    context.report.add(entry->place, fmt::format("'{}' in [probe.{}] belongs to {}", other, header,
                                                 is_force ? "other types: a force is that on a 'body'"
                                                          : "type = \"force\""));
}

}  // namespace

void prepare(const Value& table, ProbeDefinition& probe) {
  if (table.find("shape") != nullptr) probe.shape.emplace();
}

void check(const Value& table, ReadContext& context, ProbeDefinition& probe) {
  check_subject(table, context, probe);
  if (probe.shape) check_shape(table, context, *probe.shape);
  if (probe.shape && probe.shape->kind == ShapeKind::plane && probe.type == ProbeKind::region)
    context.report.add(place_in(table, "shape"), "a region must have bounds: a plane has none");
  if (probe.stop && *probe.stop < probe.start)
    context.report.add(
        place_in(table, "stop"),
        fmt::format("'stop' must be at or after 'start' ({} s), not {}", probe.start, *probe.stop));
}

void check(const Value& table, ReadContext& context, CheckDefinition& definition) {
  need_exactly_one(table, context, {"probe", "stat"}, "check." + definition.name);
  const std::string header = printable(definition.name);
  if (!definition.probe.empty() && definition.column.empty())
    context.report.add(table.place, fmt::format("[check.{}] needs 'column', text", header));
  if (!definition.stat.empty() && !definition.column.empty())
    context.report.add(place_in(table, "column"),
                       fmt::format("'column' in [check.{}] belongs to a check of a probe", header));
  if (!definition.min && !definition.max)
    context.report.add(table.place, fmt::format("[check.{}] needs 'min' or 'max'", header));
  if (definition.min && definition.max && *definition.min > *definition.max)
    context.report.add(place_in(table, "max"), fmt::format("'max' must be at least 'min' ({}), not {}",
                                                           *definition.min, *definition.max));
  if (definition.at && definition.over)
    context.report.add(place_in(table, "over"),
                       fmt::format("[check.{}] needs only one of 'at' or 'over'", header));
  if (definition.over && !((*definition.over)[0] < (*definition.over)[1]))
    context.report.add(place_in(table, "over"), "'over' must be an earlier and then a later time");
}

void check_probe_rows(ReadContext& context, const Place& place, const Scene& scene,
                      const ProbeDefinition& probe) {
  if (!(probe.interval > 0)) return;
  const double end = std::min(probe.stop.value_or(scene.info.duration), scene.info.duration);
  const double rows = (end - probe.start) / probe.interval;
  if (rows > kMostRows)
    context.report.add(place,
                       fmt::format("an interval of {} s gives {:.3g} rows until t = {} s; at most {:.0f} are "
                                   "possible: make it longer, or 0 for a row each step",
                                   probe.interval, rows, end, kMostRows));
}

void check_probe_column(ReadContext& context, const Place& place, const Scene& scene,
                        const CheckDefinition& definition) {
  for (const ProbeDefinition& probe : scene.probes) {
    if (probe.name != definition.probe || definition.column.empty()) continue;
    const auto columns = probe_columns(probe.type);
    if (std::find(columns.begin(), columns.end(), definition.column) == columns.end())
      context.report.add(
          place, fmt::format("there is no column {} in the table of probe {}{}", in_quotes(definition.column),
                             in_quotes(probe.name), suggestion(definition.column, columns)));
  }
}

}  // namespace repose::scene_file
