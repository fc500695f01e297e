#include "repose/geometry/mesh/mesh_solid.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "repose/core/error.h"

namespace repose {
namespace {

// Of the reach, squared: places that are as near up to rounding.
constexpr double kAsNear = 1e-9;

bool is_corner(TrianglePart part) { return part <= TrianglePart::corner_2; }
std::uint32_t number_of(TrianglePart part) { return static_cast<std::uint32_t>(part); }

/// Of a cube, of which a share counts.
VolumeMoments cube_moments(const Vec3d& c, double half, double share) {
  const double v = share * 8 * half * half * half, own = half * half / 3;
  return {v, v * c, v * (c * c + Vec3d(own)), v * Vec3d(c.y * c.z, c.z * c.x, c.x * c.y)};
}

/// Integrals over the cubes of an octree that lie inside; the surface counts as flat in the smallest.
class InsideIntegral {
 public:
  explicit InsideIntegral(const MeshSolid& mesh) : mesh_(mesh) {}

  void add(const Vec3d& middle, double half, int depth) {
    const double d = mesh_.signed_distance(middle).distance, reach = std::sqrt(3.0) * half;
    if (d > reach) return;
    if (depth > 0 && d > -reach) {
      const double h = 0.5 * half;
      for (int child = 0; child < 8; ++child)
        add(middle + Vec3d(child & 1 ? h : -h, child & 2 ? h : -h, child & 4 ? h : -h), h, depth - 1);
      return;
    }
    moments_ += cube_moments(middle, half, std::clamp(0.5 - d / (2 * half), 0.0, 1.0));
  }
  const VolumeMoments& moments() const { return moments_; }

 private:
  const MeshSolid& mesh_;
  VolumeMoments moments_;
};

/// Integrals over the cubes of an octree that lie within t of the surface; as for shells of revolution, the
/// surface counts as flat in the smallest.
class ShellIntegral {
 public:
  ShellIntegral(const MeshSolid& mesh, double t) : mesh_(mesh), t_(t) {}

  void add(const Vec3d& middle, double half, int depth) {
    const double d = mesh_.unsigned_distance(middle).distance, reach = std::sqrt(3.0) * half;
    if (d > t_ + reach) return;
    if (depth > 0 && d > t_ - reach) {
      const double h = 0.5 * half;
      for (int child = 0; child < 8; ++child)
        add(middle + Vec3d(child & 1 ? h : -h, child & 2 ? h : -h, child & 4 ? h : -h), h, depth - 1);
      return;
    }
    const double share =
        d < t_ - reach ? 1.0 : (std::min(d + half, t_) - std::max(d - half, -t_)) / (2 * half);
    moments_ += cube_moments(middle, half, std::clamp(share, 0.0, 1.0));
  }
  const VolumeMoments& moments() const { return moments_; }

