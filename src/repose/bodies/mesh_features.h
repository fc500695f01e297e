#pragma once
// What touches first of a body made of triangles: its corners, the middles of its large faces, its long sharp
// edges. A mesh may have a hundred thousand corners, of which a few are near the other body at a time. So
// points stand in groups, one for each cell of a grid over the body, and a whole group is passed over where
// the other body is far. Corners within a flat face hold nothing that the rim of the face does not: one for
// each cell is enough. Of corners that lie closer than a quarter of a cell the sharpest is kept.
//
// Each point is the centre of a small ball that touches the faces around it from inside, so that what sinks
// in a little still knows which way is out, as for boxes (features.h).

#include "repose/bodies/features.h"

namespace repose {

/// Adds points, their groups, and edges of a mesh or height field, in the shape's own frame.
void add_mesh_features(const Shape& shape, ContactFeatures& out);

}  // namespace repose
