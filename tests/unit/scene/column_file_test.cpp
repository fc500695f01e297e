// Files that a scene names: grains of a fill, grain shapes, keyframes.

#include "repose/scene/column_file.h"

#include <cstring>
#include <filesystem>
#include <fstream>

#include "scene_text.h"
#include "support/refuses.h"
#include <gtest/gtest.h>

#include "repose/core/text_lines.h"

namespace repose {
namespace {

class NamedFiles : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) / (std::string("repose_files_") + info->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  Scene parse(const std::string& text) {
    return parse_scene(std::string(kNeededLines) + text, "s.toml", folder_.string());
  }
  /// What is wrong with the file, without the scene's place and the path.
  std::string fill_error(const std::string& bytes) {
    write("g", bytes);
    try {
      parse("[material.m]\n[fill.f]\nmaterial = \"m\"\nfile = \"g\"\n");
      return {};
    } catch (const Error& error) {
      const std::string text = error.what(), start = "s.toml:9:8: '" + (folder_ / "g").string() + "': ";
      EXPECT_TRUE(text.starts_with(start)) << text;
      return text.substr(start.size());
    }
  }
  std::filesystem::path folder_;
};

template <class T>
void append(std::string& bytes, T value) {
  char buffer[sizeof(T)];
  std::memcpy(buffer, &value, sizeof(T));
  bytes.append(buffer, sizeof(T));
}

TEST_F(NamedFiles, FillFromCsv) {
  write("g.csv", "id, x, y ,z,vx,vy,vz,d\r\n7,1,2,3,0.1,0.2,0.3,0.01\r\n8,-4e-1,+5,6,0,0,0,0.02\n\n");
  const FillRows rows = parse("[material.m]\n[fill.f]\nmaterial = \"m\"\nfile = \"g.csv\"\n").fills[0].rows;
  ASSERT_EQ(rows.position.size(), 2U);
  EXPECT_EQ(rows.position[1], Vec3d(-0.4, 5, 6));
  EXPECT_EQ(rows.velocity[0], Vec3d(0.1, 0.2, 0.3));
  EXPECT_EQ(rows.diameter, (std::vector<double>{0.01, 0.02}));
  EXPECT_TRUE(rows.orientation.empty());
  EXPECT_TRUE(rows.angular_velocity.empty());
}

TEST_F(NamedFiles, FillFromBinaryPly) {
  std::string bytes =
      "ply\nformat binary_little_endian 1.0\ncomment made by a test\nelement vertex 2\nproperty double "
      "x\nproperty double y\n"
      "property double z\nproperty float radius\nproperty uint id\nproperty uchar material\nproperty float "
      "qw\nproperty float "
      "qx\nproperty float qy\nproperty float qz\nelement face 0\nproperty list uchar int "
      "vertex_indices\nend_header\n";
  for (int row = 0; row < 2; ++row) {
    for (int i = 0; i < 3; ++i) append(bytes, 0.5 + row + i);
    append(bytes, 0.25F);
    append(bytes, std::uint32_t{7});
    append(bytes, std::uint8_t{1});
    for (const float q : {0.6F, 0.0F, 0.8F, 0.0F}) append(bytes, q);
  }
  write("g.ply", bytes);
  const FillRows rows = parse("[material.m]\n[fill.f]\nmaterial = \"m\"\nfile = \"g.ply\"\n").fills[0].rows;
  ASSERT_EQ(rows.position.size(), 2U);
  EXPECT_EQ(rows.position[1], Vec3d(1.5, 2.5, 3.5));
  EXPECT_EQ(rows.diameter[0], 0.5);
  EXPECT_NEAR(rows.orientation[1].v.y, 0.8, 1e-7);
  EXPECT_NEAR(rows.orientation[1].length(), 1, 1e-15);
}

TEST_F(NamedFiles, FillFromTextPly) {
  write("g.ply",
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float "
        "z\nend_header\n"
        "1 2.5  -3\n");
  const FillRows rows = parse("[material.m]\n[fill.f]\nmaterial = \"m\"\nfile = \"g.ply\"\n").fills[0].rows;
  EXPECT_EQ(rows.position, (std::vector<Vec3d>{{1, 2.5, -3}}));
}

TEST_F(NamedFiles, BadFillFiles) {
  EXPECT_EQ(fill_error(""), "the file is empty");
  EXPECT_EQ(fill_error("x,y,z\n"), "there are no columns x y z, or no rows");
  EXPECT_EQ(fill_error("x,y\n1,2\n"), "the columns x y z stand together or not at all");
  EXPECT_EQ(fill_error("x,y,z\n1,2\n"), "line 2: 2 values, but there are 3 columns");
  EXPECT_EQ(fill_error("x,y,z\n1,2,3\n1,b,3\n"), "line 3: 'b' is not a finite number");
  EXPECT_EQ(fill_error("x,y,z\n1,nan,3\n"), "line 2: 'nan' is not a finite number");
  EXPECT_EQ(fill_error("x,y,z,\n1,2,3,\n"), "");
  EXPECT_EQ(fill_error("x,y,z,x\n1,2,3,4\n"), "column 'x' stands twice");
  EXPECT_EQ(fill_error("x,y,z,vx,vz\n1,2,3,4,5\n"), "the columns vx vy vz stand together or not at all");
  EXPECT_EQ(fill_error("x,y,z,d\n1,2,3,0\n"), "row 1: a diameter must be more than 0");
  EXPECT_EQ(fill_error("x,y,z,qw,qx,qy,qz\n1,2,3,1,1,0,0\n"), "row 1: qw qx qy qz is not of length 1");
  EXPECT_EQ(fill_error("ply\nend_header\n"), "line 2: the PLY header names no format or no elements");
  EXPECT_EQ(fill_error("ply\nformat ascii 1.0\n"), "the PLY header has no end");
  EXPECT_EQ(fill_error("ply\nformat binary_mixed_endian 1.0\n"),
            "line 2: 'binary_mixed_endian' is not a format of PLY: ascii, binary_little_endian or "
            "binary_big_endian");
  EXPECT_EQ(fill_error("ply\nformat ascii 1.0\nelement face 0\nproperty int x\nend_header\n"),
            "the PLY file has no vertices");
  EXPECT_EQ(fill_error("ply\nformat ascii 1.0\nelement vertex -1\n"), "line 3: an impossible count");
  EXPECT_EQ(fill_error("ply\nformat ascii 1.0\nelement vertex 1\nproperty list uchar int x\nend_header\n"),
            "a vertex property must be one number");
  EXPECT_EQ(fill_error("ply\nformat ascii 1.0\nelement vertex 1\nproperty number x\n"),
            "line 4: 'number' is not a number type of PLY");
  EXPECT_EQ(fill_error("ply\nformat ascii 1.0\nhello\n"),
            "line 3: this line does not belong into a PLY header");
  EXPECT_EQ(fill_error("ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nend_header\n1\n"),
            "the file ends after 1 of 2 rows of 'vertex'");
  EXPECT_EQ(fill_error("ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float "
                       "x\nend_header\n1234"),
            "the file ends before its 4000000000 rows of 'vertex' do");
  EXPECT_EQ(fill_error("ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nend_header\n"),
            "the element 'vertex' has no property");
  std::string bytes =
      "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nend_header\n";
  append(bytes, std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(fill_error(bytes), "vertex 0 holds a number that is not finite (byte 81)");
}

TEST_F(NamedFiles, AFolderIsNoFile) {
  std::filesystem::create_directories(folder_ / "sub");
  EXPECT_TRUE(test::refuses([&] { read_whole_file((folder_ / "sub").string()); }, "this is not a file"));
  EXPECT_TRUE(test::refuses([&] { read_whole_file("/dev/zero"); }, "this is not a file"));
}

TEST_F(NamedFiles, GrainShape) {
  write("g.txt", "# two spheres\n0 0 -0.5 0.5\n\n0, 0, 0.5,\t0.5\n");
  const Scene scene = parse("[grain.g]\nfile = \"g.txt\"\n");
  EXPECT_EQ(scene.grains[0].spheres,
            (std::vector<std::array<double, 4>>{{0, 0, -0.5, 0.5}, {0, 0, 0.5, 0.5}}));
  // As CLUMP writes it: commas, no header, exponents from Python; what it lists twice counts once.
  write("g.txt",
        "  0.375000,  0.250000, -0.000000,  0.216506\n -0.25,  0.0,  0.0,  0.433013\n"
        "  0.375000,  0.250000,  0.000000,  0.216506\n"
        "1.250000000000000000e-01,-2.5e-01,0.000000000000000000e+00,4.330129999999999812e-01\n");
  EXPECT_EQ(parse("[grain.g]\nfile = \"g.txt\"\n").grains[0].spheres,
            (std::vector<std::array<double, 4>>{
                {0.375, 0.25, 0, 0.216506}, {-0.25, 0, 0, 0.433013}, {0.125, -0.25, 0, 0.433013}}));
  write("g.txt", "\xEF\xBB\xBF# made by hand\r\nx, y, z, r\r\n1 2 3 4  # the only one\r\n");
  EXPECT_EQ(parse("[grain.g]\nfile = \"g.txt\"\n").grains[0].spheres,
            (std::vector<std::array<double, 4>>{{1, 2, 3, 4}}));

  const auto error = [&](const std::string& text) {
    write("g.txt", text);
    try {
      parse("[grain.g]\nfile = \"g.txt\"\n");
      return std::string();
    } catch (const Error& e) {
      const std::string what = e.what();
      return what.substr(what.rfind("': ") == std::string::npos ? 0 : what.rfind("': ") + 3);
    }
  };
  EXPECT_EQ(error("1 2 3\n"), "line 1: 3 numbers instead of 4: x y z r");
  EXPECT_EQ(error("1 2 3 4 5\n"), "line 1: 5 numbers instead of 4: x y z r");
  EXPECT_EQ(error("1,,3,4\n"), "line 1: 3 numbers instead of 4: x y z r");
  EXPECT_EQ(error("x y z radius\n1 2 3 4\n"), "line 1: 'x' is not a finite number");
  EXPECT_EQ(error("1 2 3 4\nx y z r\n"), "line 2: 'x' is not a finite number");
  EXPECT_EQ(error("1 2 3 inf\n"), "line 1: 'inf' is not a finite number");
  EXPECT_EQ(error("# nothing\n"), "0 spheres; 1 to 1000 are possible");
  EXPECT_EQ(error("0 0 0 0\n"), "the radius of sphere 1 must be more than 0, not 0");
  EXPECT_EQ(error("0 0 0 1\n\n0 0 1 -2\n"), "the radius of sphere 2 must be more than 0, not -2");
}

TEST_F(NamedFiles, Keyframes) {
  const std::string body =
      "[body.b]\nshape = \"plane\"\nmotion = \"keyframed\"\nkeyframes_file = \"k.csv\"\n";
  write("k.csv", "t,x,y,z,rx,ry,rz\n0,1,2,3,4,5,6\n0.5,1,2,3,4,5,720\n");
  const Scene scene = parse(body);
  ASSERT_EQ(scene.bodies[0].keyframes.size(), 2U);
  EXPECT_EQ(scene.bodies[0].keyframes[0].position, Vec3d(1, 2, 3));
  EXPECT_EQ(scene.bodies[0].keyframes[1].rotation, Vec3d(4, 5, 720));
  const auto error = [&](const std::string& text) {
    write("k.csv", text);
    try {
      parse(body);
      return std::string();
    } catch (const Error& e) {
      const std::string what = e.what();
      return what.substr(what.rfind("': ") == std::string::npos ? 0 : what.rfind("': ") + 3);
    }
  };
  EXPECT_EQ(error("t,x,y,z,rx,ry\n0,0,0,0,0,0\n"), "there is no column 'rz' (t,x,y,z,rx,ry,rz are needed)");
  EXPECT_EQ(error("t,x,y,z,rx,ry,rz\n"), "there are no rows");
  EXPECT_EQ(error("t,x,y,z,rx,ry,rz\n1,0,0,0,0,0,0\n0,0,0,0,0,0,0\n"),
            "s.toml:9:18: keyframes must be in the order of their times: t = 0 follows t = 1");
}

}  // namespace
}  // namespace repose
