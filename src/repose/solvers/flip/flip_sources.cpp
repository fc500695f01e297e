#include "repose/solvers/flip/flip_sources.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/random.h"
#include "repose/exec/algorithms.h"

namespace repose {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMostPlaces = 1e8;
/// An emitter that owes more than it has places for is blocked.
constexpr double kPatience = 1;

std::size_t place_index(const FlipEmitter& emitter, int x, int y, int z) {
  return static_cast<std::size_t>(x + emitter.size[0] * (y + emitter.size[1] * z));
}

/// Layers are as thick as particles lie apart, counted from the back of the stream.
void rank_places(const FlipModel& model, const Bodies& bodies, const Shape& shape, FlipEmitter& emitter) {
  const double speed = emitter.velocity.length();
  const Vec3d forward = speed > 0 ? emitter.velocity / speed : Vec3d(0);
  std::vector<double> along;
  const auto center = [&](int x, int y, int z) {
    return emitter.bounds.min + model.spacing * Vec3d(x + 0.5, y + 0.5, z + 0.5);
  };
  const auto is_usable = [&](const Vec3d& c) {
    if (signed_distance(shape, c) >= 0) return false;
    for (std::size_t b = 0; b < bodies.size(); ++b)
      if (bodies[b].motion == Motion::fixed && bodies[b].present && bodies.nearest(b, c).distance < 0)
        return false;
    return true;
  };
  double back = kInfinity;
  emitter.rank.assign(place_index(emitter, 0, 0, emitter.size[2]), -1);
  for (int z = 0; z < emitter.size[2]; ++z)
    for (int y = 0; y < emitter.size[1]; ++y)
      for (int x = 0; x < emitter.size[0]; ++x)
        if (is_usable(center(x, y, z))) back = std::min(back, forward.dot(center(x, y, z)));
  for (int z = 0; z < emitter.size[2]; ++z)
    for (int y = 0; y < emitter.size[1]; ++y)
      for (int x = 0; x < emitter.size[0]; ++x) {
        const Vec3d c = center(x, y, z);
        if (!is_usable(c)) continue;
        const int rank = static_cast<int>(std::floor((forward.dot(c) - back) / model.spacing + 1e-6));
        emitter.rank[place_index(emitter, x, y, z)] = rank;
        emitter.rank_count = std::max(emitter.rank_count, rank + 1);
      }
}

/// Empty places, in the order in which they are filled.
std::vector<std::uint32_t> empty_places(const FlipEmitter& emitter, const FlipModel& model,
                                        const FlipState& state, std::uint32_t index) {
  std::vector<char> taken(emitter.rank.size(), 0);
  for (const Vec3d& x : state.position) {
    if (!emitter.bounds.intersects(x)) continue;
    const Vec3d c = (x - emitter.bounds.min) / model.spacing;
    const auto cell = [&](int axis) {
      return std::min(static_cast<int>(c[axis]), emitter.size[static_cast<std::size_t>(axis)] - 1);
    };
    taken[place_index(emitter, cell(0), cell(1), cell(2))] = 1;
  }
  struct Place {
    int rank;
    std::uint32_t key, place;
    bool operator<(const Place& o) const {
      return std::tie(rank, key, place) < std::tie(o.rank, o.key, o.place);
    }
  };
  std::vector<Place> places;
  for (std::size_t p = 0; p < taken.size(); ++p) {
    if (taken[p] != 0 || emitter.rank[p] < 0) continue;
    Random random(model.seed, Stream::emitter_size, index, state.step_count * taken.size() + p);
    places.push_back({emitter.rank[p], random.bits(), static_cast<std::uint32_t>(p)});
  }
  std::sort(places.begin(), places.end());
  std::vector<std::uint32_t> order;
  order.reserve(places.size());
  for (const Place& place : places) order.push_back(place.place);
  return order;
}

enum Fate : std::uint8_t { stays, escapes, drains };

Fate fate_of(const std::vector<FlipSink>& sinks, const FlipModel& model, double time, const Vec3d& x) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (model.box.periodic[axis]) continue;
    const Domain& domain = model.domain;
    if (x[axis] < domain.min[axis] || x[axis] > domain.max[axis]) return escapes;
  }
  for (const FlipSink& sink : sinks)
    if (time >= sink.start && time < sink.stop && sink.bounds.intersects(x) &&
        signed_distance(sink.shape, x) < 0)
      return drains;
  return stays;
}

