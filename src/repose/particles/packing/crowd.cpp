#include "repose/particles/packing/crowd.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "repose/geometry/touch.h"

namespace repose {
namespace {

constexpr std::size_t kChunk = 128;
constexpr double kMargin = 0.25;      ///< of the lists, in the smallest radius of a sphere [-]
constexpr double kLongestMove = 0.1;  ///< of a grain in one iteration, in the smallest radius [-]
constexpr double kTurning = 0.4;      ///< moment of inertia over mass and bounding radius squared [-]

// FIRE, with the values of the paper but for the time steps, which suit a stiffness and a mass of one.
constexpr double kFirstStep = 0.1, kLongestStep = 0.5;
constexpr double kFasterStep = 1.1, kSlowerStep = 0.5;
constexpr double kFirstMixing = 0.1, kLessMixing = 0.99;
constexpr int kPatience = 5;

/// A quaternion as the rows of a matrix: cheaper where many vectors are turned.
struct Turn {
  Vec3d x, y, z;
  explicit Turn(const Quatd& q) {
    const double w = q.r, a = q.v.x, b = q.v.y, c = q.v.z;
    x = {1 - 2 * (b * b + c * c), 2 * (a * b - w * c), 2 * (a * c + w * b)};
    y = {2 * (a * b + w * c), 1 - 2 * (a * a + c * c), 2 * (b * c - w * a)};
    z = {2 * (a * c - w * b), 2 * (b * c + w * a), 1 - 2 * (a * a + b * b)};
  }
  Vec3d apply(const Vec3d& v) const { return {x.dot(v), y.dot(v), z.dot(v)}; }
};

}  // namespace

void PackedGrains::add(const Vec3d& x, const Quatd& q, double r, std::uint16_t s, Freedom f) {
  position.push_back(x);
  orientation.push_back(q);
  radius.push_back(r);
  shape.push_back(s);
  freedom.push_back(f);
}

void PackedGrains::add_from(const PackedGrains& other, std::size_t row, const Vec3d& at) {
  add(at, other.orientation[row], other.radius[row], other.shape[row], other.freedom[row]);
}

void PackedGrains::select(std::span<const std::uint8_t> keep) {
  const auto thin = [&](auto& array) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < keep.size(); ++i)
      if (keep[i] != 0) array[kept++] = array[i];
    array.resize(kept);
  };
  thin(position);
  thin(orientation);
  thin(radius);
  thin(shape);
  thin(freedom);
}

/// Sums over grains that an iteration needs.
struct Crowd::Sums {
  double energy = 0;
  double power = 0;    ///< force times velocity
  double force2 = 0;   ///< squared, over mass
  double speed2 = 0;   ///< squared, times mass
  double virial = 0;   ///< of the axes that yield
  double net = 0;      ///< sum of net forces
  double contact = 0;  ///< sum of contact forces, from each side
  double contact_count = 0;
  double grain_count = 0;  ///< that move
  double deepest = 0;

  static Sums join(const Sums& a, const Sums& b) {
    return {a.energy + b.energy,           a.power + b.power,
            a.force2 + b.force2,           a.speed2 + b.speed2,
            a.virial + b.virial,           a.net + b.net,
            a.contact + b.contact,         a.contact_count + b.contact_count,
            a.grain_count + b.grain_count, std::max(a.deepest, b.deepest)};
  }
};

Crowd::Crowd(PackedGrains& grains, std::span<const GrainShape> shapes, std::span<const Shape> walls,
             const DomainBox& box, Threads& threads)
    : grains_(grains), shapes_(shapes), walls_(walls), box_(box), threads_(threads) {
  arrange();
}

void Crowd::set_scale(double scale) {
  scale_ = scale;
  arrange();
}

void Crowd::stiffen_by_size() { stiffer_by_size_ = true; }

