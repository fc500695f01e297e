// read_vdb_surface FILE: prints what a VDB file of a surface says of its grids, and the voxels of the level
// set as CSV, with what the other grids have there. Over OpenVDB alone: nothing of Repose is in it.

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>

#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>

namespace {

namespace vdb = openvdb;

std::string kind_of(const vdb::GridBase& grid) {
  if (grid.getGridClass() == vdb::GRID_LEVEL_SET) return "level set";
  return vdb::GridBase::vecTypeToString(grid.getVectorType());
}

template <class Grid>
typename Grid::Ptr read(vdb::io::File& file, const char* name) {
  auto grid = vdb::gridPtrCast<Grid>(file.readGrid(name));
  if (!grid) throw std::runtime_error(std::string("grid ") + name + " has another type");
  std::printf("# %s %s %s, voxels of %.6g m\n", name, grid->valueType().c_str(), kind_of(*grid).c_str(),
              grid->voxelSize()[0]);
  return grid;
}

void print_file(const char* path) {
  vdb::initialize();
  vdb::io::File file(path);
  file.open();
  const auto surface = read<vdb::FloatGrid>(file, "surface");
  const auto velocity = read<vdb::Vec3SGrid>(file, "vel"), color = read<vdb::Vec3SGrid>(file, "Cd");
  std::printf("# frame %d time %.17g\n", surface->metaValue<std::int32_t>("frame"),
              surface->metaValue<double>("time"));
  std::printf("i,j,k,x,y,z,surface,vel.x,vel.y,vel.z,Cd.x,Cd.y,Cd.z\n");
  auto velocity_at = velocity->getConstAccessor(), color_at = color->getConstAccessor();
  for (auto voxel = surface->cbeginValueOn(); voxel; ++voxel) {
    const vdb::Coord at = voxel.getCoord();
    const vdb::Vec3d p = surface->indexToWorld(at);
    const vdb::Vec3f v = velocity_at.getValue(at), c = color_at.getValue(at);
    std::printf("%d,%d,%d,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", at.x(), at.y(), at.z(), p[0],
                p[1], p[2], static_cast<double>(*voxel), static_cast<double>(v[0]), static_cast<double>(v[1]),
                static_cast<double>(v[2]), static_cast<double>(c[0]), static_cast<double>(c[1]),
                static_cast<double>(c[2]));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: read_vdb_surface FILE\n";
    return 2;
  }
  try {
    print_file(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << "read_vdb_surface: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
