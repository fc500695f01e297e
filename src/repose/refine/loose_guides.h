#pragma once
// Guides in the open, and how the flight around each spreads. A guide that has left the others takes all its
// grains along at one velocity, as a ball: no paper says how the ball opens. Here the velocities of the loose
// guides around it give the gradient of the velocity, and its grains take v + C (x - x_guide) where the
// formulas say v. So they part as the guides part, and fill the room between them. What the gradient does not
// explain of the guides' velocities is scatter, as of molecules; grains get half of it, each its own for all
// time. The mean velocity of a guide's grains stays its own, since offsets and scatter are zero in the mean.
// Guides among others, in a bed, have no part in this, nor those that do not fall freely: what lies or rolls
// on the ground.
//
// A loose guide that has no other around it tells nothing about gradients. It leads its grains less and less,
// so that they fly on with the velocities they have.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/grid/particle_cells.h"
#include "repose/refine/fine_grains.h"
#include "repose/refine/guides.h"
#include "repose/refine/refine_model.h"

namespace repose {

/// One of the guides in the open.
struct LooseGuide {
  std::int32_t x = 0, y = 0, z = 0;  ///< FinePlace
  float looseness = 0;               ///< 1: alone; 0: with a third of a bed's guides around it [-]
  float scatter = 0;                 ///< of the velocities of its grains along each axis [m/s]
  float trust = 0;                   ///< in the gradient: 0 where no other is near [-]
  std::array<Vec3f, 3> gradient{Vec3f(0), Vec3f(0),
                                Vec3f(0)};  ///< columns: change of velocity along x, y, z [1/s]
};

/// What the guides say to some grains in a row (advect.cpp).
struct LedGrains {
  std::span<float> x, y, z;        ///< mean velocity [m/s]
  std::span<float> own_share;      ///< of the grain's own flight [-]
  std::span<const float> weights;  ///< sum over all guides [-]
};

struct LooseGuides {
  GridPlace place;
  ParticleCells cells;
  std::vector<LooseGuide> guides;  ///< cell by cell

  /// Rows of those within a distance [m] of a box, and of some more, in an order that does not depend on it.
  void find_near(const Box3d& box, double distance, std::vector<std::uint32_t>& rows) const;
  /// Adds what the gradients of some rows make of the velocities of grains [first, first + led.x.size()).
  void spread(const RefineModel& model, std::span<const std::uint32_t> rows, const FineGrains& grains,
              std::uint32_t first, const LedGrains& led) const;
};

/// Those of a step of dt [s], with their gradients.
LooseGuides find_loose_guides(const RefineModel& model, const GuideStep& step, double dt, Threads& threads);

}  // namespace repose
