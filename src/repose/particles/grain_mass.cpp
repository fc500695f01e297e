#include "repose/particles/grain_mass.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "repose/math/quadrature.h"

namespace repose {
namespace {

/// The part of a sphere that another one covers: all directions n with n.axis > level.
struct Cap {
  Vec3d axis;    ///< towards the other centre, its length is the distance [m]
  double level;  ///< [m]
};

Cap cap_of(const ShapeSphere& own, const ShapeSphere& other) {
  const Vec3d d = other.center - own.center;
  return {d, (d.dot(d) + own.radius * own.radius - other.radius * other.radius) / (2 * own.radius)};
}

/// Heights n.z at which the exposed part changes its form: the top and bottom of each cap's rim, and where
/// two rims cross.
std::vector<double> breaks_in_height(const std::vector<Cap>& caps) {
  std::vector<double> heights{-1, 1};
  for (const Cap& cap : caps) {
    const double length = cap.axis.length();
    const double tilt = std::acos(std::clamp(cap.axis.z / length, -1.0, 1.0));
    const double opening = std::acos(std::clamp(cap.level / length, -1.0, 1.0));
    heights.push_back(std::cos(tilt + opening));
    heights.push_back(std::cos(tilt - opening));
  }
  for (std::size_t i = 0; i < caps.size(); ++i)
    for (std::size_t j = i + 1; j < caps.size(); ++j) {
      // n.a = p, n.b = q, |n| = 1: n = u + w (a x b) with u in the plane of a and b.
      const Vec3d a = caps[i].axis, b = caps[j].axis, normal = a.cross(b);
      const double aa = a.dot(a), bb = b.dot(b), ab = a.dot(b), det = aa * bb - ab * ab;
      if (det < 1e-24 * aa * bb) continue;
      const double s = (caps[i].level * bb - caps[j].level * ab) / det;
      const double t = (caps[j].level * aa - caps[i].level * ab) / det;
      const Vec3d u = s * a + t * b;
      const double rest = (1 - u.dot(u)) / det;
      if (rest < 0) continue;
      heights.push_back(u.z + std::sqrt(rest) * normal.z);
      heights.push_back(u.z - std::sqrt(rest) * normal.z);
    }
  std::erase_if(heights, [](double h) { return !(h >= -1 && h <= 1); });
  std::sort(heights.begin(), heights.end());
  return heights;
}

/// Arcs (from, to) [rad] of the circle at height u that no cap covers.
void exposed_arcs(const std::vector<Cap>& caps, double u, std::vector<std::pair<double, double>>& covered,
                  std::vector<std::pair<double, double>>& arcs) {
  covered.clear();
  arcs.clear();
  const double s = std::sqrt(std::max(0.0, 1 - u * u));
  for (const Cap& cap : caps) {
    const double reach = s * std::hypot(cap.axis.x, cap.axis.y), level = cap.level - u * cap.axis.z;
    if (level >= reach) continue;
    if (level <= -reach) return;
    const double half = std::acos(level / reach);
    double from = std::atan2(cap.axis.y, cap.axis.x) - half;
    if (from < -kPi) from += 2 * kPi;
    const double to = from + 2 * half;
    covered.emplace_back(from, std::min(to, kPi));
    if (to > kPi) covered.emplace_back(-kPi, to - 2 * kPi);
  }
  std::sort(covered.begin(), covered.end());
  double free_from = -kPi;
  for (const auto& [from, to] : covered) {
    if (from > free_from) arcs.emplace_back(free_from, from);
    free_from = std::max(free_from, to);
  }
  if (free_from < kPi) arcs.emplace_back(free_from, kPi);
}

/// Adds what a surface element at x with outward normal n and area a carries: the divergence theorem, each
/// moment by fields along the axes.
void add_element(VolumeMoments& m, const Vec3d& x, const Vec3d& n, double a) {
  m.one += a * x.dot(n) / 3;
  m.x += 0.5 * a * Vec3d(x.x * x.x * n.x, x.y * x.y * n.y, x.z * x.z * n.z);
  m.xx += a / 3 * Vec3d(x.x * x.x * x.x * n.x, x.y * x.y * x.y * n.y, x.z * x.z * x.z * n.z);
  m.yz_zx_xy += 0.5 * a * Vec3d(x.y * x.y * x.z * n.y, x.z * x.z * x.x * n.z, x.x * x.x * x.y * n.x);
}

void add_exposed_sphere(VolumeMoments& m, const ShapeSphere& sphere, const std::vector<Cap>& caps) {
  static constexpr int kNodes = 32;
  const auto rule = gauss_legendre<kNodes>();
  const std::vector<double> heights = breaks_in_height(caps);
  std::vector<std::pair<double, double>> covered, arcs;
  for (std::size_t k = 0; k + 1 < heights.size(); ++k) {
    const double low = heights[k], span = heights[k + 1] - heights[k];
    if (span <= 0) continue;
    for (const auto& [t, weight] : rule) {
      // The cosine takes away the square roots that the arcs have at the ends of a band.
      const double u = low + span * 0.5 * (1 - std::cos(kPi * t));
      const double du = weight * span * 0.5 * kPi * std::sin(kPi * t);
      const double s = std::sqrt(std::max(0.0, 1 - u * u));
      exposed_arcs(caps, u, covered, arcs);
      for (const auto& [from, to] : arcs)
        for (const auto& [share, arc_weight] : rule) {
          const double angle = from + (to - from) * share;
          const Vec3d n(s * std::cos(angle), s * std::sin(angle), u);
          add_element(m, sphere.center + sphere.radius * n, n,
                      sphere.radius * sphere.radius * du * (to - from) * arc_weight);
        }
    }
  }
}

/// Whether sphere i lies in another one; of equal ones the first is kept.
bool is_buried(std::span<const ShapeSphere> spheres, std::size_t i) {
  for (std::size_t j = 0; j < spheres.size(); ++j) {
    if (j == i) continue;
    const double reach = (spheres[i].center - spheres[j].center).length() + spheres[i].radius;
    if (reach < spheres[j].radius ||
        (reach == spheres[j].radius && (spheres[i].radius < spheres[j].radius || j < i)))
      return true;
  }
  return false;
}

}  // namespace

MassProperties mass_of_sum(std::span<const ShapeSphere> spheres) {
  VolumeMoments m;
  for (const ShapeSphere& s : spheres) {
    const double v = 4.0 / 3.0 * kPi * s.radius * s.radius * s.radius, own = 0.2 * s.radius * s.radius;
    const Vec3d c = s.center;
    m.one += v;
    m.x += v * c;
    m.xx += v * Vec3d(c.x * c.x + own, c.y * c.y + own, c.z * c.z + own);
    m.yz_zx_xy += v * Vec3d(c.y * c.z, c.z * c.x, c.x * c.y);
  }
  return to_properties(m);
}

MassProperties mass_of_union(std::span<const ShapeSphere> spheres) {
  VolumeMoments m;
  bool overlap = false;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    if (is_buried(spheres, i)) continue;
    std::vector<Cap> caps;
    for (std::size_t j = 0; j < spheres.size(); ++j) {
      const double distance = (spheres[i].center - spheres[j].center).length();
      if (j != i && distance < spheres[i].radius + spheres[j].radius && !is_buried(spheres, j))
        caps.push_back(cap_of(spheres[i], spheres[j]));
    }
    overlap = overlap || !caps.empty();
    add_exposed_sphere(m, spheres[i], caps);
  }
  if (!overlap && std::none_of(spheres.begin(), spheres.end(), [&](const ShapeSphere& s) {
        return is_buried(spheres, static_cast<std::size_t>(&s - spheres.data()));
      }))
    return mass_of_sum(spheres);
  return to_properties(m);
}

}  // namespace repose
