#include "repose/bodies/dynamics.h"

#include <algorithm>
#include <cmath>

#include "repose/core/error.h"
#include "repose/scene/at_place.h"

namespace repose {
namespace {

/// Sweeps there and back at steps of a millisecond; shorter steps need fewer, since each starts from the
/// last.
constexpr int kMostSweeps = 4;
constexpr double kSweepStep = 2e-4;  ///< [s]

/// Steps longer than this have their contacts solved at once too [s]: shorter ones pass pushes on through a
/// stack fast enough. As long as it is this much work at most: numbers of the factor squared by row.
constexpr double kDirectStep = 2e-4, kMostWork = 4e6;
constexpr int kDirectPasses = 10;
/// Done when impulses change by less than this share of the largest.
constexpr double kDirectChange = 1e-3;
/// A contact sticks while its friction is below this share of its limit.
constexpr double kSticks = 0.999;

/// Share of an error that is pushed out in one step, and the fastest rate for contacts [1/s].
constexpr double kPushShare = 0.2, kContactRate = 100;
constexpr int kPushSweeps = 4;
/// Fastest that overlaps are pushed out, in least extents of the smaller body a second [1/s].
constexpr double kPushSpeed = 4;

/// A gap of this share of the smaller body's least extent is nearly closed, and closes at this rate [1/s].
constexpr double kNearly = 1e-3, kClosingRate = 5;

/// Slower impacts do not rebound: in steps' worth of gravity, and at least [m/s].
constexpr double kReboundSteps = 4, kLeastRebound = 0.01;
constexpr int kReboundSweeps = 4;

/// Owners of rows: joints by their index, contacts with these marks.
constexpr std::uint32_t kNormalRow = 0x80000000U, kFrictionRow = 0x40000000U, kIndex = 0x3fffffffU;

/// Energy of motion [J].
double energy_of(const std::vector<Mover>& movers) {
  double energy = 0;
  for (const Mover& m : movers)
    if (m.inverse_mass > 0)
      energy += 0.5 * m.velocity.dot(m.velocity) / m.inverse_mass + 0.5 * m.angular_momentum.dot(m.spin);
  return energy;
}

int sweeps(double h) { return std::clamp(static_cast<int>(std::ceil(h / kSweepStep)), 1, kMostSweeps); }

/// The velocity that a gap must at least open with, so that it is not closed before the next kick [m/s]. What
/// is nearly closed closes slowly: impulses that chase the last of a gap within one step swing up from step
/// to step.
double least_opening(double gap, double nearly, double h) {
  if (gap <= 0) return 0;
  return -kClosingRate * std::min(gap, nearly) - std::max(0.0, gap - nearly) / h;
}

}  // namespace

BodyDynamics::BodyDynamics(const Scene& scene, const std::vector<Body>& bodies)
    : gravity_(scene.info.gravity), list_(scene) {
  for (const JointDefinition& definition : scene.joints)
    joints_.push_back(
        at_place(scene, "joint." + definition.name, [&] { return make_joint(definition, bodies); }));
  check_start(scene, bodies, joints_);
}

void BodyDynamics::load_movers(const std::vector<Body>& bodies) {
  movers_.resize(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    Mover& mover = movers_[i];
    mover = Mover{};
    mover.rotation = body.pose.rotation;
    mover.belt = body.belt;
    if (body.is_free) {
      mover.center = body.state.center;
      mover.velocity = body.state.velocity;
      mover.angular_momentum = body.state.angular_momentum;
      mover.spin = body.angular_velocity;
      mover.inverse_mass = 1 / body.mass.mass;
      mover.inverse_inertia = turned_matrix(body.mass.inverse_inertia, body.pose.rotation);
    } else {
      // A held dynamic body has its contacts about its centre of mass too.
      mover.center = body.pose.to_world(body.mass.center);
      mover.velocity = body.velocity + body.angular_velocity.cross(mover.center - body.pose.position);
      mover.spin = body.angular_velocity;
    }
  }
}

void BodyDynamics::store_movers(std::vector<Body>& bodies) const {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].is_free) continue;
    bodies[i].state.velocity = movers_[i].velocity;
    bodies[i].state.angular_momentum = movers_[i].angular_momentum;
    follow_state(bodies[i]);
  }
}

void BodyDynamics::place_rows() {
  rows_.clear();
  for (const BodyContact& contact : list_.contacts()) rows_.push_back(prepare_contact(contact, movers_));
}

