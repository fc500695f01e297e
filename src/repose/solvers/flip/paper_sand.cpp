#include "repose/solvers/flip/paper_sand.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "repose/grid/rigid_groups.h"
#include "repose/grid/tile_block.h"
#include "repose/solvers/flip/coupling.h"
#include "repose/solvers/flip/pressure.h"
#include "repose/solvers/flip/solids.h"

namespace repose {
namespace {

constexpr float kParticlesPerCell = 8;
/// Faces count as having at least this much of a cell's mass.
constexpr float kLeastMass = 0.25F;

using Block = TileBlock<1>;
using Values = std::array<float, Block::kCells>;
using Place = std::array<int, 3>;

/// The three pairs of axes that share edges.
constexpr std::array<std::array<std::size_t, 2>, 3> kPairs{{{0, 1}, {0, 2}, {1, 2}}};

Place moved(Place at, std::size_t axis, int by) {
  at[axis] += by;
  return at;
}

float read(const Values& field, const Place& at) { return field[Block::place(at[0], at[1], at[2])]; }

template <class F>
void for_each_cell_of_tile(const F& f) {
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x) f(Place{x, y, z}, cell_in_tile(x, y, z));
}

/// Whether an edge along which faces across a and b meet, at the lower end of `at` along both, has matter
/// all around.
bool is_edge(const std::array<Values, 3>& mass, std::size_t a, std::size_t b, const Place& at) {
  return read(mass[a], at) > 0 && read(mass[a], moved(at, b, -1)) > 0 && read(mass[b], at) > 0 &&
         read(mass[b], moved(at, a, -1)) > 0;
}

class PrintedSand {
 public:
  PrintedSand(const FlipModel& model, double dt, Threads& threads, FlipState& state, FlipScratch& scratch,
              Bodies& bodies)
      : model_(model), dt_(dt), threads_(threads), state_(state), scratch_(scratch), bodies_(bodies) {
    find_masses();
  }

  void run() {
    rub_at_solids();
    project(model_, bodies_, dt_, threads_, state_, scratch_);
    set_solid_faces();
    find_stress();
    slide();
    make_rigid(tiles_, is_rigid_, mass_, threads_, scratch_.after);
  }

 private:
  bool is_matter(std::size_t i) const {
    return scratch_.phi[i] < 0 && scratch_.solids.distance[i] > -0.5F * static_cast<float>(model_.place.cell);
  }
  void find_masses();
  void rub_at_solids();
  void rub_face(std::size_t axis, std::size_t face, const Place& at, const std::array<Values, 3>& velocity,
                const std::array<Values, 3>& weight, const Vec3d& middle);
  void set_solid_faces();
  void find_stress();
  void slide();
  void push_solids(const FaceVelocity& force, float share);
  void push_body(std::size_t body, const Vec3d& impulse, const Vec3d& at);
  std::array<Values, 3> around(std::size_t tile, const FaceVelocity& field) const {
    std::array<Values, 3> blocks;
    for (std::size_t axis = 0; axis < 3; ++axis)
      Block::fill(tiles_, tile, field.u[axis], blocks[axis].data());
    return blocks;
  }