 private:
  const MeshSolid& mesh_;
  double t_;
  VolumeMoments moments_;
};

/// About the middle of the bounds, then moved: a mesh far from its origin loses no digits.
VolumeMoments moments_about_origin(const MeshTopology& mesh, const Vec3d& middle) {
  std::vector<Vec3d> positions = mesh.positions;
  for (Vec3d& p : positions) p -= middle;
  const VolumeMoments m = mesh_moments(positions, mesh.triangles);
  VolumeMoments out;
  out.one = m.one;
  out.x = m.x + m.one * middle;
  out.xx = m.xx + 2.0 * middle * m.x + m.one * middle * middle;
  const Vec3d c = middle, x = m.x;
  out.yz_zx_xy = m.yz_zx_xy + Vec3d(c.y * x.z + c.z * x.y, c.z * x.x + c.x * x.z, c.x * x.y + c.y * x.x) +
                 m.one * Vec3d(c.y * c.z, c.z * c.x, c.x * c.y);
  return out;
}

/// Of unit normals that were added up. Faces that lie back to back cancel: what rounding leaves of them is no
/// direction, and too small to be scaled to length one.
Vec3d direction_of_sum(const Vec3d& sum) {
  constexpr double cancelled = 1e-12;
  return sum.length() > cancelled ? sum.normalized() : Vec3d(0);
}

}  // namespace

MeshSolid::MeshSolid(const MeshData& data) : states_unit_(data.states_unit), topology_(make_topology(data)) {
  const bool has_face = topology_.triangles.size() > topology_.facts.degenerate_triangles.count ||
                        topology_.facts.degenerate_triangles.count < data.triangles.size();
  if (topology_.triangles.empty() || !has_face)
    throw Error(ExitCode::bad_scene, "no triangle in it has an area: all corners lie on a line or a point");
  tree_ = TriangleTree(topology_.positions, topology_.triangles);
  for (const Vec3d& p : topology_.positions) bounds_.extendBy(p);
  make_normals();
  make_patches();
  moments_ = moments_about_origin(topology_, bounds_.center());
  if (is_closed()) return;
  winding_ = WindingNumber(tree_);
  // Seen from the middle, small holes take little from the volume, and nothing from its sign.
  facing_ = moments_.one < 0 ? -1 : 1;
}

VolumeMoments MeshSolid::moments() const {
  if (is_closed()) return moments_;
  const Vec3d size = bounds_.size();
  InsideIntegral integral(*this);
  integral.add(bounds_.center(), 0.5 * std::max({size.x, size.y, size.z}), 5);
  return integral.moments();
}

void MeshSolid::make_normals() {
  const MeshTopology& mesh = topology_;
  face_normals_.resize(mesh.triangles.size());
  edge_normals_.assign(mesh.edge_count(), Vec3d(0));
  vertex_normals_.assign(mesh.positions.size(), Vec3d(0));
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<Vec3d, 3> p;
    for (std::size_t c = 0; c < 3; ++c) p[c] = mesh.positions[mesh.triangles[t][c]];
    const Vec3d twice_area = (p[1] - p[0]).cross(p[2] - p[0]);
    area_ += 0.5 * twice_area.length();
    const Vec3d n = face_normals_[t] = twice_area.normalized();  // Imath: zero stays zero
    for (std::size_t c = 0; c < 3; ++c) {
      const Vec3d to_next = p[(c + 1) % 3] - p[c], to_last = p[(c + 2) % 3] - p[c];
      const double angle = std::atan2(to_next.cross(to_last).length(), to_next.dot(to_last));
      edge_normals_[mesh.edge_of[3 * t + c]] += n;
      vertex_normals_[mesh.triangles[t][c]] += angle * n;
    }
  }
  for (Vec3d& n : edge_normals_) n = direction_of_sum(n);
  for (Vec3d& n : vertex_normals_) n = direction_of_sum(n);
}

/// Numbers for parts of the surface: triangles that meet at a blunt edge share theirs.
void MeshSolid::make_patches() {
  const MeshTopology& mesh = topology_;
  patch_.assign(mesh.triangles.size(), -1);
  std::vector<std::uint32_t> members;
  for (std::uint32_t seed = 0; seed < patch_.size(); ++seed) {
    if (patch_[seed] >= 0) continue;
    patch_[seed] = patch_count_;
    members.assign(1, seed);
    while (!members.empty()) {
      const std::uint32_t t = members.back();
      members.pop_back();
      for (std::uint32_t c = 0; c < 3; ++c)
        for (const MeshCorner other : mesh.corners_of_edge(mesh.edge_of[3 * t + c])) {
          const std::uint32_t o = other / 3;
          if (patch_[o] >= 0 || face_normals_[o].dot(face_normals_[t]) < kSameDirection) continue;
          patch_[o] = patch_count_;
          members.push_back(o);
        }
    }
    ++patch_count_;
  }
}

Vec3d MeshSolid::part_normal(std::uint32_t triangle, TrianglePart part) const {
  if (part == TrianglePart::face) return face_normals_[triangle];
  if (is_corner(part)) return vertex_normals_[topology_.triangles[triangle][number_of(part)]];
  return edge_normals_[topology_.edge_of[3 * triangle + number_of(part) - 3]];
}

/// The patch, where all triangles around belong to one; else a number of the edge's or corner's own.
int MeshSolid::part_number(std::uint32_t triangle, TrianglePart part) const {
  const int own = patch_[triangle];
  if (part == TrianglePart::face) return own;
  const std::uint32_t index = is_corner(part) ? topology_.triangles[triangle][number_of(part)]
                                              : topology_.edge_of[3 * triangle + number_of(part) - 3];
  const auto around = is_corner(part) ? topology_.corners_of_vertex(index) : topology_.corners_of_edge(index);
  for (const MeshCorner c : around)
    if (patch_[c / 3] != own) {
      const int first = patch_count_ + (is_corner(part) ? static_cast<int>(topology_.edge_count()) : 0);
      return first + static_cast<int>(index);
    }
  return own;
}

double MeshSolid::winding_number(const Vec3d& p) const {
  if (is_closed()) return distance_by_normal(p).distance < 0 ? 1 : 0;
  return facing_ * winding_.at(tree_, p);
}

