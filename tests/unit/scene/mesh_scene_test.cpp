// Meshes and height fields that a scene names.

#include <filesystem>
#include <fstream>

#include "scene_text.h"
#include "unit/geometry/mesh_cases.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "repose/geometry/mesh/mesh_solid.h"
#include "repose/scene/mesh_findings.h"

namespace repose {
namespace {

constexpr std::string_view kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 4 3\nf 1 2 4\nf 2 3 4\n";
constexpr std::string_view kOpen = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 4 3\nf 1 2 4\n";

class MeshScene : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) / (std::string("repose_meshes_") + info->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, std::string_view bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  Scene parse(const std::string& text) {
    return parse_scene(std::string(kNeededLines) + text, "s.toml", folder_.string());
  }
  std::string error(const std::string& text) {
    try {
      parse(text);
      return {};
    } catch (const Error& error) {
      std::string what = error.what();
      const std::string path = folder_.string() + "/";
      for (std::size_t at = 0; (at = what.find(path, at)) != std::string::npos;) what.erase(at, path.size());
      return what;
    }
  }
  std::filesystem::path folder_;
};

TEST_F(MeshScene, BodiesThatNameOneFileShareIt) {
  write("t.obj", kTetrahedron);
  const Scene scene = parse(
      "[material.m]\n[body.a]\nshape = \"mesh\"\nfile = \"t.obj\"\nscale = 0.5\n"
      "[body.b]\nshape = \"mesh\"\nfile = \"./t.obj\"\nposition = [1, 0, 0]\n"
      "[fill.f]\nmaterial = \"m\"\nshape = \"mesh\"\nfile = \"t.obj\"\n");
  ASSERT_NE(scene.bodies[0].shape.mesh, nullptr);
  EXPECT_EQ(scene.bodies[0].shape.mesh, scene.bodies[1].shape.mesh);
  EXPECT_EQ(scene.bodies[0].shape.mesh, scene.fills[0].shape->mesh);
  EXPECT_NEAR(volume(scene.bodies[0].shape), 1.0 / 6 / 8, 1e-15);
  EXPECT_TRUE(scene.fills[0].rows.position.empty()) << "the file of such a fill is the mesh, not grains";

  // The resolved scene reads back to itself, and knows the file's content.
  const std::string resolved = resolved_scene_text(scene);
  EXPECT_EQ(resolved_scene_text(parse_scene(resolved, "r.toml", "")), resolved);
  const std::uint64_t before = physics_hash(scene);
  write("t.obj", std::string(kTetrahedron) + "# another file\n");
  EXPECT_NE(physics_hash(scene), before);
}

TEST_F(MeshScene, OpenMeshesNeedAThickness) {
  write("open.obj", kOpen);
  const std::string body = "[body.a]\nshape = \"mesh\"\nfile = \"open.obj\"\n";
  EXPECT_EQ(
      error(body),
      "s.toml:8:8: 'open.obj': the mesh is open: 3 edges belong to one triangle only (first: triangle 0 "
      "at 0.5, 0.5, 0 m): its holes are so large that inside cannot be told from outside; close its holes in "
      "a modelling program, or give the body a 'thickness' to make "
      "a shell of it");
  EXPECT_EQ(error(body + "thickness = 0.1\n"), "");
  EXPECT_EQ(
      error("[material.m]\n[fill.f]\nmaterial = \"m\"\nshape = \"mesh\"\nfile = \"open.obj\"\n"),
      "s.toml:10:8: 'open.obj': the mesh is open: 3 edges belong to one triangle only (first: triangle 0 "
      "at 0.5, 0.5, 0 m): its holes are so large that inside cannot be told from outside; close its holes in "
      "a modelling program");
}

TEST_F(MeshScene, MeshesWithSmallHolesAreSolidsWithAWarning) {
  // A cube of 1 m, its faces cut into 8 x 8 squares, without one of its 768 triangles.
  const MeshData cube = box_mesh(Vec3d(1), 8);
  std::string text;
  for (const Vec3d& p : cube.positions) text += fmt::format("v {} {} {}\n", p.x, p.y, p.z);
  for (std::size_t t = 1; t < cube.triangles.size(); ++t)
    text += fmt::format("f {} {} {}\n", cube.triangles[t][0] + 1, cube.triangles[t][1] + 1,
                        cube.triangles[t][2] + 1);
  write("holed.obj", text);
  const std::string mesh = "shape = \"mesh\"\nfile = \"holed.obj\"\n";
  const Scene scene =
      parse("[body.a]\n" + mesh + "[material.m]\n[fill.f]\nmaterial = \"m\"\n" + mesh +
            "[emitter.e]\nmaterial = \"m\"\nrate = 1\n" + mesh + "[sink.s]\n" + mesh + "[zone.z]\n" + mesh);
  std::vector<std::string> tables;
  for (const SceneFinding& f : audit_scene_meshes(scene)) {
    if (f.finding.name != "open_edges") continue;
    EXPECT_EQ(f.finding.level, FindingLevel::warning);
    EXPECT_EQ(f.finding.count, 3U);
    tables.push_back(f.table);
  }
  EXPECT_EQ(tables, std::vector<std::string>{"body.a"}) << "once for all that share it";
  for (const Shape& shape : {scene.bodies[0].shape, *scene.fills[0].shape, scene.sinks[0].shape}) {
    EXPECT_NEAR(volume(shape), 1, 0.02);
    EXPECT_LT(signed_distance(shape, {0.3, -0.4, 0.2}), 0);
    EXPECT_GT(signed_distance(shape, {0.3, -0.4, 0.6}), 0);
  }
}

TEST_F(MeshScene, HeightfieldsTakeTheirSizeFromFileOrScene) {
  write("h.txt", "0 0\n1 1\n");
  write("h.asc", "cellsize 2\n0 0 0\n1 1 1\n");
  EXPECT_EQ(
      error("[body.h]\nshape = \"heightfield\"\nfile = \"h.txt\"\n"),
      "s.toml:8:8: 'h.txt': the file does not say its cellsize: give 'extent' = [x, y], the rectangle's "
      "edges [m]");
  const Shape plain = parse(
                          "[body.h]\nshape = \"heightfield\"\nfile = \"h.txt\"\nextent = [3, 2]\n"
                          "height_scale = 0.5\nbase = 0.25\n")
                          .bodies[0]
                          .shape;
  EXPECT_EQ(bounds(plain).min, Vec3d(-1.5, -1, -0.25));
  EXPECT_EQ(bounds(plain).max, Vec3d(1.5, 1, 0.5));
  const Scene scene = parse("[body.h]\nshape = \"heightfield\"\nfile = \"h.asc\"\n");
  EXPECT_EQ(bounds(scene.bodies[0].shape).min, Vec3d(-2, -1, -0.4));
  const std::string resolved = resolved_scene_text(scene);
  EXPECT_EQ(resolved_scene_text(parse_scene(resolved, "r.toml", "")), resolved);
}

TEST_F(MeshScene, FindingsNameTheTableOnce) {
  write("t.obj", std::string(kTetrahedron) + "f 1 3 2\n");
  const Scene scene = parse(
      "[body.a]\nshape = \"mesh\"\nfile = \"t.obj\"\n[body.b]\nshape = \"mesh\"\nfile = \"t.obj\"\n"
      "[body.big]\nshape = \"mesh\"\nfile = \"t.obj\"\nscale = 300\n");
  std::vector<std::string> lines;
  for (const SceneFinding& f : audit_scene_meshes(scene))
    if (f.finding.level != FindingLevel::note) lines.push_back(f.table + ": " + f.finding.name);
  EXPECT_EQ(lines, (std::vector<std::string>{"body.a: duplicate_triangles", "body.big: duplicate_triangles",
                                             "body.big: looks_like_other_unit"}));
}

}  // namespace
}  // namespace repose
