#include "repose/solvers/dem/sources.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/geometry/sampling.h"
#include "repose/solvers/dem/random_grain.h"
#include "repose/solvers/dem/rotation.h"

namespace repose {
namespace {

constexpr int kSpotTries = 32;  ///< for one grain in one batch

double largest_radius(const DemMaterial& material) {
  double largest = 0;
  for (const DemSize& size : material.sizes) largest = std::max(largest, size.radius);
  return largest;
}

/// How far centres are kept from the shape's surface: a grain's radius where the shape is thick enough.
double inset_of(const Scene& scene, const DemModel& model, std::uint32_t index, double radius) {
  const Emitter& emitter = scene.emitters[index];
  for (const double inset : {radius, 0.0}) {
    Random random(model.seed, Stream::emitter_position, index, 0);
    if (sample_point(emitter.shape, random, inset)) return inset;
  }
  throw Error(ExitCode::bad_scene,
              fmt::format("{}emitter '{}': its shape has no room for a grain; make it larger",
                          scene.where("emitter." + emitter.name + ".shape"), emitter.name));
}

/// Grains that could be in the way of a new one, as rows of the state.
std::vector<std::uint32_t> grains_near(const DemState& state, const DemModel& model, const Box3d& bounds,
                                       double radius) {
  std::vector<std::uint32_t> near;
  const Vec3d middle = bounds.center(), half = 0.5 * bounds.size();
  for (std::size_t g = 0; g < state.size(); ++g) {
    const Vec3d d = model.box.minimum_image(state.position[g] - middle);
    const double reach = radius + state.radius[g];
    if (std::abs(d.x) < half.x + reach && std::abs(d.y) < half.y + reach && std::abs(d.z) < half.z + reach)
      near.push_back(static_cast<std::uint32_t>(g));
  }
  return near;
}

bool is_inside_domain(const DemModel& model, const Vec3d& point, double radius) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    const double low = model.domain.faces[2 * axis] == FaceKind::wall ? radius : 0.0;
    const double high = model.domain.faces[2 * axis + 1] == FaceKind::wall ? radius : 0.0;
    if (point[axis] < model.domain.min[axis] + low || point[axis] > model.domain.max[axis] - high)
      return false;
  }
  return true;
}

bool is_free(const DemModel& model, const DemState& state, const Bodies& bodies,
             const std::vector<std::uint32_t>& near, const Vec3d& point, double radius) {
  if (!is_inside_domain(model, point, radius)) return false;
  for (const std::uint32_t g : near) {
    const Vec3d d = model.box.minimum_image(state.position[g] - point);
    const double reach = radius + state.radius[g];
    if (d.dot(d) < reach * reach) return false;
  }
  for (std::size_t b = 0; b < bodies.first_wall(); ++b)
    if (bodies.distance_bound(b, point) < radius && bodies.nearest(b, point).distance < radius) return false;
  return true;
}

/// Adds one grain of this size at a random free spot; false where none was found.
bool emit_one(const DemEmitter& emitter, std::uint32_t index, const DemModel& model, const Bodies& bodies,
              double radius, DemState& state, std::vector<std::uint32_t>& near) {
  EmitterState& own = state.emitters[index];
  for (int attempt = 0; attempt < kSpotTries; ++attempt) {
    Random random(model.seed, Stream::emitter_position, index, ++own.attempts);
    const std::optional<Vec3d> spot = sample_point(emitter.shape, random, emitter.inset);
    if (!spot || !is_free(model, state, bodies, near, *spot, radius)) continue;
    Random turn(model.seed, Stream::emitter_orientation, index, own.next_size);
    near.push_back(static_cast<std::uint32_t>(state.size()));
    state.id.push_back(state.next_id++);
    state.position.push_back(*spot);
    state.velocity.push_back(emitter.velocity);
    state.orientation.push_back(random_orientation(turn));
    state.angular_momentum.emplace_back(0.0);
    state.radius.push_back(radius);
    state.shape.push_back(model.materials[emitter.material].shape);
    state.material.push_back(emitter.material);
    state.held.push_back(0);
    return true;
  }
  return false;
}

enum Fate : std::uint8_t { stays, leaves, escapes, drains };

