#include "repose/io/particles/fine_vdb.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <openvdb/points/PointAttribute.h>
#include <openvdb/points/PointConversion.h>
#include <openvdb/points/PointCount.h>

#include "repose/core/error.h"
#include "repose/io/particles/vdb_values.h"
#include "repose/io/read_file.h"
#include "repose/io/vdb_archive.h"

namespace repose {
namespace {

namespace vp = openvdb::points;
using IndexTree = openvdb::tools::PointIndexTree;
using PositionCodec = vp::FixedPointCodec<false>;  // 16 bits an axis
using VelocityCodec = vp::TruncateCodec;           // half precision

/// A velocity below the least that half precision has [m/s], as 0 and not as -0: of a leaf whose values are
/// all equal the file keeps one, and 0 equals -0.
float half_or_zero(float v) { return std::abs(v) <= 0x1p-25F ? 0.0F : v; }

/// About eight grains a voxel, as OpenVDB likes it.
constexpr double kRadiiByVoxel = 4;

template <class T, class Codec, class Get>
void add_column(vp::PointDataTree& tree, const IndexTree& index, const std::string& name, std::size_t count,
                Get get) {
  vp::appendAttribute<T, Codec>(tree, name);
  vp::populateAttribute<vp::PointDataTree, IndexTree, VdbValues<T, Get>>(
      tree, index, name, vdb_values<T>(count, std::move(get)));
}

std::string encode(const FineGrains& grains, const FineFileHead& head) {
  const std::size_t count = grains.size();
  const auto transform = openvdb::math::Transform::createLinearTransform(kRadiiByVoxel * grains.radius);
  // By id, so that the order in memory does not show.
  std::vector<std::uint32_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<std::uint32_t>(i);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return grains.id[a] < grains.id[b]; });
  const auto positions = vdb_values<openvdb::Vec3d>(count, [&](std::size_t k) {
    const std::uint32_t i = order[k];
    const Vec3d p = grains.place.to_world(grains.x[i], grains.y[i], grains.z[i]);
    return openvdb::Vec3d(p.x, p.y, p.z);
  });
  const auto index =
      openvdb::tools::createPointIndexGrid<openvdb::tools::PointIndexGrid>(positions, *transform);
  const auto grid = vp::createPointDataGrid<PositionCodec, vp::PointDataGrid>(*index, positions, *transform);
  if (head.velocities)
    add_column<openvdb::Vec3s, VelocityCodec>(grid->tree(), index->tree(), "v", count, [&](std::size_t k) {
      const std::uint32_t i = order[k];
      return openvdb::Vec3s(half_or_zero(grains.vx[i]), half_or_zero(grains.vy[i]),
                            half_or_zero(grains.vz[i]));
    });
  add_column<std::int32_t, vp::NullCodec>(grid->tree(), index->tree(), "id", count, [&](std::size_t k) {
    return static_cast<std::int32_t>(grains.id[order[k]]);
  });
  if (!head.material.empty())
    add_column<std::int32_t, vp::NullCodec>(
        grid->tree(), index->tree(), "material", count,
        [&](std::size_t k) { return std::int32_t{head.material_of(grains, order[k])}; });
  grid->setName("points");
  grid->insertMeta("frame", openvdb::Int32Metadata(head.frame));
  grid->insertMeta("time", openvdb::DoubleMetadata(head.time));
  grid->insertMeta("radius", openvdb::DoubleMetadata(grains.radius));
  grid->insertMeta("unit", openvdb::DoubleMetadata(grains.place.unit));
  grid->insertMeta("origin", openvdb::Vec3DMetadata(openvdb::Vec3d(
                                 grains.place.origin.x, grains.place.origin.y, grains.place.origin.z)));
  grid->insertMeta("ratio", openvdb::Int64Metadata(grains.ratio));
  return vdb_file_bytes({grid});
}

