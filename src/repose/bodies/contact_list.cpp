#include "repose/bodies/contact_list.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "repose/bodies/contact_points.h"
#include "repose/core/error.h"
#include "repose/physics/rigid_body.h"

namespace repose {
namespace {

/// Margin within which contacts are listed, and the way after which they are listed anew, as shares of a
/// body's least extent.
constexpr double kMargin = 0.02, kListedWay = 0.005;

/// A contact takes over the impulse of an old one that is within this share of the smaller body's least
/// extent.
constexpr double kSameContact = 0.1;

/// A body that starts deeper inside another than this share of its least extent is a mistake.
constexpr double kStartingDepth = 0.01;

/// In a saved contact.
constexpr std::size_t kContactWords = 4, kContactNumbers = 18;

bool moves(const Body& body) { return body.is_free || body.path || body.steady; }

bool is_wall(const Body& body) { return body.name.rfind("domain.", 0) == 0; }

bool are_joined(std::span<const BodyJoint> joints, std::uint32_t a, std::uint32_t b, double time) {
  return std::any_of(joints.begin(), joints.end(), [&](const BodyJoint& joint) {
    return time < joint.release && ((joint.a == a && joint.b == b) || (joint.a == b && joint.b == a));
  });
}

}  // namespace

void check_start(const Scene& scene, const std::vector<Body>& bodies, std::span<const BodyJoint> joints) {
  std::vector<Body> all = bodies;
  for (Body& body : all) body.is_free = body.motion == Motion::dynamic;
  const std::vector<double> margins(all.size(), 0.0);
  for (const BodyPair& pair : find_near_pairs(all, margins)) {
    if (are_joined(joints, pair.first, pair.second, -std::numeric_limits<double>::infinity())) continue;
    const Body &a = all[pair.first], &b = all[pair.second];
    const std::vector<ContactSpot> spots = find_contact_spots(a, b, 0);
    if (spots.empty() || spots[0].gap > -kStartingDepth * std::min(a.thinness, b.thinness)) continue;
    const bool a_is_dynamic = a.motion == Motion::dynamic;
    const Body &inside = a_is_dynamic ? a : b, &other = a_is_dynamic ? b : a;
    throw Error(ExitCode::bad_scene,
                fmt::format("{}body '{}' starts inside {} '{}', {:.3g} m deep: move one of them",
                            scene.where("body." + inside.family + ".position"), inside.name,
                            is_wall(b) ? "the wall" : "body", other.name, -spots[0].gap));
  }
}

ContactList::ContactList(const Scene& scene)
    : pairs_(scene.contacts), gravity_(scene.info.gravity.length()) {}

ContactList::Surface ContactList::surface_between(const Body& a, const Body& b) const {
  Surface surface{mixed_coefficient(a.friction, b.friction), mixed_coefficient(a.restitution, b.restitution)};
  // Walls of the domain have no restitution of their own.
  if (is_wall(b)) surface.restitution = a.restitution;
  for (const ContactPair& pair : pairs_) {
    const auto& [p, q] = pair.between;
    if (!((p == a.family && q == b.family) || (p == b.family && q == a.family))) continue;
    surface.friction = pair.friction.value_or(surface.friction);
    surface.restitution = pair.restitution.value_or(surface.restitution);
    break;
  }
  return surface;
}

void ContactList::update(const std::vector<Body>& bodies, std::span<const BodyJoint> joints, double time,
                         double h) {
  bool is_old = !is_listed_;
  for (std::size_t i = 0; i < bodies.size() && !is_old; ++i) {
    const Body& body = bodies[i];
    if (!body.present || !moves(body)) continue;
    const double way = shift_since(body, listed_poses_[i]);
    const double listed_way = std::isfinite(body.thinness) ? kListedWay * body.thinness : 0.0;
    is_old = way > listed_way || !(way + body.surface_speed() * h <= listed_margins_[i]);
  }
  if (is_old) list(bodies, joints, time, h);
}

void ContactList::list(const std::vector<Body>& bodies, std::span<const BodyJoint> joints, double time,
                       double h) {
  listed_margins_.assign(bodies.size(), 0.0);
  listed_poses_.resize(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    listed_poses_[i] = bodies[i].pose;
    if (!moves(bodies[i])) continue;
    const double base = std::isfinite(bodies[i].thinness) ? kMargin * bodies[i].thinness : 0.0;
    listed_margins_[i] = base + 2 * h * (bodies[i].surface_speed() + h * gravity_);
  }
  const std::vector<BodyContact> old = std::move(contacts_);
  contacts_.clear();
  for (const BodyPair& pair : find_near_pairs(bodies, listed_margins_)) {
    if (are_joined(joints, pair.first, pair.second, time)) continue;
    const Body &a = bodies[pair.first], &b = bodies[pair.second];
    const double margin = listed_margins_[pair.first] + listed_margins_[pair.second];
    const Surface surface = surface_between(a, b);
    for (const ContactSpot& spot : find_contact_spots(a, b, margin)) {
      BodyContact contact;
      contact.a = pair.first;
      contact.b = pair.second;
      contact.feature = spot.feature;
      contact.normal_turns_with_a = spot.normal_turns_with_a ? 1 : 0;
      contact.on_a = a.pose.to_local(spot.on_a) - a.mass.center;
      contact.on_b = b.pose.to_local(spot.on_b) - b.mass.center;
      contact.normal = rotate_back(spot.normal_turns_with_a ? a.pose.rotation : b.pose.rotation, spot.normal);
      contact.radius_a = spot.radius_a;
      contact.radius_b = spot.radius_b;
      contact.friction = surface.friction;
      contact.restitution = surface.restitution;
      contacts_.push_back(contact);
    }
  }
  take_over_impulses(old, bodies);
  is_listed_ = true;
}

void ContactList::take_over_impulses(const std::vector<BodyContact>& old, const std::vector<Body>& bodies) {
  // Both lists are in the order of the pairs. The same feature first, then whatever is near.
  std::vector<bool> taken(old.size(), false);
  std::size_t first = 0;
  const auto is_before = [](const BodyContact& p, const BodyContact& q) {
    return p.a != q.a ? p.a < q.a : p.b < q.b;
  };
  for (BodyContact& contact : contacts_) {
    while (first < old.size() && is_before(old[first], contact)) ++first;
    const double reach = kSameContact * std::min(bodies[contact.a].thinness, bodies[contact.b].thinness);
    std::size_t best = old.size();
    double nearest = reach;
    for (std::size_t k = first; k < old.size() && old[k].a == contact.a && old[k].b == contact.b; ++k) {
      if (taken[k]) continue;
      if (old[k].feature == contact.feature) {
        best = k;
        break;
      }
      const double distance = (old[k].on_a - contact.on_a).length();
      if (distance < nearest) nearest = distance, best = k;
    }
    if (best == old.size()) continue;
    taken[best] = true;
    contact.impulse = old[best].impulse;
    contact.friction_impulse = old[best].friction_impulse;
  }
}

void ContactList::save(ArchiveWriter& out) const {
  std::vector<std::uint64_t> words;
  std::vector<double> numbers;
  for (const BodyContact& c : contacts_) {
    words.insert(words.end(), {c.a, c.b, c.feature, c.normal_turns_with_a});
    for (const Vec3d& v : {c.on_a, c.on_b, c.normal, c.friction_impulse})
      numbers.insert(numbers.end(), {v.x, v.y, v.z});
    numbers.insert(numbers.end(), {c.radius_a, c.radius_b, c.friction, c.restitution, c.impulse, c.approach});
  }
  out.put("bodies.contacts", words);
  out.put("bodies.contact_numbers", numbers);
  out.put("bodies.contacts_are_listed", std::uint8_t{is_listed_ ? std::uint8_t{1} : std::uint8_t{0}});
  numbers.clear();
  for (const Pose& pose : listed_poses_)
    numbers.insert(numbers.end(), {pose.position.x, pose.position.y, pose.position.z, pose.rotation.r,
                                   pose.rotation.v.x, pose.rotation.v.y, pose.rotation.v.z});
  out.put("bodies.listed_poses", numbers);
  out.put("bodies.listed_margins", listed_margins_);
}

void ContactList::load(ArchiveReader& in, std::size_t body_count) {
  std::vector<std::uint64_t> words;
  std::vector<double> numbers;
  in.get("bodies.contacts", words);
  in.get("bodies.contact_numbers", numbers);
  contacts_.assign(words.size() / kContactWords, BodyContact{});
  if (words.size() % kContactWords != 0 || numbers.size() != kContactNumbers * contacts_.size())
    throw Error(ExitCode::run_failed, "the saved state has contacts of bodies that do not fit together");
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    BodyContact& c = contacts_[i];
    const std::uint64_t* w = &words[kContactWords * i];
    c.a = w[0], c.b = w[1], c.feature = w[2], c.normal_turns_with_a = w[3];
    if (c.a >= body_count || c.b >= body_count)
      throw Error(ExitCode::run_failed, "the saved state has contacts of bodies that the scene has not");
    const double* n = &numbers[kContactNumbers * i];
    for (Vec3d* v : {&c.on_a, &c.on_b, &c.normal, &c.friction_impulse}) *v = {n[0], n[1], n[2]}, n += 3;
    c.radius_a = n[0], c.radius_b = n[1], c.friction = n[2];
    c.restitution = n[3], c.impulse = n[4], c.approach = n[5];
    check_saved_numbers(std::span(numbers).subspan(kContactNumbers * i, kContactNumbers - 4));
    check_saved_numbers({c.restitution, c.impulse, c.approach});  // friction may be infinite
  }
  std::uint8_t listed = 0;
  in.get("bodies.contacts_are_listed", listed);
  is_listed_ = listed != 0;
  in.get("bodies.listed_poses", numbers);
  listed_poses_.resize(numbers.size() / 7);
  for (std::size_t i = 0; i < listed_poses_.size(); ++i) {
    const double* n = &numbers[7 * i];
    listed_poses_[i] = {{n[0], n[1], n[2]}, Quatd(n[3], n[4], n[5], n[6])};
  }
  check_saved_numbers(numbers);
  in.get("bodies.listed_margins", listed_margins_);
  if (is_listed_ && (listed_poses_.size() != body_count || listed_margins_.size() != body_count))
    throw Error(ExitCode::run_failed, "the saved state has another number of bodies than the scene");
}

}  // namespace repose
