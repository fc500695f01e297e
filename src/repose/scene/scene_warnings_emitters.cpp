// Emitters that nothing can come out of, or not as much as they are asked for.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "repose/scene/fill_volumes.h"
#include "repose/scene/materials.h"
#include "repose/scene/scene_warnings.h"

namespace repose {
namespace {

constexpr int kPoints = 24;             ///< along each axis of an emitter's bounds
constexpr int kBins = 16;               ///< across its opening
constexpr double kLeastFree = 1.0 / 6;  ///< share of an emitter outside of bodies

/// Points inside a shape, on a lattice over its bounds.
std::vector<Vec3d> points_inside(const Shape& shape) {
  const Box3d box = bounds(shape);
  const Vec3d cell = box.size() / kPoints;
  std::vector<Vec3d> points;
  if (!std::isfinite(cell.length())) return points;
  for (int z = 0; z < kPoints; ++z)
    for (int y = 0; y < kPoints; ++y)
      for (int x = 0; x < kPoints; ++x) {
        const Vec3d p = box.min + cell * Vec3d(x + 0.5, y + 0.5, z + 0.5);
        if (signed_distance(shape, p) < 0) points.push_back(p);
      }
  return points;
}

/// What an emitter's shape is across and along its stream.
struct Opening {
  double width = 0, area = 0;  ///< across: the smaller extent [m], and the area seen from the front [m2]
  double length = 0;           ///< along [m]
  double speed = 0;            ///< at which matter leaves it, at most [m/s]
};

Opening opening_of(const Scene& scene, const Emitter& emitter, const std::vector<Vec3d>& points) {
  const double v = emitter.velocity.length(), g = scene.info.gravity.length();
  const Vec3d along = v > 0 ? emitter.velocity / v : g > 0 ? scene.info.gravity / g : Vec3d(0, 0, -1);
  const Vec3d side = (std::abs(along.x) < 0.7 ? Vec3d(1, 0, 0) : Vec3d(0, 1, 0)).cross(along).normalized();
  const std::array<Vec3d, 3> axes{side, along.cross(side), along};
  std::array<double, 3> low{}, extent{};
  const Vec3d cell = bounds(emitter.shape).size() / kPoints;
  for (std::size_t a = 0; a < 3; ++a) {
    // A point stands for its cell.
    const double half =
        0.5 * (std::abs(axes[a].x) * cell.x + std::abs(axes[a].y) * cell.y + std::abs(axes[a].z) * cell.z);
    double least = axes[a].dot(points.front()), most = least;
    for (const Vec3d& p : points) {
      least = std::min(least, axes[a].dot(p));
      most = std::max(most, axes[a].dot(p));
    }
    low[a] = least - half;
    extent[a] = most - least + 2 * half;
  }
  std::array<bool, static_cast<std::size_t>(kBins) * kBins> seen{};
  const auto bin = [&](std::size_t a, const Vec3d& p) {
    return std::min<std::size_t>(kBins - 1,
                                 static_cast<std::size_t>((axes[a].dot(p) - low[a]) / extent[a] * kBins));
  };
  for (const Vec3d& p : points) seen[bin(0, p) * kBins + bin(1, p)] = true;
  const double share = static_cast<double>(std::count(seen.begin(), seen.end(), true)) / seen.size();
  const double pull = std::max(0.0, scene.info.gravity.dot(along));
  return {std::min(extent[0], extent[1]), share * extent[0] * extent[1], extent[2],
          std::sqrt(v * v + 2 * pull * extent[2])};
}

/// Diameter of the largest grain that comes out of it [m].
double grain_size(const Scene& scene, const Material& material) {
  double largest = 1;
  if (scene.solver.type == SolverKind::dem && !material.sizes.empty()) {
    largest = 0;
    for (const SizeClass& size : material.sizes) largest = std::max(largest, size.diameter);
  }
  return largest * scene.solver.spacing;
}

/// The body that holds most of the points, and how many are in none.
struct Blocking {
  const BodyDefinition* body = nullptr;
  std::size_t free = 0;
};

Blocking find_blocking(const Scene& scene, const std::vector<Vec3d>& points, const Box3d& box) {
  Blocking out;
  std::vector<char> free(points.size(), 1);
  std::size_t most = 0;
  for (const BodyDefinition& body : scene.bodies) {
    const Shape shape = shape_at_start(body);
    if (body.motion != Motion::fixed || !boxes_overlap(bounds(shape), box)) continue;
    std::size_t held = 0;
    for (std::size_t k = 0; k < points.size(); ++k)
      if (signed_distance(shape, points[k]) < 0) {
        ++held;
        free[k] = 0;
      }
    if (held > most) {
      most = held;
      out.body = &body;
    }
  }
  out.free = static_cast<std::size_t>(std::count(free.begin(), free.end(), 1));
  return out;
}

void warn_of_opening(const Scene& scene, const Emitter& emitter, const std::vector<Vec3d>& points,
                     std::vector<SceneWarning>& warnings) {
  const std::string table = "emitter." + emitter.name;
  const Material& material = scene.materials[material_index(scene, emitter.material)];
  const Opening opening = opening_of(scene, emitter, points);
  const double grain = grain_size(scene, material);
  if (opening.width < (1 - 1e-9) * grain) {
    warnings.push_back(
        {"emitter_small", scene.where(table + ".shape"),
         fmt::format("emitter '{}' is {:.3g} m wide across its stream, less than a {} of {:.3g} m: "
                     "make it wider, or solver.spacing smaller",
                     emitter.name, opening.width, scene.solver.type == SolverKind::dem ? "grain" : "particle",
                     grain)});
    return;
  }
  const double most = material.density * opening.area * opening.speed;
  if (emitter.rate > most)
    warnings.push_back(
        {"emitter_rate", scene.where(table + ".rate"),
         fmt::format("emitter '{}' is to give {:.3g} kg/s, but its opening of {:.3g} m2 lets at "
                     "most {:.3g} kg/s through at {:.3g} m/s: lower its rate, enlarge its shape "
                     "or raise its velocity",
                     emitter.name, emitter.rate, opening.area, most, opening.speed)});
}

}  // namespace

void warn_of_emitters(const Scene& scene, std::vector<SceneWarning>& warnings) {
  const Box3d domain{scene.domain.min, scene.domain.max};
  for (const Emitter& emitter : scene.emitters) {
    const std::string place = scene.where("emitter." + emitter.name + ".position");
    std::vector<Vec3d> points = points_inside(emitter.shape);
    if (points.empty()) continue;  // the solver says that it has no room
    const std::vector<Vec3d> all = points;
    std::erase_if(points, [&](const Vec3d& x) { return !domain.intersects(x); });
    if (points.empty()) {
      warnings.push_back(
          {"emitter_outside", place,
           fmt::format("emitter '{}' lies outside the domain, and nothing comes from it: move it, "
                       "or make the domain larger",
                       emitter.name)});
      continue;
    }
    const Blocking blocking = find_blocking(scene, points, bounds(emitter.shape));
    if (blocking.body != nullptr &&
        static_cast<double>(blocking.free) < kLeastFree * static_cast<double>(points.size())) {
      warnings.push_back(
          {"emitter_in_body", place,
           fmt::format("emitter '{}' lies inside body '{}', which leaves it no room: move one of "
                       "them",
                       emitter.name, blocking.body->name)});
      continue;
    }
    warn_of_opening(scene, emitter, all, warnings);
  }
}

}  // namespace repose
