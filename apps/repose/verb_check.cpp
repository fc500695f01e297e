// repose check SCENE

#include <cmath>
#include <cstdio>

#include "arguments.h"
#include "console.h"
#include "run_progress.h"
#include "verbs.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "repose/core/error.h"
#include "repose/core/machine.h"
#include "repose/core/text.h"
#include "repose/exec/processor_speed.h"
#include "repose/exec/threads.h"
#include "repose/pipeline/run/run_estimate.h"
#include "repose/scene/load.h"
#include "repose/scene/mesh_findings.h"
#include "repose/scene/probe_columns.h"
#include "repose/scene/scene_warnings.h"
#include "repose/solvers/run_cost.h"
#include "repose/solvers/solver.h"
#include "repose/surface/surface.h"

namespace repose::command {
namespace {

using Json = nlohmann::ordered_json;

/// All that is said of a scene.
struct Report {
  const Scene& scene;
  SolverPlan plan;
  RunEstimate estimate;
  int threads = 1;
  std::vector<SceneFinding> findings;
  std::vector<SceneWarning> warnings;

  double mass() const {
    double sum = 0;
    for (const FillPlan& fill : plan.fills) sum += fill.mass;
    return sum;
  }
};

Report look_at(const Scene& scene) {
  Threads threads;
  Report report{scene, plan_run(scene, threads), {}, threads.count(), {}, {}};
  if (scene.surface.given) surface_options(scene, report.plan.kind);  // refuses what a run would refuse
  require_stat_columns(scene,
                       std::vector<std::string_view>(report.plan.errors.begin(), report.plan.errors.end()));
  require_particles(scene, report.plan.particles());
  report.estimate =
      estimate_run(scene, report.plan, scene.render.enabled, threads.count(), processor_speed());
  report.findings = audit_scene_meshes(scene);
  report.warnings = find_scene_warnings(scene, threads);
  if (auto warning = memory_warning(scene, report.estimate.memory_bytes, available_memory()))
    report.warnings.push_back(std::move(*warning));
  return report;
}

std::string_view level_name(FindingLevel level) {
  return level == FindingLevel::error ? "error" : level == FindingLevel::warning ? "warning" : "note";
}

Json to_json(const std::vector<SceneFinding>& findings) {
  Json out = Json::array();
  for (const SceneFinding& found : findings) {
    const MeshFinding& f = found.finding;
    out.push_back({{"table", found.table},
                   {"file", found.file},
                   {"level", level_name(f.level)},
                   {"name", f.name},
                   {"count", f.count},
                   {"triangle", f.triangle},
                   {"position", {f.position.x, f.position.y, f.position.z}},
                   {"text", f.text},
                   {"remedy", f.remedy}});
  }
  return out;
}

Json to_json(const std::vector<SceneWarning>& warnings) {
  Json out = Json::array();
  for (const SceneWarning& warning : warnings)
    out.push_back({{"name", warning.name}, {"text", warning.line()}});
  return out;
}

/// A whole number as one, where JSON's readers keep all its digits.
Json count_json(double count) {
  constexpr double kMostExact = 9007199254740992.0;
  return count < kMostExact ? Json(static_cast<std::uint64_t>(count)) : Json(count);
}

Json to_json(const Report& report) {
  const Scene& scene = report.scene;
  const SolverPlan& plan = report.plan;
  Json fills = Json::array(), bodies = Json::array();
  for (const FillPlan& fill : plan.fills)
    fills.push_back({{"name", fill.name}, {"particles", count_json(fill.particles)}, {"mass", fill.mass}});
  for (const BodyDefinition& body : scene.bodies)
    bodies.push_back(
        {{"name", body.name}, {"shape", shape_name(body.shape.kind)}, {"motion", motion_name(body.motion)}});
  return Json{{"scene", scene.path},
              {"title", scene.info.title},
              {"solver", solver_name(scene.solver.type)},
              {"spacing", scene.solver.spacing},
              {"seed", scene.info.seed},
              {"frames", scene.frame_count()},
              {"duration", scene.info.duration},
              {"fills", fills},
              {"particles", count_json(plan.particles())},
              {"estimated", plan.is_estimated},
              {"mass", report.mass()},
              {"bodies", bodies},
              {"dt", plan.dt},
              {"dt_limit", plan.dt_limit},
              {"steps", plan.steps},
              {"elements", plan.elements},
              {"mean_elements", plan.mean_elements},
              {"memory_bytes", report.estimate.memory_bytes},
              {"disk_bytes", report.estimate.disk_bytes},
              {"seconds", report.estimate.seconds()},
              {"set_up_seconds", report.estimate.set_up_seconds},
              {"step_seconds", report.estimate.step_seconds},
              {"picture_seconds", report.estimate.picture_seconds},
              {"seconds_factor", kTimeUncertainty},
              {"threads", report.threads},
              {"notes", plan.notes},
              {"warnings", to_json(report.warnings)},
              {"meshes", to_json(report.findings)}};
}

class Rows {
 public:
  explicit Rows(Console& console) : console_(console) {}
  /// A row under the last title where `title` is the same again.
  void add(std::string_view title, const std::string& text) {
    console_.line(fmt::format("{:<10} {}", title == last_ ? "" : title, text));
    last_ = title;
  }

