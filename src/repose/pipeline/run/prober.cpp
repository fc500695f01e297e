#include "repose/pipeline/run/prober.h"

#include <fmt/format.h>

#include "repose/io/atomic_file.h"

namespace repose {

Prober::Prober(const Scene& scene, const RunFolder& folder, Solver& solver, Threads& threads,
               Progress& progress, std::span<const ProbeState> saved, double span)
    : solver_(solver), probes_(scene, solver.grain_shapes(), threads) {
  if (probes_.size() == 0) return;
  probes_.set_states(saved);
  if (probes_.wants_moments()) has_moments_ = solver_.watch_contacts();
  create_folder(folder.probes());
  const std::vector<ProbeState> states = probes_.states();
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    const auto path = folder.probe_file(probes_.definition(i).name);
    tables_.emplace_back(path, probes_.header(i), KeepRows{states[i].rows});
    if (tables_.back().kept_rows() != states[i].rows)
      progress.message(LogLevel::warning,
                       fmt::format("{} has {} rows, the checkpoint has {}: the rows between are lost",
                                   path.string(), tables_.back().kept_rows(), states[i].rows));
  }
  const double now = solver_.time();
  probes_.begin(look(now, span, {.places = true, .frame = true, .bodies = true}));
}

void Prober::after_step(double from, double span) {
  if (probes_.size() == 0) return;
  const SightNeeds needs = probes_.needs(from, solver_.time());
  if (!needs.any()) return;
  const std::vector<std::string> rows = probes_.observe(look(from, span, needs));
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!rows[i].empty()) tables_[i].append(rows[i]);
}

void Prober::flush() {
  for (CsvTable& table : tables_) table.flush();
}

Sight Prober::look(double from, double span, const SightNeeds& needs) {
  Sight sight;
  sight.from = from;
  sight.to = solver_.time();
  sight.force_span = span;
  if (needs.frame)
    solver_.fill_frame(frame_);
  else if (needs.places)
    solver_.fill_places(frame_);
  if (needs.frame || needs.places) sight.frame = &frame_;
  if (needs.moments && has_moments_) {
    solver_.fill_contact_moments(moments_);
    sight.has_moments = true;
    sight.moments = moments_;
  }
  if (needs.bodies) solver_.fill_bodies(bodies_);
  sight.bodies = bodies_;
  return sight;
}

}  // namespace repose
