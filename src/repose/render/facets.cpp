#include "repose/render/facets.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "repose/core/random.h"
#include "repose/render/lighting.h"

namespace repose {
namespace {

constexpr float kLeastAxis = 0.62F, kMiddleAxis = 0.80F;  ///< of the ellipsoid, over the longest [-]
constexpr float kCutIn = 0.12F;                           ///< how far planes lie within it, at most [-]
constexpr float kLongest = 0.97F;  ///< half the longest axis over the ball's radius [-]
constexpr int kCandidates = 8;     ///< for each facet: the one furthest from those that are there is taken
constexpr int kProbes = 2000;      ///< directions that a shape is measured in
constexpr float kMargin = 0.03F;   ///< corners that lie between them [-]

Vec3f random_direction(Random& random) {
  const auto z = static_cast<float>(random.uniform(-1, 1));
  const Point2 c = on_circle(static_cast<float>(random.uniform()));
  return Vec3f(c.x, c.y, 0) * std::sqrt(std::max(0.0F, 1 - z * z)) + Vec3f(0, 0, z);
}

/// Directions that are spread over the sphere as far as chance lets them.
std::vector<Vec3f> spread_directions(Random& random) {
  std::vector<Vec3f> spread;
  while (spread.size() < kFacets) {
    Vec3f best(0, 0, 1);
    float least = 2;
    for (int k = 0; k < kCandidates; ++k) {
      const Vec3f candidate = random_direction(random);
      float nearest = -1;
      for (const Vec3f& other : spread) nearest = std::max(nearest, candidate.dot(other));
      if (nearest < least) {
        least = nearest;
        best = candidate;
      }
    }
    spread.push_back(best);
  }
  return spread;
}

/// Finds the box around a shape, and its volume from the distances of its surface in all directions.
void measure(FacetShape& shape) {
  constexpr float kGoldenTurn = 0.61803399F;
  double cubes = 0;
  shape.low = shape.high = {0, 0, 0};
  for (int k = 0; k < kProbes; ++k) {
    const float z = (2 * static_cast<float>(k) + 1) / kProbes - 1, turn = kGoldenTurn * static_cast<float>(k);
    const Point2 c = on_circle(turn - std::floor(turn));
    const Vec3f u = Vec3f(c.x, c.y, 0) * std::sqrt(1 - z * z) + Vec3f(0, 0, z);
    float far = 1;
    for (std::size_t i = 0; i < kFacets; ++i) {
      const float slope = shape.normal(i).dot(u);
      if (slope * far > shape.offset[i]) far = shape.offset[i] / slope;
    }
    cubes += std::pow(far, 3) / kProbes;
    for (int axis = 0; axis < 3; ++axis) {
      shape.low[axis] = std::min(shape.low[axis], far * u[axis]);
      shape.high[axis] = std::max(shape.high[axis], far * u[axis]);
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    shape.low[axis] = std::max(-1.0F, shape.low[axis] - kMargin);
    shape.high[axis] = std::min(1.0F, shape.high[axis] + kMargin);
  }
  shape.ball = static_cast<float>(std::cbrt(1 / cubes));
}

FacetShape make_shape(std::uint32_t number) {
  FacetShape shape;
  Random random(0, Stream::color, 3, number);
  const Vec3f longest = random_direction(random);
  Vec3f middle, least;
  make_basis(longest, middle, least);
  const std::vector<Vec3f> normals = spread_directions(random);
  for (std::size_t i = 0; i < kFacets; ++i) {
    const Vec3f& n = normals[i];
    const float a = n.dot(longest), b = kMiddleAxis * n.dot(middle), c = kLeastAxis * n.dot(least);
    const auto moved = static_cast<float>(1 - kCutIn * random.uniform());
    shape.nx[i] = n.x;
    shape.ny[i] = n.y;
    shape.nz[i] = n.z;
    shape.offset[i] = kLongest * moved * std::sqrt(a * a + b * b + c * c);
  }
  measure(shape);
  return shape;
}

std::array<FacetShape, kShapes> make_shapes() {
  std::array<FacetShape, kShapes> shapes;
  FacetShape& ball = shapes[kBallShape];
  ball.nx.fill(0);
  ball.ny.fill(0);
  ball.nz.fill(1);
  ball.offset.fill(2);
  ball.ball = 1;
  ball.low = {-1, -1, -1};
  ball.high = {1, 1, 1};
  for (std::uint32_t k = 1; k < kShapes; ++k) shapes[k] = make_shape(k);
  return shapes;
}

using Facets = std::array<float, kFacets>;

/// Greatest number; pairwise, which the compiler can do for many at once.
float greatest(Facets v) {
  for (std::size_t half = kFacets / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) v[i] = v[i] > v[i + half] ? v[i] : v[i + half];
  return v[0];
}

}  // namespace

std::span<const FacetShape, kShapes> facet_shapes() {
  static const std::array<FacetShape, kShapes> shapes = make_shapes();
  return shapes;
}

GrainForm grain_form(std::uint32_t id) {
  /// The volumes of grains lie evenly between these shares of their mean: radii from 0.77 to 1.16.
  constexpr double kLeastVolume = 0.45;
  Random random(0, Stream::color, 2, id);
  const std::uint32_t shape = 1 + random.bits() % std::uint32_t{kShapes - 1};
  return {shape, static_cast<float>(std::cbrt(random.uniform(kLeastVolume, 2 - kLeastVolume)))};
}

FacetHit intersect_facets(const FacetShape& shape, float ball_radius, const BallPassage& passage,
                          const Vec3f& direction, float tnear, float tfar) {
  // Where the ray crosses each plane, from the point nearest to the centre: the numbers are small there.
  const Vec3f p = passage.nearest, d = direction;
  constexpr float kNever = 1e30F;
  Facets enters, leaves;  // leaves: with the sign turned
  for (std::size_t i = 0; i < kFacets; ++i) {
    const float along = shape.nx[i] * d.x + shape.ny[i] * d.y + shape.nz[i] * d.z;
    const float above =
        shape.nx[i] * p.x + shape.ny[i] * p.y + shape.nz[i] * p.z - shape.offset[i] * ball_radius;
    const float crossing = above / along;  // along = 0: without end, and missed where it is above
    enters[i] = along < 0 ? -crossing : -kNever;
    leaves[i] = along < 0 ? -kNever : crossing;
  }
  const float in_plane = greatest(enters), out_plane = -greatest(leaves);
  const float in = std::max(in_plane, -passage.half), out = std::min(out_plane, passage.half);
  if (!(in < out)) return {};
  const bool starts_inside = passage.at + in < tnear;
  const float t = passage.at + (starts_inside ? out : in);
  if (t < tnear || t > tfar) return {};
  FacetHit found{true, t, FacetHit::kRound};
  const Facets& all = starts_inside ? leaves : enters;
  const float on = starts_inside ? -out : in;
  for (std::size_t i = 0; i < kFacets; ++i)
    if (all[i] == on) found.facet = static_cast<int>(i);
  return found;
}

}  // namespace repose
