#include "repose/io/meshes/surface_vdb.h"

#include <array>

#include <openvdb/math/Proximity.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>
#include <openvdb/tree/LeafManager.h>

#include "repose/io/vdb_archive.h"

namespace repose {
namespace {

namespace vdb = openvdb;

/// Voxels on either side of the mesh, as most programs expect of a level set.
constexpr float kHalfWidth = 3;

vdb::Vec3d to_vdb(const Vec3f& v) { return {v.x, v.y, v.z}; }

/// The mesh as OpenVDB asks for it, in voxels.
class MeshInVoxels {
 public:
  MeshInVoxels(const TriangleMesh& mesh, const vdb::math::Transform& transform)
      : mesh_(mesh), transform_(transform) {}
  std::size_t polygonCount() const { return mesh_.triangles.size(); }
  std::size_t pointCount() const { return mesh_.positions.size(); }
  static std::size_t vertexCount(std::size_t) { return 3; }
  void getIndexSpacePoint(std::size_t polygon, std::size_t corner, vdb::Vec3d& at) const {
    at = transform_.worldToIndex(to_vdb(mesh_.positions[mesh_.triangles[polygon][corner]]));
  }

 private:
  const TriangleMesh& mesh_;
  const vdb::math::Transform& transform_;
};

/// Voxel (0, 0, 0) lies from 0 to one spacing: its middle is that of the cell.
vdb::math::Transform::Ptr voxels_of(const SurfaceMesh& surface) {
  auto transform = vdb::math::Transform::createLinearTransform(surface.spacing);
  transform->postTranslate(vdb::Vec3d(0.5 * surface.spacing));
  return transform;
}

struct LevelSet {
  vdb::FloatGrid::Ptr distance;
  vdb::Int32Grid::Ptr nearest;  ///< triangle
};

LevelSet make_level_set(const TriangleMesh& mesh, const vdb::math::Transform::Ptr& transform) {
  LevelSet set;
  set.nearest = vdb::Int32Grid::create(-1);
  set.distance = vdb::tools::meshToVolume<vdb::FloatGrid>(
      MeshInVoxels(mesh, *transform), *transform, kHalfWidth, kHalfWidth, /*flags=*/0, set.nearest.get());
  set.distance->setGridClass(vdb::GRID_LEVEL_SET);
  return set;
}

/// What the vertices carry, carried to the voxels of the level set from the nearest place on the mesh.
vdb::Vec3SGrid::Ptr carry(const SurfaceMesh& surface, const std::vector<Vec3f>& values, const LevelSet& set) {
  auto grid = vdb::Vec3SGrid::create(
      std::make_shared<vdb::Vec3STree>(set.distance->tree(), vdb::Vec3f(0), vdb::TopologyCopy()));
  grid->setTransform(set.distance->transformPtr());
  vdb::tree::LeafManager<vdb::Vec3STree> leaves(grid->tree());
  leaves.foreach ([&](vdb::Vec3STree::LeafNodeType& leaf, std::size_t) {
    auto nearest = set.nearest->getConstAccessor();
    for (auto voxel = leaf.beginValueOn(); voxel; ++voxel) {
      const vdb::Int32 number = nearest.getValue(voxel.getCoord());
      if (number < 0) continue;
      const std::array<std::uint32_t, 3>& triangle = surface.mesh.triangles[static_cast<std::size_t>(number)];
      const auto corner = [&](std::size_t k) { return to_vdb(surface.mesh.positions[triangle[k]]); };
      vdb::Vec3d share;
      vdb::math::closestPointOnTriangleToPoint(corner(0), corner(1), corner(2),
                                               grid->indexToWorld(voxel.getCoord()), share);
      vdb::Vec3d value(0);
      for (std::size_t k = 0; k < 3; ++k) value += share[static_cast<int>(k)] * to_vdb(values[triangle[k]]);
      voxel.setValue(vdb::Vec3f(value));
    }
  });
  return grid;
}

std::string encode(const SurfaceMesh& surface, int frame, double time) {
  const LevelSet set = make_level_set(surface.mesh, voxels_of(surface));
  set.distance->setName("surface");
  const vdb::Vec3SGrid::Ptr velocity = carry(surface, surface.velocity, set);
  velocity->setName("vel");
  velocity->setVectorType(vdb::VEC_CONTRAVARIANT_RELATIVE);
  const vdb::Vec3SGrid::Ptr color = carry(surface, surface.color, set);
  color->setName("Cd");
  const std::array<vdb::GridBase::Ptr, 3> grids{set.distance, velocity, color};
  for (const vdb::GridBase::Ptr& grid : grids) {
    grid->insertMeta("frame", vdb::Int32Metadata(frame));
    grid->insertMeta("time", vdb::DoubleMetadata(time));
  }
  return vdb_file_bytes({grids.begin(), grids.end()});
}

}  // namespace

std::string encode_surface_vdb(const SurfaceMesh& surface, int frame, double time, Threads& threads) {
  return vdb_in_arena(threads, "a VDB of the surface", [&] { return encode(surface, frame, time); });
}

}  // namespace repose
