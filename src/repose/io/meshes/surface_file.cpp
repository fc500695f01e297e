#include "repose/io/meshes/surface_file.h"

#include "repose/io/atomic_file.h"
#include "repose/io/meshes/surface_ply.h"
#include "repose/io/meshes/surface_vdb.h"
#include "repose/io/particles/up_axis.h"

namespace repose {

void write_surface(const std::filesystem::path& path, std::string_view format, const SurfaceMesh& surface,
                   int frame, double time, Threads& threads, bool y_up) {
  if (format == "ply") write_file(path, encode_surface_ply(surface, frame, time, y_up));
  if (format == "vdb") write_file(path, encode_surface_vdb(surface, frame, time, threads));
}

void turn_y_up(SurfaceMesh& surface) {
  turn_y_up(surface.mesh);
  for (Vec3f& velocity : surface.velocity) velocity = to_y_up(velocity);
}

}  // namespace repose