SurfacePoint MeshSolid::signed_distance(const Vec3d& p) const {
  if (is_closed()) return distance_by_normal(p);
  const SurfacePoint by_normal = distance_by_normal(p);
  const double share = std::clamp(1 - 2 * winding_number(p), -1.0, 1.0);
  const bool is_other_side = (by_normal.distance < 0) != (share < 0);
  return {std::abs(by_normal.distance) * share, is_other_side ? -by_normal.normal : by_normal.normal};
}

SurfacePoint MeshSolid::distance_by_normal(const Vec3d& p) const {
  const TriangleTree::Hit hit = tree_.nearest(p);
  const Vec3d n = part_normal(hit.triangle, hit.nearest.part), away = p - hit.nearest.point;
  const double distance = std::sqrt(hit.square), side = away.dot(n) < 0 ? -1.0 : 1.0;
  // On a face, and at no distance, the surface's own normal keeps its precision.
  const bool is_on_it = hit.square < 1e-24 * (p.dot(p) + hit.nearest.point.dot(hit.nearest.point));
  const bool has_normal = n.dot(n) > 0;
  if (has_normal && (is_on_it || hit.nearest.part == TrianglePart::face)) return {side * distance, n};
  if (!(hit.square > 0)) return {0, has_normal ? n : Vec3d(0, 0, 1)};
  return {side * distance, away * (side / distance)};
}

SurfacePoint MeshSolid::unsigned_distance(const Vec3d& p) const {
  const SurfacePoint s = distance_by_normal(p);
  return s.distance < 0 ? SurfacePoint{-s.distance, -s.normal} : s;
}

bool MeshSolid::has_surface_within(const Vec3d& p, double reach) const {
  bool found = false;
  tree_.for_each_near(p, reach, [&](std::uint32_t, const NearestOnTriangle&, double) {
    found = true;
    return false;
  });
  return found;
}

bool MeshSolid::holds_far_point(const Vec3d& p) const {
  if (!is_closed()) return winding_number(p) > 0.5;
  if (!bounds_.intersects(p)) return false;
  // Upwards, but along no plane that a modeller would draw. The first face met shows its back from inside.
  const Vec3d direction(0.0137, 0.0071, 1);
  const TriangleTree::RayHit hit = tree_.first_on_ray(p, direction, TriangleTree::kNone);
  return hit.found && face_normals_[hit.triangle].dot(direction) > 0;
}

/// No triangle around the edge or corner comes nearer than the edge or corner itself.
bool MeshSolid::is_local_minimum(std::uint32_t triangle, TrianglePart part, const Vec3d& p,
                                 double square) const {
  if (part == TrianglePart::face) return true;
  const std::uint32_t index = is_corner(part) ? topology_.triangles[triangle][number_of(part)]
                                              : topology_.edge_of[3 * triangle + number_of(part) - 3];
  const auto around = is_corner(part) ? topology_.corners_of_vertex(index) : topology_.corners_of_edge(index);
  for (const MeshCorner c : around) {
    if (c / 3 == triangle) continue;
    std::array<Vec3d, 3> corners;
    for (std::size_t k = 0; k < 3; ++k) corners[k] = topology_.positions[topology_.triangles[c / 3][k]];
    const Vec3d away = p - nearest_on_triangle(corners, p).point;
    if (away.dot(away) < square * (1 - kAsNear)) return false;
  }
  return true;
}

void MeshSolid::find_touches(const Vec3d& p, double reach, MeshSide side, Touches& touches) const {
  tree_.for_each_near(p, reach, [&](std::uint32_t t, const NearestOnTriangle& near, double square) {
    Vec3d n = part_normal(t, near.part);
    const Vec3d away = p - near.point;
    const double height = away.dot(n) * facing_;
    if (!(square > 0) || (side == MeshSide::outside && height <= 0) ||
        (side == MeshSide::inside && height >= 0))
      return true;
    if (!is_local_minimum(t, near.part, p, square)) return true;
    const double distance = std::sqrt(square);
    if (near.part != TrianglePart::face || n.dot(n) == 0)
      n = away / distance;
    else if (away.dot(n) < 0)
      n = -n;
    const Touch touch{distance, n, part_number(t, near.part)};
    // The triangles around an edge or corner all find it: once is enough.
    for (const Touch& other : touches)
      if (other.face == touch.face && std::abs(other.distance - distance) <= kAsNear * distance &&
          other.normal.dot(n) > 1 - kAsNear)
        return true;
    touches.add(touch);
    return true;
  });
}

VolumeMoments MeshSolid::shell_moments(double reach) const {
  const Vec3d size = bounds_.size();
  ShellIntegral integral(*this, reach);
  integral.add(bounds_.center(), 0.5 * std::max({size.x, size.y, size.z}) + reach, 7);
  return integral.moments();
}

}  // namespace repose