 private:
  Console& console_;
  std::string last_;
};

void print_matter(Rows& rows, const Report& report) {
  const SolverPlan& plan = report.plan;
  const auto line = [&](std::string_view name, double particles, double mass) {
    return fmt::format("{:<16} {:>12} particles  {:>10.4g} kg", name,
                       (plan.is_estimated ? "about " : "") + format_count(particles), mass);
  };
  for (const FillPlan& fill : plan.fills) rows.add("matter", line(fill.name, fill.particles, fill.mass));
  if (plan.fills.size() != 1) rows.add("matter", line("in all", plan.particles(), report.mass()));
}

void print_cost(Rows& rows, const Report& report) {
  const Scene& scene = report.scene;
  const RunEstimate& estimate = report.estimate;
  const std::string limit = report.plan.dt_limit.empty() ? "" : ", limited by " + report.plan.dt_limit;
  rows.add("time step", fmt::format("about {}{}: about {} steps", format_dt(report.plan.dt), limit,
                                    format_count(std::ceil(report.plan.steps))));
  rows.add("memory", fmt::format("about {}", format_bytes(estimate.memory_bytes)));
  rows.add("disk",
           fmt::format("about {}: {} particle files of {}, checkpoints{}", format_bytes(estimate.disk_bytes),
                       scene.frame_count() / scene.output.every + 1, format_bytes(report.plan.frame_bytes),
                       scene.render.enabled ? ", pictures" : ""));
  std::string parts = format_seconds(estimate.step_seconds) + " of steps";
  if (estimate.set_up_seconds > 0) parts = format_seconds(estimate.set_up_seconds) + " of packing, " + parts;
  if (estimate.picture_seconds > 0) parts += ", " + format_seconds(estimate.picture_seconds) + " of pictures";
  rows.add("time", fmt::format("about {} on {} idle {} ({}); expect half to twice as much",
                               format_seconds(estimate.seconds()), report.threads,
                               report.threads == 1 ? "core" : "cores", parts));
}

void print_report(Console& console, const Report& report) {
  const Scene& scene = report.scene;
  Rows rows(console);
  rows.add("scene",
           scene.info.title.empty() ? scene.path : fmt::format("{}: {}", scene.path, scene.info.title));
  rows.add("solver", fmt::format("{}, spacing {:g} m, seed {}", solver_name(scene.solver.type),
                                 scene.solver.spacing, scene.info.seed));
  const double end = scene.frame_count() / scene.info.fps;
  const bool is_rounded = std::abs(end - scene.info.duration) > 1e-9 * end;
  rows.add(
      "frames",
      fmt::format("0 to {} at {:g} a second, up to t = {:g} s{}", scene.frame_count(), scene.info.fps, end,
                  is_rounded ? fmt::format(" (duration {:g} s, rounded to whole frames)", scene.info.duration)
                             : std::string()));
  print_matter(rows, report);
  for (const BodyDefinition& body : scene.bodies)
    rows.add("bodies",
             fmt::format("{:<16} {}, {}", body.name, shape_name(body.shape.kind), motion_name(body.motion)));
  print_cost(rows, report);
  for (const SceneFinding& found : report.findings)
    rows.add(found.finding.level == FindingLevel::note ? "mesh" : "warning", finding_line(found));
  for (const SceneWarning& warning : report.warnings) rows.add("warning", warning.line());
  for (const std::string& note : report.plan.notes) rows.add("note", note);
}

}  // namespace

ExitCode check_verb(Words line) {
  std::string path;
  std::vector<std::string> set;
  bool json = false;
  Arguments arguments(
      "check",
      "Reads a scene, reports all that is wrong in it, and says what would run. Nothing is written.");
  arguments.positional("SCENE", path, "the scene file (TOML)");
  arguments.texts(
      "--set", "KEY=VALUE", set,
      "changes one key of the scene, such as solver.spacing=0.02; the value is TOML; may be repeated");
  arguments.flag("--json", json, "one JSON object on stdout");
  arguments.example("repose check examples/demo.toml", "");
  arguments.example("repose check my.toml --set solver.spacing=0.005", "what would half the spacing cost?");
  if (!arguments.read(line)) {
    std::fputs(arguments.help().c_str(), stdout);
    return ExitCode::done;
  }
  const Scene scene = load_scene(path, set);
  const Report report = look_at(scene);
  Console console({.quiet = json, .json = json});
  console.object(to_json(report));
  print_report(console, report);
  // Told last, so that what it would take has been said.
  if (const std::string text = too_many_particles(scene, report.plan.particles()); !text.empty())
    throw Error(ExitCode::bad_scene, text);
  return ExitCode::done;
}

}  // namespace repose::command
