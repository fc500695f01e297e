#include "repose/bodies/contact_points.h"

#include <array>
#include <cmath>

#include "support/body_scenes.h"
#include "unit/geometry/mesh_cases.h"
#include <gtest/gtest.h>

#include "repose/geometry/tessellate.h"

namespace repose {
namespace {

Body body_of(ShapeKind kind, const Pose& pose) {
  BodyDefinition definition = test::dynamic_body("body", pose.position);
  definition.shape.kind = kind;
  definition.shape.size = {0.4, 0.3, 0.2};
  definition.shape.radius = 0.15;
  definition.shape.tube = 0.05;
  definition.shape.height = 0.3;
  definition.shape.pose = pose;
  definition.shape.profile = {{0, -0.1}, {0.15, -0.1}, {0.1, 0.1}, {0, 0.1}};
  return make_body(definition);
}

Body floor_body() {
  Domain domain;
  domain.min = {-5, -5, 0};
  domain.max = {5, 5, 5};
  return make_wall(domain, 4);
}

double smallest_gap(const std::vector<ContactSpot>& spots) {
  double gap = 1e9;
  for (const ContactSpot& spot : spots) gap = std::min(gap, spot.gap);
  return gap;
}

TEST(ContactPoints, ABoxStandsOnFourCorners) {
  const Body box = body_of(ShapeKind::box, {{0, 0, 0.1 - 1e-4}, {1, 0, 0, 0}});
  const std::vector<ContactSpot> spots = find_contact_spots(box, floor_body(), 0.01);
  ASSERT_EQ(spots.size(), 4U);
  for (const ContactSpot& spot : spots) {
    EXPECT_NEAR(spot.gap, -1e-4, 1e-12);
    EXPECT_NEAR(spot.normal.z, 1, 1e-12);
    // Corners are rounded by a hundredth of the least extent.
    EXPECT_NEAR(std::fabs(spot.on_a.x), 0.2 - 0.002, 1e-12);
    EXPECT_NEAR(std::fabs(spot.on_a.y), 0.15 - 0.002, 1e-12);
  }
}

TEST(ContactPoints, TheGapIsTheDistanceOfTheShapes) {
  // Turned at will above the floor: the lowest point of the shape's mesh. Rounded corners lie a little
  // higher.
  for (const ShapeKind kind : {ShapeKind::box, ShapeKind::sphere, ShapeKind::cylinder, ShapeKind::cone,
                               ShapeKind::capsule, ShapeKind::torus, ShapeKind::lathe}) {
    const Body body = body_of(kind, {{0, 0, 0.5}, rotation_from_degrees({25, 35, 15})});
    Shape shape = body.shape;
    shape.pose = body.pose;
    double lowest = 1e9;
    for (const Vec3f& p : tessellate(shape, 1e-5).positions) lowest = std::min(lowest, double{p.z});
    const double gap = smallest_gap(find_contact_spots(body, floor_body(), 1));
    EXPECT_GT(gap, lowest - 2e-5) << static_cast<int>(kind);
    EXPECT_LT(gap, lowest + 1.5e-3) << static_cast<int>(kind);
  }
}

TEST(ContactPoints, CrossedEdgesTouch) {
  // Two boxes, one on edge over the other on edge, crosswise: no corner is near.
  const double h = 0.5 * 0.25 * std::sqrt(2.0);
  BodyDefinition rod = test::dynamic_box("rod", {1, 0.25, 0.25}, {0, 0, 0});
  rod.shape.pose.rotation = rotation_from_degrees({45, 0, 0});
  BodyDefinition other = test::dynamic_box("other", {0.25, 1, 0.25}, {0, 0, 2 * h + 0.001});
  other.shape.pose.rotation = rotation_from_degrees({0, 45, 0});
  const std::vector<ContactSpot> spots = find_contact_spots(make_body(other), make_body(rod), 0.02);
  ASSERT_EQ(spots.size(), 1U);
  EXPECT_NEAR(spots[0].normal.z, 1, 1e-3);
  EXPECT_NEAR(spots[0].place().x, 0, 1e-3);
  EXPECT_NEAR(spots[0].place().y, 0, 1e-3);
  // Each edge is rounded: it lies lower by (sqrt(2) - 1) of a hundredth of 0.25 m.
  EXPECT_NEAR(spots[0].gap, 0.001 + 2 * (std::sqrt(2.0) - 1) * 0.0025, 1e-4);
}

Body mesh_box_body(const Vec3d& size, std::uint32_t parts, const Pose& pose) {
  BodyDefinition definition = test::dynamic_body("mesh", pose.position);
  definition.shape = mesh_shape(box_mesh(size, parts));
  definition.shape.pose = pose;
  return make_body(definition);
}

TEST(ContactPoints, AMeshOfABoxStandsOnItsFourCorners) {
  for (const std::uint32_t parts : {1U, 7U, 40U}) {
    const Body box = mesh_box_body({0.4, 0.3, 0.2}, parts, {{0, 0, 0.1 - 1e-4}, {1, 0, 0, 0}});
    const std::vector<ContactSpot> spots = find_contact_spots(box, floor_body(), 0.01);
    ASSERT_EQ(spots.size(), 4U) << parts;
    for (const ContactSpot& spot : spots) {
      EXPECT_NEAR(spot.gap, -1e-4, 1e-8);
      EXPECT_NEAR(spot.normal.z, 1, 1e-12);
      EXPECT_NEAR(std::fabs(spot.on_a.x), 0.2 - 0.002, 1e-6);
      EXPECT_NEAR(std::fabs(spot.on_a.y), 0.15 - 0.002, 1e-6);
    }
  }
}

TEST(ContactPoints, NoCornerOfAMeshIsLost) {
  // Stood on a corner, whatever corner: finer meshes have other points close by.
  const Vec3d size(0.4, 0.3, 0.2);
  for (const std::uint32_t parts : {1U, 70U})
    for (const double x : {45.0, 225.0})
      for (const double y : {35.0, 145.0}) {
        const Pose pose{{0, 0, 0.5}, rotation_from_degrees({x, y, 10})};
        const double gap =
            smallest_gap(find_contact_spots(mesh_box_body(size, parts, pose), floor_body(), 0.3));
        BodyDefinition box = test::dynamic_box("box", size, pose.position);
        box.shape.pose = pose;
        EXPECT_NEAR(gap, smallest_gap(find_contact_spots(make_body(box), floor_body(), 0.3)), 1e-6);
      }
}

TEST(ContactPoints, CrossedEdgesOfMeshesTouch) {
  const double h = 0.5 * 0.25 * std::sqrt(2.0);
  const Body rod = mesh_box_body({1, 0.25, 0.25}, 1, {{0, 0, 0}, rotation_from_degrees({45, 0, 0})});
  const Body other =
      mesh_box_body({0.25, 1, 0.25}, 1, {{0.013, 0.017, 2 * h + 0.001}, rotation_from_degrees({0, 45, 0})});
  const std::vector<ContactSpot> spots = find_contact_spots(other, rod, 0.02);
  ASSERT_FALSE(spots.empty());
  EXPECT_NEAR(spots[0].normal.z, 1, 1e-3);
  EXPECT_NEAR(spots[0].place().x, 0.013, 2e-3);
  EXPECT_NEAR(spots[0].place().y, 0, 2e-3);
  // Each edge is rounded where it is a feature, and sharp where it is the surface.
  EXPECT_NEAR(spots[0].gap, 0.001 + (std::sqrt(2.0) - 1) * 0.0025, 2e-4);
}

TEST(ContactPoints, CrossedCylindersTouchInTheirMiddles) {
  const Body a = body_of(ShapeKind::cylinder, {{0, 0, 0.301}, rotation_from_degrees({90, 0, 0})});
  const Body b = body_of(ShapeKind::cylinder, {{0, 0, 0}, rotation_from_degrees({0, 90, 0})});
  const std::vector<ContactSpot> spots = find_contact_spots(a, b, 0.01);
  ASSERT_FALSE(spots.empty());
  EXPECT_NEAR(spots[0].gap, 0.001, 1e-6);
  EXPECT_NEAR(spots[0].normal.z, 1, 1e-6);
}

TEST(ContactPoints, ExchangingTheBodiesTurnsTheNormal) {
  const Body a = body_of(ShapeKind::box, {{0, 0, 0.24}, rotation_from_degrees({10, 5, 0})});
  const Body b = body_of(ShapeKind::cylinder, {{0.05, 0, 0}, rotation_from_degrees({0, 0, 0})});
  const auto there = find_contact_spots(a, b, 0.05), back = find_contact_spots(b, a, 0.05);
  ASSERT_EQ(there.size(), back.size());
  EXPECT_NEAR(smallest_gap(there), smallest_gap(back), 1e-12);
  EXPECT_LT((there[0].normal + back[0].normal).length(), 1e-9);
}

TEST(ContactPoints, ABallInAHollowCornerTouchesThreeFaces) {
  BodyDefinition room;
  room.name = "room";
  room.shape.invert = true;
  const Body ball = body_of(ShapeKind::sphere, {{0.36, 0.36, -0.36}, {1, 0, 0, 0}});
  EXPECT_EQ(find_contact_spots(ball, make_body(room), 0.001).size(), 3U);
}

TEST(NearPairs, AreThoseOfBallsThatMeet) {
  std::vector<Body> bodies;
  for (int i = 0; i < 60; ++i) {
    const double a = 0.7 * i;
    bodies.push_back(
        body_of(ShapeKind::sphere, {{std::sin(a), std::cos(1.3 * a), std::sin(2.1 * a)}, {1, 0, 0, 0}}));
    bodies.back().is_free = i % 3 != 0;
    bodies.back().present = i % 7 != 0;
  }
  const std::vector<double> margins(bodies.size(), 0.05);
  std::vector<std::array<std::uint32_t, 2>> expected, found;
  for (std::uint32_t i = 0; i < bodies.size(); ++i)
    for (std::uint32_t k = i + 1; k < bodies.size(); ++k)
      if (bodies[i].present && bodies[k].present && (bodies[i].is_free || bodies[k].is_free) &&
          (bodies[i].ball_position - bodies[k].ball_position).length() <=
              bodies[i].ball_radius + bodies[k].ball_radius + 0.1)
        expected.push_back({i, k});
  for (const BodyPair& pair : find_near_pairs(bodies, margins)) found.push_back({pair.first, pair.second});
  EXPECT_EQ(found, expected);
  EXPECT_GT(found.size(), 10U);
}

}  // namespace
}  // namespace repose
