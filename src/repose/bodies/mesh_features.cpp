#include "repose/bodies/mesh_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "repose/geometry/tessellate.h"

namespace repose {
namespace {

constexpr double kCell = 0.05;           ///< edge of a cell as a share of the body's diagonal
constexpr double kRounding = 0.01;       ///< of the balls, as a share of the least extent
constexpr double kShellRounding = 0.25;  ///< likewise, of a shell's thickness at most
constexpr double kFlat = 1 - 1e-6;       ///< cosine between faces that lie in one plane
constexpr double kSharp = 0.94;          ///< cosine between faces that meet in a sharp edge
constexpr double kBluntest = 0.3;        ///< a spike is rounded no further inside than 1 / kBluntest radii
constexpr double kPartsOfCell = 4;       ///< along an edge of it: each keeps one corner
constexpr int kPartsOfFace = 32;

/// A corner with what meets there. Drawings have a corner several times where faces meet sharply.
struct Corner {
  Vec3d position{0, 0, 0};
  Vec3d normal{0, 0, 0};  ///< sum over faces, weighted by their angles
  double least = 1;       ///< cosine between the normal and the face that is turned most from it
  bool is_flat = true;
};

struct Face {
  std::array<std::uint32_t, 3> corner;
  Vec3d normal;
};

/// Centre of a ball of this radius that touches all faces around from inside, as good as one can.
Vec3d inside_of(const Vec3d& position, const Vec3d& normal, double least, double radius) {
  return position - radius / std::max(least, kBluntest) * normal;
}

class MeshFeatures {
 public:
  MeshFeatures(const Shape& shape, ContactFeatures& out) : box_(bounds(shape)), out_(out) {
    const Vec3d size = box_.size();
    cell_ = kCell * size.length();
    radius_ = kRounding * std::min({size.x, size.y, size.z});
    if (shape.thickness > 0) radius_ = std::min(radius_, kShellRounding * shape.thickness);
    join_corners(tessellate(shape, kCell * size.length()));
  }

  void add() {
    for (const Corner& c : corners_)
      if (!c.is_flat) add_candidate(c.position, c.normal, c.least);
    for (const Corner& c : corners_)
      if (c.is_flat) add_to_empty(c.position, c.normal, c.least);
    for (const Face& f : faces_) add_middle(f);
    for (auto& [key, points] : cells_) add_group(points);
    add_edges();
  }

 private:
  struct Candidate {
    Vec3d position, center;
    double least;  ///< see Corner
  };
  using CellKey = std::array<std::int64_t, 3>;

  void join_corners(const TriangleMesh& mesh) {
    std::map<std::tuple<float, float, float>, std::uint32_t> numbers;
    std::vector<std::uint32_t> number;
    for (const Vec3f& p : mesh.positions) {
      const auto next = static_cast<std::uint32_t>(corners_.size());
      const auto [place, is_new] = numbers.try_emplace(std::tuple(p.x, p.y, p.z), next);
      if (is_new) corners_.push_back({.position = Vec3d(p)});
      number.push_back(place->second);
    }
    for (const auto& t : mesh.triangles) {
      Face face{{number[t[0]], number[t[1]], number[t[2]]}, Vec3d(0)};
      const auto at = [&](std::size_t c) { return corners_[face.corner[c % 3]].position; };
      face.normal = (at(1) - at(0)).cross(at(2) - at(0)).normalized();
      if (face.normal == Vec3d(0)) continue;
      for (std::size_t c = 0; c < 3; ++c) {
        const Vec3d u = at(c + 1) - at(c), v = at(c + 2) - at(c);
        corners_[face.corner[c]].normal += std::atan2(u.cross(v).length(), u.dot(v)) * face.normal;
      }
      faces_.push_back(face);
    }
    for (Corner& c : corners_) c.normal.normalize();
    for (const Face& f : faces_)
      for (const std::uint32_t c : f.corner) {
        const double cosine = corners_[c].normal.dot(f.normal);
        corners_[c].least = std::min(corners_[c].least, cosine);
        if (cosine < kFlat) corners_[c].is_flat = false;
      }
  }