  const FlipModel& model_;
  double dt_;
  Threads& threads_;
  FlipState& state_;
  FlipScratch& scratch_;
  Bodies& bodies_;
  const TileSet& tiles_ = scratch_.cells.tiles;
  FaceWeight mass_;  ///< of faces of the sand, over rho h^3; 0 elsewhere
  std::vector<std::uint8_t> is_rigid_;
  /// Sliding stress by cell, times dt / (rho h) [m/s]: xx, yy, zz, then xy, xz, yz over the number of the
  /// cell's edges that have matter all around.
  std::array<std::vector<float>, 6> stress_;
};

void PrintedSand::find_masses() {
  mass_.resize(tiles_.cell_count());
  threads_.for_each(
      tiles_.size(),
      [&](std::size_t tile) {
        Values phi, distance;
        Block::fill(tiles_, tile, scratch_.phi, phi.data());
        Block::fill(tiles_, tile, scratch_.solids.distance, distance.data());
        const float deep = -0.5F * static_cast<float>(model_.place.cell);
        for_each_cell_of_tile([&](const Place& at, std::size_t in) {
          const std::size_t i = tile * kTileCells + in;
          const auto has_matter = [&](const Place& cell) {
            return read(phi, cell) < 0 && read(distance, cell) > deep;
          };
          for (std::size_t axis = 0; axis < 3; ++axis)
            if (scratch_.solids.open[axis][i] > 0 && (has_matter(at) || has_matter(moved(at, axis, -1))))
              mass_.u[axis][i] = std::max(kLeastMass, scratch_.weight.u[axis][i] / kParticlesPerCell);
        });
      },
      4);
}

/// An impulse on a body, which is told of it before the pressure if it is free.
void PrintedSand::push_body(std::size_t body, const Vec3d& impulse, const Vec3d& at) {
  if (!bodies_[body].is_free) return bodies_.add_impulse(body, impulse, at);
  const Vec3d turn = (at - scratch_.body_velocity[body].center).cross(impulse);
  Vec6& rub = scratch_.body_rub[body];
  for (int i = 0; i < 3; ++i) {
    rub[static_cast<std::size_t>(i)] += impulse[i];
    rub[static_cast<std::size_t>(3 + i)] += turn[i];
  }
}

/// Eq. 2.8 at every face within a cell of a solid.
void PrintedSand::rub_at_solids() {
  const FaceVelocity before = scratch_.after;
  const auto h = static_cast<float>(model_.place.cell);
  for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
    const float* near = &scratch_.solids.distance[tile * kTileCells];
    if (std::all_of(near, near + kTileCells, [&](float d) { return d >= 1.5F * h; })) continue;
    const std::array<Values, 3> velocity = around(tile, before), weight = around(tile, scratch_.weight);
    const Vec3d corner = tile_corner(model_.place, tiles_.coordinate(tile));
    for_each_cell_of_tile([&](const Place& at, std::size_t in) {
      if (near[in] >= 1.5F * h) return;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        Vec3d middle = corner + model_.place.cell * Vec3d(at[0] + 0.5, at[1] + 0.5, at[2] + 0.5);
        middle[static_cast<int>(axis)] -= 0.5 * model_.place.cell;
        rub_face(axis, tile * kTileCells + in, at, velocity, weight, middle);
      }
    });
  }
}

void PrintedSand::rub_face(std::size_t axis, std::size_t face, const Place& at,
                           const std::array<Values, 3>& velocity, const std::array<Values, 3>& weight,
                           const Vec3d& middle) {
  if (!(mass_.u[axis][face] > 0) || !(scratch_.weight.u[axis][face] > 0)) return;
  const auto solid = nearest_solid(bodies_, middle, model_.place.cell);
  if (!solid) return;
  // The other components: means of the four faces around that particles reach.
  Vec3d u(0);
  for (std::size_t b = 0; b < 3; ++b) {
    double sum = 0, count = 0;
    for (const int low : {0, -1})
      for (const int high : {0, 1}) {
        const Place from = b == axis ? at : moved(moved(at, axis, low), b, high);
        if (!(read(weight[b], from) > 0)) continue;
        sum += static_cast<double>(read(velocity[b], from));
        count += 1;
      }
    if (count > 0) u[static_cast<int>(b)] = sum / count;
  }
  Vec3d relative = u - scratch_.body_velocity[solid->body].at(middle);
  if (has_belt(bodies_[solid->body])) relative -= bodies_.belt_velocity(solid->body, solid->point.normal);
  const double out = relative.dot(solid->point.normal);
  if (out >= 0) return;
  const Vec3d along = relative - out * solid->point.normal;
  const int component = static_cast<int>(axis);
  const double change =
      rub_at_wall(along, -out, model_.body_friction[solid->body])[component] - along[component];
  if (change == 0) return;
  scratch_.after.u[axis][face] += static_cast<float>(change);
  Vec3d impulse(0);
  impulse[component] =
      -change * static_cast<double>(mass_.u[axis][face]) * model_.density * model_.cell_volume();
  push_body(solid->body, impulse, middle);
}

