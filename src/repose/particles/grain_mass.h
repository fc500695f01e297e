#pragma once
// Volume, centre of mass and inertia of grains made of spheres, for a density of one.

#include <span>

#include "repose/geometry/mass_properties.h"
#include "repose/particles/frame.h"

namespace repose {

/// Spheres counted one by one, matter in an overlap as often as it is covered. Bell 2005, section 3.4.
MassProperties mass_of_sum(std::span<const ShapeSphere> spheres);

/// The solid that the spheres cover together, matter in an overlap once. Exact up to rounding (relative error
/// about 1e-14), however many spheres overlap in one place: the volume integrals are turned into integrals
/// over the exposed part of each sphere, and these into integrals along the circles where spheres cut each
/// other.
MassProperties mass_of_union(std::span<const ShapeSphere> spheres);

}  // namespace repose
