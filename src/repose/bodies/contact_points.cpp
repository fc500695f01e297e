#include "repose/bodies/contact_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "repose/geometry/touch.h"

namespace repose {
namespace {

constexpr int kRingSamples = 16;
constexpr int kEdgeSteps = 24;  ///< of the golden section: an edge's length times 1e-5

/// Spots nearer than this share of the smaller body's least extent are one.
constexpr double kSameSpot = 0.05;
/// Tipping angle of spots that belong to a flat face [rad].
constexpr double kFlatAngle = 0.003;
/// Cosine within which normals belong to one patch.
constexpr double kSamePatch = 0.9;
constexpr std::size_t kMostSpots = 24;

enum FeatureKind : std::uint64_t { kPoint, kRing, kEdge };

/// Measures the features of one body against the surface of the other.
class SpotFinder {
 public:
  SpotFinder(const Body& own, const Body& other, bool own_is_a, double margin,
             std::vector<ContactSpot>& spots)
      : own_(own), other_(other), own_is_a_(own_is_a), margin_(margin), spots_(spots) {}

  void find() {
    const ContactFeatures& f = own_.features;
    if (f.groups.empty()) measure_points(0, f.points.size());
    for (const ContactGroup& group : f.groups)
      if (is_near(own_.pose.to_world(group.center), group.radius)) measure_points(group.first, group.count);
    for (std::size_t i = 0; i < f.rings.size(); ++i) measure_ring(f.rings[i], i);
    for (std::size_t i = 0; i < f.edges.size(); ++i) measure_edge(f.edges[i], i);
  }

 private:
  std::uint64_t key(FeatureKind kind, std::size_t index, std::uint64_t part) const {
    return (std::uint64_t{own_is_a_ ? 0U : 1U} << 62U) | (std::uint64_t{kind} << 56U) |
           (static_cast<std::uint64_t>(index) << 24U) | (part << 8U);
  }
  bool is_far(const Vec3d& p, double radius) const {
    return (p - other_.ball_position).length() - other_.ball_radius > radius + margin_;
  }

  bool is_near(const Vec3d& p, double radius) const {
    return !is_far(p, radius) && contact_distance(other_, p).distance < radius + margin_;
  }

  void measure_points(std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i) {
      const ContactPoint& point = own_.features.points[i];
      measure_point(own_.pose.to_world(point.center), point.radius, key(kPoint, i, 0));
    }
  }

  void add(const Vec3d& center, double radius, double distance, const Vec3d& normal, std::uint64_t feature) {
    if (!(distance - radius < margin_)) return;
    ContactSpot spot;
    spot.gap = distance - radius;
    spot.feature = feature;
    const Vec3d foot = center - distance * normal;
    spot.normal = own_is_a_ ? normal : -normal;
    spot.on_a = own_is_a_ ? center : foot;
    spot.on_b = own_is_a_ ? foot : center;
    spot.radius_a = own_is_a_ ? radius : 0.0;
    spot.radius_b = own_is_a_ ? 0.0 : radius;
    spot.normal_turns_with_a = !own_is_a_;
    spots_.push_back(spot);
  }

  /// A ball: in a hollow corner it touches in several places.
  void measure_point(const Vec3d& center, double radius, std::uint64_t feature) {
    if (is_far(center, radius)) return;
    const ContactFeatures& surface = other_.features;
    if (is_plain_plane(other_.shape)) {
      add(center, radius, other_.up.dot(center - other_.pose.position), other_.up, feature);
      return;
    }
    Touches touches;
    find_touches(surface.core, other_.pose.to_local(center), radius + margin_ + surface.rounding, touches);
    for (const Touch& touch : touches)
      add(center, radius, touch.distance - surface.rounding, rotate(other_.pose.rotation, touch.normal),
          feature | static_cast<std::uint64_t>(touch.face & 0xff));
  }

