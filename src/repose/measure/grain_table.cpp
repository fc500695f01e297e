#include "repose/measure/grain_table.h"

#include <algorithm>
#include <cmath>

#include "repose/particles/grain_mass.h"

namespace repose {
namespace {

constexpr std::size_t kPoints = 2000;  ///< of a grain; cut_grain.h says what error they leave

/// Points of the additive recurrence with the powers of 1/g, g^4 = g + 1, as steps: evenly spread over the
/// cube at any number (Roberts 2018, "The unreasonable effectiveness of quasirandom sequences").
Vec3d even_point(std::size_t n) {
  constexpr double g = 1.2207440846057596;
  const auto coordinate = [n](double step) {
    const double x = 0.5 + static_cast<double>(n) * step;
    return 2 * (x - std::floor(x)) - 1;
  };
  return {coordinate(1 / g), coordinate(1 / (g * g)), coordinate(1 / (g * g * g))};
}

std::vector<Vec3d> points_in(std::span<const ShapeSphere> spheres) {
  constexpr std::size_t kTries = 1000 * kPoints;  // for shapes that are mostly empty
  std::vector<Vec3d> points;
  for (std::size_t n = 1; n < kTries && points.size() < kPoints; ++n) {
    const Vec3d p = even_point(n);
    const bool inside = std::any_of(spheres.begin(), spheres.end(), [&](const ShapeSphere& s) {
      return (p - s.center).length2() < s.radius * s.radius;
    });
    if (inside) points.push_back(p);
  }
  return points;
}

bool counts_overlaps_twice(const Scene& scene, const std::string& shape) {
  return std::any_of(scene.grains.begin(), scene.grains.end(), [&](const GrainDefinition& grain) {
    return grain.name == shape && grain.mass == GrainMass::sum_of_spheres;
  });
}

}  // namespace

GrainTable::GrainTable(const Scene& scene, std::span<const GrainShape> shapes)
    : ball_points_(points_in(std::vector<ShapeSphere>{{Vec3d(0), 1}})) {
  for (const GrainShape& shape : shapes) {
    ShapeNumbers numbers{shape.spheres, mass_of_union(shape.spheres).volume, 0, points_in(shape.spheres)};
    numbers.mass_volume =
        counts_overlaps_twice(scene, shape.name) ? mass_of_sum(shape.spheres).volume : numbers.union_volume;
    shapes_.push_back(std::move(numbers));
  }
  for (const Material& material : scene.materials)
    materials_.push_back({material.density, material.grain_density});
}

double GrainTable::mass(const Frame& frame, std::size_t row) const {
  const MaterialNumbers& material = materials_.at(frame.material[row]);
  const double r = frame.radius[row];
  // A particle that is no grain stands for a cube of its spacing.
  if (frame.shape.empty()) return material.density * 8 * r * r * r;
  return material.grain_density * shapes_.at(frame.shape[row]).mass_volume * r * r * r;
}

double GrainTable::solid_volume(const Frame& frame, std::size_t row) const {
  const MaterialNumbers& material = materials_.at(frame.material[row]);
  const double r = frame.radius[row];
  if (frame.shape.empty()) return material.density / material.grain_density * 8 * r * r * r;
  return shapes_.at(frame.shape[row]).union_volume * r * r * r;
}

std::span<const ShapeSphere> GrainTable::spheres(const Frame& frame, std::size_t row) const {
  if (frame.shape.empty()) return {};
  return shapes_.at(frame.shape[row]).spheres;
}

std::span<const Vec3d> GrainTable::points(const Frame& frame, std::size_t row) const {
  if (frame.shape.empty()) return ball_points_;
  return shapes_.at(frame.shape[row]).points;
}

}  // namespace repose
