#include "repose/measure/pile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "repose/measure/deposit.h"

namespace repose {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kColumnWidth = 2, kRingWidth = 1;  ///< in mean diameters
constexpr double kLow = 0.2, kHigh = 0.8;           ///< of the height, where the angle is taken
constexpr double kLeastHeight = 3;                  ///< of a heap with a slope, in mean diameters
constexpr double kFrontShare = 0.99;
/// How high above the 20 % the rim of a pile may stand, in mean diameters: one grain lies there, and part of
/// another.
constexpr double kRim = 1.5;

double distance_along(PileAxis along, const Vec3d& x) {
  switch (along) {
    case PileAxis::x:
      return std::abs(x.x);
    case PileAxis::y:
      return std::abs(x.y);
    case PileAxis::radius:
      break;
  }
  return std::hypot(x.x, x.y);
}

struct SurfacePlace {
  double s, z;  ///< distance from the axis, height [m]
};

/// The tops of the highest particles in columns of this width about the axis.
std::vector<SurfacePlace> find_surface(const std::vector<std::uint32_t>& deposit, const Frame& frame,
                                       const Vec3d& origin, PileAxis along, double width) {
  std::map<std::pair<long, long>, SurfacePlace> columns;
  for (const std::uint32_t i : deposit) {
    const Vec3d x = frame.position[i] - origin;
    const double top = frame.position[i].z + frame.radius[i];
    const std::pair<long, long> column(std::lround(std::floor(x.x / width)),
                                       std::lround(std::floor(x.y / width)));
    const auto [place, is_new] = columns.try_emplace(column, SurfacePlace{0, -kInfinite});
    if (top > place->second.z) place->second = {distance_along(along, x), top};
  }
  std::vector<SurfacePlace> surface;
  for (const auto& [column, place] : columns) surface.push_back(place);
  return surface;
}

/// Means of the surface in rings of this width, rings without a column left out, and the floor beyond the
/// last.
std::vector<SurfacePlace> make_profile(const std::vector<SurfacePlace>& surface, double base, double width) {
  std::map<long, std::pair<SurfacePlace, double>> rings;
  for (const SurfacePlace& place : surface) {
    auto& [sum, count] = rings[std::lround(std::floor(place.s / width))];
    sum.s += place.s;
    sum.z += place.z - base;
    count += 1;
  }
  std::vector<SurfacePlace> profile;
  for (const auto& [ring, entry] : rings)
    profile.push_back({entry.first.s / entry.second, entry.first.z / entry.second});
  profile.push_back({profile.back().s + width, 0});
  return profile;
}

/// Where the profile first falls to this height beyond ring `from`, between rings on a line; none where it
/// does not.
std::optional<double> find_fall(const std::vector<SurfacePlace>& profile, std::size_t from, double z) {
  for (std::size_t i = from; i + 1 < profile.size(); ++i) {
    const SurfacePlace &a = profile[i], &b = profile[i + 1];
    if (a.z >= z && b.z < z) return a.s + (b.s - a.s) * (a.z - z) / (a.z - b.z);
  }
  return std::nullopt;
}

double height_at(const std::vector<SurfacePlace>& profile, double s) {
  const auto next =
      std::find_if(profile.begin() + 1, profile.end() - 1, [s](const auto& p) { return p.s >= s; });
  const SurfacePlace &a = *(next - 1), &b = *next;
  return a.z + (b.z - a.z) * (s - a.s) / (b.s - a.s);
}

/// Whether the surface comes down to the base. What walls hold, or the end of the probe's shape cuts off, has
/// a cliff where its slope would be; the profile goes straight down to the floor beyond its last ring.
bool is_pile(const std::vector<SurfacePlace>& profile, double height, double diameter) {
  return profile[profile.size() - 2].z <= kLow * height + kRim * diameter;
}

/// Sets angle and foot by the line through the profile between the two heights. The profile is taken at many
/// places between rings, so that a ring that comes into the range or leaves it does so little by little.
void fit_slope(const std::vector<SurfacePlace>& profile, std::size_t peak, PileReading& reading) {
  constexpr int kPlaces = 64;
  const auto inner = find_fall(profile, peak, kHigh * reading.height);
  const auto outer = find_fall(profile, peak, kLow * reading.height);
  if (!inner || !outer || !(*outer > *inner)) return;
  double s = 0, z = 0, ss = 0, sz = 0;
  for (int k = 0; k < kPlaces; ++k) {
    const double x = *inner + (*outer - *inner) * (k + 0.5) / kPlaces, y = height_at(profile, x);
    s += x, z += y, ss += x * x, sz += x * y;
  }
  const double slope = (kPlaces * sz - s * z) / (kPlaces * ss - s * s);
  if (!(slope < 0)) return;
  reading.angle = std::atan(-slope);
  reading.foot = s / kPlaces - z / kPlaces / slope;
}

}  // namespace

PileReading read_pile(const Shape& shape, PileAxis along, const Frame& frame, const GrainTable& grains,
                      const DomainBox& box, Threads& threads) {
  PileReading reading{0, kNone, kNone, kNone, kNone};
  const std::vector<std::uint32_t> deposit = find_deposit(shape, frame, grains, box, threads);
  reading.count = deposit.size();
  if (deposit.empty()) return reading;

  const Vec3d origin = shape.pose.position;
  double base = kInfinite, diameter = 0;
  std::vector<double> distances;
  for (const std::uint32_t i : deposit) {
    base = std::min(base, frame.position[i].z - frame.radius[i]);
    diameter += 2 * frame.radius[i];
    distances.push_back(distance_along(along, frame.position[i] - origin));
  }
  diameter /= static_cast<double>(deposit.size());

  // The smallest distance that at least this share of the grains does not exceed.
  const auto rank =
      static_cast<std::ptrdiff_t>(std::ceil(kFrontShare * static_cast<double>(distances.size())) - 1);
  std::nth_element(distances.begin(), distances.begin() + rank, distances.end());
  reading.front = distances[static_cast<std::size_t>(rank)];

  const auto surface = find_surface(deposit, frame, origin, along, kColumnWidth * diameter);
  const auto profile = make_profile(surface, base, kRingWidth * diameter);
  const auto peak = std::max_element(profile.begin(), profile.end(),
                                     [](const auto& a, const auto& b) { return a.z < b.z; });
  reading.height = peak->z;
  if (reading.height >= kLeastHeight * diameter && is_pile(profile, reading.height, diameter))
    fit_slope(profile, static_cast<std::size_t>(peak - profile.begin()), reading);
  return reading;
}

}  // namespace repose
