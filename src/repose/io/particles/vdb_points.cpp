#include "repose/io/particles/vdb_points.h"

#include <string>

#include <openvdb/openvdb.h>
#include <openvdb/points/PointAttribute.h>
#include <openvdb/points/PointConversion.h>

#include "repose/io/atomic_file.h"
#include "repose/io/particles/vdb_values.h"
#include "repose/io/vdb_archive.h"

namespace repose {
namespace {

namespace vp = openvdb::points;
using IndexTree = openvdb::tools::PointIndexTree;
using openvdb::math::Quats;

/// Mean radii to a voxel: about eight particles in each, as OpenVDB likes it.
constexpr double kRadiiByVoxel = 4;

double voxel_size(const Frame& frame) {
  double sum = 0;
  for (const float radius : frame.radius) sum += static_cast<double>(radius);
  const double mean = frame.radius.empty() ? 0 : sum / static_cast<double>(frame.radius.size());
  // A file from elsewhere may have no radii.
  return mean > 1e-9 ? kRadiiByVoxel * mean : 1.0;
}

/// A points grid in the making.
class PointsGrid {
 public:
  explicit PointsGrid(const Frame& frame)
      : count_(frame.particle_count()),
        transform_(openvdb::math::Transform::createLinearTransform(voxel_size(frame))) {
    const auto positions = vdb_values<openvdb::Vec3d>(count_, [&frame](std::size_t i) {
      const Vec3d& p = frame.position[i];
      return openvdb::Vec3d(p.x, p.y, p.z);
    });
    index_ = openvdb::tools::createPointIndexGrid<openvdb::tools::PointIndexGrid>(positions, *transform_);
    grid_ = vp::createPointDataGrid<vp::NullCodec, vp::PointDataGrid>(*index_, positions, *transform_);
  }

  template <class T, class Get>
  void add(const std::string& name, Get get) {
    vp::appendAttribute<T>(grid_->tree(), name);
    vp::populateAttribute<vp::PointDataTree, IndexTree, VdbValues<T, Get>>(
        grid_->tree(), index_->tree(), name, vdb_values<T>(count_, std::move(get)));
  }

  const vp::PointDataGrid::Ptr& grid() const { return grid_; }

 private:
  std::size_t count_;
  openvdb::math::Transform::Ptr transform_;
  openvdb::tools::PointIndexGrid::Ptr index_;
  vp::PointDataGrid::Ptr grid_;
};

openvdb::Vec3s to_vdb(const Vec3f& v) { return {v.x, v.y, v.z}; }

void add_attributes(const Frame& frame, PointsGrid& points) {
  points.add<openvdb::Vec3s>("v", [&frame](std::size_t i) { return to_vdb(frame.velocity[i]); });
  points.add<float>("pscale", [&frame](std::size_t i) { return frame.radius[i]; });
  points.add<std::int64_t>("id", [&frame](std::size_t i) { return std::int64_t{frame.id[i]}; });
  points.add<std::int32_t>("material", [&frame](std::size_t i) { return std::int32_t{frame.material[i]}; });
  if (!frame.orientation.empty()) {
    points.add<Quats>("orient", [&frame](std::size_t i) {
      const Quatf& q = frame.orientation[i];
      return Quats(q.v.x, q.v.y, q.v.z, q.r);
    });
    points.add<openvdb::Vec3s>("w", [&frame](std::size_t i) { return to_vdb(frame.angular_velocity[i]); });
    points.add<std::int32_t>("shape", [&frame](std::size_t i) { return std::int32_t{frame.shape[i]}; });
  }
  for (const ScalarChannel& channel : frame.scalars)
    points.add<float>(channel.name, [&channel](std::size_t i) { return channel.values[i]; });
}

std::string encode(const Frame& frame) {
  PointsGrid points(frame);
  add_attributes(frame, points);
  points.grid()->setName("points");
  points.grid()->insertMeta("frame", openvdb::Int32Metadata(frame.index));
  points.grid()->insertMeta("time", openvdb::DoubleMetadata(frame.time));
  return vdb_file_bytes({points.grid()});
}

}  // namespace

std::string encode_vdb(const Frame& frame, Threads& threads) {
  return vdb_in_arena(threads, "VDB points", [&] { return encode(frame); });
}

void write_vdb(const std::filesystem::path& path, const Frame& frame, Threads& threads) {
  write_file(path, encode_vdb(frame, threads));
}

}  // namespace repose