void Crowd::arrange() {
  const std::size_t n = grains_.size();
  first_sphere_.assign(n + 1, 0);
  mass_.resize(n);
  for (auto* array : {&force_, &torque_, &velocity_, &spin_}) array->assign(n, Vec3d(0));
  overlap_.assign(n, 0);
  contacts_.assign(n, 0);
  spheres_.clear();
  grain_of_.clear();
  double smallest = std::numeric_limits<double>::infinity(), least_grain = smallest;
  for (std::size_t g = 0; g < n; ++g) least_grain = std::min(least_grain, grains_.radius[g]);
  for (std::size_t g = 0; g < n; ++g) {
    // A large grain has more contacts, in proportion to its surface: with as much more mass it moves in step.
    const double ratio = grains_.radius[g] / least_grain;
    mass_[g] = ratio * ratio;
    first_sphere_[g] = static_cast<std::uint32_t>(spheres_.size());
    for (const ShapeSphere& sphere : shapes_[grains_.shape[g]].spheres) {
      spheres_.push_back({Vec3d(0), scale_ * grains_.radius[g] * sphere.radius});
      grain_of_.push_back(static_cast<std::uint32_t>(g));
      smallest = std::min(smallest, spheres_.back().radius);
    }
  }
  first_sphere_[n] = static_cast<std::uint32_t>(spheres_.size());
  margin_ = n > 0 ? kMargin * smallest : 0;
  longest_move_ = n > 0 ? kLongestMove * smallest : 0;
  listed_.resize(spheres_.size());
  lists_are_valid_ = false;
}

void Crowd::place() {
  threads_.for_each(
      grains_.size(),
      [&](std::size_t g) {
        const Turn turn(grains_.orientation[g]);
        std::uint32_t s = first_sphere_[g];
        for (const ShapeSphere& sphere : shapes_[grains_.shape[g]].spheres)
          spheres_[s++].position =
              grains_.position[g] + turn.apply(scale_ * grains_.radius[g] * sphere.center);
      },
      kChunk);
}

bool Crowd::moved_too_far() {
  const double limit = 0.25 * margin_ * margin_;
  return threads_.reduce(
             spheres_.size(), 0.0,
             [&](std::size_t begin, std::size_t end) {
               double largest = 0;
               for (std::size_t s = begin; s < end; ++s) {
                 const Vec3d d = box_.minimum_image(spheres_[s].position - listed_[s]);
                 largest = std::max(largest, d.dot(d));
               }
               return largest;
             },
             [](double a, double b) { return std::max(a, b); }, 4096) >= limit;
}

void Crowd::make_lists() {
  const std::size_t n = spheres_.size();
  search_positions_.resize(n);
  search_radii_.resize(n);
  threads_.for_each(n, [&](std::size_t s) {
    search_positions_[s] = listed_[s] = spheres_[s].position;
    search_radii_[s] = spheres_[s].radius;
  });
  search_.build(threads_, search_positions_, search_radii_, margin_, box_);
  search_.build_lists(
      threads_,
      [&](std::size_t i, std::size_t j) {
        const std::uint32_t a = grain_of_[i], b = grain_of_[j];
        return a != b && grains_.freedom[a] != Freedom::held;
      },
      [](std::uint32_t j) { return j; }, lists_);

  // Walls near each grain.
  std::vector<std::vector<std::uint32_t>> near(grains_.size());
  threads_.for_each(grains_.size(), [&](std::size_t g) {
    if (grains_.freedom[g] == Freedom::held) return;
    for (std::size_t w = 0; w < walls_.size(); ++w)
      if (signed_distance(walls_[w], grains_.position[g]) < scale_ * grains_.radius[g] + margin_)
        near[g].push_back(static_cast<std::uint32_t>(w));
  });
  wall_first_.assign(grains_.size() + 1, 0);
  wall_of_.clear();
  for (std::size_t g = 0; g < near.size(); ++g) {
    wall_first_[g] = static_cast<std::uint32_t>(wall_of_.size());
    wall_of_.insert(wall_of_.end(), near[g].begin(), near[g].end());
  }
  wall_first_[grains_.size()] = static_cast<std::uint32_t>(wall_of_.size());
  lists_are_valid_ = true;
}