  CellKey key_of(const Vec3d& p, double cell) const {
    CellKey key{};
    for (int axis = 0; axis < 3; ++axis)
      key[static_cast<std::size_t>(axis)] =
          static_cast<std::int64_t>(std::floor((p[axis] - box_.min[axis]) / cell));
    return key;
  }
  void add_candidate(const Vec3d& p, const Vec3d& normal, double least) {
    cells_[key_of(p, cell_)].push_back({p, inside_of(p, normal, least, radius_), least});
  }
  void add_to_empty(const Vec3d& p, const Vec3d& normal, double least) {
    if (!cells_.contains(key_of(p, cell_))) add_candidate(p, normal, least);
  }

  /// Large faces have points between their corners too.
  void add_middle(const Face& face) {
    const Vec3d a = corners_[face.corner[0]].position, ab = corners_[face.corner[1]].position - a,
                ac = corners_[face.corner[2]].position - a;
    const double longest = std::max({ab.length(), ac.length(), (ac - ab).length()});
    if (longest < cell_) return;
    const int parts = std::min(kPartsOfFace, 1 + static_cast<int>(longest / cell_));
    for (int i = 1; i < parts; ++i)
      for (int k = 1; i + k < parts; ++k)
        add_to_empty(a + (static_cast<double>(i) / parts) * ab + (static_cast<double>(k) / parts) * ac,
                     face.normal, 1);
  }

  void add_group(std::vector<Candidate>& points) {
    keep_sharpest(points);
    Box3d box;
    for (const Candidate& p : points) box.extendBy(p.center);
    ContactGroup group{
        .center = box.center(), .radius = 0, .first = out_.points.size(), .count = points.size()};
    for (const Candidate& p : points) {
      group.radius = std::max(group.radius, (p.center - group.center).length() + radius_);
      out_.points.push_back({p.center, radius_});
    }
    out_.groups.push_back(group);
  }

  /// Of the points of each part of a cell the one that stands out most.
  void keep_sharpest(std::vector<Candidate>& points) const {
    std::map<CellKey, std::size_t> sharpest;
    std::vector<Candidate> kept;
    for (const Candidate& p : points) {
      const auto [place, is_new] =
          sharpest.try_emplace(key_of(p.position, cell_ / kPartsOfCell), kept.size());
      if (is_new)
        kept.push_back(p);
      else if (p.least < kept[place->second].least)
        kept[place->second] = p;
    }
    points = std::move(kept);
  }

  /// Sharp edges that are longer than a cell; along shorter ones corners are near enough to each other.
  void add_edges() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Vec3d> first_normal;
    for (const Face& f : faces_)
      for (std::size_t c = 0; c < 3; ++c) {
        const std::pair ends = std::minmax({f.corner[c], f.corner[(c + 1) % 3]});
        const Vec3d &a = corners_[ends.first].position, &b = corners_[ends.second].position;
        if ((b - a).length() < cell_) continue;
        const auto [other, is_first] = first_normal.try_emplace({ends.first, ends.second}, f.normal);
        if (is_first || other->second.dot(f.normal) > kSharp) continue;
        // The third corner of a face that lies behind the other: the edge stands out.
        if (other->second.dot(corners_[f.corner[(c + 2) % 3]].position - a) > 0) continue;
        const Vec3d normal = (f.normal + other->second).normalized();
        const double least = normal.dot(f.normal);
        out_.edges.push_back(
            {inside_of(a, normal, least, radius_), inside_of(b, normal, least, radius_), radius_});
      }
  }

  Box3d box_;
  double cell_ = 0, radius_ = 0;  // [m]
  std::vector<Corner> corners_;
  std::vector<Face> faces_;
  std::map<CellKey, std::vector<Candidate>> cells_;
  ContactFeatures& out_;
};

}  // namespace

void add_mesh_features(const Shape& shape, ContactFeatures& out) { MeshFeatures(shape, out).add(); }

}  // namespace repose
