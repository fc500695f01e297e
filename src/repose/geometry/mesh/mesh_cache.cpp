#include "repose/geometry/mesh/mesh_cache.h"

#include <algorithm>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/text_lines.h"
#include "repose/geometry/mesh/heightfield.h"
#include "repose/geometry/mesh/mesh_file.h"

namespace repose {
namespace {

// Of the longer side of a height field: deep enough that nothing on it is nearer to its bottom.
constexpr double kBaseShare = 0.1;

/// Fills in what the scene left open, from the file.
HeightfieldSize complete_size(const HeightGrid& grid, Shape& shape) {
  if (!shape.extent) {
    if (grid.cell_size <= 0)
      throw Error(ExitCode::bad_scene,
                  "the file does not say its cellsize: give 'extent' = [x, y], the rectangle's edges [m]");
    shape.extent = Vec2d(grid.cell_size * static_cast<double>(grid.columns - 1),
                         grid.cell_size * static_cast<double>(grid.rows - 1));
  }
  if (!shape.base) shape.base = kBaseShare * std::max(shape.extent->x, shape.extent->y);
  return {Vec3d(shape.extent->x, shape.extent->y, shape.height_scale), *shape.base};
}

}  // namespace

void MeshCache::load(Shape& shape) {
  if (shape.kind == ShapeKind::mesh) {
    auto& solid = solids_[shape.file];
    if (!solid) solid = std::make_shared<const MeshSolid>(read_mesh_file(shape.file));
    shape.mesh = solid;
    return;
  }
  const HeightGrid grid = parse_height_grid(read_whole_file(shape.file));
  const HeightfieldSize size = complete_size(grid, shape);
  auto& solid =
      solids_[fmt::format("{}\n{} {} {} {}", shape.file, size.size.x, size.size.y, size.size.z, size.base)];
  if (!solid) solid = std::make_shared<const MeshSolid>(make_heightfield(grid, size));
  shape.mesh = solid;
}

}  // namespace repose
