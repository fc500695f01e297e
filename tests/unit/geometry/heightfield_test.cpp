#include "repose/geometry/mesh/heightfield.h"

#include "mesh_cases.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"
#include "repose/geometry/mesh/mesh_drawing.h"

namespace repose {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse_height_grid(text);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Heightfield, ReadsGridsWithAndWithoutAHeader) {
  const HeightGrid plain = parse_height_grid("# heights\n1, 2,3\n4 5\t6\n");
  EXPECT_EQ(plain.columns, 3U);
  EXPECT_EQ(plain.rows, 2U);
  EXPECT_EQ(plain.at(2, 0), 3);
  EXPECT_EQ(plain.cell_size, 0);
  const HeightGrid esri = parse_height_grid(
      "NCOLS 2\nnrows 3\nxllcorner 1e6\nyllcenter 5\ncellsize 0.5\nNODATA_value -9999\n1 2\n3 4\n5 6\n");
  EXPECT_EQ(esri.columns, 2U);
  EXPECT_EQ(esri.rows, 3U);
  EXPECT_EQ(esri.cell_size, 0.5);
  EXPECT_EQ(esri.at(0, 2), 5);
}

TEST(Heightfield, RefusesWhatIsNoGrid) {
  EXPECT_EQ(error_of(""), "0 rows of 0 heights; at least 2 of 2 are needed");
  EXPECT_EQ(error_of("1 2\n"), "1 rows of 2 heights; at least 2 of 2 are needed");
  EXPECT_EQ(error_of("1 2\n3\n"), "line 2: 1 heights in this row, 2 in the first: all rows have the same");
  EXPECT_EQ(error_of("1 2\n3 x\n"), "line 2: 'x' is not a finite number");
  EXPECT_EQ(error_of("nan 2\n3 4\n"), "line 1: 'nan' is not a finite number");
  EXPECT_EQ(error_of("ncols 3\n1 2\n3 4\n"), "the header says 3 columns and 0 rows, but there are 2 and 2");
  EXPECT_EQ(error_of("cellsize 0\n1 2\n3 4\n"), "line 1: cellsize must be more than 0, not 0");
  EXPECT_EQ(error_of("colour 0\n1 2\n3 4\n"),
            "line 1: 'colour' is not known in the header of a height field");
  EXPECT_EQ(error_of("nodata_value -1\n1 2\n3 -1\n"),
            "line 3: value 2 of the row is the no-data value -1: fill the holes first");
  EXPECT_EQ(error_of("1 2\n3 1e16\n"), "line 2: a height is beyond 1e15");
}

TEST(Heightfield, IsASolidUnderItsHeights) {
  // The first row is the far side: height 2 at y = +1, height 0 at y = -1.
  const HeightGrid grid = parse_height_grid("2 2 2\n1 1 1\n0 0 0\n");
  const Shape shape = mesh_shape(make_heightfield(grid, {.size = {4, 2, 0.5}, .base = 0.3}));
  EXPECT_TRUE(shape.mesh->is_closed());
  EXPECT_FALSE(shape.mesh->topology().facts.was_inside_out);
  EXPECT_EQ(bounds(shape).min, Vec3d(-2, -1, -0.3));
  EXPECT_EQ(bounds(shape).max, Vec3d(2, 1, 1));
  EXPECT_NEAR(volume(shape), 4 * 2 * (0.3 + 0.5), 1e-14);
  // A slope of 1 m over 2 m.
  const SurfacePoint s = distance_and_normal(shape, {0.3, 0, 1.5});
  EXPECT_NEAR(s.distance, 1 / std::sqrt(1.25), 1e-14);
  EXPECT_LT((s.normal - Vec3d(0, -0.5, 1) / std::sqrt(1.25)).length(), 1e-14);
}

TEST(Heightfield, MeetsItsOwnPoints) {
  HeightGrid grid;
  grid.columns = 7;
  grid.rows = 5;
  Random random(5, Stream::test, 0, 0);
  for (int i = 0; i < 35; ++i) grid.heights.push_back(random.uniform(-0.2, 0.2));
  const Shape shape = mesh_shape(make_heightfield(grid, {.size = {3, 2, 1}, .base = 0.5}));
  EXPECT_TRUE(shape.mesh->is_closed());
  for (std::size_t r = 0; r < 5; ++r)
    for (std::size_t c = 0; c < 7; ++c) {
      const Vec3d p(-1.5 + 0.5 * static_cast<double>(c), 1 - 0.5 * static_cast<double>(r), grid.at(c, r));
      EXPECT_NEAR(signed_distance(shape, p), 0, 1e-14);
      EXPECT_GT(signed_distance(shape, p + Vec3d(0, 0, 1e-3)), 0);
    }
}

TEST(Heightfield, DrawsALongStripInTimeThatGrowsWithItsTriangles) {
  // Below a strip of 20,000 rows 40,000 triangles meet in one point of the flat bottom.
  HeightGrid grid;
  grid.columns = 2;
  grid.rows = 20000;
  grid.heights.assign(grid.columns * grid.rows, 0.5);
  const Shape shape = mesh_shape(make_heightfield(grid, {.size = {1, 100, 1}, .base = 0.5}));
  const DrawnMesh drawn = draw_mesh(*shape.mesh, 0);
  // A flat box: each of the rim's 40,000 points of top and bottom has a vertex for its own side and one for
  // the upright sides, the four corners one more; the middle of the bottom has one.
  EXPECT_EQ(drawn.positions.size(), 2U * (2 * 40000 + 4) + 1);
  for (const Vec3d& normal : drawn.normals)
    EXPECT_NEAR(std::max({std::abs(normal.x), std::abs(normal.y), std::abs(normal.z)}), 1, 1e-12);
}

}  // namespace
}  // namespace repose
