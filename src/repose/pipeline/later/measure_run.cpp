#include "repose/pipeline/later/measure_run.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/text.h"
#include "repose/io/atomic_file.h"
#include "repose/io/tables/csv_table.h"
#include "repose/measure/probes.h"
#include "repose/pipeline/later/cache.h"
#include "repose/pipeline/later/each_frame.h"
#include "repose/pipeline/run_checks.h"
#include "repose/scene/load.h"
#include "repose/scene/probe_columns.h"

namespace repose {
namespace {

std::string note_of(ProbeKind kind) {
  switch (kind) {
    case ProbeKind::flow:
      return "counted from frame to frame: matter that came or went in between is not seen";
    case ProbeKind::force:
      return "peaks within a frame are not in a cache";
    case ProbeKind::region:
      return "stress is not in a cache";
    case ProbeKind::pile:
    case ProbeKind::slope:
      break;
  }
  return "";
}

/// Keeps the probes of these names, and the checks on them and on statistics.
void choose_probes(Scene& scene, const std::vector<std::string>& names) {
  std::vector<std::string_view> known;
  for (const ProbeDefinition& probe : scene.probes) known.push_back(probe.name);
  if (known.empty())
    throw Error(ExitCode::usage,
                "the scene of this run has no [probe.NAME]: give some by --scene FILE or --set, as in --set "
                "'probe.all={type=\"region\", shape=\"box\", size=[1, 1, 1]}'");
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string nearest = nearest_word(name, known);
    throw Error(ExitCode::usage,
                nearest.empty() ? fmt::format("there is no probe '{}'", name)
                                : fmt::format("there is no probe '{}': did you mean '{}'?", name, nearest));
  }
  if (names.empty()) return;
  const auto is_left_out = [&](const std::string& name) {
    return !name.empty() && std::find(names.begin(), names.end(), name) == names.end();
  };
  std::erase_if(scene.probes, [&](const ProbeDefinition& probe) { return is_left_out(probe.name); });
  std::erase_if(scene.checks, [&](const CheckDefinition& check) { return is_left_out(check.probe); });
}

/// What a probe refers to must be in the run, whatever scene it comes from.
void check_scene(const Scene& scene, const RunCache& cache) {
  for (const ProbeDefinition& probe : scene.probes)
    for (const std::string& body : probe.body.items)
      if (std::none_of(cache.manifest.bodies.begin(), cache.manifest.bodies.end(),
                       [&](const std::string& name) { return name == body || name.starts_with(body + "."); }))
        throw Error(ExitCode::usage, fmt::format("probe '{}': the run {} has no body '{}'", probe.name,
                                                 cache.folder.root.string(), body));
}

/// The numbers of whole lines.
void add_rows(const std::string& text, std::vector<std::vector<double>>& rows) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = text.find('\n', at);
    std::vector<double> row;
    while (at < end) {
      const std::size_t comma = std::min(text.find(',', at), end);
      double value = 0;
      std::from_chars(text.data() + at, text.data() + comma, value);
      row.push_back(value);
      at = comma + 1;
    }
    rows.push_back(std::move(row));
    at = end + 1;
  }
}

/// Whether a probe is the run's own, word for word.
bool is_own(const Scene& scene, const Scene& run_scene, const std::string& probe) {
  const std::string prefix = "probe." + probe;
  for (const std::string& key : changed_physics_keys(run_scene, scene))
    if (key == prefix || key.starts_with(prefix + ".")) return false;
  return true;
}

/// Shows the probes one frame after the other.
class FrameReader {
 public:
  FrameReader(const RunCache& cache, const Scene& scene, ProbeSet& probes)
      : cache_(cache), scene_(scene), probes_(probes) {}

  /// The new rows of each probe.
  std::vector<std::string> show(int number) {
    Frame frame = read_frame(cache_, scene_, number);
    if (last_ < 0) {
      last_ = number;
      const Sight sight{.from = frame.time, .to = frame.time, .frame = &frame, .bodies = frame.bodies};
      probes_.begin(sight);
      return probes_.observe(sight);
    }
    mean_forces(number, frame.bodies);
    const double from = last_ / cache_.manifest.fps;
    const Sight sight{.from = from,
                      .to = frame.time,
                      .frame = &frame,
                      .bodies = frame.bodies,
                      .force_span = frame.time - from};
    probes_.begin_interval();
    last_ = number;
    return probes_.observe(sight);
  }

 private:
  /// Forces as means over all frames since the last one that was shown: bodies.csv has them all.
  void mean_forces(int number, std::vector<BodyRow>& rows) const {
    const double count = number - last_;
    for (BodyRow& row : rows) {
      Vec3d force(0), torque(0);
      for (int frame = last_ + 1; frame <= number; ++frame) {
        const auto at = cache_.bodies.find(frame);
        if (at == cache_.bodies.end()) continue;
        for (const BodyRow& other : at->second)
          if (other.name == row.name) force += other.force, torque += other.torque;
      }
      row.force = force / count;
      row.torque = torque / count;
    }
  }

  const RunCache& cache_;
  const Scene& scene_;
  ProbeSet& probes_;
  int last_ = -1;
};

}  // namespace

MeasureSummary measure_run(const MeasureOptions& options, Threads& threads, Progress& progress) {
  const RunCache cache = open_run(options.run);
  const Scene own_scene = run_scene(cache);
  // What matter is comes from the run; what is measured may come from elsewhere.
  Scene scene = own_scene;
  if (options.scene) {
    scene.probes = options.scene->probes;
    scene.checks = options.scene->checks;
  }
  choose_probes(scene, options.probes);
  check_scene(scene, cache);
  const std::vector<int> frames = select_frames(cache, options.frames);

  ProbeSet probes(scene, cache.shapes, threads, ProbeSource::cache);
  MeasureSummary summary;
  const auto folder = options.output.empty() ? cache.folder.measures() : options.output;
  std::vector<std::string> tables;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const ProbeDefinition& probe = probes.definition(i);
    const auto columns = probe_columns(probe.type);
    summary.probes.push_back({probe.name,
                              folder / (probe.name + ".csv"),
                              {columns.begin(), columns.end()},
                              {},
                              note_of(probe.type)});
    tables.push_back(probes.header(i) + "\n");
  }
  FrameReader reader(cache, scene, probes);
  summary.frames = for_each_frame("measure", frames, threads, options.interrupt, progress, [&](int number) {
    const std::vector<std::string> rows = reader.show(number);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      tables[i] += rows[i];
      add_rows(rows[i], summary.probes[i].rows);
    }
  });
  summary.interrupted = summary.frames < static_cast<int>(frames.size());
  if (summary.interrupted) return summary;
  create_folder(folder);
  sweep_temporary_files(folder);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    write_file(summary.probes[i].file, tables[i]);
    if (scene.probes[i].type == ProbeKind::pile) summary.probes[i].note = pile_note(summary.probes[i].file);
  }
  const bool all_frames = frames.size() == cache.frames.size();
  summary.checks =
      evaluate_checks(scene, cache.folder, std::max(0, cache.manifest.frames_done) / cache.manifest.fps,
                      [&](const std::string& probe) {
                        return all_frames && is_own(scene, own_scene, probe) ? cache.folder.probe_file(probe)
                                                                             : folder / (probe + ".csv");
                      });
  return summary;
}

}  // namespace repose
