#pragma once
// A solid, or an open surface, made of triangles: distance, touches, moments. It is loaded once and shared by
// all shapes that name the same file; scale, pose, thickness and invert belong to the shape.
//
// Distances are exact, to the triangles themselves, by a tree of boxes (triangle_tree.h). The other way is a
// level set: OpenVDB's meshToLevelSet, read with trilinear weights. bench/mesh_distance_bench.cpp compares
// them on bodies of 1 m for grains of 1 cm, with 20 and 200 thousand triangles and two voxels a grain:
//
//                                    tree             level set
//   set-up, CPU                      0.04, 0.6 s      0.4, 1.1 s (four voxels a grain: 2.3, 4.5 s)
//   memory                           6, 55 MB         12 MB (53 MB)
//   distance near the surface        0.9, 1.6 us      0.1 us
//   far away                         6, 17 us; 8 ns for "not within a grain"      0.06 us, "not in the band"
//   error, per cent of a grain       1e-12            0.9 rms on a box, 22 at its corners (0.3, 11)
//   inside of a wall 1/5 grain thick all found        93 % taken for outside (50 %)
//
// Grains overlap by half a per cent of their size and rest on edges and thin walls, so an error of one per
// cent is a force twice as large as it should be: the level set is out for them, and the tree stays. It also
// needs no resolution, and its results do not depend on threads. A solver that reads the distance to a moving
// mesh at every grid node or particle, every step, and can do with a hundredth of its spacing, should keep a
// level set in the frame of the body instead: that is where eight times faster reading counts. For a mesh
// at rest, sampled once, it gains nothing: making the level set costs 0.4 us a voxel of its band.
//
// Which side is inside is told by the normal of the nearest face, edge or corner: the sum of the normals
// there, each weighted by its angle at a corner (Baerentzen and Aanaes 2005, "Signed distance computation
// using the angle weighted pseudonormal"). This holds for closed meshes that do not cross themselves, which
// the audit checks (mesh_audit.h).
//
// Open meshes are shells, where a shape gives them a thickness: only the unsigned distance counts. Without
// one, inside is where the winding number w is more than 1/2 (winding_number.h), and the signed distance is
// that to the triangles times 1 - 2 w: it keeps its zero on the triangles, is 0 on the sheet that spans a
// hole too, and no larger than the distance to either (on the axis of a round hole it is that distance). Far
// from holes w is 0 or 1, and it is the distance to the triangles. Volume and moments are integrals over what
// is inside by this.

#include <cstdint>
#include <vector>

#include "repose/geometry/mass_properties.h"
#include "repose/geometry/mesh/mesh_topology.h"
#include "repose/geometry/mesh/triangle_tree.h"
#include "repose/geometry/mesh/winding_number.h"
#include "repose/geometry/shape.h"
#include "repose/geometry/touch.h"

namespace repose {

/// On which side of the surface a ball is met.
enum class MeshSide { outside, inside, both };

class MeshSolid {
 public:
  /// Throws Error(bad_scene) where no triangle with an area is left.
  explicit MeshSolid(const MeshData& data);

  const MeshTopology& topology() const { return topology_; }
  const TriangleTree& tree() const { return tree_; }
  bool is_closed() const { return topology_.is_closed(); }
  /// The file's format told its unit.
  bool states_unit() const { return states_unit_; }
  const Box3d& bounds() const { return bounds_; }
  double area() const { return area_; }
  /// Of the inside: exact for a closed mesh, else to about 1e-2 and not in no time.
  VolumeMoments moments() const;
  /// 1 inside, 0 outside, in between near holes.
  double winding_number(const Vec3d& p) const;
  /// Unit; zero for a triangle without area.
  const Vec3d& face_normal(std::size_t triangle) const { return face_normals_[triangle]; }

  /// Negative inside.
  SurfacePoint signed_distance(const Vec3d& p) const;
  /// To the triangles, whatever their side.
  SurfacePoint unsigned_distance(const Vec3d& p) const;

  /// Whether a triangle is within `reach` of p: much faster than a distance where none is.
  bool has_surface_within(const Vec3d& p, double reach) const;
  /// Whether p is inside, by looking along a ray where the mesh is closed: fast far from the surface, and
  /// there alone reliable, since a ray may slip through an edge.
  bool holds_far_point(const Vec3d& p) const;

  /// All places of the surface within `reach` of p that are nearer than their surroundings and that have p on
  /// this side. Distances are to the triangles, normals point towards p.
  void find_touches(const Vec3d& p, double reach, MeshSide side, Touches& touches) const;

  /// Of what lies within `reach` of the surface, to about 1e-3 of the volume.
  VolumeMoments shell_moments(double reach) const;

 private:
  /// By the normal of the nearest face, edge or corner.
  SurfacePoint distance_by_normal(const Vec3d& p) const;
  void make_normals();
  void make_patches();
  Vec3d part_normal(std::uint32_t triangle, TrianglePart part) const;
  int part_number(std::uint32_t triangle, TrianglePart part) const;
  bool is_local_minimum(std::uint32_t triangle, TrianglePart part, const Vec3d& p, double square) const;

  bool states_unit_;
  MeshTopology topology_;
  TriangleTree tree_;
  Box3d bounds_;
  WindingNumber winding_;  // of open meshes
  double facing_ = 1;      // -1: the triangles of an open mesh face inwards
  double area_ = 0;
  VolumeMoments moments_;
  std::vector<Vec3d> face_normals_, edge_normals_, vertex_normals_;
  std::vector<int> patch_;  // by triangle: faces that bend into each other have the same number
  int patch_count_ = 0;
};

}  // namespace repose