  /// Points all around a rim, and the one that comes nearest.
  void measure_ring(const ContactRing& ring, std::size_t index) {
    const Vec3d center = own_.pose.to_world({0, 0, ring.height});
    if (is_far(center, ring.radius + ring.tube)) return;
    if (contact_distance(other_, center).distance > ring.radius + ring.tube + margin_) return;
    const Vec3d u = rotate(own_.pose.rotation, Vec3d(ring.radius, 0, 0)),
                v = rotate(own_.pose.rotation, Vec3d(0, ring.radius, 0));
    const auto at = [&](double angle) { return center + std::cos(angle) * u + std::sin(angle) * v; };
    double best = 0;
    SurfacePoint nearest{std::numeric_limits<double>::infinity(), {0, 0, 1}};
    for (int k = 0; k < kRingSamples; ++k) {
      const double angle = 2 * kPi * k / kRingSamples;
      const SurfacePoint s = contact_distance(other_, at(angle));
      if (s.distance < nearest.distance) nearest = s, best = angle;
      add(at(angle), ring.tube, s.distance, s.normal, key(kRing, index, static_cast<std::uint64_t>(k)));
    }
    // Go round to where the surface lies right below; on a flat face this is the answer at once.
    for (int k = 0; k < 4; ++k) {
      const double down_u = -nearest.normal.dot(u), down_v = -nearest.normal.dot(v);
      if (std::hypot(down_u, down_v) < 1e-3 * ring.radius) return;
      const double angle = std::atan2(down_v, down_u);
      const SurfacePoint s = contact_distance(other_, at(angle));
      if (!(s.distance < nearest.distance)) break;
      nearest = s, best = angle;
    }
    add(at(best), ring.tube, nearest.distance, nearest.normal, key(kRing, index, kRingSamples));
  }

  /// The point between the ends that comes nearest; the ends are corners or rims of their own.
  void measure_edge(const ContactEdge& edge, std::size_t index) {
    const Vec3d a = own_.pose.to_world(edge.a), along = own_.pose.to_world(edge.b) - a;
    const double length = along.length();
    if (!(length > 0) || is_far(a + 0.5 * along, 0.5 * length + edge.radius)) return;
    const auto distance = [&](double t) { return contact_distance(other_, a + t * along).distance; };
    if (distance(0.5) > 0.5 * length + edge.radius + margin_) return;
    constexpr double kGolden = 0.618033988749894848;
    double low = 0, high = 1, t1 = 1 - kGolden, t2 = kGolden;
    double d1 = distance(t1), d2 = distance(t2);
    for (int k = 0; k < kEdgeSteps; ++k) {
      if (d1 < d2) {
        high = t2, t2 = t1, d2 = d1;
        t1 = high - kGolden * (high - low), d1 = distance(t1);
      } else {
        low = t1, t1 = t2, d1 = d2;
        t2 = low + kGolden * (high - low), d2 = distance(t2);
      }
    }
    const double t = 0.5 * (low + high);
    const SurfacePoint s = contact_distance(other_, a + t * along);
    // At the ends, and along a face, corners and rims tell as much.
    constexpr double kEnd = 1e-3, kAcross = 0.2;
    if (t < kEnd || t > 1 - kEnd || std::fabs(s.normal.dot(along)) > kAcross * length) return;
    if (std::max(distance(0), distance(1)) < s.distance + 1e-3 * length) return;
    add(a + t * along, edge.radius, s.distance, s.normal, key(kEdge, index, 0));
  }

