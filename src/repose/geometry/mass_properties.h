#pragma once
// Volume, centre of mass and inertia of solids, for a density of one.
//
// Everything is an integral of 1, x, x^2 and x y over the solid (`VolumeMoments`). For boxes and solids of
// revolution these are closed forms: an integral over a region of the half-plane (r, z) becomes one along its
// outline by Green's theorem, where a straight piece is a polynomial and an arc a short trigonometric sum,
// both of which Gauss' rule takes up to rounding. For closed meshes each triangle carries the tetrahedron
// that it spans with the origin (Mirtich 1996, "Fast and accurate computation of polyhedral mass properties",
// integrates the same polynomials face by face). Shells of cones and lathes are integrated to 1e-4 of their
// volume, those of meshes to about 1e-3.

#include <array>
#include <cstdint>
#include <span>

#include "repose/geometry/shape.h"

namespace repose {

struct MassProperties {
  double volume = 0;                   ///< [m3]
  Vec3d center{0, 0, 0};               ///< of mass [m]
  Imath::M33d inertia{Imath::M33d()};  ///< about the centre of mass, density 1 [m5]
};

/// Integrals over a solid about the origin of coordinates.
struct VolumeMoments {
  double one = 0;           ///< [m3]
  Vec3d x{0, 0, 0};         ///< [m4]
  Vec3d xx{0, 0, 0};        ///< x^2, y^2, z^2 [m5]
  Vec3d yz_zx_xy{0, 0, 0};  ///< products [m5]

  VolumeMoments& operator+=(const VolumeMoments& other);
  VolumeMoments& operator-=(const VolumeMoments& other);
};

/// Moves the moments to the centre of mass and turns them into inertia (parallel axes).
MassProperties to_properties(const VolumeMoments& moments);

/// Of a solid bounded by triangles, counter-clockwise seen from outside. Those of a mesh that is inside out
/// are negative, those of an open mesh depend on where the origin is.
VolumeMoments mesh_moments(std::span<const Vec3d> positions,
                           std::span<const std::array<std::uint32_t, 3>> triangles);

/// Of the solid (of its shell, where it has a thickness), with centre and axes in the frame that holds the
/// shape. For solids without bounds (planes, inverted shapes) the volume is infinite, the inertia zero and
/// the centre the shape's own origin.
MassProperties mass_properties(const Shape& shape);

}  // namespace repose