void Crowd::push_from_grains(std::size_t g, Sums& sums) {
  const bool periodic = box_.any_periodic();
  const Vec3d center = grains_.position[g];
  const double diameter = 2 * scale_ * grains_.radius[g];
  Vec3d force(0), torque(0);
  for (std::uint32_t s = first_sphere_[g]; s < first_sphere_[g + 1]; ++s) {
    const Sphere own = spheres_[s];
    for (const std::uint32_t j : lists_.of(s)) {
      const Sphere& other = spheres_[j];
      Vec3d d = other.position - own.position;
      if (periodic) d = box_.minimum_image(d);
      const double reach = own.radius + other.radius, distance2 = d.dot(d);
      if (!(distance2 < reach * reach)) continue;
      const double distance = std::sqrt(distance2), overlap = reach - distance;
      const Vec3d normal = distance > 0 ? d * (1 / distance) : Vec3d(0, 0, 1);
      const std::uint32_t h = grain_of_[j];
      const double push = stiffer_by_size_ ? std::min(mass_[g], mass_[h]) * overlap : overlap;
      force -= push * normal;
      torque += (own.position - center + own.radius * normal).cross(-push * normal);
      const Vec3d apart = box_.minimum_image(grains_.position[h] - center);
      for (unsigned axis = 0; axis < 3; ++axis)
        if (yields_[axis]) sums.virial += 0.5 * push * normal[axis] * apart[axis];
      sums.energy += 0.25 * push * overlap;
      sums.contact += push;
      sums.contact_count += 1;
      ++contacts_[g];
      overlap_[g] = std::max(overlap_[g], overlap / std::min(diameter, 2 * scale_ * grains_.radius[h]));
    }
  }
  force_[g] = force;
  torque_[g] = torque;
}

void Crowd::push_from_walls(std::size_t g, Sums& sums) {
  Touches touches;
  for (std::uint32_t k = wall_first_[g]; k < wall_first_[g + 1]; ++k) {
    const Shape& wall = walls_[wall_of_[k]];
    for (std::uint32_t s = first_sphere_[g]; s < first_sphere_[g + 1]; ++s) {
      const Sphere& own = spheres_[s];
      touches.clear();
      find_touches(wall, wall.pose.to_local(own.position), own.radius, touches);
      for (const Touch& touch : touches) {
        const Vec3d normal = rotate(wall.pose.rotation, touch.normal);
        const double overlap = own.radius - touch.distance;
        const double stiffness = stiffer_by_size_ ? mass_[g] : 1;
        const Vec3d push = stiffness * overlap * normal;
        force_[g] += push;
        torque_[g] += (own.position - grains_.position[g] - own.radius * normal).cross(push);
        sums.energy += 0.5 * stiffness * overlap * overlap;
        sums.contact += stiffness * overlap;
        sums.contact_count += 1;
        ++contacts_[g];
        overlap_[g] = std::max(overlap_[g], overlap / (2 * scale_ * grains_.radius[g]));
      }
    }
  }
}

Crowd::Sums Crowd::find_forces() {
  place();
  if (!lists_are_valid_ || moved_too_far()) make_lists();
  return threads_.reduce(
      grains_.size(), Sums{},
      [&](std::size_t begin, std::size_t end) {
        Sums sums;
        for (std::size_t g = begin; g < end; ++g) {
          if (grains_.freedom[g] == Freedom::held) continue;
          overlap_[g] = 0;
          contacts_[g] = 0;
          push_from_grains(g, sums);
          push_from_walls(g, sums);
          if (grains_.freedom[g] == Freedom::moves) torque_[g] = Vec3d(0);
          const double R = scale_ * grains_.radius[g], I = kTurning * mass_[g] * R * R;
          sums.power += force_[g].dot(velocity_[g]) + torque_[g].dot(spin_[g]);
          sums.force2 += force_[g].dot(force_[g]) / mass_[g] + torque_[g].dot(torque_[g]) / I;
          sums.speed2 += mass_[g] * velocity_[g].dot(velocity_[g]) + I * spin_[g].dot(spin_[g]);
          sums.net += force_[g].length();
          sums.grain_count += 1;
          sums.deepest = std::max(sums.deepest, overlap_[g]);
        }
        return sums;
      },
      Sums::join, kChunk);
}

void Crowd::stop() {
  std::fill(velocity_.begin(), velocity_.end(), Vec3d(0));
  std::fill(spin_.begin(), spin_.end(), Vec3d(0));
  strain_rate_ = 0;
}

