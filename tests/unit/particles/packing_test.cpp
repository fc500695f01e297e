// Packings: what crowds, tiles and carving promise, checked by comparing all pairs.

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "repose/math/random_orientation.h"
#include "repose/particles/packing/carve.h"
#include "repose/particles/packing/crowd.h"
#include "repose/particles/packing/tile.h"

namespace repose {
namespace {

constexpr double kBall = 4.0 / 3 * kPi;

GrainShape sphere() { return {"sphere", {{{0, 0, 0}, 1}}}; }
/// Three balls in line that touch: a volume of three balls.
GrainShape rod() {
  const double r = 1.0 / 3;
  return {"rod", {{{0, 0, 0}, r}, {{0, 0, 2 * r}, r}, {{0, 0, -2 * r}, r}}};
}
/// Twelve balls in a circle, with a hole in the middle.
GrainShape ring() {
  GrainShape shape{"ring", {}};
  for (int k = 0; k < 12; ++k) {
    const double a = 2 * kPi * k / 12;
    shape.spheres.push_back({{0.79 * std::cos(a), 0.79 * std::sin(a), 0}, 0.21});
  }
  return shape;
}
double solid_of(const GrainShape& shape) {
  double sum = 0;
  for (const ShapeSphere& s : shape.spheres) sum += kBall * s.radius * s.radius * s.radius;
  return sum;
}

TileRequest request_of(const GrainShape& shape, std::size_t count) {
  TileRequest request;
  request.shape = shape;
  request.solid = solid_of(shape);
  request.sizes = {{0.5, 1}};
  request.count = count;
  return request;
}

/// The deepest overlap of all pairs, in diameters of the smaller grain.
double deepest_overlap(const PackedGrains& grains, const GrainShape& shape, const DomainBox& box) {
  double deepest = 0;
  const auto place = [&](std::size_t g, const ShapeSphere& s) {
    return grains.position[g] + rotate(grains.orientation[g], grains.radius[g] * s.center);
  };
  for (std::size_t a = 0; a < grains.size(); ++a)
    for (std::size_t b = a + 1; b < grains.size(); ++b)
      for (const ShapeSphere& s : shape.spheres)
        for (const ShapeSphere& t : shape.spheres) {
          const double reach = grains.radius[a] * s.radius + grains.radius[b] * t.radius;
          const double distance = box.minimum_image(place(b, t) - place(a, s)).length();
          deepest =
              std::max(deepest, (reach - distance) / (2 * std::min(grains.radius[a], grains.radius[b])));
        }
  return deepest;
}

Shape floor_at(double z) {
  Shape plane;
  plane.kind = ShapeKind::plane;
  plane.pose.position = {0, 0, z};
  return plane;
}
Shape box_of(const Vec3d& size, const Vec3d& position) {
  Shape box;
  box.size = size;
  box.pose.position = position;
  return box;
}

TEST(Crowd, MakesRoomAndKeepsItsMiddle) {
  Threads threads(1);
  PackedGrains grains;
  for (int i = 0; i < 20; ++i) {
    Random random(3, Stream::test, 0, static_cast<std::uint64_t>(i));
    grains.add({random.uniform(), random.uniform(), random.uniform()}, random_orientation(random), 0.3, 0,
               Freedom::moves_and_turns);
  }
  Vec3d before(0), after(0);
  for (const Vec3d& x : grains.position) before += x;
  const std::vector<Quatd> turned = grains.orientation;
  const GrainShape shapes[] = {rod()};
  Crowd crowd(grains, shapes, {}, DomainBox{}, threads);
  const CrowdState state = crowd.relax({.iterations = 2000, .allowed_overlap = 1e-4});
  for (const Vec3d& x : grains.position) after += x;
  EXPECT_LE(state.deepest_overlap, 1e-4);
  EXPECT_NEAR(deepest_overlap(grains, shapes[0], DomainBox{}), state.deepest_overlap, 1e-12);
  EXPECT_LT((after - before).length() / 20, 2e-3) << "pushes are mutual, but for moves that are cut short";
  EXPECT_NE(turned, grains.orientation);
}

TEST(Crowd, LeavesWallsAndHeldGrains) {
  Threads threads(1);
  PackedGrains grains;
  grains.add({0, 0, 0.05}, {1, 0, 0, 0}, 0.5, 0, Freedom::moves);
  grains.add({0.3, 0, 0.6}, {1, 0, 0, 0}, 0.5, 0, Freedom::held);
  const GrainShape shapes[] = {sphere()};
  const Shape walls[] = {floor_at(0)};
  Crowd crowd(grains, shapes, walls, DomainBox{}, threads);
  EXPECT_LE(crowd.relax({.iterations = 2000, .allowed_overlap = 1e-4}).deepest_overlap, 1e-4);
  EXPECT_EQ(grains.position[1], Vec3d(0.3, 0, 0.6));
  EXPECT_GT(grains.position[0].z, 0.499);
  EXPECT_GT((grains.position[1] - grains.position[0]).length(), 0.999);
}

struct Packed {
  const char* name;
  GrainShape shape;
  std::size_t count;
  double low, high;  ///< that the fraction lies in
};
class Tiles : public testing::TestWithParam<Packed> {};

/// Spheres: random close packing, 0.636 +- 0.01 in small systems. Others: bounds that a mistake in volume or
/// in pressing would break.
TEST_P(Tiles, ArePackedWithoutOverlaps) {
  Threads threads(2);
  const Tile tile = make_tile(request_of(GetParam().shape, GetParam().count), threads);
  EXPECT_GT(tile.fraction, GetParam().low);
  EXPECT_LT(tile.fraction, GetParam().high);
  EXPECT_NEAR(tile.fraction,
              static_cast<double>(tile.grains.size()) * solid_of(GetParam().shape) * 0.125 /
                  (tile.lengths.x * tile.lengths.y * tile.lengths.z),
              1e-12);
  const DomainBox box{Vec3d(0), tile.lengths, {true, true, true}};
  EXPECT_LT(deepest_overlap(tile.grains, GetParam().shape, box), 0.007);
  for (const Vec3d& x : tile.grains.position)
    for (int axis = 0; axis < 3; ++axis) EXPECT_TRUE(x[axis] >= 0 && x[axis] < tile.lengths[axis]);
}
INSTANTIATE_TEST_SUITE_P(Shapes, Tiles,
                         testing::Values(Packed{"Sphere", sphere(), 150, 0.615, 0.655},
                                         Packed{"Rod", rod(), 100, 0.5, 0.7},
                                         Packed{"Ring", ring(), 50, 0.2, 0.5}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Tile, AreTheSameForAnyNumberOfThreads) {
  Threads one(1), two(2), four(4);
  const TileRequest request = request_of(rod(), 60);
  const Tile a = make_tile(request, one), b = make_tile(request, two), c = make_tile(request, four);
  EXPECT_EQ(a.grains.position, b.grains.position);
  EXPECT_EQ(a.grains.position, c.grains.position);
  EXPECT_EQ(a.grains.orientation, c.grains.orientation);
  EXPECT_EQ(a.lengths, c.lengths);
}

TEST(Tile, KeepGivenLengthsAndOrientations) {
  Threads threads(2);
  TileRequest request = request_of(rod(), 100);
  request.lengths = {4, 0, 0};
  request.orientation = Quatd(0, 1, 0, 0);
  Tile tile = make_tile(request, threads);
  EXPECT_EQ(tile.lengths.x, 4);
  EXPECT_EQ(tile.lengths.y, tile.lengths.z);
  for (const Quatd& q : tile.grains.orientation) EXPECT_EQ(q, Quatd(0, 1, 0, 0));

  request = request_of(sphere(), 100);
  request.lengths = {4, 3, 3.5};
  request.fraction = 0.6;
  tile = make_tile(request, threads);
  EXPECT_EQ(tile.lengths, request.lengths);
  EXPECT_NEAR(tile.fraction, 0.6, 0.012);
  EXPECT_LT(tile.deepest_overlap, 0.004);
  request.fraction = 0.75;
  tile = make_tile(request, threads);
  EXPECT_GT(tile.fraction, 0.6) << "as many as fit";
  EXPECT_LT(tile.deepest_overlap, 0.007);
}

TEST(Tile, AreThinnedByShareOfEachSizeIdleGrainsFirst) {
  Threads threads(2);
  TileRequest request = request_of(sphere(), 300);
  request.sizes = {{0.5, 0.3}, {0.3, 0.7}};
  const Tile dense = make_tile(request, threads);
  Tile thin = dense;
  thin_tile(thin, 0.9 * dense.fraction, request.solid, 1, threads);
  EXPECT_NEAR(thin.fraction, 0.9 * dense.fraction, 0.005);
  std::map<double, double> share;
  for (const double r : dense.grains.radius) share[r] += 1;
  for (const double r : thin.grains.radius) share[r] -= 1;
  EXPECT_NEAR(share[0.5], 9, 1.01);
  EXPECT_NEAR(share[0.3], 21, 1.01);
  const auto idle = [](const Tile& tile) {
    return std::count_if(tile.contacts.begin(), tile.contacts.end(), [](std::uint32_t c) { return c < 4; });
  };
  EXPECT_LE(idle(thin), std::max<std::ptrdiff_t>(0, idle(dense) - 20));
  EXPECT_EQ(thin.contacts.size(), thin.grains.size());
}

const Box3d kEverywhere{Vec3d(-100), Vec3d(100)};

TEST(Carve, HoldsTheMassOfTheVolumeItReaches) {
  Threads threads(2);
  const TileRequest request = request_of(sphere(), 200);
  const Tile tile = make_tile(request, threads);
  Shape ball;
  ball.kind = ShapeKind::sphere;
  ball.radius = 5;
  ball.pose.position = {0.3, 0.2, 0.1};
  const Shape walls[] = {floor_at(0.1)};
  const CarveRegion whole{ball, {}, {}, {}, kEverywhere}, half{ball, walls, {}, {}, kEverywhere};
  EXPECT_EQ(region_volume(whole, threads), volume(ball));
  EXPECT_NEAR(region_volume(half, threads), 0.5 * volume(ball), 2e-3 * volume(ball));
  for (const CarveRegion* region : {&whole, &half}) {
    const Carved carved = carve(tile, *region, 0.6, request.solid, threads);
    EXPECT_NEAR(carved.wanted, 0.6 * region_volume(*region, threads), 1e-9);
    EXPECT_NEAR(carved.solid, carved.wanted, 0.5 * request.solid * 0.125 + 1e-9);
    EXPECT_NEAR(static_cast<double>(carved.grains.size()) * request.solid * 0.125, carved.solid, 1e-6);
    for (const Vec3d& x : carved.grains.position)
      EXPECT_LT(signed_distance(ball, x), 0.3) << "reaches out by little";
  }
  const Carved carved = carve(tile, half, 0.6, request.solid, threads);
  for (const Vec3d& x : carved.grains.position) EXPECT_GT(x.z, 0.1);
  Threads one(1);
  EXPECT_EQ(carve(tile, half, 0.6, request.solid, one).grains.position, carved.grains.position);
}

TEST(Carve, StaysOnItsSideOfAThinWall) {
  Threads threads(2);
  const TileRequest request = request_of(sphere(), 200);
  const Tile tile = make_tile(request, threads);
  // Plates of half a diameter on all sides but the top, right at the fill.
  std::vector<Shape> plates{box_of({6, 6, 0.5}, {0, 0, -2.25})};
  for (const double side : {-2.25, 2.25}) {
    plates.push_back(box_of({0.5, 6, 6}, {side, 0, 0.5}));
    plates.push_back(box_of({6, 0.5, 6}, {0, side, 0.5}));
  }
  const Shape fill = box_of({4, 4, 4}, {0, 0, 0});
  const Carved carved = carve(tile, {fill, plates, {}, {}, kEverywhere}, 0.62, request.solid, threads);
  EXPECT_NEAR(carved.solid, carved.wanted, request.solid * 0.125);
  for (const Vec3d& x : carved.grains.position) {
    EXPECT_LT(std::max(std::abs(x.x), std::abs(x.y)), 2) << "within the plates";
    EXPECT_GT(x.z, -2);
    EXPECT_LT(x.z, 3.5);
  }
}

}  // namespace
}  // namespace repose
