#include "repose/measure/probes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "repose/measure/flow.h"
#include "repose/measure/force.h"
#include "repose/measure/pile.h"
#include "repose/measure/region.h"
#include "repose/measure/slope.h"
#include "repose/scene/probe_columns.h"

namespace repose {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
/// A row is due when this share of its interval is missing: what sums of time steps lose to rounding.
constexpr double kTimeTolerance = 1e-9;

DomainBox box_of(const Domain& domain) {
  DomainBox box;
  box.min = domain.min;
  box.max = domain.max;
  for (std::size_t axis = 0; axis < 3; ++axis)
    box.periodic[axis] = domain.faces[2 * axis] == FaceKind::periodic;
  return box;
}

double largest_number() { return std::numeric_limits<double>::infinity(); }

/// The particles as they stood `back` seconds before.
Frame moved_back(const Frame& frame, double back) {
  Frame moved = frame;
  for (std::size_t i = 0; i < moved.position.size(); ++i)
    moved.position[i] -= back * Vec3d(moved.velocity[i]);
  return moved;
}

/// What all probes of a set share.
struct Surroundings {
  GrainTable grains;
  DomainBox box;
  Threads& threads;
  ProbeSource source;
};

}  // namespace

std::string probe_line(double t, std::span<const double> values) {
  std::string text = fmt::format("{:.12g}", t);
  for (const double value : values) text += fmt::format(",{}", value);
  return text + '\n';
}

/// One probe: when its rows are due is the same for all types, what they hold is not.
class Probe {
 public:
  Probe(const ProbeDefinition& definition, std::shared_ptr<const Surroundings> surroundings)
      : definition_(definition), around_(std::move(surroundings)) {
    state_.last = definition_.start;
    if (definition_.type == ProbeKind::flow) flow_.emplace(*definition_.shape, around_->box);
    if (definition_.type == ProbeKind::force) force_.emplace(definition_.body.items);
    if (definition_.type == ProbeKind::region) region_.emplace(*definition_.shape);
    if (is_span()) state_.next = definition_.interval > 0 ? 1 : 0;
  }

  const ProbeDefinition& definition() const { return definition_; }
  ProbeState& state() { return state_; }

  bool wants_moments() const { return definition_.type == ProbeKind::region; }
  void add_needs(double from, double to, SightNeeds& needs) const {
    if (from >= stop() || to < -tolerance()) return;
    const bool active = to > definition_.start;
    switch (definition_.type) {
      case ProbeKind::flow:
        // Also before its start, so that it knows where particles come from.
        needs.places = true;
        break;
      case ProbeKind::force:
        needs.bodies = true;
        break;
      case ProbeKind::region:
        needs.moments = needs.moments || active;
        needs.frame = needs.frame || active || row_is_due(to);
        break;
      case ProbeKind::pile:
      case ProbeKind::slope:
        needs.frame = needs.frame || row_is_due(to);
        break;
    }
  }

  void begin(const Sight& now) {
    // A cache tells of nothing before its first frame; a run that still settles has not begun.
    if (around_->source == ProbeSource::cache) state_.last = std::max(state_.last, now.to);
    if (now.to < -tolerance()) return;
    if (flow_ && now.frame != nullptr) flow_->begin(*now.frame, around_->threads);
    if (force_) force_->begin(now.bodies, now.force_span);
  }
  void begin_interval() {
    if (force_) force_->begin({}, 0);
  }

  std::string observe(const Sight& sight) {
    SightNeeds needs;
    add_needs(sight.from, sight.to, needs);
    if (!needs.any()) return {};
    Step step = take(sight);
    std::string text;
    double at = std::max(sight.from, definition_.start);
    while (row_is_due(sight.to)) {
      const double t = std::min(next_time(sight.to), stop());
      add_until(step, at, t);
      text += row(sight, t);
      at = std::max(at, t);
    }
    add_until(step, at, std::min(sight.to, stop()));
    return text;
  }

 private:
  /// What happened in a step, to be dealt out to rows.
  struct Step {
    double from, to;                  ///< [s]
    std::vector<Crossing> crossings;  ///< flow; those that were dealt out have mass 0
    ImpulseSum impulse;               ///< force
    std::array<double, 6> stress{};   ///< region [Pa]
    bool has_stress = false;
  };

