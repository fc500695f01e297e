// Meshes as they come from the world: each broken in one way, each named by the audit.

#include "repose/geometry/mesh/mesh_audit.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <ostream>

#include "mesh_cases.h"
#include "shape_cases.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

struct BrokenMesh {
  std::string name;
  std::function<MeshData()> make;
  std::vector<std::string> findings;  ///< all warnings and errors that the audit must give, in its order
  std::size_t count = 0;              ///< of the first of them; 0: not looked at
  MeshUse use{};
};
void PrintTo(const BrokenMesh& mesh, std::ostream* out) { *out << mesh.name; }

MeshData cube() { return box_mesh({1, 1, 1}, 2); }
MeshData tetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}}};
}
MeshData turned(MeshData mesh, std::size_t from, std::size_t to) {
  for (std::size_t t = from; t < to; ++t) std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
  return mesh;
}
MeshData without(MeshData mesh, std::size_t from, std::size_t to) {
  const auto begin = mesh.triangles.begin();
  mesh.triangles.erase(begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(to));
  return mesh;
}
MeshData with(MeshData mesh, const Triangle& triangle) {
  mesh.triangles.push_back(triangle);
  return mesh;
}
MeshData both(MeshData mesh, const MeshData& other, const Vec3d& shift) {
  append(mesh, other, shift);
  return mesh;
}
/// Each triangle with corners of its own, each corner moved by up to `jitter`.
MeshData soup(const MeshData& mesh, double jitter) {
  MeshData out;
  Random random(2, Stream::test, 0, 0);
  for (const Triangle& t : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(out.positions.size());
    for (const std::uint32_t v : t) {
      Vec3d p = mesh.positions[v];
      for (int axis = 0; axis < 3; ++axis) p[axis] += random.uniform(-jitter, jitter);
      out.positions.push_back(p);
    }
    out.triangles.push_back({first, first + 1, first + 2});
  }
  return out;
}
/// The figure-eight immersion of the Klein bottle: closed, but with no inside.
MeshData klein_bottle() {
  constexpr std::uint32_t n = 24, m = 16;
  MeshData mesh;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < m; ++j) {
      const double u = 2 * kPi * i / n, v = 2 * kPi * j / m + 0.1;
      const double r = 2 + std::cos(u / 2) * std::sin(v) - std::sin(u / 2) * std::sin(2 * v);
      mesh.positions.emplace_back(r * std::cos(u), r * std::sin(u),
                                  std::sin(u / 2) * std::sin(v) + std::cos(u / 2) * std::sin(2 * v));
    }
  // Around once, v comes back as -v.
  const auto at = [](std::uint32_t i, std::uint32_t j) { return i < n ? i * m + j % m : (2 * m - j) % m; };
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < m; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return mesh;
}
MeshData moebius_strip() {
  constexpr std::uint32_t n = 20;
  MeshData mesh;
  for (std::uint32_t i = 0; i < n; ++i)
    for (const double side : {-0.3, 0.3}) {
      const double u = 2 * kPi * i / n;
      const double r = 1 + side * std::cos(u / 2);
      mesh.positions.emplace_back(r * std::cos(u), r * std::sin(u), side * std::sin(u / 2));
    }
  for (std::uint32_t i = 0; i < n; ++i) {
    const bool last = i + 1 == n;
    const std::uint32_t a = 2 * i, b = 2 * i + 1, c = last ? 1 : 2 * i + 2, d = last ? 0 : 2 * i + 3;
    mesh.triangles.push_back({a, c, d});
    mesh.triangles.push_back({a, d, b});
  }
  return mesh;
}
/// A corner pulled through the opposite face.
MeshData spiked_cube() {
  MeshData mesh = cube();
  for (Vec3d& p : mesh.positions)
    if ((p - Vec3d(0, 0, 0.5)).length() < 1e-9) p = {0.1, 0.07, -0.9};
  return mesh;
}
/// One face of a cube cut finer than its neighbours: corners stand in the middle of edges.
MeshData t_junctions() {
  MeshData mesh = without(box_mesh({1, 1, 1}, 1), 10, 12);
  MeshData top = sheet_mesh(1, 2);
  append(mesh, top, {0, 0, 0.5});
  return mesh;
}
MeshData three_wings() {
  return {{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}}, {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}};
}
MeshData scaled(MeshData mesh, double scale, const Vec3d& shift = Vec3d(0)) {
  for (Vec3d& p : mesh.positions) p = scale * p + shift;
  return mesh;
}

