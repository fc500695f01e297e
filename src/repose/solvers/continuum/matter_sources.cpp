#include "repose/solvers/continuum/matter_sources.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/random.h"
#include "repose/exec/algorithms.h"
#include "repose/physics/sph.h"
#include "repose/scene/materials.h"

namespace repose {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMostPlaces = 1e8;
/// An emitter that owes more than it has places for is blocked.
constexpr double kPatience = 1;

std::size_t place_index(const MatterEmitter& emitter, int x, int y, int z) {
  return static_cast<std::size_t>(x + emitter.size[0] * (y + emitter.size[1] * z));
}

/// Layers are as thick as particles lie apart, counted from the back of the stream.
void rank_places(const MatterSettings& settings, const Bodies& bodies, const Shape& shape,
                 MatterEmitter& emitter) {
  const double speed = emitter.velocity.length();
  const Vec3d forward = speed > 0 ? emitter.velocity / speed : Vec3d(0);
  std::vector<double> along;
  const auto center = [&](int x, int y, int z) {
    return emitter.bounds.min + settings.spacing * Vec3d(x + 0.5, y + 0.5, z + 0.5);
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
        const int rank = static_cast<int>(std::floor((forward.dot(c) - back) / settings.spacing + 1e-6));
        emitter.rank[place_index(emitter, x, y, z)] = rank;
        emitter.rank_count = std::max(emitter.rank_count, rank + 1);
      }
}

/// Particles in the places of an emitter, and two places around them.
class PlacedNear {
 public:
  PlacedNear(const MatterEmitter& emitter, double spacing)
      : corner_(emitter.bounds.min - Vec3d(kMargin * spacing)),
        spacing_(spacing),
        size_{emitter.size[0] + 2 * kMargin, emitter.size[1] + 2 * kMargin, emitter.size[2] + 2 * kMargin},
        bounds_(corner_, emitter.bounds.max + Vec3d(kMargin * spacing)),
        first_(index(0, 0, size_[2]), kNone) {}

