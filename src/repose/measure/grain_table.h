#pragma once
// What a particle of a frame weighs, and how much solid it is. Frames do not carry masses, so that they stay
// small; shape, material and radius of a row say it all.

#include <cstddef>
#include <span>
#include <vector>

#include "repose/particles/frame.h"
#include "repose/scene/scene.h"

namespace repose {

class GrainTable {
 public:
  /// `shapes` are what the frames' shape column refers to; none for solvers whose particles are no grains.
  GrainTable(const Scene& scene, std::span<const GrainShape> shapes);

  /// [kg]
  double mass(const Frame& frame, std::size_t row) const;
  /// Of the solid: the union of a grain's spheres, or the share of a particle that is not pores [m3].
  double solid_volume(const Frame& frame, std::size_t row) const;
  /// The spheres of a row's shape in units of its radius; none for a particle that is no grain.
  std::span<const ShapeSphere> spheres(const Frame& frame, std::size_t row) const;
  /// Points spread evenly over the union of those spheres, each for the same volume.
  std::span<const Vec3d> points(const Frame& frame, std::size_t row) const;
  /// The same for a ball of radius one.
  std::span<const Vec3d> ball_points() const { return ball_points_; }

 private:
  struct ShapeNumbers {
    std::vector<ShapeSphere> spheres;
    double union_volume;  ///< at a bounding radius of one [-]
    double mass_volume;   ///< what the mass counts: spheres one by one, or their union [-]
    std::vector<Vec3d> points;
  };
  struct MaterialNumbers {
    double density, grain_density;  ///< [kg/m3]
  };
  std::vector<ShapeNumbers> shapes_;
  std::vector<MaterialNumbers> materials_;
  std::vector<Vec3d> ball_points_;
};

}  // namespace repose
