// Fine grains in files.

#include "repose/io/particles/fine_file.h"

#include <algorithm>
#include <fstream>

#include "support/temporary_folder.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"
#include "repose/core/random.h"
#include "repose/io/particles/fine_ply.h"
#include "repose/io/particles/fine_vdb.h"
#include "repose/io/particles/ply.h"
#include "repose/io/read_file.h"

namespace repose {
namespace {

constexpr std::size_t kCount = 5000;

FineGrains some_grains() {
  FineGrains grains;
  grains.place.origin = {100, -7, 0.25};
  grains.place.unit = 1e-7;
  grains.radius = 0.001;
  grains.ratio = 50;
  grains.resize(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    Random random(3, Stream::test, 0, i);
    const auto place = [&] { return static_cast<std::int32_t>(random.uniform(-1.7e5, 1.7e5)); };
    const auto speed = [&] { return static_cast<float>(random.uniform(-3, 3)); };
    grains.x[i] = place(), grains.y[i] = place(), grains.z[i] = place();
    grains.vx[i] = speed(), grains.vy[i] = speed(), grains.vz[i] = speed();
    grains.id[i] = static_cast<std::uint32_t>(4000000000U - 7 * i);
  }
  return grains;
}

std::vector<std::uint32_t> by_id(const FineGrains& grains) {
  std::vector<std::uint32_t> order(grains.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return grains.id[a] < grains.id[b]; });
  return order;
}

TEST(FineFiles, VdbKeepsGrainsWithinItsPrecision) {
  const test::TemporaryFolder folder;
  Threads threads(2);
  const FineGrains grains = some_grains();
  Frame guides;
  guides.index = 12;
  guides.time = 0.5;
  const std::uint64_t bytes = write_fine_files(folder.path(), {}, grains, guides, {}, threads);
  EXPECT_GT(bytes, 10 * kCount);
  EXPECT_LT(bytes, 20 * kCount);
  FineGrains read;
  const FineFileHead head = read_fine_vdb(folder.path() / "fine.0012.vdb", threads, read);
  EXPECT_EQ(head.frame, 12);
  EXPECT_EQ(head.time, 0.5);
  EXPECT_EQ(read.radius, grains.radius);
  EXPECT_EQ(read.ratio, grains.ratio);
  ASSERT_EQ(read.size(), kCount);
  const auto a = by_id(grains), b = by_id(read);
  for (std::size_t k = 0; k < kCount; ++k) {
    const std::uint32_t i = a[k], j = b[k];
    EXPECT_EQ(grains.id[i], read.id[j]);
    const Vec3d from = grains.place.to_world(grains.x[i], grains.y[i], grains.z[i]);
    const Vec3d to = read.place.to_world(read.x[j], read.y[j], read.z[j]);
    EXPECT_LT((from - to).length(), 2e-4 * grains.radius);
    EXPECT_NEAR(grains.vx[i], read.vx[j], 2e-3);
  }
}

TEST(FineFiles, WithoutVelocitiesAFileIsSmaller) {
  Threads threads(1);
  const FineGrains grains = some_grains();
  EXPECT_LT(encode_fine_vdb(grains, {1, 0, false}, threads).size() + 4 * kCount,
            encode_fine_vdb(grains, {1, 0, true}, threads).size());
}

TEST(FineFiles, PlyIsReadByTheReaderOfParticles) {
  const test::TemporaryFolder folder;
  const FineGrains grains = some_grains();
  FineFileHead head{3, 0.125, true};
  head.material.resize(80000001);
  for (const std::uint32_t id : grains.id)
    head.material[id / grains.ratio] = static_cast<std::uint8_t>(id / grains.ratio % 7);
  write_fine_ply(folder.path() / "fine.ply", grains, head);
  const Frame frame = read_ply(folder.path() / "fine.ply");
  ASSERT_EQ(frame.particle_count(), kCount);
  EXPECT_EQ(frame.index, 3);
  for (std::size_t i = 0; i < kCount; i += 97) {
    EXPECT_EQ(frame.id[i], grains.id[i]);
    EXPECT_EQ(frame.velocity[i].y, grains.vy[i]);
    EXPECT_EQ(frame.material[i], grains.id[i] / grains.ratio % 7);
    EXPECT_LT((frame.position[i] - grains.place.to_world(grains.x[i], grains.y[i], grains.z[i])).length(),
              1e-5);
  }
}

TEST(FineFiles, DamagedFilesAreRefusedByName) {
  const test::TemporaryFolder folder;
  Threads threads(1);
  const std::string whole = encode_fine_vdb(some_grains(), {1, 0, true}, threads);
  const auto path = folder.path() / "fine.0001.vdb";
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, whole.size() / 2, whole.size() - 40}) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, size);
    try {
      read_fine_grains(folder.path(), 1, threads);
      ADD_FAILURE() << size;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("fine.0001.vdb"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace repose
