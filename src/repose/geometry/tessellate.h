#pragma once

#include "repose/geometry/shape.h"
#include "repose/geometry/triangle_mesh.h"

namespace repose {

/// The surface of a shape as triangles in the frame that holds it, for drawing. Vertices lie on the surface
/// (those of the shell of a torus without a hole near it), triangles within `tolerance` [m] of it (but an
/// arc is never cut into more than 1024 parts a turn). Closed, counter-clockwise seen from outside (from
/// inside where the shape is inverted), with normals by vertex: smooth where the surface is, separate
/// vertices along creases. Shells have both sides and their rims. A plane is drawn as a square of
/// `plane_size` [m] about its position: open, or the slab itself where it has a thickness. A mesh is
/// drawn with its own triangles, a shell of one with both sides (mesh/mesh_drawing.h).
TriangleMesh tessellate(const Shape& shape, double tolerance, double plane_size = 100);

}  // namespace repose