void BodyDynamics::kick(std::vector<Body>& bodies, double time, double h, double step) {
  // A joint that lets go lets its bodies touch.
  for (const BodyJoint& joint : joints_)
    if (kick_time_ < joint.release && time >= joint.release) list_.look_again();
  kick_time_ = time;
  list_.update(bodies, joints_, time, h);
  load_movers(bodies);
  place_rows();
  joint_system_.set(joints_, movers_, time);
  nearly_.clear();
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    BodyContact& c = list_.contacts()[k];
    nearly_.push_back(kNearly * std::min(bodies[c.a].thinness, bodies[c.b].thinness));
    c.approach = -relative_velocity(c, rows_[k], movers_).dot(rows_[k].normal);
  }
  for (Mover& mover : movers_)
    if (mover.inverse_mass > 0) mover.velocity += h * gravity_;

  find_impulses(h);
  rebound();
  push_out(h, step);
  store_movers(bodies);
}

void BodyDynamics::find_impulses(double h) {
  std::vector<BodyContact>& contacts = list_.contacts();
  const double share = last_h_ > 0 ? h / last_h_ : 0.0;
  last_h_ = h;
  joint_system_.warm_start(joints_, share, movers_);
  if (contacts.empty()) return joint_system_.solve(joints_, movers_);
  for (std::size_t k = 0; k < contacts.size(); ++k) warm_start(contacts[k], rows_[k], share, movers_);
  for (int turn = 0; turn < sweeps(h); ++turn) sweep(h);
  for (int pass = 0; h > kDirectStep && pass < kDirectPasses; ++pass) {
    if (!solve_at_once()) break;
    sweep(h);
  }
}

/// There and back: the errors that a sweep leaves go over into the next step, and with sweeps in one
/// direction alone they would swing up.
void BodyDynamics::sweep(double h) {
  std::vector<BodyContact>& contacts = list_.contacts();
  const auto solve_normal = [&](std::size_t k) {
    solve_push(contacts[k].impulse, contacts[k], rows_[k], least_opening(rows_[k].gap, nearly_[k], h),
               movers_);
  };
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    solve_friction(contacts[k], rows_[k], movers_);
    solve_normal(k);
  }
  joint_system_.solve(joints_, movers_);
  for (std::size_t k = contacts.size(); k-- > 0;) {
    solve_normal(k);
    solve_friction(contacts[k], rows_[k], movers_);
  }
}

bool BodyDynamics::solve_at_once() {
  std::vector<BodyContact>& contacts = list_.contacts();
  std::vector<Row> rows;
  add_joint_rows(joints_, movers_, kick_time_, rows);
  for (std::uint32_t k = 0; k < contacts.size(); ++k) {
    const BodyContact& c = contacts[k];
    // What is still apart has a target of its own, which may not fit the others: sweeps see to it.
    if (!(c.impulse > 0) || rows_[k].gap > nearly_[k]) continue;
    Row row{.a = static_cast<std::uint32_t>(c.a),
            .b = static_cast<std::uint32_t>(c.b),
            .owner = kNormalRow | k,
            .direction = rows_[k].normal,
            .place = rows_[k].place};
    rows.push_back(row);
    if (!(c.friction_impulse.length() < kSticks * c.friction * c.impulse)) continue;
    const Vec3d& n = rows_[k].normal;
    const Vec3d t = (std::fabs(n.x) < 0.6 ? Vec3d(1, 0, 0) : Vec3d(0, 1, 0)).cross(n).normalized();
    row.owner = kFrictionRow | k;
    for (const Vec3d& direction : {t, n.cross(t)}) {
      row.direction = direction;
      row.error = direction.dot(rows_[k].belt);
      rows.push_back(row);
    }
  }
  if (!system_.set(std::move(rows), movers_, kMostWork)) return false;

  std::vector<double> changes;
  for (const Row& row : system_.rows()) {
    changes.push_back(-row_velocity(row, movers_));
    if ((row.owner & kFrictionRow) != 0 && row.error != 0) changes.back() -= row.error;
  }
  const std::vector<double> impulses = system_.impulses_for(changes);
  const std::vector<Mover> movers_before = movers_;
  const std::vector<BodyContact> contacts_before = contacts;
  const std::vector<BodyJoint> joints_before = joints_;
  // As far as no contact would pull; what would, lets go in the next sweep.
  double part = 1;
  for (std::size_t i = 0; i < impulses.size(); ++i) {
    const Row& row = system_.rows()[i];
    if ((row.owner & kNormalRow) == 0 || !(impulses[i] < 0)) continue;
    part = std::min(part, -contacts[row.owner & kIndex].impulse / impulses[i]);
  }
  for (std::size_t i = 0; i < impulses.size(); ++i) {
    const Row& row = system_.rows()[i];
    push_row(row, part * impulses[i], movers_);
    if ((row.owner & kNormalRow) != 0)
      contacts[row.owner & kIndex].impulse =
          std::max(0.0, contacts[row.owner & kIndex].impulse + part * impulses[i]);
    else if ((row.owner & kFrictionRow) != 0)
      contacts[row.owner & kIndex].friction_impulse += part * impulses[i] * row.direction;
    else
      note_impulse(row, part * impulses[i], joints_);
  }
  // Holding still takes energy out. Rows that contradict each other may put some in: better not at all then.
  if (energy_of(movers_) > energy_of(movers_before)) {
    movers_ = movers_before;
    contacts = contacts_before;
    joints_ = joints_before;
    return false;
  }
  double largest = 0, change = 0;
  for (const BodyContact& c : contacts) largest = std::max(largest, c.impulse);
  for (const double impulse : impulses) change = std::max(change, part * std::fabs(impulse));
  return part < 1 || change > kDirectChange * largest;
}

