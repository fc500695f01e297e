#include "repose/particles/grain_mass.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "repose/math/quadrature.h"

namespace repose {
namespace {

// Moments of the exposed part of a unit sphere, a region W of directions n that is bounded by arcs of
// circles.
//
// Let p be a monomial of degree d in n. On the sphere its Laplacian is lap(p) - d (d + 1) p, with lap(p) the
// one of space, which has degree d - 2. Gauss' theorem on W then gives
//     d (d + 1) integral_W p = integral_W lap(p) - integral_rim (dp/dnu) ds,
// nu the direction out of W along the sphere. So every moment follows from those two degrees lower and from
// integrals along the arcs; what remains is the area, a sum of spherical triangles. No pole, no case is
// singular, and along an arc the integrands are sines and cosines of low degree, which a Gauss rule takes to
// rounding.

constexpr int kMostDegree = 4;
constexpr int kNodes = 12;
constexpr double kLongestPiece = 1.0;  ///< of an arc [rad]

/// Exponents of a monomial n_x^i n_y^j n_z^k.
using Powers = std::array<int, 3>;

/// A number for each monomial up to the highest degree.
class MomentTable {
 public:
  double& operator()(const Powers& p) { return values_[index(p)]; }
  double operator()(const Powers& p) const { return values_[index(p)]; }