  const Body &own_, &other_;
  bool own_is_a_;
  double margin_;  // [m]
  std::vector<ContactSpot>& spots_;
};

/// By how much the bodies have to turn about a deeper spot until another touches as well [rad].
double tipping_angle(const ContactSpot& deeper, const ContactSpot& spot) {
  return (spot.gap - deeper.gap) / (spot.place() - deeper.place()).length();
}

/// Leaves out spots beside a deeper one with nearly the same normal. Spots come in the order of their gaps.
std::vector<ContactSpot> without_doubles(const std::vector<ContactSpot>& spots, double distance) {
  std::vector<ContactSpot> kept;
  for (const ContactSpot& spot : spots) {
    const bool is_double = std::any_of(kept.begin(), kept.end(), [&](const ContactSpot& other) {
      return (other.place() - spot.place()).length() < distance && other.normal.dot(spot.normal) > kSamePatch;
    });
    if (!is_double) kept.push_back(spot);
  }
  return kept;
}

/// Of one patch the four that span the most: the deepest, the farthest from it, the farthest from the line
/// through both, and the farthest on the other side of that line.
void keep_widest(std::vector<ContactSpot>& patch) {
  if (patch.size() <= 4) return;
  // Corners above the rim of a face are as far away as those of the rim, but do not touch.
  const auto is_above = [&](const ContactSpot& spot) {
    return &spot != &patch[0] && tipping_angle(patch[0], spot) >= kFlatAngle;
  };
  if (std::count_if(patch.begin(), patch.end(), is_above) + 4 <= std::ssize(patch)) {
    std::vector<ContactSpot> flat;
    for (const ContactSpot& spot : patch)
      if (!is_above(spot)) flat.push_back(spot);
    patch = std::move(flat);
  }
  const Vec3d origin = patch[0].place(), normal = patch[0].normal;
  const auto farthest = [&](std::size_t from, auto&& measure) {
    std::size_t best = from;
    for (std::size_t i = from; i < patch.size(); ++i)
      if (measure(patch[i].place()) > measure(patch[best].place())) best = i;
    std::swap(patch[from], patch[best]);
  };
  farthest(1, [&](const Vec3d& p) { return (p - origin).length(); });
  const Vec3d across = normal.cross(patch[1].place() - origin);
  farthest(2, [&](const Vec3d& p) { return std::fabs(across.dot(p - origin)); });
  const double side = across.dot(patch[2].place() - origin) > 0 ? -1.0 : 1.0;
  farthest(3, [&](const Vec3d& p) { return side * across.dot(p - origin); });
  patch.resize(4);
}

}  // namespace

SurfacePoint contact_distance(const Body& body, const Vec3d& point) {
  if (is_plain_plane(body.shape)) return {body.up.dot(point - body.pose.position), body.up};
  SurfacePoint s = distance_in_own_frame(body.features.core, body.pose.to_local(point));
  return {s.distance - body.features.rounding, rotate(body.pose.rotation, s.normal)};
}

std::vector<ContactSpot> find_contact_spots(const Body& a, const Body& b, double margin) {
  std::vector<ContactSpot> spots;
  SpotFinder(a, b, true, margin, spots).find();
  SpotFinder(b, a, false, margin, spots).find();
  std::sort(spots.begin(), spots.end(), [](const ContactSpot& p, const ContactSpot& q) {
    return p.gap != q.gap ? p.gap < q.gap : p.feature < q.feature;
  });
  spots = without_doubles(spots, kSameSpot * std::min(a.thinness, b.thinness));

  std::vector<ContactSpot> kept;
  while (!spots.empty() && kept.size() < kMostSpots) {
    std::vector<ContactSpot> patch, rest;
    for (const ContactSpot& spot : spots)
      (spot.normal.dot(spots[0].normal) > kSamePatch ? patch : rest).push_back(spot);
    keep_widest(patch);
    kept.insert(kept.end(), patch.begin(), patch.end());
    spots = std::move(rest);
  }
  return kept;
}

std::vector<BodyPair> find_near_pairs(const std::vector<Body>& bodies, const std::vector<double>& margins) {
  struct Span {
    double low, high;  ///< along x [m]
    std::uint32_t body;
  };
  std::vector<Span> spans;
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    if (!body.present) continue;
    const double reach = body.ball_radius + margins[i];
    spans.push_back({body.ball_position.x - reach, body.ball_position.x + reach, i});
  }
  std::sort(spans.begin(), spans.end(),
            [](const Span& p, const Span& q) { return p.low != q.low ? p.low < q.low : p.body < q.body; });
  std::vector<BodyPair> pairs;
  std::vector<Span> open;
  for (const Span& span : spans) {
    std::erase_if(open, [&](const Span& other) { return other.high < span.low; });
    const Body& body = bodies[span.body];
    for (const Span& other : open) {
      const Body& partner = bodies[other.body];
      if (!body.is_free && !partner.is_free) continue;
      const double reach = body.ball_radius + partner.ball_radius + margins[span.body] + margins[other.body];
      if ((body.ball_position - partner.ball_position).length() > reach) continue;
      pairs.push_back({std::min(span.body, other.body), std::max(span.body, other.body)});
    }
    open.push_back(span);
  }
  std::sort(pairs.begin(), pairs.end(), [](const BodyPair& p, const BodyPair& q) {
    return p.first != q.first ? p.first < q.first : p.second < q.second;
  });
  return pairs;
}

}  // namespace repose
