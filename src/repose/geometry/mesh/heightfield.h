#pragma once
// Height fields: a table of heights over a rectangle, read from text, made into a closed solid of triangles
// (mesh_solid.h) with a flat bottom and upright sides, so that everything that works for meshes works for
// them.
//
// The file is a grid of numbers divided by spaces or commas, a line a row. The first row is the far side
// (largest y), as on a map; the first number of a row stands at the smallest x. Above the numbers may stand
// the header of an ESRI ASCII grid (.asc): `ncols`, `nrows`, `cellsize`, `nodata_value`; `xllcorner` and the
// like are passed over. Lines that begin with # are passed over too.

#include <string_view>
#include <vector>

#include "repose/geometry/mesh/mesh_data.h"

namespace repose {

struct HeightGrid {
  std::size_t columns = 0, rows = 0;
  double cell_size = 0;         ///< between neighbours [m]; 0: the file does not say
  std::vector<double> heights;  ///< by row from the far side, columns from the left

  double at(std::size_t column, std::size_t row) const { return heights[row * columns + column]; }
};

/// Throws Error(bad_scene) with the line, without the path.
HeightGrid parse_height_grid(std::string_view text);

struct HeightfieldSize {
  Vec3d size{0, 0, 1};  ///< x, y: between the outermost points [m]; z: what a height of 1 in the file is [m]
  double base = 0;      ///< how far the solid goes on below its lowest point [m]
};

/// Triangles of the solid, closed, in the shape's own frame: the middle of the rectangle is x = y = 0, and
/// z = 0 is a height of 0 in the file. Each cell of four points is cut along its shorter diagonal in space.
MeshData make_heightfield(const HeightGrid& grid, const HeightfieldSize& size);

}  // namespace repose