void wrap(const DomainBox& box, Vec3d& x) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (!box.periodic[axis]) continue;
    const double length = box.max[axis] - box.min[axis];
    x[axis] -= length * std::floor((x[axis] - box.min[axis]) / length);
    // Rounding may put it on the far face, which is the near one.
    if (!(x[axis] < box.max[axis])) x[axis] = box.min[axis];
  }
}

}  // namespace

std::vector<FlipEmitter> make_flip_emitters(const Scene& scene, const FlipModel& model,
                                            const Bodies& bodies) {
  std::vector<FlipEmitter> emitters;
  for (const Emitter& given : scene.emitters) {
    FlipEmitter emitter;
    const std::string where = scene.where("emitter." + given.name + ".shape");
    emitter.name = given.name;
    emitter.material = flip_material(scene, given.material);
    emitter.rate = given.rate;
    emitter.velocity = given.velocity;
    emitter.start = given.start;
    emitter.stop = given.stop.value_or(kInfinity);
    const Box3d box = bounds(given.shape);
    const Vec3d size = box.size();
    const double places = (size.x / model.spacing) * (size.y / model.spacing) * (size.z / model.spacing);
    if (!(places < kMostPlaces))
      throw Error(ExitCode::bad_scene,
                  fmt::format("{}emitter '{}': its shape is too large for this spacing", where, given.name));
    for (int axis = 0; axis < 3; ++axis)
      emitter.size[static_cast<std::size_t>(axis)] =
          std::max(1, static_cast<int>(std::round(size[axis] / model.spacing)));
    const Vec3d half = 0.5 * model.spacing * Vec3d(emitter.size[0], emitter.size[1], emitter.size[2]);
    emitter.bounds = Box3d(box.center() - half, box.center() + half);
    rank_places(model, bodies, given.shape, emitter);
    if (emitter.rank_count == 0)
      throw Error(ExitCode::bad_scene,
                  fmt::format("{}emitter '{}': its shape has no room for a particle; make it larger", where,
                              given.name));
    emitters.push_back(std::move(emitter));
  }
  return emitters;
}

std::vector<FlipSink> make_flip_sinks(const Scene& scene) {
  std::vector<FlipSink> sinks;
  for (const Sink& sink : scene.sinks)
    sinks.push_back({sink.shape, bounds(sink.shape), sink.start, sink.stop.value_or(kInfinity)});
  return sinks;
}

std::vector<std::size_t> emit_liquid(const std::vector<FlipEmitter>& emitters, const FlipModel& model,
                                     double dt, FlipState& state) {
  std::vector<std::size_t> blocked;
  for (std::uint32_t e = 0; e < emitters.size(); ++e) {
    const FlipEmitter& emitter = emitters[e];
    FlipEmitterState& own = state.emitters[e];
    const double from = std::max(state.time, emitter.start), to = std::min(state.time + dt, emitter.stop);
    if (to > from) own.owed += emitter.rate * (to - from);
    if (own.owed < model.particle_mass) continue;
    const std::vector<std::uint32_t> places = empty_places(emitter, model, state, e);
    for (const std::uint32_t place : places) {
      if (own.owed < model.particle_mass) break;
      const auto p = static_cast<int>(place);
      const int x = p % emitter.size[0], y = p / emitter.size[0] % emitter.size[1],
                z = p / (emitter.size[0] * emitter.size[1]);
      Random random(model.seed, Stream::emitter_position, e, own.emitted);
      const double a = random.uniform(), b = random.uniform(), c = random.uniform();
      add_particle(state, emitter.bounds.min + model.spacing * Vec3d(x + a, y + b, z + c), emitter.velocity,
                   emitter.material);
      own.owed -= model.particle_mass;
      ++own.emitted;
    }
    if (own.owed > kPatience * static_cast<double>(emitter.rank.size()) * model.particle_mass)
      blocked.push_back(e);
  }
  return blocked;
}

void remove_liquid(const std::vector<FlipSink>& sinks, const FlipModel& model, FlipState& state,
                   Threads& threads) {
  std::vector<std::uint8_t> fate(state.size());
  threads.for_each(state.size(), [&](std::size_t p) {
    wrap(model.box, state.position[p]);
    fate[p] = fate_of(sinks, model, state.time, state.position[p]);
  });
  if (std::all_of(fate.begin(), fate.end(), [](std::uint8_t f) { return f == stays; })) return;
  for (const std::uint8_t f : fate) {
    state.escaped += f == escapes ? 1 : 0;
    state.drained += f == drains ? 1 : 0;
  }
  std::vector<std::uint32_t> rows;
  select_indices(
      threads, state.size(), [&](std::size_t p) { return fate[p] == stays; }, rows);
  select_rows(state, rows, threads);
}

}  // namespace repose