/// Adds the grains of one leaf, from row `first` on.
void read_leaf(const vp::PointDataTree::LeafNodeType& leaf, const openvdb::math::Transform& transform,
               std::size_t first, FineGrains& grains) {
  const FinePlace& place = grains.place;
  const vp::AttributeHandle<openvdb::Vec3f, vp::UnknownCodec> position(leaf.constAttributeArray("P"));
  const vp::AttributeHandle<std::int32_t> id(leaf.constAttributeArray("id"));
  const bool moves = leaf.hasAttribute("v");
  std::unique_ptr<vp::AttributeHandle<openvdb::Vec3f, vp::UnknownCodec>> velocity;
  if (moves)
    velocity = std::make_unique<vp::AttributeHandle<openvdb::Vec3f, vp::UnknownCodec>>(
        leaf.constAttributeArray("v"));
  for (auto at = leaf.beginIndexOn(); at; ++at, ++first) {
    const openvdb::Vec3d p =
        transform.indexToWorld(openvdb::Vec3d(position.get(*at)) + at.getCoord().asVec3d());
    grains.x[first] = place.from_world(p.x(), 0);
    grains.y[first] = place.from_world(p.y(), 1);
    grains.z[first] = place.from_world(p.z(), 2);
    const openvdb::Vec3f v = moves ? velocity->get(*at) : openvdb::Vec3f(0);
    grains.vx[first] = v.x(), grains.vy[first] = v.y(), grains.vz[first] = v.z();
    grains.id[first] = static_cast<std::uint32_t>(id.get(*at));
  }
}

FineFileHead decode(const std::filesystem::path& path, Threads& threads, FineGrains& grains) {
  openvdb::io::File file(path.string());
  file.open(false);
  const auto grid = openvdb::gridPtrCast<vp::PointDataGrid>(file.readGrid("points"));
  if (!grid) throw openvdb::TypeError("its grid \"points\" holds no points");
  FineFileHead head;
  head.frame = grid->metaValue<std::int32_t>("frame");
  head.time = grid->metaValue<double>("time");
  grains.radius = grid->metaValue<double>("radius");
  grains.ratio = static_cast<std::uint32_t>(grid->metaValue<std::int64_t>("ratio"));
  grains.place.unit = grid->metaValue<double>("unit");
  const auto origin = grid->metaValue<openvdb::Vec3d>("origin");
  grains.place.origin = Vec3d(origin.x(), origin.y(), origin.z());
  if (!(grains.radius > 0) || !(grains.place.unit > 0) || grains.ratio < 1)
    throw openvdb::ValueError("its metadata are out of range");
  std::vector<const vp::PointDataTree::LeafNodeType*> leaves;
  std::vector<std::size_t> first;
  std::size_t count = 0;
  for (auto leaf = grid->tree().cbeginLeaf(); leaf; ++leaf) {
    leaves.push_back(&*leaf);
    first.push_back(count);
    count += leaf->onPointCount();
  }
  head.velocities = !leaves.empty() && leaves.front()->hasAttribute("v");
  grains.resize(count);
  threads.for_each(
      leaves.size(), [&](std::size_t k) { read_leaf(*leaves[k], grid->transform(), first[k], grains); }, 16);
  return head;
}

}  // namespace

std::string encode_fine_vdb(const FineGrains& grains, const FineFileHead& head, Threads& threads) {
  return vdb_in_arena(threads, "VDB points", [&] { return encode(grains, head); });
}

FineFileHead read_fine_vdb(const std::filesystem::path& path, Threads& threads, FineGrains& grains) {
  if (!file_exists(path))
    throw Error(ExitCode::run_failed, fmt::format("there is no file {}", path.string()));
  try {
    openvdb::initialize();
    return decode(path, threads, grains);
  } catch (const openvdb::Exception& error) {
    throw Error(ExitCode::run_failed,
                fmt::format("{}: cannot be read as fine grains: {}", path.string(), error.what()));
  }
}

}  // namespace repose
