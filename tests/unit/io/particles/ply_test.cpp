// Particle files: what goes in comes out, and no file can crash the reader.

#include "repose/io/particles/ply.h"

#include <cstring>
#include <string_view>

#include "support/refuses.h"
#include "support/temporary_folder.h"
#include "unit/io/frames.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"
#include "repose/core/random.h"
#include "repose/io/particles/frame_columns.h"
#include "repose/io/tables/csv.h"
#include "repose/io/tables/csv_table.h"

namespace repose {
namespace {

using test::make_frame;

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string header_of(const std::vector<std::byte>& bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return std::string(text.substr(0, text.find("end_header")));
}

void expect_equal(const Frame& a, const Frame& b) {
  EXPECT_EQ(a.index, b.index);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.radius, b.radius);
  EXPECT_EQ(a.material, b.material);
  EXPECT_EQ(a.orientation, b.orientation);
  EXPECT_EQ(a.angular_velocity, b.angular_velocity);
  EXPECT_EQ(a.shape, b.shape);
  ASSERT_EQ(a.scalars.size(), b.scalars.size());
  for (std::size_t i = 0; i < a.scalars.size(); ++i) {
    EXPECT_EQ(a.scalars[i].name, b.scalars[i].name);
    EXPECT_EQ(a.scalars[i].values, b.scalars[i].values);
  }
}

class PlyRoundTrip : public testing::TestWithParam<std::tuple<std::size_t, bool>> {};

TEST_P(PlyRoundTrip, GivesTheSameFrame) {
  const auto [count, grains] = GetParam();
  const test::TemporaryFolder folder;
  const Frame frame = make_frame(count, grains);
  write_ply(folder.path() / "particles.0007.ply", frame);
  expect_equal(read_ply(folder.path() / "particles.0007.ply"), frame);
}

// Counts around the block of rows that is encoded at a time.
INSTANTIATE_TEST_SUITE_P(Counts, PlyRoundTrip,
                         testing::Combine(testing::Values(0, 1, 511, 512, 513, 2000), testing::Bool()));

TEST(Ply, HasTheColumnsOfTheContract) {
  const Frame grains = make_frame(2, true);
  EXPECT_EQ(header_of(encode_ply(grains)),
            "ply\nformat binary_little_endian 1.0\ncomment repose frame 7\n"
            "comment repose time 0.2916666666666667\ncomment repose particles grains\nelement vertex 2\n"
            "property float x\nproperty float y\nproperty float z\n"
            "property float vx\nproperty float vy\nproperty float vz\n"
            "property float radius\nproperty uint id\nproperty uint8 material\n"
            "property float qw\nproperty float qx\nproperty float qy\nproperty float qz\n"
            "property float wx\nproperty float wy\nproperty float wz\nproperty uint16 shape\n"
            "property float density\nproperty float pressure\n");
}

TEST(Ply, EmptyFramesOfGrainsKeepTheirColumns) {
  Frame frame;
  const std::size_t plain = frame_columns(frame).size();
  frame.kind = ParticleKind::grains;
  EXPECT_EQ(frame_columns(frame).size(), plain + 8);
  const test::TemporaryFolder folder;
  write_ply(folder.path() / "empty.ply", frame);
  EXPECT_EQ(read_ply(folder.path() / "empty.ply").kind, ParticleKind::grains);
}

TEST(Ply, PositionsAreRoundedAsTheFileDoes) {
  Frame frame = make_frame(3, false);
  frame.position[1] = {0.1, 1e-9, 123.456789};
  const Frame read = decode_ply(encode_ply(frame), "test");
  EXPECT_NE(read.position, frame.position);
  round_to_file_precision(frame);
  EXPECT_EQ(read.position, frame.position);
}

TEST(Ply, ReadsOtherTypesAndOrders) {
  auto bytes = bytes_of(
      "ply\r\nformat binary_little_endian 1.0\r\nelement vertex 1\r\nproperty double z\nproperty short id\n"
      "property double y\nproperty double x\nelement face 0\nproperty list uchar int "
      "vertex_indices\nend_header\n");
  const auto put = [&bytes](auto value) {
    const auto raw = std::as_bytes(std::span(&value, 1));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  };
  put(3.0);
  put(std::int16_t{-5});
  put(2.0);
  put(1.0);
  const Frame frame = decode_ply(bytes, "test");
  ASSERT_EQ(frame.particle_count(), 1U);
  EXPECT_EQ(frame.position[0], Vec3d(1, 2, 3));
  EXPECT_EQ(frame.id[0], 0U) << "a negative id becomes the nearest that there is";
  EXPECT_EQ(frame.radius[0], 0.0F);
  EXPECT_TRUE(frame.orientation.empty());
}

TEST(Ply, EveryTruncationIsAnError) {
  const auto bytes = encode_ply(make_frame(5, true));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_TRUE(test::refuses([&] { decode_ply(std::span(bytes).first(size), "cut"); }, "cut: ")) << size;
}

TEST(Ply, NoDamageCrashesTheReader) {
  const auto good = encode_ply(make_frame(4, true));
  Random random(3, Stream::test, 1, 0);
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    auto bytes = good;
    for (int change = 0; change < 3; ++change)
      bytes[random.bits() % bytes.size()] = static_cast<std::byte>(random.bits() & 255U);
    try {
      decode_ply(bytes, "damaged");
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

struct BadFile {
  const char* text;
  const char* message;
};
class BadPly : public testing::TestWithParam<BadFile> {};

TEST_P(BadPly, IsRefusedWithAReason) {
  try {
    decode_ply(bytes_of(GetParam().text), "bad.ply");
    FAIL() << "was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::run_failed);
    EXPECT_EQ(std::string(error.what()), GetParam().message);
  }
}

#define REPOSE_HEAD "ply\nformat binary_little_endian 1.0\n"

INSTANTIATE_TEST_SUITE_P(
    Files, BadPly,
    testing::Values(
        BadFile{"", "bad.ply: is no PLY file"}, BadFile{"png\n", "bad.ply: is no PLY file"},
        BadFile{"ply\nformat ascii 1.0\nelement vertex 0\nend_header\n",
                "bad.ply: only binary_little_endian PLY is read here"},
        BadFile{REPOSE_HEAD "end_header\n", "bad.ply: holds no particles (element vertex)"},
        BadFile{REPOSE_HEAD "element vertex 4000000000\nproperty float x\nend_header\nabcd",
                "bad.ply: is cut short: 4000000000 particles of 4 bytes do not fit into 4 bytes"},
        BadFile{REPOSE_HEAD "element vertex 18446744073709551615\nproperty double x\nend_header\n",
                "bad.ply: is cut short: 18446744073709551615 particles of 8 bytes do not fit into 0 bytes"},
        BadFile{REPOSE_HEAD "element vertex 9999999999999999999999\nend_header\n",
                "bad.ply: the number of particles is wrong"},
        BadFile{REPOSE_HEAD "element vertex 7\nend_header\n", "bad.ply: the particles have no properties"},
        BadFile{REPOSE_HEAD "element vertex 1\nproperty float x\nend_header\nabcd",
                "bad.ply: one of the properties x, y, z is missing"},
        BadFile{REPOSE_HEAD "element vertex 1\nproperty float x\nproperty float x\nend_header\n",
                "bad.ply: property 'x' is there twice"},
        BadFile{REPOSE_HEAD "element vertex 1\nproperty quad x\nend_header\n",
                "bad.ply: 'quad' is no PLY type"},
        BadFile{REPOSE_HEAD "element face 1\nend_header\n",
                "bad.ply: the particles (element vertex) must come first"}));

TEST(ParticleCsv, HasTheSameColumnsAndValues) {
  const test::TemporaryFolder folder;
  const Frame frame = make_frame(600, true);
  write_csv(folder.path() / "p.csv", frame);
  const CsvContent table = read_csv(folder.path() / "p.csv");
  ASSERT_EQ(table.rows.size(), 600U);
  const std::vector<std::string> columns{"x",  "y",        "z",     "vx",      "vy",      "vz", "radius",
                                         "id", "material", "qw",    "qx",      "qy",      "qz", "wx",
                                         "wy", "wz",       "shape", "density", "pressure"};
  EXPECT_EQ(table.columns, columns);
  for (std::size_t i = 0; i < 600; ++i) {
    EXPECT_EQ(std::stof(table.rows[i][0]), static_cast<float>(frame.position[i].x));
    EXPECT_EQ(std::stof(table.rows[i][5]), frame.velocity[i].z);
    EXPECT_EQ(std::stoul(table.rows[i][7]), frame.id[i]);
    EXPECT_EQ(std::stoul(table.rows[i][16]), frame.shape[i]);
    EXPECT_EQ(std::stof(table.rows[i][18]), frame.scalars[1].values[i]);
  }
}

}  // namespace
}  // namespace repose