void Crowd::move(double dt) {
  threads_.for_each(
      grains_.size(),
      [&](std::size_t g) {
        if (grains_.freedom[g] == Freedom::held) return;
        const double R = scale_ * grains_.radius[g];
        Vec3d step = dt * velocity_[g], turn = dt * spin_[g];
        const double way = std::max(step.length(), R * turn.length());
        if (way > longest_move_) {
          step *= longest_move_ / way;
          turn *= longest_move_ / way;
        }
        Vec3d& x = grains_.position[g];
        x += step;
        for (unsigned axis = 0; axis < 3; ++axis)
          if (yields_[axis]) x[axis] += (x[axis] - box_.min[axis]) * dt * strain_rate_;
        if (grains_.freedom[g] == Freedom::moves_and_turns)
          grains_.orientation[g] = (exp_rotation(turn) * grains_.orientation[g]).normalized();
      },
      kChunk);
  for (unsigned axis = 0; axis < 3; ++axis)
    if (yields_[axis]) box_.max[axis] += (box_.max[axis] - box_.min[axis]) * dt * strain_rate_;
}

CrowdState Crowd::relax(const Relaxation& how) {
  yields_ = how.pressure > 0 ? how.yields : std::array<bool, 3>{};
  stop();
  double dt = kFirstStep, mixing = kFirstMixing;
  int downhill = 0;
  CrowdState state;
  for (;; ++state.iterations) {
    const Sums sums = find_forces();
    double power = sums.power, force2 = sums.force2, speed2 = sums.speed2;
    state.deepest_overlap = sums.deepest;
    state.energy = sums.energy;
    const double mean_contact = sums.contact_count > 0 ? sums.contact / sums.contact_count : 0;
    state.residual =
        mean_contact > 0 && sums.grain_count > 0 ? sums.net / sums.grain_count / mean_contact : 0;
    double volume = 1, axes = 0;
    for (unsigned axis = 0; axis < 3; ++axis) volume *= box_.max[axis] - box_.min[axis];
    for (unsigned axis = 0; axis < 3; ++axis) axes += yields_[axis] ? 1 : 0;
    bool balanced = true;
    if (axes > 0) {
      strain_force_ = sums.virial - how.pressure * axes * volume;
      strain_mass_ = 0;
      for (unsigned axis = 0; axis < 3; ++axis)
        if (yields_[axis]) {
          const double length = box_.max[axis] - box_.min[axis];
          strain_mass_ += length * length / 12;
        }
      double mass = 0;
      for (const double m : mass_) mass += m;
      strain_mass_ *= mass;
      power += strain_force_ * strain_rate_;
      force2 += strain_force_ * strain_force_ / strain_mass_;
      speed2 += strain_mass_ * strain_rate_ * strain_rate_;
      balanced = std::abs(strain_force_) < 0.05 * how.pressure * axes * volume;
    }
    if (sums.deepest <= how.allowed_overlap || (state.residual <= how.allowed_residual && balanced)) break;
    if (state.iterations >= how.iterations) break;

    if (power > 0) {
      if (++downhill > kPatience) {
        dt = std::min(kFasterStep * dt, kLongestStep);
        mixing *= kLessMixing;
      }
    } else if (state.iterations > 0) {
      downhill = 0;
      dt *= kSlowerStep;
      mixing = kFirstMixing;
      stop();
      speed2 = 0;
    }
    const double along = force2 > 0 ? mixing * std::sqrt(speed2 / force2) : 0;
    threads_.for_each(
        grains_.size(),
        [&](std::size_t g) {
          if (grains_.freedom[g] == Freedom::held) return;
          const double R = scale_ * grains_.radius[g], I = kTurning * mass_[g] * R * R;
          const Vec3d a = force_[g] / mass_[g], b = torque_[g] / I;
          velocity_[g] = (1 - mixing) * velocity_[g] + along * a + dt * a;
          spin_[g] = (1 - mixing) * spin_[g] + along * b + dt * b;
        },
        kChunk);
    if (axes > 0) {
      const double a = strain_force_ / strain_mass_;
      strain_rate_ = (1 - mixing) * strain_rate_ + (along + dt) * a;
      strain_rate_ = std::clamp(strain_rate_, -0.01 / dt, 0.01 / dt);
    }
    move(dt);
  }
  return state;
}

std::vector<std::uint8_t> all_but_deepest(std::span<const double> overlaps, double allowed,
                                          std::size_t most) {
  std::vector<std::uint32_t> order(overlaps.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return overlaps[a] > overlaps[b]; });
  std::vector<std::uint8_t> keep(overlaps.size(), 1);
  for (std::size_t k = 0; k < std::min(most, order.size()) && overlaps[order[k]] > allowed; ++k)
    keep[order[k]] = 0;
  return keep;
}

}  // namespace repose