  void add(std::span<const Vec3d> positions) {
    for (const Vec3d& x : positions)
      if (bounds_.intersects(x)) add(x);
  }
  void add(const Vec3d& x) {
    const Vec3d c = (x - corner_) / spacing_;
    const auto cell = [&](int axis) {
      return std::min(static_cast<int>(c[axis]), size_[static_cast<std::size_t>(axis)] - 1);
    };
    std::uint32_t& first = first_[index(cell(0), cell(1), cell(2))];
    next_.push_back(first);
    first = static_cast<std::uint32_t>(points_.size());
    points_.push_back(x);
  }
  bool is_taken(const Vec3i& place) const {
    return first_[index(place.x + kMargin, place.y + kMargin, place.z + kMargin)] != kNone;
  }
  /// The square of the distance to the nearest of x, a point of this place, or more than a spacing's [m2].
  double nearest_square(const Vec3i& place, const Vec3d& x) const {
    double nearest = kInfinity;
    for_each_around(place, 1,
                    [&](const Vec3d& other) { nearest = std::min(nearest, (other - x).length2()); });
    return nearest;
  }
  /// Of particles around x, a point of this place, over that at rest.
  double density_at(const Vec3i& place, const Vec3d& x) const {
    constexpr double kUnit = 1e-12;  // summed up as whole numbers, since particles come in any order
    std::int64_t sum = 0;
    for_each_around(place, kMargin, [&](const Vec3d& other) {
      sum += std::llround(sph_kernel((other - x).length() / spacing_) / kUnit);
    });
    return kUnit * static_cast<double>(sum);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  static constexpr int kMargin = 2;  ///< places, as far as the kernel reaches
  static_assert(kMargin >= kSphSupport);

  /// Calls f(position) for the particles of places up to `far` from this one.
  template <class F>
  void for_each_around(const Vec3i& place, int far, F&& f) const {
    const auto from = [&](int at) { return at + kMargin - far; };
    const auto to = [&](int at) { return at + kMargin + far; };
    for (int z = from(place.z); z <= to(place.z); ++z)
      for (int y = from(place.y); y <= to(place.y); ++y)
        for (int x = from(place.x); x <= to(place.x); ++x)
          for (std::uint32_t k = first_[index(x, y, z)]; k != kNone; k = next_[k]) f(points_[k]);
  }
  std::size_t index(int x, int y, int z) const {
    return static_cast<std::size_t>(x + size_[0] * (y + size_[1] * z));
  }

  Vec3d corner_;
  double spacing_;
  std::array<int, 3> size_;
  Box3d bounds_;
  std::vector<std::uint32_t> first_;  ///< by place, the particle that came last
  std::vector<std::uint32_t> next_;   ///< by particle, the one before it in its place
  std::vector<Vec3d> points_;
};

Vec3i place_at(const MatterEmitter& emitter, std::uint32_t index) {
  const auto p = static_cast<int>(index);
  return {p % emitter.size[0], p / emitter.size[0] % emitter.size[1],
          p / (emitter.size[0] * emitter.size[1])};
}

/// Places that are not taken, in the order in which they are filled. `draw` counts the draws before this one.
std::vector<std::uint32_t> order_to_fill(const MatterEmitter& emitter, std::uint32_t index,
                                         const PlacedNear& placed, std::uint64_t seed, std::uint64_t draw) {
  struct Place {
    int rank;
    std::uint32_t key, place;
    bool operator<(const Place& o) const {
      return std::tie(rank, key, place) < std::tie(o.rank, o.key, o.place);
    }
  };
  std::vector<Place> places;
  for (std::uint32_t p = 0; p < emitter.rank.size(); ++p) {
    if (emitter.rank[p] < 0 || placed.is_taken(place_at(emitter, p))) continue;
    Random random(seed, Stream::emitter_size, index, draw * emitter.rank.size() + p);
    places.push_back({emitter.rank[p], random.bits(), p});
  }
  std::sort(places.begin(), places.end());
  std::vector<std::uint32_t> order;
  order.reserve(places.size());
  for (const Place& place : places) order.push_back(place.place);
  return order;
}

/// Of random points of a place the one furthest from other particles; none where these are too dense.
std::optional<Vec3d> point_in_place(const MatterEmitter& emitter, const MatterSettings& settings,
                                    const Vec3i& place, const PlacedNear& placed, Random& random) {
  Vec3d best(0);
  double furthest = -1;
  for (int k = 0; k < settings.tries; ++k) {
    const double a = random.uniform(), b = random.uniform(), c = random.uniform();
    const Vec3d point = emitter.bounds.min + settings.spacing * (Vec3d(place) + Vec3d(a, b, c));
    const double square = settings.tries > 1 ? placed.nearest_square(place, point) : 0;
    if (square > furthest) best = point, furthest = square;
  }
  if (settings.most_crowded < kInfinity && placed.density_at(place, best) > settings.most_crowded)
    return std::nullopt;
  return best;
}

enum Fate : std::uint8_t { stays, leaves, escapes, drains };

Fate fate_of(std::span<const SinkShape> sinks, const MatterSettings& settings, double time, const Vec3d& x) {
  const DomainExit exit = domain_exit(settings.domain, settings.box, x, 0);
  if (exit != DomainExit::none) return exit == DomainExit::wall ? escapes : leaves;
  return is_drained(sinks, time, x) ? drains : stays;
}

}  // namespace

std::vector<MatterEmitter> make_matter_emitters(const Scene& scene, const MatterSettings& settings,
                                                const Bodies& bodies) {
  std::vector<MatterEmitter> emitters;
  for (const Emitter& given : scene.emitters) {
    MatterEmitter emitter;
    const std::string where = scene.where("emitter." + given.name + ".shape");
    emitter.name = given.name;
    emitter.material = static_cast<std::uint8_t>(material_index(scene, given.material));
    emitter.particle_mass = settings.particle_mass[emitter.material];
    emitter.pouring = pouring_of(given);
    emitter.velocity = given.velocity;
    const Box3d box = bounds(given.shape);
    const Vec3d size = box.size();
    const double places =
        (size.x / settings.spacing) * (size.y / settings.spacing) * (size.z / settings.spacing);
    if (!(places < kMostPlaces))
      throw Error(ExitCode::bad_scene,
                  fmt::format("{}emitter '{}': its shape is too large for this spacing", where, given.name));
    for (int axis = 0; axis < 3; ++axis)
      emitter.size[static_cast<std::size_t>(axis)] =
          std::max(1, static_cast<int>(std::round(size[axis] / settings.spacing)));
    const Vec3d half = 0.5 * settings.spacing * Vec3d(emitter.size[0], emitter.size[1], emitter.size[2]);
    emitter.bounds = Box3d(box.center() - half, box.center() + half);
    rank_places(settings, bodies, given.shape, emitter);
    if (emitter.rank_count == 0)
      throw Error(ExitCode::bad_scene,
                  fmt::format("{}emitter '{}': its shape has no room for a particle; make it larger", where,
                              given.name));
    emitters.push_back(std::move(emitter));
  }
  return emitters;
}

Emission emit_matter(const std::vector<MatterEmitter>& emitters, const MatterSettings& settings,
                     const EmissionStep& step, std::span<const Vec3d> position,
                     std::span<MatterEmitterState> states) {
  Emission emission;
  for (std::uint32_t e = 0; e < emitters.size(); ++e) {
    const MatterEmitter& emitter = emitters[e];
    MatterEmitterState& own = states[e];
    own.owed += emitter.pouring.mass(step.time, step.time + step.dt);
    if (own.owed < emitter.particle_mass) continue;
    PlacedNear placed(emitter, settings.spacing);
    placed.add(position);
    placed.add(emission.matter.position);
    for (const std::uint32_t p : order_to_fill(emitter, e, placed, settings.seed, step.index)) {
      if (own.owed < emitter.particle_mass) break;
      Random random(settings.seed, Stream::emitter_position, e, own.emitted);
      const std::optional<Vec3d> x = point_in_place(emitter, settings, place_at(emitter, p), placed, random);
      if (!x) continue;
      placed.add(*x);
      emission.matter.add(*x, emitter.velocity, emitter.material, e);
      own.owed -= emitter.particle_mass;
      ++own.emitted;
    }
    if (own.owed > kPatience * static_cast<double>(emitter.rank.size()) * emitter.particle_mass)
      emission.blocked.push_back(e);
  }
  return emission;
}

std::string blocked_warning(const MatterEmitter& emitter) {
  return fmt::format(
      "emitter '{}' finds no room for all its matter; what does not fit waits: enlarge its shape, lower its "
      "rate or raise its velocity",
      emitter.name);
}

Departures find_departures(std::span<const SinkShape> sinks, const MatterSettings& settings, double time,
                           Threads& threads, std::span<Vec3d> position) {
  std::vector<std::uint8_t> fate(position.size());
  threads.for_each(position.size(), [&](std::size_t p) {
    wrap_into(settings.box, position[p]);
    fate[p] = fate_of(sinks, settings, time, position[p]);
  });
  Departures departures;
  departures.escaped = static_cast<std::uint64_t>(std::count(fate.begin(), fate.end(), escapes));
  departures.left = static_cast<std::uint64_t>(std::count(fate.begin(), fate.end(), leaves));
  departures.drained = static_cast<std::uint64_t>(std::count(fate.begin(), fate.end(), drains));
  if (departures.any())
    select_indices(
        threads, position.size(), [&](std::size_t p) { return fate[p] == stays; }, departures.staying);
  return departures;
}

}  // namespace repose