std::vector<BrokenMesh> broken_meshes() {
  using F = std::vector<std::string>;
  const MeshUse solid{};
  const MeshUse shell{.thickness = 0.1};
  const MeshUse fine{.spacing = 0.01, .domain_diagonal = 4};
  const auto n = cube().triangles.size();
  return {
      {"HoleOfOneTriangle", [] { return without(cube(), 7, 8); }, F{"open_edges"}, 3},
      {"HoleOfOneFace", [] { return without(cube(), 0, 8); }, F{"open_edges"}, 8},
      {"Sheet", [] { return sheet_mesh(1, 3); }, F{"open_edges"}, 12},
      {"OneTriangle",
       [] {
         return MeshData{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
       },
       F{"open_edges"}, 3},
      {"SheetSeenFromBothSides",
       [] { return both(sheet_mesh(1, 3), turned(sheet_mesh(1, 3), 0, 18), Vec3d(0)); },
       F{"no_volume", "duplicate_triangles", "crowded_edges"}, 1},
      {"KleinBottle", klein_bottle, F{"not_orientable", "inconsistent_orientation"}, 0},
      {"MoebiusStrip", moebius_strip, F{"open_edges", "inconsistent_orientation"}, 40},
      {"InsideOut", [n] { return turned(cube(), 0, n); }, F{"inside_out"}, 1},
      {"OneTurnedTriangle", [] { return turned(cube(), 5, 6); }, F{"inconsistent_orientation"}, 1},
      {"ManyTurnedTriangles", [] { return turned(cube(), 0, 20); }, F{"inconsistent_orientation"}, 20},
      {"MostTurnedTriangles", [n] { return turned(cube(), 8, n); }, F{"inconsistent_orientation"}, 8},
      {"CornerNamedTwice",
       [] {
         return with(cube(), {1, 1, 2});
       },
       F{"degenerate_triangles"}, 1},
      {"CornersInOnePlace",
       [] {
         MeshData mesh = cube();
         mesh.positions.push_back(mesh.positions[1] + Vec3d(1e-9, 0, 0));
         return with(mesh, {1, static_cast<std::uint32_t>(mesh.positions.size() - 1), 2});
       },
       F{"degenerate_triangles"}, 1},
      {"CornersOnALine",
       [] {
         // Between a triangle and its neighbour a third without area, with the edge's middle as a corner.
         MeshData mesh = tetrahedron();
         mesh.positions.emplace_back(0.5, 0, 0);
         mesh.triangles[0] = {0, 2, 4};
         return with(with(mesh, {4, 2, 1}), {0, 4, 1});
       },
       F{"degenerate_triangles"}, 1},
      {"SecondCopyOfATriangle", [] { return with(cube(), cube().triangles[11]); }, F{"duplicate_triangles"},
       1},
      {"TwoOppositeTriangles",
       [] {
         const Triangle t = cube().triangles[11];
         return with(with(cube(), {t[1], t[0], t[2]}), t);
       },
       F{"open_edges", "duplicate_triangles", "crowded_edges"}, 3},
      {"EverythingTwice", [] { return both(cube(), cube(), Vec3d(0)); }, F{"duplicate_triangles"}, n},
      {"TwoCubesOnAnEdge",
       [] {
         return both(cube(), cube(), {1, 1, 0});
       },
       F{"crowded_edges"}, 2},
      {"TwoCubesOnAFace",
       [] {
         return both(box_mesh({1, 1, 1}, 1), box_mesh({1, 1, 1}, 1), {0, 0, 1});
       },
       F{"crowded_edges"}, 0},
      {"TwoCubesThroughEachOther",
       [] {
         return both(cube(), cube(), {0.3, 0.2, 0.4});
       },
       F{"self_intersection"}, 0},
      {"ACornerThroughTheOtherSide", spiked_cube, F{"self_intersection"}, 0},
      {"SoupWithGaps", [] { return soup(cube(), 1e-3); }, F{"open_edges"}, 3 * 48},
      {"TrianglesThatDoNotMeetAtCorners", t_junctions, F{"open_edges"}, 0},
      {"DanglingTriangle",
       [] {
         return with(cube(), {0, 8, 40});
       },
       F{"open_edges"}, 0},
      {"ThreeWings", three_wings, F{"open_edges", "crowded_edges"}, 7},
      {"ThinWall",
       [] {
         return box_mesh({1, 1, 0.004}, 3);
       },
       F{"thin_wall"}, 1, fine},
      {"ThinShell",
       [] { return sheet_mesh(1, 3); },
       F{"thin_wall"},
       1,
       {.thickness = 0.005, .spacing = 0.01}},
      {"Millimetres", [] { return scaled(cube(), 300); }, F{"looks_like_other_unit"}, 1, fine},
      {"MuchTooSmall", [] { return scaled(cube(), 0.001); }, F{"thin_wall", "smaller_than_spacing"}, 1, fine},
      {"FarFromItsOrigin",
       [] {
         return scaled(cube(), 1, {100, 0, 0});
       },
       F{"far_from_origin"}, 1, solid},
      {"DanglingTriangleOfAShell",
       [] {
         return with(cube(), {0, 8, 40});
       },
       F{}, 0, shell},
      {"SoupWithinRounding", [] { return soup(cube(), 1e-8); }, F{}, 0, solid},
      {"VerticesThatNobodyUses",
       [] {
         MeshData mesh = cube();
         mesh.positions.insert(mesh.positions.begin(), Vec3d(1e6, 0, 0));
         for (Triangle& t : mesh.triangles)
           for (std::uint32_t& v : t) ++v;
         return mesh;
       },
       F{}, 0, fine},
      {"TwoTetrahedraThatShareACorner",
       [] {
         return both(tetrahedron(), scaled(tetrahedron(), 0.5), {1, 0, 0});
       },
       F{}, 0, solid},
      {"SoundCube", cube, F{}, 0, fine},
  };
}

/// Open, but by the winding number no one could be in doubt of what is inside.
bool has_clear_inside(const std::string& name) {
  return name == "HoleOfOneTriangle" || name == "TwoOppositeTriangles" || name == "SoupWithGaps" ||
         name == "TrianglesThatDoNotMeetAtCorners" || name == "DanglingTriangle";
}

class BrokenMeshes : public testing::TestWithParam<BrokenMesh> {};
std::string case_name(const testing::TestParamInfo<BrokenMesh>& info) { return info.param.name; }

TEST_P(BrokenMeshes, AreNamed) {
  const BrokenMesh& broken = GetParam();
  const MeshSolid mesh(broken.make());
  std::vector<std::string> names;
  for (const MeshFinding& finding : audit_mesh(mesh, broken.use)) {
    EXPECT_FALSE(finding.text.empty());
    if (finding.level == FindingLevel::note) continue;
    if (names.empty() && broken.count > 0) {
      EXPECT_EQ(finding.count, broken.count) << finding.text;
    }
    EXPECT_FALSE(finding.remedy.empty()) << finding.name;
    names.push_back(finding.name);
  }
  EXPECT_EQ(names, broken.findings);
  const bool has_error =
      !names.empty() && (names[0] == "open_edges" || names[0] == "no_volume" || names[0] == "not_orientable");
  EXPECT_EQ(mesh_errors(mesh, broken.use).size(), has_error && !has_clear_inside(broken.name) ? 1U : 0U);
}

TEST_P(BrokenMeshes, StillGiveDistances) {
  Shape shape = mesh_shape(GetParam().make());
  Random random(1, Stream::test, 0, 9);
  Touches touches;
  for (const double thickness : {0.0, 0.05}) {
    shape.thickness = thickness;
    for (int i = 0; i < 300; ++i) {
      const Vec3d p(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2));
      const SurfacePoint s = distance_and_normal(shape, p);
      ASSERT_TRUE(std::isfinite(s.distance));
      ASSERT_NEAR(s.normal.length(), 1, 1e-9);
      find_touches(shape, p, 0.3, touches);
      for (const Touch& touch : touches) ASSERT_NEAR(touch.normal.length(), 1, 1e-9);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, BrokenMeshes, testing::ValuesIn(broken_meshes()), case_name);

MeshFinding find(const std::vector<MeshFinding>& findings, const std::string& name) {
  for (const MeshFinding& finding : findings)
    if (finding.name == name) return finding;
  return {};
}

TEST(MeshAudit, SaysWhereAndWhatToDo) {
  const MeshSolid open(without(cube(), 7, 8));
  const MeshFinding hole = find(audit_mesh(open, {.scale = 2}), "open_edges");
  EXPECT_EQ(hole.level, FindingLevel::warning) << "of a small hole";
  EXPECT_EQ(find(audit_mesh(MeshSolid(without(cube(), 0, 8)), {}), "open_edges").level, FindingLevel::error);
  EXPECT_NE(hole.text.find("3 edges belong to one triangle only (first: triangle"), std::string::npos)
      << hole.text;
  EXPECT_NE(hole.remedy.find("'thickness'"), std::string::npos);
  // The hole is in the face x = -0.5, which the scale puts at -1.
  EXPECT_NEAR(hole.position.x, -1, 1e-12);
  EXPECT_EQ(find(audit_mesh(open, {.can_be_shell = false}), "open_edges").remedy.find("thickness"),
            std::string::npos);

  const MeshSolid large(scaled(cube(), 300));
  const MeshFinding unit =
      find(audit_mesh(large, {.spacing = 0.01, .domain_diagonal = 4}), "looks_like_other_unit");
  EXPECT_EQ(unit.text, "300 m is very large for this scene: the file has another unit than metres");
  EXPECT_EQ(unit.remedy,
            "scale = 0.001 (millimetres, 0.3 m large), or scale = 0.01 (centimetres, 3 m large)?");
  MeshData known = scaled(cube(), 300);
  known.states_unit = true;
  const MeshSolid in_metres(known);
  EXPECT_EQ(find(audit_mesh(in_metres, {.spacing = 0.01, .domain_diagonal = 4}), "larger_than_scene").remedy,
            "is 'scale' = 1 right?");
  EXPECT_EQ(find(audit_mesh(large, {}), "size").text, "48 triangles in 1 part, 300 x 300 x 300 m");
}

TEST(MeshAudit, MeasuresWalls) {
  // A hollow cube whose walls are 0.1 thick, but 0.02 at the top.
  MeshData data = cube();
  append(data, turned(box_mesh({0.8, 0.8, 0.84}, 2), 0, 48), {0, 0, 0.06});
  const MeshSolid mesh(data);
  EXPECT_TRUE(find(audit_mesh(mesh, {.spacing = 0.01}), "thin_wall").text.empty());
  const MeshFinding thin = find(audit_mesh(mesh, {.spacing = 0.05}), "thin_wall");
  EXPECT_NE(thin.text.find("a wall is only 0.02 m thick"), std::string::npos) << thin.text;
  EXPECT_GT(thin.position.z, 0.4);
}

TEST(MeshAudit, CrossingsAreFoundOnceAndInBoundedTime) {
  MeshData data = tetrahedron();
  EXPECT_EQ(find_crossings(MeshSolid(data)).pairs.count, 0U);
  // A needle through one face of the tetrahedron.
  append(data, {{{0.2, 0.2, -1}, {0.25, 0.2, -1}, {0.2, 0.25, -1}, {0.2, 0.2, 0.1}},
                {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}}});
  const MeshCrossings crossings = find_crossings(MeshSolid(data));
  EXPECT_EQ(crossings.pairs.count, 3U);
  EXPECT_FALSE(crossings.was_cut_short);
  EXPECT_TRUE(find_crossings(MeshSolid(data), 2).was_cut_short);
}

}  // namespace
}  // namespace repose
