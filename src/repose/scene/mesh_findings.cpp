#include "repose/scene/mesh_findings.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

namespace repose {
namespace {

struct Use {
  std::string table;
  const Shape* shape;
  bool can_be_shell;
};

std::vector<Use> mesh_uses(const Scene& scene) {
  std::vector<Use> uses;
  const auto add = [&](std::string_view kind, const std::string& name, const Shape& shape,
                       bool can_be_shell) {
    if (shape.kind != ShapeKind::mesh || !shape.mesh) return;
    const bool is_known = std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
      return use.shape->mesh == shape.mesh && use.shape->scale == shape.scale &&
             use.shape->thickness == shape.thickness;
    });
    if (!is_known) uses.push_back({fmt::format("{}.{}", kind, name), &shape, can_be_shell});
  };
  for (const BodyDefinition& body : scene.bodies) add("body", body.name, body.shape, true);
  for (const Fill& fill : scene.fills)
    if (fill.shape) add("fill", fill.name, *fill.shape, false);
  for (const Emitter& emitter : scene.emitters) add("emitter", emitter.name, emitter.shape, false);
  for (const Sink& sink : scene.sinks) add("sink", sink.name, sink.shape, false);
  for (const Zone& zone : scene.zones) add("zone", zone.name, zone.shape, false);
  for (const ProbeDefinition& probe : scene.probes)
    if (probe.shape) add("probe", probe.name, *probe.shape, false);
  return uses;
}

}  // namespace

std::vector<SceneFinding> audit_scene_meshes(const Scene& scene) {
  std::vector<SceneFinding> found;
  for (const Use& use : mesh_uses(scene)) {
    const MeshUse how{
        .scale = use.shape->scale,
        .thickness = use.shape->thickness,
        .can_be_shell = use.can_be_shell,
        .spacing = scene.solver.spacing,
        .domain_diagonal = scene.domain.given ? (scene.domain.max - scene.domain.min).length() : 0.0};
    for (MeshFinding& finding : audit_mesh(*use.shape->mesh, how))
      found.push_back({use.table, use.shape->file, std::move(finding)});
  }
  return found;
}

std::string finding_line(const SceneFinding& found) {
  return fmt::format("[{}] {}: {}{}{}", found.table, std::filesystem::path(found.file).filename().string(),
                     found.finding.text, found.finding.remedy.empty() ? "" : ": ", found.finding.remedy);
}

}  // namespace repose
