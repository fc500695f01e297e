// Inside and outside of meshes with holes, by their winding number.

#include "repose/geometry/mesh/winding_number.h"

#include <cmath>

#include "mesh_cases.h"
#include <gtest/gtest.h>

#include "repose/geometry/mass_properties.h"
#include "repose/geometry/mesh/mesh_audit.h"
#include "repose/geometry/sampling.h"

namespace repose {
namespace {

/// 12 parts^2 triangles with all corners at a distance of 1 from the middle.
MeshData ball_mesh(std::uint32_t parts) {
  MeshData mesh = box_mesh(Vec3d(2), parts);
  for (Vec3d& p : mesh.positions) {
    for (int axis = 0; axis < 3; ++axis) p[axis] = std::tan(p[axis] * kPi / 4);
    p = p.normalized();
  }
  return mesh;
}

/// Without the triangles whose middles lie within this angle [rad] of a direction.
MeshData with_hole(const MeshData& mesh, const Vec3d& direction, double angle) {
  MeshData open{mesh.positions, {}};
  for (const Triangle& t : mesh.triangles) {
    const Vec3d middle = mesh.positions[t[0]] + mesh.positions[t[1]] + mesh.positions[t[2]];
    if (middle.normalized().dot(direction.normalized()) < std::cos(angle)) open.triangles.push_back(t);
  }
  return open;
}

MeshData turned(MeshData mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

/// Every triangle moved by a part of its own: no two share a corner.
MeshData scattered(const MeshData& mesh, double amount) {
  MeshData out;
  Random random(5, Stream::test, 0, 1);
  for (const Triangle& t : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(out.positions.size());
    const Vec3d shift(random.uniform(-amount, amount), random.uniform(-amount, amount),
                      random.uniform(-amount, amount));
    for (const std::uint32_t v : t) out.positions.push_back(mesh.positions[v] + shift);
    out.triangles.push_back({first, first + 1, first + 2});
  }
  return out;
}

TEST(WindingNumber, IsTheSumOfSolidAngles) {
  const MeshSolid mesh(with_hole(ball_mesh(12), {1, 2, 3}, 0.5));
  const WindingNumber winding(mesh.tree());
  Random random(3, Stream::test, 0, 1);
  double worst = 0;
  for (int i = 0; i < 500; ++i) {
    const Vec3d p(random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5));
    double exact = 0;
    for (const auto& corners : mesh.tree().corners()) exact += solid_angle_share(corners, p);
    worst = std::max(worst, std::abs(winding.at(mesh.tree(), p) - exact));
  }
  EXPECT_LT(worst, 0.02);
  RecordProperty("worst", std::to_string(worst));
}

TEST(WindingNumber, CountsHowOftenASurfaceGoesAround) {
  // A cube, a cube in it that faces the same way, and a hollow.
  MeshData data = box_mesh(Vec3d(4), 3);
  append(data, box_mesh(Vec3d(1), 2), {1, 0, 0});
  append(data, turned(box_mesh(Vec3d(1), 2)), {-1, 0, 0});
  const MeshSolid mesh(data);
  const WindingNumber winding(mesh.tree());
  const auto at = [&](const Vec3d& p) { return winding.at(mesh.tree(), p); };
  EXPECT_NEAR(at({1, 0.1, 0}), 2, 1e-2);
  EXPECT_NEAR(at({-1, 0.1, 0}), 0, 1e-2);
  EXPECT_NEAR(at({0, 1.5, 1.2}), 1, 1e-2);
  EXPECT_NEAR(at({3, 0, 0}), 0, 1e-2);
  EXPECT_NEAR(at({1e6, 0, 0}), 0, 1e-9);
}

TEST(OpenMesh, IsFilledUpToTheSheetThatSpansItsHole) {
  // A ball with a round hole, over places and sizes of the hole, and facing both ways.
  for (const Vec3d& direction : {Vec3d(0, 0, 1), Vec3d(1, 0, 0), Vec3d(1, 2, -3)})
    for (const double angle : {0.15, 0.4, 0.7})
      for (const bool inwards : {false, true}) {
        const MeshData data = with_hole(ball_mesh(12), direction, angle);
        const MeshSolid mesh(inwards ? turned(data) : data);
        ASSERT_FALSE(mesh.is_closed());
        Random random(9, Stream::test, 0, 1);
        int inside = 0, outside = 0;
        for (int i = 0; i < 500; ++i) {
          const Vec3d p(random.uniform(-1.3, 1.3), random.uniform(-1.3, 1.3), random.uniform(-1.3, 1.3));
          const double height = p.dot(direction.normalized()), rim = std::cos(angle);
          const SurfacePoint s = mesh.signed_distance(p);
          ASSERT_NEAR(s.normal.length(), 1, 1e-9);
          // The rim goes up and down with the triangles, and faces lie a little within the ball.
          if (p.length() < 0.97 && height < rim - 0.06) {
            ++inside;
            ASSERT_LT(s.distance, 0) << p << " " << direction << " " << angle;
            ASSERT_TRUE(mesh.holds_far_point(p));
            // No deeper than it is to the ball or to the sheet over the hole.
            ASSERT_GT(s.distance, -std::min(1 - p.length(), rim + 0.06 - height) - 0.03) << p;
          } else if (p.length() > 1.001 || height > rim + 0.06) {
            ++outside;
            ASSERT_GT(s.distance, 0) << p << " " << direction << " " << angle;
            ASSERT_FALSE(mesh.holds_far_point(p));
          }
        }
        EXPECT_GT(inside, 50);
        EXPECT_GT(outside, 150);
        if (inwards || direction.x > 0) continue;
        // A ball less its cap: pi (2/3 + rim - rim^3 / 3).
        const double rim = std::cos(angle), expected = kPi * (2.0 / 3 + rim - rim * rim * rim / 3);
        EXPECT_NEAR(mesh.moments().one, expected, 0.03 * expected) << angle;
      }
}

TEST(OpenMesh, FarFromHolesTheDistanceIsThatToTheTriangles) {
  const MeshData whole = ball_mesh(24), open = with_hole(whole, {0, 0, 1}, 0.1);
  const MeshSolid a(whole), b(open);
  Random random(4, Stream::test, 0, 1);
  for (int i = 0; i < 200; ++i) {
    const Vec3d p(random.uniform(-0.9, 0.9), random.uniform(-0.9, 0.9), random.uniform(-1.2, 0));
    const double d = a.signed_distance(p).distance;
    EXPECT_NEAR(b.signed_distance(p).distance, d, 0.03 * std::abs(d)) << p;
    EXPECT_EQ(b.unsigned_distance(p).distance, std::abs(d));
  }
}

TEST(OpenMesh, TrianglesThatDoNotMeetEncloseAVolumeAllTheSame) {
  const MeshSolid mesh(scattered(ball_mesh(16), 0.003));
  ASSERT_EQ(mesh.topology().facts.open_edges.count, 3 * mesh.topology().triangles.size());
  EXPECT_NEAR(mesh.moments().one, 4.0 / 3 * kPi, 0.05);
  EXPECT_LT(mesh.signed_distance({0.5, 0.5, 0.5}).distance, 0);
  EXPECT_GT(mesh.signed_distance({0.7, 0.7, 0.7}).distance, 0);
}

TEST(OpenMesh, IsSampledAsTheClosedOneLessWhatTheHoleOpens) {
  // Fills go by the distance: nothing of them lies beyond the sheet over the hole.
  Threads threads(1);
  for (const double angle : {0.5}) {
    const Shape shape = mesh_shape(with_hole(ball_mesh(16), {0, 0, 1}, angle));
    VolumeSampling sampling;
    sampling.spacing = 0.1;
    const auto points = sample_volume(shape, sampling, threads);
    double highest = -1;
    for (const Vec3d& p : points) highest = std::max(highest, p.z);
    EXPECT_LT(highest, std::cos(angle) + 0.1);
    const double rim = std::cos(angle), expected = kPi * (2.0 / 3 + rim - rim * rim * rim / 3);
    EXPECT_NEAR(static_cast<double>(points.size()) * 1e-3, expected, 0.04 * expected);
  }
}

TEST(OpenMesh, TheAuditSaysHowSureItIs) {
  const auto finding = [](const MeshData& data, const MeshUse& use) {
    for (const MeshFinding& found : audit_mesh(MeshSolid(data), use))
      if (found.name == "open_edges") return found;
    return MeshFinding{};
  };
  const MeshFinding small = finding(with_hole(ball_mesh(16), {0, 0, 1}, 0.2), {.scale = 0.1});
  EXPECT_EQ(small.level, FindingLevel::warning);
  EXPECT_NE(small.remedy.find("told by the winding number, clearly but for "), std::string::npos)
      << small.remedy;
  EXPECT_NE(small.remedy.find("of the volume of 0.0041"), std::string::npos) << small.remedy;
  const MeshFinding half = finding(with_hole(ball_mesh(16), {0, 0, 1}, 1.5), {});
  EXPECT_EQ(half.level, FindingLevel::error);
  EXPECT_NE(half.remedy.find("its holes are so large that "), std::string::npos) << half.remedy;
  EXPECT_EQ(finding(sheet_mesh(1, 3), {}).level, FindingLevel::error);
  // As a shell it may be as open as it likes.
  EXPECT_EQ(finding(sheet_mesh(1, 3), {.thickness = 0.1}).name, "");
  // The larger the hole, the less sure.
  double last = 0;
  for (const double angle : {0.1, 0.3, 0.5, 0.7}) {
    const double unsure = judge_inside(MeshSolid(with_hole(ball_mesh(16), {0, 0, 1}, angle))).unsure;
    EXPECT_GE(unsure, last);
    last = unsure;
  }
  EXPECT_GT(last, 0.02);
}

}  // namespace
}  // namespace repose