  /// Rows of a span of time have nothing to tell at its start.
  bool is_span() const { return definition_.type == ProbeKind::flow || definition_.type == ProbeKind::force; }
  double stop() const { return definition_.stop.value_or(largest_number()); }
  /// Rounding of times, for rows by interval and for rows by step [s].
  double tolerance() const {
    return definition_.interval > 0 ? kTimeTolerance * definition_.interval : 1e-12;
  }

  bool by_interval() const { return definition_.interval > 0 && around_->source == ProbeSource::run; }
  double next_time(double to) const {
    return by_interval() ? definition_.start + static_cast<double>(state_.next) * definition_.interval : to;
  }
  bool row_is_due(double to) const {
    const double t = next_time(to), early = tolerance();
    if (t > to + early || t > stop() + early) return false;
    if (by_interval()) return true;
    const bool is_first_moment = !is_span() && state_.next == 0 && t >= definition_.start - early;
    return is_first_moment || t > std::max(state_.last, definition_.start) + early;
  }

  Step take(const Sight& sight) {
    Step step{sight.from, sight.to, {}, {}, {}, false};
    if (flow_) step.crossings = flow_->advance(*sight.frame, around_->grains, around_->threads);
    if (force_) step.impulse = force_->advance(sight.bodies, sight.force_span);
    if (region_ && sight.has_moments && sight.to > sight.from) {
      step.stress = contact_stress(*region_, *sight.frame, sight.moments, around_->threads);
      step.has_stress = true;
    }
    return step;
  }

  /// Adds what happened from `at` until `t` to the sums.
  void add_until(Step& step, double at, double t) {
    const double length = step.to - step.from, span = std::max(0.0, t - at);
    if (flow_) add_crossings(step, t);
    if (!(length > 0) || !(span > 0)) return;
    const double share = span / length;
    if (force_) {
      const Vec3d linear = share * step.impulse.linear, angular = share * step.impulse.angular;
      for (int axis = 0; axis < 3; ++axis) {
        state_.sums[static_cast<std::size_t>(axis)] += linear[axis];
        state_.sums[static_cast<std::size_t>(axis) + 3] += angular[axis];
      }
      state_.sums[6] = std::max(state_.sums[6], step.impulse.linear.length() / length);
    }
    if (step.has_stress) {
      for (std::size_t k = 0; k < 6; ++k) state_.sums[k] += span * step.stress[k];
      state_.sums[6] += span;
    }
  }

  void add_crossings(Step& step, double t) {
    for (Crossing& crossing : step.crossings) {
      const double when = step.from + crossing.when * (step.to - step.from);
      if (crossing.mass == 0 || when > t + tolerance()) continue;
      if (when >= definition_.start - tolerance()) {
        state_.sums[crossing.mass > 0 ? 0 : 1] += std::abs(crossing.mass);
        state_.sums[2] += crossing.mass > 0 ? 1 : -1;
      }
      crossing.mass = 0;
    }
  }

  /// The row at time t; sums of the span before it start anew.
  std::string row(const Sight& sight, double t) {
    std::vector<double> values;
    switch (definition_.type) {
      case ProbeKind::flow:
        values = flow_row(t);
        break;
      case ProbeKind::force:
        values = force_row(t);
        break;
      case ProbeKind::region:
      case ProbeKind::pile:
      case ProbeKind::slope:
        values = moment_row(sight, t);
        break;
    }
    ++state_.next;
    ++state_.rows;
    state_.last = t;
    assert(values.size() + 1 == probe_columns(definition_.type).size());
    return probe_line(t, values);
  }

  std::vector<double> flow_row(double t) {
    const double in = state_.sums[0], out = state_.sums[1], count = state_.sums[2];
    const double net = in - out, rate = (net - state_.sums[3]) / (t - state_.last);
    state_.sums[3] = net;
    return {rate, net, count, in, out};
  }

  std::vector<double> force_row(double t) {
    std::vector<double> values;
    for (std::size_t k = 0; k < 6; ++k) values.push_back(state_.sums[k] / (t - state_.last));
    values.push_back(around_->source == ProbeSource::run ? state_.sums[6] : kNone);
    state_.sums = {};
    return values;
  }

