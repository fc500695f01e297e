#pragma once
// Moments of solids of revolution about the z axis, from their outline in the half-plane (r, z).

#include <span>

#include "repose/geometry/mass_properties.h"
#include "repose/geometry/shape.h"

namespace repose {

/// Sums up an outline that runs counter-clockwise (z up, r to the right). Pieces on the axis and along
/// z = const add nothing and may be left out.
class RevolvedMoments {
 public:
  void add_line(const Vec2d& from, const Vec2d& to);
  /// An arc from one angle to another, counted from the r axis towards z [rad].
  void add_arc(const Vec2d& center, double radius, double from, double to);
  void add_polyline(std::span<const Vec2d> points);
  /// A small piece of the region itself: a square about (r, z), of which a share belongs to the solid.
  void add_square(double r, double z, double half_edge, double share);

  VolumeMoments moments() const;

 private:
  template <class Piece>
  void integrate(const Piece& piece);

  double r_ = 0, rz_ = 0, rzz_ = 0, rrr_ = 0;  // integrals of r, r z, r z^2, r^3 over the region
};

/// Of what lies within `reach` [m] of the surface of a solid of revolution (of the profile of a lathe) at
/// scale 1 about its own origin, to 1e-4 of the volume: squares of the half-plane are cut in four until the
/// distance shows them to be all in or all out.
VolumeMoments revolved_shell_moments(const Shape& shape, double reach);

}  // namespace repose
