#pragma once
// Where two bodies touch or are about to. Corners, edges and rims of each are measured against the signed
// distance of the other (features.h), so that a pair has many candidates; of these a few are kept that hold
// as well as all of them: the deepest, and those that span the widest patch, for each direction of the
// normal.

#include <cstdint>
#include <vector>

#include "repose/bodies/body.h"

namespace repose {

/// A place where body a and body b touch or nearly so, in the world. Each side is a ball about a point (of
/// radius 0 for a plain surface): the gap is the distance of the points along the normal less both radii.
struct ContactSpot {
  Vec3d normal;               ///< unit, from b to a
  Vec3d on_a, on_b;           ///< [m]
  double radius_a, radius_b;  ///< [m]
  double gap;                 ///< negative where they overlap [m]
  bool normal_turns_with_a;   ///< whose surface gave the normal
  std::uint64_t feature;      ///< which corner, edge or rim of which side: the same from step to step

  /// In the middle of the gap.
  Vec3d place() const { return 0.5 * (on_a - radius_a * normal + on_b + radius_b * normal); }
};

/// Signed distance [m] and normal of a body in the world, with its corners rounded as contacts see them.
SurfacePoint contact_distance(const Body& body, const Vec3d& point);

/// The spots of a pair whose gap is less than `margin` [m], reduced, in an order that depends on the two
/// alone.
std::vector<ContactSpot> find_contact_spots(const Body& a, const Body& b, double margin);

/// A pair of bodies that may touch, by index, first < second.
struct BodyPair {
  std::uint32_t first, second;
};

/// Pairs with at least one free body whose balls come within the sum of their margins [m], in the order of
/// their indices.
std::vector<BodyPair> find_near_pairs(const std::vector<Body>& bodies, const std::vector<double>& margins);

}  // namespace repose