  std::vector<double> moment_row(const Sight& sight, double t) {
    const double back = sight.to - t;
    const bool is_now = !(back > tolerance());
    const Frame earlier = is_now ? Frame{} : moved_back(*sight.frame, back);
    const Frame& frame = is_now ? *sight.frame : earlier;
    if (definition_.type == ProbeKind::pile) return pile_row(frame);
    return definition_.type == ProbeKind::slope ? slope_row(frame) : region_row(frame);
  }

  std::vector<double> region_row(const Frame& frame) {
    const RegionReading r = read_region(*region_, frame, around_->grains, around_->box, around_->threads);
    std::vector<double> values{static_cast<double>(r.count),
                               r.mass,
                               r.solid_fraction,
                               r.velocity.x,
                               r.velocity.y,
                               r.velocity.z,
                               r.temperature,
                               r.coordination};
    std::array<double, 6> stress;
    for (std::size_t k = 0; k < 6; ++k)
      stress[k] = state_.sums[6] > 0 ? state_.sums[k] / state_.sums[6] : kNone;
    values.push_back((stress[0] + stress[1] + stress[2]) / 3);
    values.insert(values.end(), stress.begin(), stress.end());
    state_.sums = {};
    return values;
  }

  std::vector<double> pile_row(const Frame& frame) const {
    const PileReading r = read_pile(*definition_.shape, definition_.along, frame, around_->grains,
                                    around_->box, around_->threads);
    return {static_cast<double>(r.count), degrees(r.angle), r.height, r.foot, r.front};
  }

  std::vector<double> slope_row(const Frame& frame) const {
    const SlopeReading r = read_slope(*definition_.shape, definition_.along, frame, around_->grains,
                                      around_->box, around_->threads);
    return {static_cast<double>(r.count), degrees(r.angle), degrees(r.direction), r.height, r.roughness};
  }

  ProbeDefinition definition_;
  std::shared_ptr<const Surroundings> around_;
  ProbeState state_;
  std::optional<FlowWatch> flow_;
  std::optional<ForceWatch> force_;
  std::optional<Region> region_;
};

ProbeSet::ProbeSet(const Scene& scene, std::span<const GrainShape> shapes, Threads& threads,
                   ProbeSource source) {
  if (scene.probes.empty()) return;
  const auto around = std::make_shared<const Surroundings>(
      Surroundings{GrainTable(scene, shapes), box_of(scene.domain), threads, source});
  for (const ProbeDefinition& definition : scene.probes)
    probes_.push_back(std::make_unique<Probe>(definition, around));
}
ProbeSet::~ProbeSet() = default;
ProbeSet::ProbeSet(ProbeSet&&) noexcept = default;

const ProbeDefinition& ProbeSet::definition(std::size_t probe) const { return probes_[probe]->definition(); }

std::string ProbeSet::header(std::size_t probe) const {
  std::string text;
  for (const std::string_view column : probe_columns(definition(probe).type)) {
    if (!text.empty()) text += ',';
    text += column;
  }
  return text;
}

bool ProbeSet::wants_moments() const {
  return std::any_of(probes_.begin(), probes_.end(),
                     [](const auto& probe) { return probe->wants_moments(); });
}

SightNeeds ProbeSet::needs(double from, double to) const {
  SightNeeds needs;
  for (const auto& probe : probes_) probe->add_needs(from, to, needs);
  return needs;
}

void ProbeSet::begin(const Sight& now) {
  for (const auto& probe : probes_) probe->begin(now);
}

void ProbeSet::begin_interval() {
  for (const auto& probe : probes_) probe->begin_interval();
}

std::vector<std::string> ProbeSet::observe(const Sight& sight) {
  std::vector<std::string> rows;
  for (const auto& probe : probes_) rows.push_back(probe->observe(sight));
  return rows;
}

std::vector<ProbeState> ProbeSet::states() const {
  std::vector<ProbeState> states;
  for (const auto& probe : probes_) states.push_back(probe->state());
  return states;
}

void ProbeSet::set_states(std::span<const ProbeState> states) {
  for (std::size_t i = 0; i < probes_.size() && i < states.size(); ++i) probes_[i]->state() = states[i];
}

}  // namespace repose