Fate fate_of(const std::vector<SinkShape>& sinks, const DemModel& model, const DemState& state,
             std::size_t g) {
  const Vec3d& x = state.position[g];
  const DomainExit exit = domain_exit(model.domain, model.box, x, state.radius[g]);
  if (exit != DomainExit::none) return exit == DomainExit::wall ? escapes : leaves;
  return is_drained(sinks, state.time, x) ? drains : stays;
}

}  // namespace

std::vector<DemEmitter> make_emitters(const Scene& scene, const DemModel& model) {
  std::vector<DemEmitter> emitters;
  for (std::uint32_t e = 0; e < scene.emitters.size(); ++e) {
    const Emitter& given = scene.emitters[e];
    DemEmitter emitter;
    emitter.name = given.name;
    emitter.material = static_cast<std::uint8_t>(material_index(scene, given.material));
    emitter.shape = given.shape;
    emitter.bounds = bounds(given.shape);
    emitter.pouring = pouring_of(given);
    emitter.velocity = given.velocity;
    const double radius = largest_radius(model.materials[emitter.material]);
    emitter.inset = inset_of(scene, model, e, radius);
    const double speed =
        std::max({given.velocity.length(), std::sqrt(2 * model.gravity.length() * radius), radius});
    emitter.period = radius / speed;
    emitters.push_back(std::move(emitter));
  }
  return emitters;
}

MatterSource matter_source(const DemEmitter& emitter, const Material& material) {
  MatterSource source{.bounds = emitter.bounds, .speed = emitter.velocity.length(), .is_poured = true};
  if (const Pouring& pouring = emitter.pouring; std::isfinite(pouring.stop)) {
    // A cone of 30 degrees with twice the matter: walls may keep it together.
    const double volume = 2 * pouring.mass(pouring.start, pouring.stop) / material.density;
    source.depth = std::cbrt(volume / kPi);
  }
  return source;
}

std::size_t emit_grains(const std::vector<DemEmitter>& emitters, const DemModel& model, const Bodies& bodies,
                        DemState& state, std::vector<bool>& blocked) {
  const std::size_t before = state.size();
  for (std::uint32_t e = 0; e < emitters.size(); ++e) {
    const DemEmitter& emitter = emitters[e];
    EmitterState& own = state.emitters[e];
    const Pouring& pouring = emitter.pouring;
    if (own.next_time > state.time || own.next_time >= pouring.stop) continue;
    for (; own.next_time <= state.time && own.next_time < pouring.stop; own.next_time += emitter.period)
      own.owed += pouring.mass(own.next_time, own.next_time + emitter.period);
    const DemMaterial& material = model.materials[emitter.material];
    std::optional<std::vector<std::uint32_t>> near;
    while (true) {
      Random random(model.seed, Stream::emitter_size, e, own.next_size);
      const DemSize& size = random_size(material, random);
      if (own.owed < size.mass) break;
      if (!near) near = grains_near(state, model, emitter.bounds, largest_radius(material));
      if (!emit_one(emitter, e, model, bodies, size.radius, state, *near)) {
        blocked[e] = blocked[e] || own.owed > 2 * pouring.rate * emitter.period + size.mass;
        break;
      }
      own.owed -= size.mass;
      ++own.next_size;
    }
  }
  return state.size() - before;
}

std::size_t remove_grains(const std::vector<SinkShape>& sinks, const DemModel& model, DemState& state,
                          Threads& threads) {
  constexpr std::size_t kChunk = 1024;
  const std::size_t leaving = threads.reduce(
      state.size(), std::size_t{0},
      [&](std::size_t begin, std::size_t end) {
        std::size_t count = 0;
        for (std::size_t g = begin; g < end; ++g) count += fate_of(sinks, model, state, g) != stays ? 1U : 0U;
        return count;
      },
      [](std::size_t a, std::size_t b) { return a + b; }, kChunk);
  if (leaving == 0) return 0;
  std::vector<std::uint32_t> rows;
  for (std::size_t g = 0; g < state.size(); ++g) {
    const Fate fate = fate_of(sinks, model, state, g);
    if (fate == stays) rows.push_back(static_cast<std::uint32_t>(g));
    if (fate == escapes) ++state.escaped;
    if (fate == drains) ++state.drained;
  }
  select_rows(state, rows, threads);
  return leaving;
}

}  // namespace repose
