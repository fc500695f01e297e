// read_vdb_points FILE: prints the points of a VDB file as CSV, one row a point, whatever attributes they
// have. Over OpenVDB alone: nothing of Repose is in it.

#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>
#include <openvdb/points/PointDataGrid.h>

namespace {

namespace vp = openvdb::points;
using Leaf = vp::PointDataTree::LeafNodeType;
using Print = std::function<void(openvdb::Index)>;

void print(double value) { std::printf(",%.17g", value); }
void print(float value) { print(static_cast<double>(value)); }
void print(std::int32_t value) { std::printf(",%d", value); }
void print(std::int64_t value) { std::printf(",%lld", static_cast<long long>(value)); }
void print(const openvdb::Vec3f& v) {
  for (int i = 0; i < 3; ++i) print(v[i]);
}
void print(const openvdb::math::Quats& q) {
  for (int i = 0; i < 4; ++i) print(q[i]);
}

template <class T>
Print printer(const vp::AttributeArray& array) {
  auto handle = vp::AttributeHandle<T>::create(array);
  return [handle](openvdb::Index i) { print(handle->get(i)); };
}

/// What prints an attribute, and the names of its columns.
Print printer_of(const std::string& name, const vp::AttributeArray& array,
                 std::vector<std::string>& columns) {
  const std::string type = array.valueType();
  const auto add = [&](const char* parts) {
    for (const char* p = parts; *p != '\0'; ++p) columns.push_back(name + "." + *p);
  };
  if (type == "vec3s") return add("xyz"), printer<openvdb::Vec3f>(array);
  if (type == "quats") return add("xyzw"), printer<openvdb::math::Quats>(array);
  columns.push_back(name);
  if (type == "float") return printer<float>(array);
  if (type == "int32") return printer<std::int32_t>(array);
  if (type == "int64") return printer<std::int64_t>(array);
  throw std::runtime_error("attribute " + name + " has type " + type);
}

void print_leaf(const vp::PointDataGrid& grid, const Leaf& leaf, bool with_header) {
  std::vector<std::string> columns{"P.x", "P.y", "P.z"};
  std::vector<Print> printers;
  const auto& descriptor = leaf.attributeSet().descriptor();
  for (const auto& [name, position] : descriptor.map())
    if (name != "P") printers.push_back(printer_of(name, leaf.constAttributeArray(position), columns));
  if (with_header)
    for (std::size_t i = 0; i < columns.size(); ++i)
      std::printf("%s%s", i > 0 ? "," : "", columns[i].c_str());
  auto offset = vp::AttributeHandle<openvdb::Vec3f>::create(leaf.constAttributeArray("P"));
  for (auto point = leaf.beginIndexOn(); point; ++point) {
    const openvdb::Vec3d voxel = point.getCoord().asVec3d();
    const openvdb::Vec3d p = grid.indexToWorld(openvdb::Vec3d(offset->get(*point)) + voxel);
    std::printf("\n%.17g", p[0]);
    print(p[1]);
    print(p[2]);
    for (const Print& one : printers) one(*point);
  }
}

void print_file(const char* path) {
  openvdb::initialize();
  openvdb::io::File file(path);
  file.open();
  const auto base = file.readGrid("points");
  const auto grid = openvdb::gridPtrCast<vp::PointDataGrid>(base);
  if (!grid) throw std::runtime_error("the grid 'points' holds no points");
  bool first = true;
  for (auto leaf = grid->tree().cbeginLeaf(); leaf; ++leaf) {
    print_leaf(*grid, *leaf, first);
    first = false;
  }
  std::printf("\n# frame %d time %.17g\n", grid->metaValue<std::int32_t>("frame"),
              grid->metaValue<double>("time"));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: read_vdb_points FILE\n";
    return 2;
  }
  try {
    print_file(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << "read_vdb_points: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