/// Closed faces move with their solids.
void PrintedSand::set_solid_faces() {
  for (std::size_t axis = 0; axis < 3; ++axis)
    threads_.for_each(
        tiles_.cell_count(),
        [&](std::size_t i) {
          if (scratch_.solids.open[axis][i] <= 0)
            scratch_.after.u[axis][i] = scratch_.solids.surface_velocity(axis, i);
        },
        kTileCells);
}

void PrintedSand::find_stress() {
  is_rigid_.assign(tiles_.cell_count(), 0);
  for (std::vector<float>& component : stress_) component.assign(tiles_.cell_count(), 0.0F);
  const double k = model_.yield == YieldLaw::paper ? std::sqrt(3.0) : std::sqrt(2.0 / 3);
  const double slope = k * model_.sine,
               cohesion = k * model_.cohesion * dt_ / (model_.density * model_.place.cell);
  threads_.for_each(
      tiles_.size(),
      [&](std::size_t tile) {
        const std::array<Values, 3> velocity = around(tile, scratch_.after), mass = around(tile, mass_);
        for_each_cell_of_tile([&](const Place& at, std::size_t in) {
          const std::size_t i = tile * kTileCells + in;
          if (!is_matter(i)) return;
          std::array<float, 6> strain{};  // times h [m/s]
          std::array<float, 3> edges{};
          for (std::size_t a = 0; a < 3; ++a)
            strain[a] = read(velocity[a], moved(at, a, 1)) - read(velocity[a], at);
          for (std::size_t e = 0; e < 3; ++e) {
            const auto [a, b] = kPairs[e];
            for (const int da : {0, 1})
              for (const int db : {0, 1}) {
                const Place edge = moved(moved(at, a, da), b, db);
                if (!is_edge(mass, a, b, edge)) continue;
                strain[3 + e] += 0.5F * ((read(velocity[a], edge) - read(velocity[a], moved(edge, b, -1))) +
                                         (read(velocity[b], edge) - read(velocity[b], moved(edge, a, -1))));
                edges[e] += 1;
              }
            if (edges[e] > 0) strain[3 + e] /= edges[e];
          }
          double square = 0;
          for (std::size_t c = 0; c < 6; ++c)
            square += (c < 3 ? 1 : 2) * static_cast<double>(strain[c]) * static_cast<double>(strain[c]);
          const double limit = slope * std::max(0.0, scratch_.x[i]) + cohesion, size = std::sqrt(square);
          if (size <= limit) {
            is_rigid_[i] = 1;
            return;
          }
          const auto share = static_cast<float>(limit / size);
          for (std::size_t c = 0; c < 3; ++c) stress_[c][i] = share * strain[c];
          for (std::size_t e = 0; e < 3; ++e)
            if (edges[e] > 0) stress_[3 + e][i] = share * strain[3 + e] / edges[e];
        });
      },
      1);
}

