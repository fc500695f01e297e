#pragma once
// How often a surface of triangles goes around a point: the generalized winding number of Jacobson et al.
// 2013, "Robust inside-outside segmentation using generalized winding numbers". It is 1 inside and 0 outside
// of a closed surface. Of a surface with holes it is a smooth function in between, which is 1/2 on a sheet
// that spans each hole (the flat one, where the rim of the hole is flat). So "more than 1/2" tells what is
// inside of a mesh that is not quite closed, and how far the value is from 1/2 tells how sure that is.
//
// Triangles far from the point count as one dipole with its first derivatives (Barill et al. 2018, "Fast
// winding numbers for soups and clouds", section 3.1): a point costs the logarithm of their number.

#include <vector>

#include "repose/geometry/mesh/triangle_tree.h"
#include "repose/math/vec.h"

namespace repose {

/// Solid angle of a triangle over that of a whole sphere, positive where its normal points away from p. Van
/// Oosterom and Strackee 1983, "The solid angle of a plane triangle", eq. 8.
double solid_angle_share(const std::array<Vec3d, 3>& corners, const Vec3d& p);

class WindingNumber {
 public:
  WindingNumber() = default;
  /// The tree must stay with its caller as it is: at() walks through it.
  explicit WindingNumber(const TriangleTree& tree);

  bool empty() const { return dipoles_.empty(); }
  /// To about 1e-2 of the sum over all triangles.
  double at(const TriangleTree& tree, const Vec3d& p) const;

 private:
  /// The triangles below a node, seen from far away.
  struct Dipole {
    Vec3d center{0, 0, 0};  ///< weighted by area
    Vec3d normal{0, 0, 0};  ///< sum of area times unit normal
    Vec3d first_x{0, 0, 0}, first_y{0, 0, 0},
        first_z{0, 0, 0};         ///< sums of (middle - center) times that, by axis
    double area = 0, radius = 0;  ///< radius: of a ball about the center that holds them all
  };
  Dipole dipole_of(const TriangleTree& tree, std::uint32_t node) const;

  std::vector<Dipole> dipoles_;  // by node of the tree
};

}  // namespace repose
