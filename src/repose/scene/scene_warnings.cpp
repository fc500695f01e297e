#include "repose/scene/scene_warnings.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "repose/scene/fill_volumes.h"

namespace repose {
namespace {

/// A fill of which less is left is told of.
constexpr double kLeastShare = 0.25;
/// Coefficients of friction beyond this are angles [-].
constexpr double kMostFriction = 5;
/// Moduli below this are in another unit: jelly has more [Pa].
constexpr double kLeastYoung = 1e4;
constexpr int kPathSamples = 64;  ///< places at which a moving body is looked at

std::string percent(double share) {
  return share < 0.01 ? "less than 1 %" : fmt::format("{:.0f} %", 100 * share);
}

Box3d domain_box(const Scene& scene) { return {scene.domain.min, scene.domain.max}; }

double share_of_points(const Scene& scene, const Fill& fill) {
  const std::vector<Vec3d>& points = fill.file.empty() ? fill.points : fill.rows.position;
  const Box3d domain = domain_box(scene);
  const auto inside =
      std::count_if(points.begin(), points.end(), [&](const Vec3d& x) { return domain.intersects(x); });
  return points.empty() ? 1 : static_cast<double>(inside) / static_cast<double>(points.size());
}

void warn_of_fills(const Scene& scene, Threads& threads, std::vector<SceneWarning>& warnings) {
  for (std::size_t f = 0; f < scene.fills.size(); ++f) {
    const Fill& fill = scene.fills[f];
    FillVolume room{1, 1, 1};
    if (fill.shape)
      room = measure_fill(scene, f, threads);
    else
      room.in_domain = room.free = share_of_points(scene, fill);
    if (!std::isfinite(room.shape) || !(room.shape > 0)) continue;
    const std::string place = scene.where("fill." + fill.name + ".position");
    if (!(room.in_domain > 0))
      warnings.push_back(
          {"fill_outside", place,
           fmt::format("fill '{}' lies outside the domain: move it, or make the domain larger", fill.name)});
    else if (room.in_domain < kLeastShare * room.shape)
      warnings.push_back(
          {"fill_cut_by_domain", place,
           fmt::format("only {} of fill '{}' lies in the domain, and the rest is left out: make "
                       "it smaller, move it, or make the domain larger",
                       percent(room.in_domain / room.shape), fill.name)});
    else if (room.free < kLeastShare * room.in_domain)
      warnings.push_back(
          {"fill_cut_by_bodies", place,
           fmt::format("bodies and the fills before it leave only {} of fill '{}': move it, or "
                       "what it lies in",
                       percent(room.free / room.in_domain), fill.name)});
  }
}

/// Whether a ball about x meets the domain; nothing is outside along a periodic axis.
bool meets_domain(const Scene& scene, const Vec3d& x, double radius) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (scene.domain.faces[2 * axis] == FaceKind::periodic) continue;
    if (x[axis] + radius < scene.domain.min[axis] || x[axis] - radius > scene.domain.max[axis]) return false;
  }
  return true;
}

bool has_joint(const Scene& scene, const BodyDefinition& body) {
  return std::any_of(scene.joints.begin(), scene.joints.end(), [&](const JointDefinition& joint) {
    return joint.bodies[0] == body.name || joint.bodies[1] == body.name;
  });
}

/// Whether any of a body is in the domain at any time of the run.
bool is_ever_in_domain(const Scene& scene, const BodyDefinition& body) {
  const Shape shape = shape_at_start(body);
  const Box3d box = bounds(shape);
  if (!std::isfinite(box.size().length())) return true;
  const double reach = 0.5 * box.size().length();
  if (body.motion == Motion::fixed) {
    Box3d periodic = domain_box(scene);
    for (unsigned axis = 0; axis < 3; ++axis)
      if (scene.domain.faces[2 * axis] == FaceKind::periodic) {
        periodic.min[axis] = std::min(periodic.min[axis], box.min[axis] - 1);
        periodic.max[axis] = std::max(periodic.max[axis], box.max[axis] + 1);
      }
    return boxes_overlap(box, periodic);
  }
  if (body.motion == Motion::keyframed) {
    const Vec3d offset = box.center() - shape.pose.position;
    for (std::size_t k = 0; k + 1 < std::max<std::size_t>(body.keyframes.size(), 2); ++k)
      for (int i = 0; i <= kPathSamples && k < body.keyframes.size(); ++i) {
        const Vec3d from = body.keyframes[k].position,
                    to = body.keyframes[std::min(k + 1, body.keyframes.size() - 1)].position;
        const Vec3d at = from + (static_cast<double>(i) / kPathSamples) * (to - from);
        if (meets_domain(scene, at, reach + offset.length())) return true;
      }
    return false;
  }
  if (has_joint(scene, body)) return true;
  const bool falls = body.motion == Motion::dynamic;
  const double arm = body.pivot ? (box.center() - *body.pivot).length() : 0;
  for (int i = 0; i <= kPathSamples; ++i) {
    const double t = scene.info.duration * i / kPathSamples;
    const Vec3d fall = falls ? 0.5 * t * t * scene.info.gravity : Vec3d(0);
    if (meets_domain(scene, box.center() + t * body.velocity + fall, reach + 2 * arm)) return true;
  }
  return false;
}

