#include "repose/pipeline/later/export_bodies.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "repose/geometry/tessellate.h"
#include "repose/io/atomic_file.h"
#include "repose/io/meshes/obj.h"
#include "repose/io/particles/up_axis.h"
#include "repose/io/tables/csv.h"
#include "repose/pipeline/run_folder.h"
#include "repose/render/body_meshes.h"
#include "repose/render/camera.h"
#include "repose/scene/copies.h"

namespace repose {
namespace {

/// How far meshes may be off their shape, share of the body's size.
constexpr double kTolerance = 5e-4;
/// Width of planes, in sizes of the scene.
constexpr double kPlaneSize = 4;

TriangleMesh body_mesh(const BodyDefinition& body, double scene_size) {
  Shape shape = body.shape;
  shape.pose = Pose{};
  const double size = bounds(shape).size().length();
  const double reach = std::isfinite(size) && size > 0 ? size : scene_size;
  return tessellate(shape, kTolerance * reach, kPlaneSize * scene_size);
}

}  // namespace

std::string body_file_name(const std::string& body) {
  std::string name = body;
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain && c != '-' && c != '_' && c != '.') c = '_';
  }
  if (name.empty() || name[0] == '.') name.insert(0, "body");
  return name + ".obj";
}

BodyExport::BodyExport(const Scene& scene, std::filesystem::path folder, std::string format, bool y_up)
    : folder_(std::move(folder)), format_(std::move(format)) {
  const double size = content_bounds(scene).size().length();
  for (const BodyDefinition& body : scene.bodies) {
    TriangleMesh mesh = body_mesh(body, size);
    if (mesh.triangles.empty()) continue;
    if (y_up) turn_y_up(mesh);
    create_folder(folder_ / "bodies");
    write_obj(folder_ / "bodies" / body_file_name(body.name), body.name, mesh);
    // Copies share the mesh of their table.
    for (std::uint64_t copy = 0; copy < copy_count(body); ++copy)
      parts_.push_back({copy_name(body, copy), meshes_.size()});
    meshes_.push_back(std::move(mesh));
  }
}

void BodyExport::add(const Frame& frame) {
  rows_ += bodies_lines(frame);
  if (format_ != "vtp" || parts_.empty()) return;
  std::vector<VtpPart> placed;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto row = std::find_if(frame.bodies.begin(), frame.bodies.end(),
                                  [&](const BodyRow& r) { return r.name == parts_[i].name; });
    if (row == frame.bodies.end() || !row->present) continue;
    placed.push_back({place_mesh(meshes_[parts_[i].mesh], *row, 0, Vec3d(0, 0, 0)), static_cast<int>(i)});
  }
  const std::string name = numbered_name("bodies", frame.index, "vtp");
  write_vtp_mesh(folder_ / name, frame.index, frame.time, placed);
  sequence_.push_back({frame.time, name});
}

void BodyExport::finish() const {
  if (!rows_.empty()) write_file(folder_ / "bodies.csv", bodies_header() + "\n" + rows_);
  if (!sequence_.empty()) write_pvd(folder_ / "bodies.pvd", sequence_);
}

}  // namespace repose
