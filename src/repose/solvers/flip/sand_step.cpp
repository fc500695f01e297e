#include "repose/solvers/flip/sand_step.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "repose/grid/field.h"
#include "repose/grid/friction_stress.h"
#include "repose/solvers/flip/askew_walls.h"
#include "repose/solvers/flip/pressure.h"
#include "repose/solvers/flip/sand_pressure.h"

namespace repose {
namespace {

constexpr float kRoot2 = 1.41421356F;
/// Turns end when the pressure changes by less than this share of its largest value.
constexpr double kTurnTolerance = 1e-3;
/// They go on beyond their number while it changes by more than this: where a body strikes sand, pressure and
/// friction raise each other from turn to turn.
constexpr double kFar = 0.05;
constexpr int kMostTurns = 10;
/// Likewise for sand with cohesion while friction could take more than this over gravity times dt, with so
/// many times the iterations: a firm block passes forces on from end to end, by a cell an iteration.
constexpr double kFarFirm = 2e-3;
constexpr int kMoreIfFirm = 3;
/// How much more friction may leave where sand is fast, over the root mean square of its speed.
constexpr double kOfSpeed = 5;
/// Sand slower than this, over gravity times dt, comes to rest, and gets this many times the turns: what they
/// leave would be seen as creep.
constexpr double kSlow = 0.2;
constexpr int kMoreAtRest = 2;
/// Solves of the pressure with other cells in the last turn at most, and how much less exact the turns before
/// it are.
constexpr int kRounds = 2;
constexpr double kRougher = 100;
/// The first step has nothing to start from and gets this many times the iterations.
constexpr int kMoreAtFirst = 10;

/// A cell by a solid, as far as it does not change within the step.
struct WallPlace {
  std::uint32_t cell;
  Vec3f normal;
  double friction;
  double load;  ///< what the matter between the cell's middle and the solid adds to the pressure [m/s]
};

class SandStep {
 public:
  SandStep(const FlipModel& model, double dt, Threads& threads, FlipState& state, FlipScratch& scratch,
           Bodies& bodies)
      : model_(model),
        dt_(dt),
        threads_(threads),
        state_(state),
        scratch_(scratch),
        bodies_(bodies),
        start_(scratch.after),
        start_bodies_(scratch.body_velocity),
        pull_(scratch.pull),
        slivers_closed_(scratch.askew.empty() ? SolidCells{}
                                              : closed_to_sand(scratch.solids, scratch.askew, threads)),
        friction_(tiles_, scratch.phi, model.place.cell,
                  scratch.askew.empty() ? scratch.solids : slivers_closed_, scratch.weight, threads,
                  scratch.compaction.faces()),
        pressure_(model, bodies, dt, threads, scratch) {
    speed_ = std::sqrt(threads_.reduce(
                           state_.size(), 0.0,
                           [&](std::size_t begin, std::size_t end) {
                             double sum = 0;
                             for (std::size_t p = begin; p < end; ++p) {
                               const Vec3d v(state_.velocity[p]);
                               sum += v.dot(v);
                             }
                             return sum;
                           },
                           [](double a, double b) { return a + b; }) /
                       static_cast<double>(std::max<std::size_t>(1, state_.size())));
    find_free_bodies();
    find_slip_walls();
    find_walls();
  }

  void run() {
    recall();
    state_.iterations = state_.friction_iterations = 0;
    const bool comes_to_rest = speed_ < kSlow * model_.gravity.length() * dt_;
    const int turns = comes_to_rest ? kMoreAtRest * model_.sand_turns : model_.sand_turns;
    push(false);
    bool is_far = false;
    for (int turn = 1; turn <= kMostTurns; ++turn) {
      rub(is_far ? kMoreIfFirm : 1);
      const std::vector<double> last = scratch_.x;
      push(turn >= turns || is_rubbed_);
      const double change = change_since(last) / std::max(largest(threads_, scratch_.x), 1e-30);
      is_far = turn >= turns && is_far_from_firm();
      if ((turn >= turns && change <= kFar && !is_far) || (is_rubbed_ && change <= kTurnTolerance)) break;
    }
    remember();
    rub_others();
    state_.divergence = pressure_.compression();
    state_.density_error = pressure_.correct_positions();
  }

