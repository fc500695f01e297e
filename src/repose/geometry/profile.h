#pragma once
// Distance to polylines in the half-plane (r, z) of a solid of revolution. The nearest point of such a solid
// lies in the same half-plane as the point itself, so a distance found here holds in space.

#include <span>

#include "repose/math/vec.h"

namespace repose {

struct ProfileDistance {
  double distance;            ///< [m]
  double normal_r, normal_z;  ///< unit, gradient of the distance
};

/// Unsigned distance to the polyline itself, at least two points.
ProfileDistance open_profile_distance(std::span<const Vec2d> profile, double r, double z);

/// Signed distance to the solid that the polyline bounds. A polyline whose last point repeats its first is
/// closed as it is (a ring); any other is closed along z = const from its ends to the axis, and along the
/// axis.
ProfileDistance solid_profile_distance(std::span<const Vec2d> profile, double r, double z);

/// Volume of the solid of revolution [m3], by Pappus.
double solid_profile_volume(std::span<const Vec2d> profile);

/// Twice the area that the polyline bounds together with the axis [m2]; positive where it runs
/// counter-clockwise (z up, r to the right).
double twice_signed_area(std::span<const Vec2d> profile);

}  // namespace repose
