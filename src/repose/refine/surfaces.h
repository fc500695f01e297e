#pragma once
// What obstacles do to sixteen grains over a step: their part in the velocity that grains are led with, and
// collisions at the end of the step.
//
// Most grains are far from every surface, and distances to bodies cost much. So obstacles are chosen twice,
// for a run of grains and for a block of it: those that a grain may be led by, and for all others at least
// how far away they are from any of these grains. A grain whose way in the step is shorter than that cannot
// have met them. Nothing is lost by it: a grain ends with the same bits as if it had looked at every
// obstacle.

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "repose/math/lanes.h"
#include "repose/refine/fine_grains.h"
#include "repose/refine/obstacles.h"
#include "repose/refine/refine_model.h"
#include "repose/refine/spatial_order.h"

namespace repose {

template <class T>
using LaneArray = std::array<T, Lanes::kCount>;

/// Sixteen vectors.
template <class T>
struct LaneVectors {
  LaneArray<T> x, y, z;
};

class Surfaces {
 public:
  /// The model outlives it.
  explicit Surfaces(const RefineModel& model) : model_(model) {}

  /// Chooses those near a run of grains in a box, over a step of dt [s].
  void enter_run(std::span<const Obstacle> obstacles, double dt, const PlaceBox& box);
  /// Chooses from these for a block of the run.
  void enter_block(const PlaceBox& box);

  /// Whether any may lead grains of the block.
  bool any_near() const { return !block_.near.empty(); }
  /// A grain of the block that goes no farther than this meets nothing unless one is near [m].
  double way_to_others() const { return block_.others - model_.radius - kMargin * model_.place.unit; }

  /// The part of near surfaces in the velocity [m/s] of grains at places, led with a sum of weights. Keeps
  /// how far each is from all of them, for meet().
  void lead(std::size_t count, const LaneVectors<std::int32_t>& places, const LaneArray<float>& weight,
            LaneVectors<float>& velocity);

  /// Puts grains [first, first + count) out of what they met on their ways, by the squared ways in radii of
  /// influence.
  void meet(std::uint32_t first, std::size_t count, const LaneArray<float>& squared_way, FineGrains& grains);

 private:
  /// Units by which rounding may move a grain.
  static constexpr double kMargin = 4;

  struct Near {
    const Obstacle* obstacle = nullptr;
    double distance = 0;  ///< of the middle of the box [m]
  };
  /// Of the grains in a box.
  struct Choice {
    Vec3d middle{0, 0, 0};  ///< [m]
    double half = 0;        ///< of the box's diagonal, and a little [m]
    std::vector<Near> near;
    double others = 0;  ///< distance of any grain to those that are not near, at least [m]
  };
  void enter(const PlaceBox& box, Choice& choice) const;
  void consider(const Obstacle& obstacle, Choice& choice) const;
  struct Points;
  void find_points(const Near& near, std::size_t count, const LaneArray<float>& weight, Points& points) const;
  double free_way(std::size_t lane) const;
  void meet(std::size_t lane, double way, FineMotion& grain);

  const RefineModel& model_;
  std::span<const Obstacle> all_;
  double dt_ = 1;  ///< [s]
  Choice run_, block_;
  std::vector<LaneArray<double>> distance_;  ///< of sixteen grains to those near the block, at least [m]
  std::vector<MetObstacle> met_;
};

}  // namespace repose