 private:
  void find_walls();
  void find_slip_walls();
  void find_free_bodies();
  void recall();
  void recall_tractions();
  void remember();
  void remember_tractions();
  /// The pressure, with the present friction.
  void push(bool is_last);
  /// Of snow: what the present friction adds to the largest stress.
  void find_shear();
  /// The friction, with the present pressure.
  void rub(int times_iterations);
  bool is_far_from_firm() const {
    return model_.cohesion > 0 && friction_left_ > kFarFirm * model_.gravity.length() * dt_;
  }
  /// The largest difference of the pressure to another one.
  double change_since(const std::vector<double>& last) const;
  void rub_others();
  FrictionLimits limits() const;
  void limit_tractions();

  const FlipModel& model_;
  double dt_;
  Threads& threads_;
  FlipState& state_;
  FlipScratch& scratch_;
  Bodies& bodies_;
  const TileSet& tiles_ = scratch_.cells.tiles;
  FaceVelocity start_;
  std::vector<BodyVelocity> start_bodies_;
  Vec3d pull_;
  SolidCells slivers_closed_;  ///< scratch.solids as friction sees it, where bodies are askew
  FrictionSystem friction_;
  SandPressure pressure_;
  double speed_;  ///< root mean square of all particles [m/s]
  bool is_rubbed_ = false;
  double friction_left_ = 0;  ///< that the last rub() did not take [m/s]
  std::vector<WallPlace> walls_;
  std::vector<double> traction_load_;  ///< by traction of the slip walls, as WallPlace::load
  std::vector<std::size_t> free_;      ///< bodies, as SandPressure::coupled() has them
  std::vector<FrictionPart> parts_;    ///< likewise
};

Vec3d cell_center(const GridPlace& place, const TileSet& tiles, std::size_t i) {
  const auto in = static_cast<int>(i % kTileCells);
  const Vec3i cell(in % 8, in / 8 % 8, in / 64);
  return tile_corner(place, tiles.coordinate(i / kTileCells)) + place.cell * (Vec3d(cell) + Vec3d(0.5));
}

std::uint32_t find_tile(const TileSet& tiles, const std::array<int, 3>& at) {
  return tiles.find({at[0], at[1], at[2]});
}

void SandStep::find_walls() {
  const std::vector<std::uint32_t> cells = friction_.wall_cells();
  walls_.resize(cells.size());
  const double h = model_.place.cell;
  threads_.for_each(
      cells.size(),
      [&](std::size_t k) {
        WallPlace& wall = walls_[k];
        wall.cell = cells[k];
        const Vec3d center = cell_center(model_.place, tiles_, wall.cell);
        const auto solid = nearest_solid(bodies_, center, 4 * h);
        if (!solid) {
          wall.friction = INFINITY;
          return;
        }
        const bool is_askew = !scratch_.askew.empty() && scratch_.askew[solid->body] != 0;
        const SurfacePoint& nearest = solid->point;
        wall.normal = to_float(nearest.normal);
        wall.friction = model_.body_friction[solid->body];
        // Mean of both faces along each axis; the upper one may stand in the next tile.
        Vec3d velocity;
        for (std::size_t axis = 0; axis < 3; ++axis)
          velocity[static_cast<int>(axis)] = static_cast<double>(start_.u[axis][wall.cell]);
        const double into = nearest.normal.dot(start_bodies_[solid->body].at(center) - velocity);
        wall.load = std::clamp(nearest.distance / h, 0.0, 1.0) * into;
        // Its friction is a traction apart.
        if (is_askew) wall.friction = INFINITY;
      },
      256);
}

void SandStep::find_slip_walls() {
  std::vector<std::uint32_t> part(bodies_.size(), kHeldSolid);
  for (std::size_t p = 0; p < free_.size(); ++p) part[free_[p]] = static_cast<std::uint32_t>(p);
  AskewWalls walls = find_askew_walls(model_, bodies_, start_bodies_, part, scratch_, friction_, threads_);
  if (walls.faces.empty() && walls.tractions.empty()) return;
  for (const WallTraction& at : walls.tractions) {
    Vec3d into(at.velocity);
    for (const FaceTerm& term : at.terms)
      into[static_cast<int>(term.axis)] -= static_cast<double>(term.weight * start_.u[term.axis][term.face]);
    traction_load_.push_back(std::clamp(static_cast<double>(at.distance) / model_.place.cell, -1.0, 1.0) *
                             into.dot(Vec3d(at.normal)));
  }
  friction_.set_slip_walls(std::move(walls.faces), std::move(walls.tractions));
}

void SandStep::find_free_bodies() {
  std::vector<std::size_t> which(bodies_.size(), bodies_.size());
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (bodies_[b].is_free) {
      which[b] = free_.size();
      free_.push_back(b);
    }
  parts_.resize(free_.size());
  if (free_.empty()) return;
  for (std::size_t tile = 0; tile < tiles_.size(); ++tile)
    for_each_closed_face(model_.place, tiles_, scratch_.solids, tile, [&](const ClosedFace& at) {
      if (which[at.owner] == bodies_.size() || scratch_.solids.open[at.axis][at.face] > 0) return;
      Vec3d unit(0);
      unit[static_cast<int>(at.axis)] = 1;
      parts_[which[at.owner]].faces.push_back(
          {at.axis, at.face, row_of(unit, at.center - start_bodies_[at.owner].center)});
    });
}

void SandStep::recall() {
  friction_.set_stress(state_.stress, static_cast<float>(dt_));
  recall_tractions();
  for (std::size_t k = 0; k < state_.stress.tile.size(); ++k) {
    const std::uint32_t tile = find_tile(tiles_, state_.stress.tile[k]);
    if (tile == kNoTile) continue;
    for (std::size_t i = 0; i < kTileCells; ++i)
      scratch_.x[tile * kTileCells + i] = dt_ * static_cast<double>(state_.push[k * kTileCells + i]);
  }
}

void SandStep::recall_tractions() {
  std::span<WallTraction> tractions = friction_.slip_walls().tractions();
  for (std::size_t k = 0; k < state_.traction_cell.size(); ++k) {
    const auto [x, y, z] = state_.traction_cell[k];
    const std::uint32_t tile = tiles_.find({x >> 3, y >> 3, z >> 3});
    if (tile == kNoTile) continue;
    const std::size_t cell = tile * kTileCells + cell_in_tile(x & 7, y & 7, z & 7);
    const auto at = std::lower_bound(tractions.begin(), tractions.end(), cell,
                                     [](const WallTraction& one, std::size_t c) { return one.cell < c; });
    if (at != tractions.end() && at->cell == cell) {
      const auto [qx, qy, qz] = state_.traction[k];
      at->now = static_cast<float>(dt_) * Vec3f(qx, qy, qz);
    }
  }
}

void SandStep::remember_tractions() {
  state_.traction_cell.clear();
  state_.traction.clear();
  for (const WallTraction& at : std::as_const(friction_).slip_walls().tractions()) {
    const auto in = static_cast<int>(at.cell % kTileCells);
    const Vec3i cell =
        kTileEdge * tiles_.coordinate(at.cell / kTileCells) + Vec3i(in % 8, in / 8 % 8, in / 64);
    state_.traction_cell.push_back({cell.x, cell.y, cell.z});
    const Vec3f q = static_cast<float>(1 / dt_) * at.now;
    state_.traction.push_back({q.x, q.y, q.z});
  }
}

void SandStep::remember() {
  remember_tractions();
  state_.stress = friction_.stress(static_cast<float>(1 / dt_));
  state_.push.resize(state_.stress.tile.size() * kTileCells);
  for (std::size_t k = 0; k < state_.stress.tile.size(); ++k) {
    const std::uint32_t tile = find_tile(tiles_, state_.stress.tile[k]);
    for (std::size_t i = 0; i < kTileCells; ++i)
      state_.push[k * kTileCells + i] = static_cast<float>(scratch_.x[tile * kTileCells + i] / dt_);
  }
}

void SandStep::push(bool is_last) {
  scratch_.after = start_;
  friction_.add_forces(scratch_.after, parts_);
  scratch_.body_velocity = start_bodies_;
  scratch_.pull = pull_;
  scratch_.body_impulse.assign(bodies_.size(), {});
  const double scale = model_.density * model_.cell_volume();
  for (std::size_t p = 0; p < parts_.size(); ++p)
    for (std::size_t i = 0; i < 6; ++i) scratch_.body_rub[free_[p]][i] = scale * parts_[p].impulse[i];
  if (scratch_.compaction.is_on()) find_shear();
  const PoissonResult result =
      is_last ? pressure_.solve(kRounds, model_.tolerance) : pressure_.solve(1, kRougher * model_.tolerance);
  state_.iterations += result.iterations;
  state_.residual = result.residual;
  // Bodies for the friction that follows: as they are now, less what the last friction did.
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    FrictionPart& part = parts_[p];
    const CoupledBody& one = pressure_.coupled()[p];
    part.inverse_mass = one.term.inner;
    const BodyVelocity& motion = scratch_.body_velocity[one.body];
    const Vec3d &v = motion.velocity, &w = motion.spin;
    const Vec6 change = times(part.inverse_mass, part.impulse), moving{v.x, v.y, v.z, w.x, w.y, w.z};
    for (std::size_t i = 0; i < 6; ++i) part.velocity[i] = moving[i] - change[i];
  }
}

void SandStep::find_shear() {
  std::vector<float>& shear = scratch_.compaction.shear;
  shear.resize(tiles_.cell_count());
  threads_.for_each(
      shear.size(),
      [&](std::size_t i) {
        shear[i] = snow_shear_share<float> * friction_.stress_norm(static_cast<std::uint32_t>(i));
      },
      kTileCells);
}

FrictionLimits SandStep::limits() const {
  FrictionLimits limits;
  limits.inside.resize(tiles_.cell_count());
  const auto cohesion = [&](std::size_t i) {
    const std::vector<float>& by_cell = scratch_.compaction.cohesion;
    const double here = by_cell.empty() ? model_.cohesion : static_cast<double>(by_cell[i]);
    return here * dt_ / (model_.density * model_.place.cell);
  };
  const auto h = static_cast<float>(model_.place.cell);
  threads_.for_each(
      limits.inside.size(),
      [&](std::size_t i) {
        if (scratch_.phi[i] < 0 && scratch_.solids.distance[i] > -h)
          limits.inside[i] =
              kRoot2 * static_cast<float>(std::max(0.0, model_.slope * scratch_.x[i] + cohesion(i)));
      },
      kTileCells);
  limits.walls.resize(walls_.size());
  for (std::size_t k = 0; k < walls_.size(); ++k) {
    const WallPlace& wall = walls_[k];
    const double x = std::max(0.0, scratch_.x[wall.cell]);
    const double pressed = x > 0 ? std::max(0.0, x + wall.load) : 0.0;
    // The solid bears the pressure and what friction inside the sand puts on it: at the foot of a heap, and
    // all the more of a firm block, the mean pressure is little more than half of that.
    const double borne = x - static_cast<double>(friction_.normal_stress(wall.cell, wall.normal));
    const double normal = borne > 0 ? std::max(0.0, borne + wall.load) : 0.0;
    const double traction = normal > 0 ? wall.friction * normal : 0.0;
    limits.walls[k] = {wall.cell, kRoot2 * static_cast<float>(model_.slope * pressed + cohesion(wall.cell)),
                       static_cast<float>(std::min(traction, 1e30)), wall.normal, static_cast<float>(x)};
  }
  return limits;
}

/// At solids askew to the grid. What the sand bears itself limits its own stress, by which tractions reach
/// it.
void SandStep::limit_tractions() {
  std::span<WallTraction> tractions = friction_.slip_walls().tractions();
  const std::vector<double> by_stress = friction_.slip_walls().stress_loads();
  for (std::size_t k = 0; k < tractions.size(); ++k) {
    WallTraction& at = tractions[k];
    const auto area = static_cast<double>(at.area);
    const double borne = area * std::max(0.0, scratch_.x[at.cell]) + by_stress[k];
    const double normal = borne > 0 ? std::max(0.0, borne + area * traction_load_[k]) : 0.0;
    const double traction = normal > 0 ? model_.body_friction[at.owner] * normal : 0.0;
    at.limit = static_cast<float>(std::min(traction, 1e30));
  }
}

void SandStep::rub(int times_iterations) {
  FaceVelocity after = start_;
  pressure_.push(after, scratch_.known);
  scratch_.after = std::move(after);
  keep_what_particles_bring(tiles_, threads_, scratch_);
  extrapolate_faces(tiles_, 1, threads_, scratch_.after, scratch_.known);
  friction_.set_limits(limits());
  limit_tractions();
  const double scale = model_.gravity.length() * dt_ + kOfSpeed * speed_ + 1e-6 * model_.place.cell / dt_;
  const int iterations =
      times_iterations * (state_.stress.tile.empty() ? kMoreAtFirst : 1) * model_.sand_iterations;
  const FrictionResult result =
      friction_.solve(scratch_.after, parts_, model_.sand_tolerance * scale, iterations);
  state_.friction_iterations += result.iterations;
  friction_left_ = result.residual;
  state_.friction_residual = result.residual / scale;
  is_rubbed_ = result.converged;
}

double SandStep::change_since(const std::vector<double>& last) const {
  std::vector<double> change(last.size());
  threads_.for_each(
      change.size(), [&](std::size_t i) { change[i] = scratch_.x[i] - last[i]; }, kTileCells);
  return largest(threads_, change);
}

/// What friction does to bodies that are not free.
void SandStep::rub_others() {
  const double scale = model_.density * model_.cell_volume();
  const FaceVelocity& force = friction_.forces();
  for (std::size_t tile = 0; tile < tiles_.size(); ++tile)
    for_each_closed_face(model_.place, tiles_, scratch_.solids, tile, [&](const ClosedFace& at) {
      if (scratch_.solids.open[at.axis][at.face] > 0 || bodies_[at.owner].is_free) return;
      const double amount = scale * static_cast<double>(force.u[at.axis][at.face]);
      if (amount == 0) return;
      Vec3d impulse(0);
      impulse[static_cast<int>(at.axis)] = amount;
      bodies_.add_impulse(at.owner, impulse, at.center);
    });
  const SlipWalls& walls = friction_.slip_walls();
  for (std::size_t g = 0; g < walls.faces().size(); ++g) {
    const SlipFace& at = walls.faces()[g];
    const double amount = scale * static_cast<double>(walls.face_forces()[g]);
    if (amount != 0 && !bodies_[at.owner].is_free)
      bodies_.add_impulse(at.owner, amount * Vec3d(at.across), at.center);
  }
  for (const WallTraction& at : walls.tractions())
    if (!bodies_[at.owner].is_free) bodies_.add_impulse(at.owner, -scale * Vec3d(at.now), at.point);
}

}  // namespace

void resist_like_sand(const FlipModel& model, double dt, Threads& threads, FlipState& state,
                      FlipScratch& scratch, Bodies& bodies) {
  scratch.askew = find_askew(bodies);
  SandStep(model, dt, threads, state, scratch, bodies).run();
}

}  // namespace repose