/// Adds the divergence of the sliding stress: the adjoint of the strain, so that it keeps momentum.
void PrintedSand::slide() {
  FaceVelocity force;
  force.resize(tiles_.cell_count());
  struct Work {
    double rate = 0, squares = 0;  ///< of the change with the velocity, and with itself
  };
  const Work work = threads_.reduce(
      tiles_.size(), Work{},
      [&](std::size_t begin, std::size_t end) {
        Work sum;
        for (std::size_t tile = begin; tile < end; ++tile) {
          const std::array<Values, 3> mass = around(tile, mass_);
          std::array<Values, 6> stress;
          for (std::size_t c = 0; c < 6; ++c) Block::fill(tiles_, tile, stress_[c], stress[c].data());
          const auto edge_stress = [&](std::size_t e, const Place& at) {
            const auto [a, b] = kPairs[e];
            if (!is_edge(mass, a, b, at)) return 0.0F;
            return (read(stress[3 + e], at) + read(stress[3 + e], moved(at, a, -1))) +
                   (read(stress[3 + e], moved(at, b, -1)) +
                    read(stress[3 + e], moved(moved(at, a, -1), b, -1)));
          };
          for_each_cell_of_tile([&](const Place& at, std::size_t in) {
            const std::size_t i = tile * kTileCells + in;
            for (std::size_t axis = 0; axis < 3; ++axis) {
              float f = read(stress[axis], at) - read(stress[axis], moved(at, axis, -1));
              if (mass_.u[axis][i] > 0)
                for (std::size_t e = 0; e < 3; ++e) {
                  const auto [a, b] = kPairs[e];
                  if (axis != a && axis != b) continue;
                  f += edge_stress(e, moved(at, axis == a ? b : a, 1)) - edge_stress(e, at);
                }
              force.u[axis][i] = f;
              if (const double m = mass_.u[axis][i]; m > 0) {
                const auto u = static_cast<double>(scratch_.after.u[axis][i]), push = static_cast<double>(f);
                sum.rate += u * push;
                sum.squares += push * push / m;
              }
            }
          });
        }
        return sum;
      },
      [](const Work& a, const Work& b) {
        return Work{a.rate + b.rate, a.squares + b.squares};
      },
      1);
  if (!(work.rate < 0)) return;
  const auto share = static_cast<float>(std::min(1.0, -work.rate / work.squares));
  for (std::size_t axis = 0; axis < 3; ++axis)
    threads_.for_each(
        tiles_.cell_count(),
        [&](std::size_t i) {
          if (mass_.u[axis][i] > 0) scratch_.after.u[axis][i] += share * force.u[axis][i] / mass_.u[axis][i];
        },
        kTileCells);
  push_solids(force, share);
}

/// What the sliding stress does to solids at the faces that they close.
void PrintedSand::push_solids(const FaceVelocity& force, float share) {
  const double scale = model_.density * model_.cell_volume() * static_cast<double>(share);
  std::vector<BodyImpulse> on_free(bodies_.size());
  for (std::size_t tile = 0; tile < tiles_.size(); ++tile)
    for_each_closed_face(model_.place, tiles_, scratch_.solids, tile, [&](const ClosedFace& at) {
      const double amount = scale * static_cast<double>(force.u[at.axis][at.face]);
      if (scratch_.solids.open[at.axis][at.face] > 0 || amount == 0) return;
      Vec3d impulse(0);
      impulse[static_cast<int>(at.axis)] = amount;
      if (bodies_[at.owner].is_free)
        on_free[at.owner].add(impulse, at.center - bodies_[at.owner].pose.position);
      else
        bodies_.add_impulse(at.owner, impulse, at.center);
    });
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (!bodies_[b].is_free) continue;
    BodyVelocity& motion = scratch_.body_velocity[b];
    const Vec3d& p = on_free[b].linear;
    const Vec3d l = on_free[b].angular - (motion.center - bodies_[b].pose.position).cross(p);
    const Vec6 change = times(inverse_of(mass_matrix(bodies_[b])), {p.x, p.y, p.z, l.x, l.y, l.z});
    motion.velocity += Vec3d(change[0], change[1], change[2]);
    motion.spin += Vec3d(change[3], change[4], change[5]);
    scratch_.body_impulse[b] += on_free[b];
  }
}

}  // namespace

void resist_as_printed(const FlipModel& model, double dt, Threads& threads, FlipState& state,
                       FlipScratch& scratch, Bodies& bodies) {
  PrintedSand(model, dt, threads, state, scratch, bodies).run();
}

}  // namespace repose