void BodyDynamics::rebound() {
  std::vector<BodyContact>& contacts = list_.contacts();
  const double least = std::max(kLeastRebound, kReboundSteps * last_h_ * gravity_.length());
  const auto is_hit = [&](const BodyContact& contact) {
    return contact.approach > least && contact.impulse > 0 && contact.restitution > 0;
  };
  if (std::none_of(contacts.begin(), contacts.end(), is_hit)) return;
  for (int turn = 0; turn < kReboundSweeps; ++turn) {
    for (std::size_t k = 0; k < contacts.size(); ++k)
      if (is_hit(contacts[k]))
        solve_push(contacts[k].impulse, contacts[k], rows_[k], contacts[k].restitution * contacts[k].approach,
                   movers_);
    joint_system_.solve(joints_, movers_);
  }
  // An impact says nothing about the next step.
  for (BodyContact& contact : contacts)
    if (is_hit(contact)) contact.impulse = 0, contact.friction_impulse = Vec3d(0);
}

void BodyDynamics::push_out(double h, double step) {
  // The push lasts for half a step's drift.
  const double rate = 2 * kPushShare / step;
  const double contact_rate = std::min(rate, kContactRate * h / step);
  pushes_.assign(rows_.size(), 0.0);
  const bool any_overlap =
      std::any_of(rows_.begin(), rows_.end(), [](const ContactRow& row) { return row.gap < 0; });
  for (int turn = 0; turn < (any_overlap && h > kDirectStep ? kPushSweeps : 1); ++turn) {
    for (std::size_t k = 0; any_overlap && k < rows_.size(); ++k) {
      const double gap = rows_[k].gap, fastest = kPushSpeed / kNearly * nearly_[k] * h / step;
      const double target =
          gap < 0 ? std::min(-contact_rate * gap, fastest) : least_opening(gap, nearly_[k], h);
      solve_push(pushes_[k], list_.contacts()[k], rows_[k], target, movers_);
    }
    joint_system_.push_out(rate, movers_);
  }
}

void BodyDynamics::relax(std::vector<Body>& bodies) {
  if (joint_system_.is_quiet() &&
      std::none_of(pushes_.begin(), pushes_.end(), [](double p) { return p > 0; }))
    return;
  load_movers(bodies);
  for (std::size_t k = 0; k < pushes_.size(); ++k) {
    if (!(pushes_[k] > 0)) continue;
    const BodyContact& contact = list_.contacts()[k];
    push_apart(-pushes_[k], contact, prepare_contact(contact, movers_), movers_);
  }
  pushes_.clear();
  joint_system_.take_back(joints_, movers_);
  store_movers(bodies);
}

void BodyDynamics::save(ArchiveWriter& out) const {
  list_.save(out);
  std::vector<double> numbers;
  for (const BodyJoint& joint : joints_)
    for (const Vec3d& v : {joint.impulse, joint.angular_impulse})
      numbers.insert(numbers.end(), {v.x, v.y, v.z});
  out.put("bodies.joints", numbers);
  out.put("bodies.last_step", last_h_);
  out.put("bodies.kick_time", kick_time_);
}

void BodyDynamics::load(ArchiveReader& in, std::size_t body_count) {
  list_.load(in, body_count);
  std::vector<double> numbers;
  in.get("bodies.joints", numbers);
  if (numbers.size() != 6 * joints_.size())
    throw Error(ExitCode::run_failed, "the saved state has another number of joints than the scene");
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const double* n = &numbers[6 * i];
    joints_[i].impulse = {n[0], n[1], n[2]};
    joints_[i].angular_impulse = {n[3], n[4], n[5]};
  }
  in.get("bodies.last_step", last_h_);
  in.get("bodies.kick_time", kick_time_);
  check_saved_numbers(numbers);
  check_saved_numbers({last_h_, kick_time_});
}

}  // namespace repose