 private:
  static constexpr std::size_t kSide = kMostDegree + 1;
  static std::size_t index(const Powers& p) {
    return (static_cast<std::size_t>(p[0]) * kSide + static_cast<std::size_t>(p[1])) * kSide +
           static_cast<std::size_t>(p[2]);
  }
  std::array<double, kSide * kSide * kSide> values_{};
};

/// Calls f for all monomials by rising degree.
template <class F>
void for_each_monomial(F&& f) {
  for (int degree = 0; degree <= kMostDegree; ++degree)
    for (int i = 0; i <= degree; ++i)
      for (int j = 0; j <= degree - i; ++j) f(Powers{i, j, degree - i - j}, degree);
}

Powers lowered(Powers p, std::size_t axis, int by) {
  p[axis] -= by;
  return p;
}

/// The part of a sphere that another one covers: all directions n with n.axis > height.
struct Cap {
  Vec3d axis;     ///< unit, towards the other centre
  double height;  ///< cosine of the opening, between -1 and 1
  double radius() const { return std::sqrt((1 - height) * (1 + height)); }
  Vec3d side_1, side_2;        ///< make a right-handed frame with the axis
  Vec3d rim(double t) const {  ///< the covered side is on the left as t grows
    return height * axis + radius() * (std::cos(t) * side_1 + std::sin(t) * side_2);
  }
};

Cap make_cap(const Vec3d& axis, double height) {
  Vec3d helper(0);
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(axis[i]) < std::abs(axis[least])) least = i;
  helper[least] = 1;
  const Vec3d side = axis.cross(helper).normalized();
  return {axis, height, side, axis.cross(side)};
}

enum class Cover { nothing, part, all };

/// What a cap hides of another one's rim: `half` of the way around on both sides of the angle `middle` [rad].
struct HiddenArc {
  Cover cover;
  double middle = 0, half = 0;
};

/// `first`: of two caps with one and the same rim, the first one keeps it.
HiddenArc hidden_by(const Cap& own, const Cap& other, bool own_is_first) {
  constexpr double kSame = 1e-13;
  const double c = own.axis.dot(other.axis), h = own.height, k = other.height;
  // The determinant of Gram, above zero if the rims cross. It is the same seen from the other cap, so both
  // agree.
  const double determinant = 1 - (h * h + k * k) - c * c + 2 * (h * k) * c;
  const double depth = k - h * c;
  if (determinant > 0 && own.axis.cross(other.axis).length2() > kSame * kSame)
    return {Cover::part, std::atan2(other.axis.dot(own.side_2), other.axis.dot(own.side_1)),
            std::atan2(std::sqrt(determinant), depth)};
  if (std::abs(depth) > kSame) return {depth < 0 ? Cover::all : Cover::nothing};
  return {c < 0 || !own_is_first ? Cover::all : Cover::nothing};
}

using Arc = std::pair<double, double>;  ///< from, to [rad]

/// The arcs of a cap's rim that no other cap hides.
std::vector<Arc> exposed_arcs(const std::vector<Cap>& caps, std::size_t own) {
  std::vector<Arc> hidden, arcs;
  for (std::size_t k = 0; k < caps.size(); ++k) {
    if (k == own) continue;
    const HiddenArc arc = hidden_by(caps[own], caps[k], own < k);
    if (arc.cover == Cover::all) return {};
    if (arc.cover == Cover::nothing) continue;
    double from = arc.middle - arc.half;
    if (from < -kPi) from += 2 * kPi;
    const double to = from + 2 * arc.half;
    hidden.emplace_back(from, std::min(to, kPi));
    if (to > kPi) hidden.emplace_back(-kPi, to - 2 * kPi);
  }
  std::sort(hidden.begin(), hidden.end());
  double free_from = -kPi;
  for (const auto& [from, to] : hidden) {
    if (from > free_from) arcs.emplace_back(free_from, from);
    free_from = std::max(free_from, to);
  }
  if (free_from < kPi) arcs.emplace_back(free_from, kPi);
  return arcs;
}

/// Signed area of a spherical triangle with unit corners (van Oosterom and Strackee 1983).
double triangle_area(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  return 2 * std::atan2(a.dot(b.cross(c)), 1 + a.dot(b) + b.dot(c) + c.dot(a));
}

/// What lies between a pole and a piece of a rim, positive if the pole sees the piece run to the left.
double fan_area(const Vec3d& pole, const Cap& cap, double from, double to) {
  const Vec3d a = cap.rim(from), b = cap.rim(to);
  const double beyond_chord = (1 - cap.height) * (to - from) - triangle_area(cap.axis, a, b);
  return triangle_area(pole, a, b) + beyond_chord;
}

/// Adds integral (dp/dnu) ds over a piece of a rim, for all monomials.
void add_rim_integrals(MomentTable& rim, const Cap& cap, double from, double to) {
  static const auto rule = gauss_legendre<kNodes>();
  const double radius = cap.radius();
  for (const auto& [share, weight] : rule) {
    const Vec3d n = cap.rim(from + (to - from) * share);
    const Vec3d nu = (cap.axis - cap.height * n) / radius;
    std::array<Vec3d, kMostDegree + 1> power;
    power[0] = Vec3d(1);
    for (std::size_t k = 1; k < power.size(); ++k) power[k] = power[k - 1] * n;  // by component
    const double ds = radius * (to - from) * weight;
    for_each_monomial([&](const Powers& p, int) {
      double slope = 0;
      for (std::size_t a = 0; a < 3; ++a) {
        if (p[a] == 0) continue;
        double term = p[a] * nu[static_cast<int>(a)];
        for (std::size_t b = 0; b < 3; ++b)
          term *= power[static_cast<std::size_t>(p[b] - (a == b ? 1 : 0))][static_cast<int>(b)];
        slope += term;
      }
      rim(p) += slope * ds;
    });
  }
}

/// Integrals of all monomials over the directions that no cap covers.
MomentTable exposed_moments(const std::vector<Cap>& caps) {
  MomentTable rim, moments;
  double covered = 0;  // modulo 4 pi
  bool any_rim = false;
  const Vec3d pole = Vec3d(0.3713906763541037, 0.5570860145311556, -0.7427813527082074);
  for (std::size_t own = 0; own < caps.size(); ++own)
    for (const auto& [from, to] : exposed_arcs(caps, own)) {
      any_rim = true;
      const double pieces = std::ceil((to - from) / kLongestPiece);
      for (double k = 0; k < pieces; ++k) {
        const double begin = from + (to - from) * k / pieces, end = from + (to - from) * (k + 1) / pieces;
        covered += fan_area(pole, caps[own], begin, end);
        add_rim_integrals(rim, caps[own], begin, end);
      }
    }
  if (!caps.empty() && !any_rim) return moments;  // the caps hide each other's rims: nothing is left
  const double sphere = 4 * kPi;
  moments({0, 0, 0}) = sphere - (covered - sphere * std::floor(covered / sphere));
  for_each_monomial([&](const Powers& p, int degree) {
    if (degree == 0) return;
    double sum = -rim(p);
    for (std::size_t a = 0; a < 3; ++a)
      if (p[a] >= 2) sum += p[a] * (p[a] - 1) * moments(lowered(p, a, 2));
    moments(p) = sum / (degree * (degree + 1));
  });
  return moments;
}

/// Integral of x^p n_axis over the exposed surface of a sphere, x = center + radius n.
double flux(const ShapeSphere& sphere, const MomentTable& moments, const Powers& p, std::size_t axis) {
  constexpr std::array<std::array<double, 4>, 4> kBinomial{{{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}}};
  const auto term = [&](std::size_t a, int k) {
    const auto power = static_cast<std::size_t>(p[a]);
    return kBinomial[power][static_cast<std::size_t>(k)] *
           std::pow(sphere.center[static_cast<int>(a)], p[a] - k) * std::pow(sphere.radius, k);
  };
  double sum = 0;
  for (int i = 0; i <= p[0]; ++i)
    for (int j = 0; j <= p[1]; ++j)
      for (int k = 0; k <= p[2]; ++k)
        sum += term(0, i) * term(1, j) * term(2, k) * moments(lowered({i, j, k}, axis, -1));
  return sphere.radius * sphere.radius * sum;
}

/// Adds what the exposed part of a sphere carries: the divergence theorem, each moment by fields along the
/// axes.
void add_exposed_sphere(VolumeMoments& m, const ShapeSphere& sphere, const std::vector<Cap>& caps) {
  const MomentTable moments = exposed_moments(caps);
  for (std::size_t a = 0; a < 3; ++a) {
    const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
    const int axis = static_cast<int>(a);
    const auto powers = [&](int of_a, int of_b, int of_c) {
      Powers p{};
      p[a] = of_a, p[b] = of_b, p[c] = of_c;
      return p;
    };
    m.one += flux(sphere, moments, powers(1, 0, 0), a) / 3;
    m.x[axis] += flux(sphere, moments, powers(2, 0, 0), a) / 2;
    m.xx[axis] += flux(sphere, moments, powers(3, 0, 0), a) / 3;
    m.yz_zx_xy[axis] += flux(sphere, moments, powers(0, 2, 1), b) / 2;
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

std::vector<Cap> caps_on(std::span<const ShapeSphere> spheres, std::size_t own) {
  std::vector<Cap> caps;
  const ShapeSphere& sphere = spheres[own];
  for (std::size_t k = 0; k < spheres.size(); ++k) {
    if (k == own) continue;
    const Vec3d d = spheres[k].center - sphere.center;
    const double distance = d.length();
    if (distance >= sphere.radius + spheres[k].radius) continue;
    const double height =
        (distance * distance + (sphere.radius - spheres[k].radius) * (sphere.radius + spheres[k].radius)) /
        (2 * sphere.radius * distance);
    // Beyond -1 and 1 the other one holds this one, which is_buried() has found, or lies in it.
    if (height > -1 && height < 1) caps.push_back(make_cap(d / distance, height));
  }
  return caps;
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
  std::vector<ShapeSphere> outer;
  for (std::size_t i = 0; i < spheres.size(); ++i)
    if (!is_buried(spheres, i)) outer.push_back(spheres[i]);
  VolumeMoments m;
  bool overlap = false;
  for (std::size_t i = 0; i < outer.size(); ++i) {
    const std::vector<Cap> caps = caps_on(outer, i);
    overlap = overlap || !caps.empty();
    add_exposed_sphere(m, outer[i], caps);
  }
  return overlap ? to_properties(m) : mass_of_sum(outer);
}

}  // namespace repose
