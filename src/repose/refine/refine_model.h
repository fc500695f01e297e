#pragma once
// What does not change while fine grains are moved.

#include <array>
#include <cstdint>

#include "repose/bodies/bodies.h"
#include "repose/particles/frame.h"
#include "repose/refine/fine_grains.h"
#include "repose/scene/scene.h"

namespace repose {

/// Radius of a guide over half the spacing. A particle of a continuum stands for spacing^3, and its sphere
/// has that volume: where spheres leave gaps between them, grains there would count as in the open (Ihmsen
/// 2013 packs spheres of its r_LR as closely: its mass of rho pi / 6 d^3 comes to rest at a distance of 1.61
/// r_LR). A grain is taken by its bounding sphere.
inline constexpr double kContinuumGuideRadius = 1.2407009817988;  // cbrt(6 / pi)

/// Spacing of grains at a solid fraction of 0.6, over their radius: cbrt(4 pi / 3 / 0.6).
inline constexpr double kGrainSpacing = 1.911;

/// Radius within which others make a guide one of a bed, in radii of a guide.
inline constexpr double kCompanyRadii = 3;

struct RefineModel {
  RefineMethod method = RefineMethod::ihmsen2013;
  std::uint32_t ratio = 1;      ///< fine grains a guide
  double guide_radius = 0.005;  ///< [m]
  double guide_spacing = 0.01;  ///< of guides in a bed: the edge of the cube that each has for itself [m]
  double influence = 0.015;     ///< radius within which guides lead a grain [m]
  double dense = 1;             ///< takahashi2014: sum of the smooth kernels from which on grains are led [-]
  double packed = 1;            ///< density that guides may come to have, over that of a bed [-]
  bool density_limit = true;    ///< grains move on from where there is no room for more
  bool spread = true;           ///< grains in flight part as the guides around them do
  double radius = 0.001;        ///< of a fine grain [m]
  double longest_step = 0.01;   ///< [s]
  double drag = 0;              ///< rate at which a flying grain takes on the wind's velocity [1/s]
  Vec3d gravity{0, 0, -9.81};   ///< [m/s2]
  Vec3d wind{0, 0, 0};          ///< [m/s]
  std::uint64_t seed = 1;
  FinePlace place;
  Bodies bodies;  ///< shapes and friction; where they stand comes from frames
  std::array<bool, 3> periodic{false, false, false};
  Box3d domain;  ///< infinite where there is none [m]
};

/// A share of the guides, for work that is cut into parts: those whose id is `index` modulo `count`. All
/// guides lead, but only these bring fine grains.
struct GuidePart {
  std::uint32_t index = 0, count = 1;
  bool holds(std::uint32_t guide) const { return guide % count == index; }
};

RefineModel make_refine_model(const Scene& scene, ParticleKind kind);

}  // namespace repose
