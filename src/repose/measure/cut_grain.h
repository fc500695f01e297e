#pragma once
// How much of a grain lies inside a shape. A grain that the shape's surface does not cut counts wholly or not
// at all. A lone sphere that a single flat face cuts (a plane, a face of a box, the end of a cylinder) or
// that a spherical region cuts is worked out in closed form. Anything else (edges, curved walls, compounds)
// is counted on 2000 points spread evenly over the union of the grain's spheres: within 1 % of that grain, in
// either direction.

#include <cstddef>

#include "repose/geometry/shape.h"
#include "repose/measure/grain_table.h"
#include "repose/particles/frame.h"

namespace repose {

/// Share of a ball's volume on the inner side of a plane at signed distance `distance` from its centre
/// (negative: the centre is inside) [-]: the spherical cap, (1 - x)^2 (2 + x) / 4 with x = distance / radius.
double share_below_plane(double distance, double radius);

/// Share of a row's solid inside the shape [-].
double share_inside(const Shape& shape, const Frame& frame, std::size_t row, const GrainTable& grains);

}  // namespace repose
