#pragma once
// Probes: a scene's [probe.NAME] tables at work. They see frames, rows of bodies and contact moments, and
// never a solver; so the same code measures during a run and on a finished cache.
//
//     step ─► ProbeSet::observe ─► rows of probes/NAME.csv
//
// When rows are written. Row n of a probe stands at start + n * interval, computed from integers. Steps are
// not cut for it: a probe never changes the run that it watches. Where a row falls inside a step,
//  - flow counts each particle at the moment it passes the surface, on a straight way within the step;
//  - force takes the share of the step's impulse, and stress of the step's time (forces are constant in a
//  step);
//  - region and pile see the particles moved back along their velocities to the row's time.
// So nothing here depends on the frame rate. With interval = 0 there is a row for each step.
//
// flow and force are about a span of time: their rows tell of the time since the row before (since `start`,
// for the first), and there is none at `start` itself. region and pile are about a moment, and begin at
// `start`; the stress of a region is the mean since the row before.
//
// What a probe remembers between steps (ProbeState) is part of a checkpoint; where the particles stood is
// not, since it is looked up again.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/measure/grain_table.h"
#include "repose/particles/contact_moment.h"
#include "repose/particles/domain_box.h"
#include "repose/particles/frame.h"
#include "repose/scene/scene.h"

namespace repose {

/// What a restart needs of a probe. Sums mean what its type makes of them.
struct ProbeState {
  std::uint64_t next = 0;  ///< number of the next row, or of observed steps with interval = 0
  std::uint64_t rows = 0;  ///< written so far
  double last = 0;         ///< time of the last row, or `start` [s]
  std::array<double, 8> sums{};
};

/// What probes are shown of a step, or of the way from one frame to the next.
struct Sight {
  double from = 0, to = 0;                      ///< [s]
  const Frame* frame = nullptr;                 ///< at `to`; none where nobody needs it
  bool has_moments = false;                     ///< false: this solver or cache does not know them
  std::span<const ContactMoment> moments = {};  ///< by row of the frame, during the step
  std::span<const BodyRow> bodies = {};         ///< at `to`, with means of forces ...
  double force_span = 0;                        ///< ... over this time [s]
};

/// What has to be shown.
struct SightNeeds {
  bool places = false;  ///< of the frame, ids, positions and what masses come from are enough
  bool frame = false, moments = false, bodies = false;

  bool any() const { return places || frame || moments || bodies; }
};

enum class ProbeSource {
  run,   ///< steps of a run: rows by interval
  cache  ///< frames of a finished run: a row for each; what only steps can tell is not a number
};

class Probe;

class ProbeSet {
 public:
  ProbeSet(const Scene& scene, std::span<const GrainShape> shapes, Threads& threads,
           ProbeSource source = ProbeSource::run);
  ~ProbeSet();
  ProbeSet(ProbeSet&&) noexcept;

  std::size_t size() const { return probes_.size(); }
  const ProbeDefinition& definition(std::size_t probe) const;
  /// The first line of the probe's table, without a line end.
  std::string header(std::size_t probe) const;

  /// Whether any probe asks for contact moments.
  bool wants_moments() const;
  SightNeeds needs(double from, double to) const;
  /// Takes the present as the start: of a run, or where a checkpoint left it.
  void begin(const Sight& now);
  /// Means of forces start anew.
  void begin_interval();
  /// Looks at a step; the new rows of each probe as whole lines.
  std::vector<std::string> observe(const Sight& sight);

  std::vector<ProbeState> states() const;
  void set_states(std::span<const ProbeState> states);

 private:
  std::vector<std::unique_ptr<Probe>> probes_;
};

/// One row of a table: the time in 12 digits, so that 3 * 0.1 reads 0.3, the rest in full.
std::string probe_line(double t, std::span<const double> values);

}  // namespace repose
