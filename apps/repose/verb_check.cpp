// repose check SCENE

#include <cmath>
#include <cstdio>

#include "arguments.h"
#include "console.h"
#include "run_progress.h"
#include "verbs.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "repose/core/text.h"
#include "repose/exec/threads.h"
#include "repose/pipeline/run/run.h"
#include "repose/scene/load.h"
#include "repose/scene/mesh_findings.h"
#include "repose/scene/probe_columns.h"
#include "repose/solvers/solver.h"
#include "repose/surface/surface.h"

namespace repose::command {
namespace {

using Json = nlohmann::ordered_json;

struct Totals {
  std::uint64_t particles = 0;
  double mass = 0;   ///< [kg]
  double steps = 0;  ///< expected
  int particle_files = 0;
  double disk_bytes = 0;
};

Totals add_up(const Scene& scene, const SolverPlan& plan) {
  Totals totals;
  for (const FillPlan& fill : plan.fills) {
    totals.particles += fill.particles;
    totals.mass += fill.mass;
  }
  if (plan.dt > 0) totals.steps = (scene.info.duration + scene.info.settle) / plan.dt;
  totals.particle_files = scene.frame_count() / scene.output.every + 1;
  totals.disk_bytes = estimated_disk_bytes(scene, plan, scene.render.enabled);
  return totals;
}

/// The plan's notes, and what looks like a slip although it can be run.
std::vector<std::string> all_notes(const SolverPlan& plan) {
  std::vector<std::string> notes = plan.notes;
  for (const FillPlan& fill : plan.fills)
    if (fill.particles == 0)
      notes.push_back(fmt::format(
          "'{}' gives no particles: is it within the domain, and larger than the spacing?", fill.name));
  if (plan.fills.empty())
    notes.emplace_back("nothing to simulate: the scene has no [fill.NAME] and no [emitter.NAME]");
  return notes;
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

Json to_json(const Scene& scene, const SolverPlan& plan, const std::vector<SceneFinding>& findings) {
  const Totals totals = add_up(scene, plan);
  Json fills = Json::array(), bodies = Json::array();
  for (const FillPlan& fill : plan.fills)
    fills.push_back({{"name", fill.name}, {"particles", fill.particles}, {"mass", fill.mass}});
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
              {"particles", totals.particles},
              {"mass", totals.mass},
              {"bodies", bodies},
              {"dt", plan.dt},
              {"dt_limit", plan.dt_limit},
              {"steps", totals.steps},
              {"memory_bytes", plan.memory_bytes},
              {"disk_bytes", totals.disk_bytes},
              {"notes", all_notes(plan)},
              {"meshes", to_json(findings)}};
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

void print_matter(Rows& rows, const SolverPlan& plan, const Totals& totals) {
  const auto line = [](std::string_view name, std::uint64_t particles, double mass) {
    return fmt::format("{:<16} {:>12} particles  {:>10.4g} kg", name,
                       format_count(static_cast<double>(particles)), mass);
  };
  for (const FillPlan& fill : plan.fills) rows.add("matter", line(fill.name, fill.particles, fill.mass));
  if (plan.fills.size() != 1) rows.add("matter", line("in all", totals.particles, totals.mass));
}

void print_plan(Console& console, const Scene& scene, const SolverPlan& plan,
                const std::vector<SceneFinding>& findings) {
  const Totals totals = add_up(scene, plan);
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
  print_matter(rows, plan, totals);
  for (const BodyDefinition& body : scene.bodies)
    rows.add("bodies",
             fmt::format("{:<16} {}, {}", body.name, shape_name(body.shape.kind), motion_name(body.motion)));
  const std::string limit = plan.dt_limit.empty() ? "" : ", limited by " + plan.dt_limit;
  rows.add("time step",
           fmt::format("about {}{}: about {} steps", format_dt(plan.dt), limit, format_count(totals.steps)));
  rows.add("memory", fmt::format("about {}", format_bytes(plan.memory_bytes)));
  rows.add("disk", fmt::format("about {}: {} particle files of {}, checkpoints{}",
                               format_bytes(totals.disk_bytes), totals.particle_files,
                               format_bytes(plan.frame_bytes), scene.render.enabled ? ", pictures" : ""));
  for (const SceneFinding& found : findings)
    rows.add(found.finding.level == FindingLevel::note ? "mesh" : "warning", finding_line(found));
  for (const std::string& note : all_notes(plan)) rows.add("note", note);
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
  Threads threads;
  const SolverPlan plan = plan_run(scene, threads);
  if (scene.surface.given) surface_options(scene);  // refuses what a run would refuse
  require_stat_columns(scene, std::vector<std::string_view>(plan.errors.begin(), plan.errors.end()));
  Console console({.quiet = json, .json = json});
  const std::vector<SceneFinding> findings = audit_scene_meshes(scene);
  console.object(to_json(scene, plan, findings));
  print_plan(console, scene, plan, findings);
  return ExitCode::done;
}

}  // namespace repose::command
