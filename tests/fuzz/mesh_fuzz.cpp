// Any bytes are a mesh, a height field or an Error, never a crash, a hang or a leak; and whatever was read
// can be audited and asked for distances and touches, which are finite. The first byte says which reader.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "repose/core/error.h"
#include "repose/geometry/mesh/heightfield.h"
#include "repose/geometry/mesh/mesh_audit.h"
#include "repose/geometry/mesh/mesh_file.h"
#include "repose/geometry/tessellate.h"

namespace repose {
namespace {

MeshData read(char format, std::string_view bytes) {
  switch (format) {
    case 'o':
      return parse_obj(bytes);
    case 'p':
      return parse_ply_mesh(bytes);
    case 's':
      return parse_stl(bytes);
    default:
      return make_heightfield(parse_height_grid(bytes), {.size = {1, 2, 3}, .base = 0.5});
  }
}

void need(bool holds) {
  if (!holds) std::abort();
}

void use(const MeshData& data) {
  for (const Vec3d& p : data.positions) need(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
  for (const Triangle& t : data.triangles)
    for (const std::uint32_t v : t) need(v < data.positions.size());
  Shape shape;
  shape.kind = ShapeKind::mesh;
  shape.mesh = std::make_shared<const MeshSolid>(data);
  audit_mesh(*shape.mesh, {.spacing = 0.01, .domain_diagonal = 10});
  tessellate(shape, 0.01);
  Touches touches;
  for (const double thickness : {0.0, 0.1}) {
    shape.thickness = thickness;
    for (const Vec3d& p : {Vec3d(0.1, 0.2, 0.3), data.positions[0], Vec3d(-5, 7, 1e9)}) {
      const SurfacePoint s = distance_and_normal(shape, p);
      need(std::isfinite(s.distance) && std::abs(s.normal.length() - 1) < 1e-6);
      find_touches(shape, p, 1, touches);
      for (const Touch& touch : touches) need(std::isfinite(touch.distance));
    }
  }
}

}  // namespace
}  // namespace repose

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    repose::use(repose::read(bytes[0], bytes.substr(1)));
  } catch (const repose::Error&) {
  }
  return 0;
}
