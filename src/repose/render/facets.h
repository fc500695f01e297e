#pragma once
// The shapes of fine grains: a ball that planes cut facets off, as sand is angular with worn corners. There
// is a table of shapes; a grain's id says which is its own, so that it keeps it from frame to frame.
//
// The planes touch an ellipsoid whose longest axis is about half as long again as its shortest (sand: a
// sphericity of 0.7 to 0.9), each moved in or out a little. The ball around a shape is so large that all
// shapes have the volume of the grain that they stand for.

#include <array>
#include <cstdint>
#include <span>

#include "repose/math/vec.h"

namespace repose {

/// Facets of a shape. Loops over them have a fixed length, so that the compiler turns them into vector code.
inline constexpr std::size_t kFacets = 16;

/// In units of the ball around it: the shape is what lies within the ball and below all planes n.p = offset.
struct alignas(64) FacetShape {
  std::array<float, kFacets> nx, ny, nz, offset;
  float ball;       ///< radius of that ball over that of a ball of the shape's volume [-]
  Vec3f low, high;  ///< the box around the shape

  Vec3f normal(std::size_t i) const { return {nx[i], ny[i], nz[i]}; }
};

/// A shape is known by a number of 8 bits. Number 0 is the ball without facets.
inline constexpr std::size_t kShapes = 256;
inline constexpr std::uint32_t kBallShape = 0;
/// Shapes up to this one are quartz, whose facets glint; from that one on, dark minerals.
inline constexpr std::uint32_t kLastQuartz = 18, kFirstDark = 252;

std::span<const FacetShape, kShapes> facet_shapes();

/// What a grain has of its own but its colour.
struct GrainForm {
  std::uint32_t shape;  ///< 1 to 255
  float size;           ///< its radius over the grains' mean; the mean of its cube is 1 [-]
};
GrainForm grain_form(std::uint32_t id);

/// Where a ray meets a grain.
struct FacetHit {
  static constexpr int kRound = -1;  ///< in place of a facet: on the ball
  bool hit = false;
  float t = 0;         ///< [m]
  int facet = kRound;  ///< where it enters, or leaves if it starts inside
};

/// The part of a ray within a ball.
struct BallPassage {
  Vec3f nearest;  ///< the ray's point next to the centre, relative to it [m]
  float at;       ///< where on the ray that is [m]
  float half;     ///< half the length within the ball [m]
};

/// First point of the shape on the ray between tnear and tfar.
FacetHit intersect_facets(const FacetShape& shape, float ball_radius, const BallPassage& passage,
                          const Vec3f& direction, float tnear, float tfar);

}  // namespace repose