void warn_of_bodies(const Scene& scene, std::vector<SceneWarning>& warnings) {
  std::set<std::string> told;
  for (const BodyDefinition& body : scene.bodies) {
    const std::string& table = body.family.empty() ? body.name : body.family;
    if (is_ever_in_domain(scene, body) || !told.insert(table).second) continue;
    warnings.push_back(
        {"body_outside", scene.where("body." + table + ".position"),
         fmt::format("body '{}' lies outside the domain and meets nothing: move it, or make the "
                     "domain larger",
                     body.name)});
  }
}

/// Whether a body stands anywhere below a place, seen along gravity, within the domain.
bool has_body_below(const Scene& scene, const Box3d& from, unsigned axis, bool downwards) {
  Box3d below = from;
  (downwards ? below.min : below.max)[axis] = (downwards ? scene.domain.min : scene.domain.max)[axis];
  return std::any_of(scene.bodies.begin(), scene.bodies.end(), [&](const BodyDefinition& body) {
    return boxes_overlap(bounds(shape_at_start(body)), below);
  });
}

/// Gravity that points out of an open side, past a floor that lies on another axis.
void warn_of_gravity(const Scene& scene, std::vector<SceneWarning>& warnings) {
  const Vec3d& g = scene.info.gravity;
  unsigned down = 0;
  for (unsigned axis = 1; axis < 3; ++axis)
    if (std::abs(g[axis]) > std::abs(g[down])) down = axis;
  if (!(std::abs(g[down]) > 0)) return;
  const std::size_t below = 2 * down + (g[down] > 0 ? 1 : 0);
  if (scene.domain.faces[below] != FaceKind::open) return;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const FaceKind low = scene.domain.faces[2 * axis], high = scene.domain.faces[2 * axis + 1];
    const bool is_floor = (low == FaceKind::wall) != (high == FaceKind::wall);
    if (axis == down || !is_floor || std::abs(g[axis]) > 0.1 * g.length()) continue;
    for (const Fill& fill : scene.fills)
      if (fill.shape && has_body_below(scene, bounds(*fill.shape), down, g[down] < 0)) return;
    for (const Emitter& emitter : scene.emitters)
      if (has_body_below(scene, bounds(emitter.shape), down, g[down] < 0)) return;
    const char* floor = kFaceNames[2 * axis + (low == FaceKind::wall ? 0 : 1)];
    warnings.push_back(
        {"gravity_past_floor", scene.where("scene.gravity"),
         fmt::format(
             "gravity pulls to {}, which is open, and the floor is at {}: all falls out of the domain; "
             "turn gravity (z is up: [0, 0, -9.81]), or make domain.{} a wall",
             kFaceNames[below], floor, "xyz"[down])});
    return;
  }
}

void warn_of_friction(const Scene& scene, const std::string& key, double friction,
                      std::vector<SceneWarning>& warnings) {
  if (!(friction > kMostFriction) || !std::isfinite(friction)) return;
  const std::string instead =
      friction < 90 ? fmt::format("{:g} degrees are {:.3g}", friction, std::tan(radians(friction)))
                    : std::string("a floor of sandpaper has about 1");
  warnings.push_back(
      {"friction_is_angle", scene.where(key),
       fmt::format("{} = {:g} is a coefficient (tangent of an angle): {}", key, friction, instead)});
}

void warn_of_young(const Scene& scene, const std::string& key, std::optional<double> young,
                   std::vector<SceneWarning>& warnings) {
  if (!young || *young >= kLeastYoung || scene.solver.type != SolverKind::dem) return;
  warnings.push_back(
      {"young_unit", scene.where(key),
       fmt::format("{} = {:g} is in Pa, and softer than jelly: {:g} GPa are {:g}e9; leave it out "
                   "for the softest that works",
                   key, *young, *young, *young)});
}

void warn_of_numbers(const Scene& scene, std::vector<SceneWarning>& warnings) {
  for (const Material& m : scene.materials) {
    const std::string table = "material." + m.name;
    warn_of_friction(scene, table + ".friction", m.friction.value_or(0), warnings);
    warn_of_friction(scene, table + ".rolling_friction", m.rolling_friction.value_or(0), warnings);
    warn_of_young(scene, table + ".young", m.young, warnings);
  }
  for (const ContactPair& c : scene.contacts)
    warn_of_friction(scene, "contact." + c.name + ".friction", c.friction.value_or(0), warnings);
  std::set<std::string> told;
  for (const BodyDefinition& b : scene.bodies) {
    const std::string table = "body." + (b.family.empty() ? b.name : b.family);
    if (!told.insert(table).second) continue;
    warn_of_friction(scene, table + ".friction", b.friction, warnings);
    warn_of_young(scene, table + ".young", b.young, warnings);
  }
  double walls = 0;
  for (const double friction : scene.domain.friction)
    if (std::isfinite(friction)) walls = std::max(walls, friction);
  warn_of_friction(scene, "domain.friction", walls, warnings);
}

}  // namespace

std::vector<SceneWarning> find_scene_warnings(const Scene& scene, Threads& threads) {
  std::vector<SceneWarning> warnings;
  warn_of_fills(scene, threads, warnings);
  warn_of_emitters(scene, warnings);
  warn_of_bodies(scene, warnings);
  warn_of_gravity(scene, warnings);
  warn_of_numbers(scene, warnings);
  return warnings;
}

}  // namespace repose
