#pragma once
// Vectors and matrices of six numbers: velocity and spin of a rigid body, and its mass and inertia.

#include <array>
#include <cstddef>

#include "repose/math/vec.h"

namespace repose {

using Vec6 = std::array<double, 6>;
using Mat6 = std::array<Vec6, 6>;

inline double dot(const Vec6& a, const Vec6& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 6; ++i) sum += a[i] * b[i];
  return sum;
}

inline Vec6 times(const Mat6& a, const Vec6& x) {
  Vec6 y{};
  for (std::size_t i = 0; i < 6; ++i) y[i] = dot(a[i], x);
  return y;
}

/// Of a symmetric, positive definite matrix, by elimination.
inline Mat6 inverse_of(Mat6 a) {
  Mat6 inverse{};
  for (std::size_t i = 0; i < 6; ++i) inverse[i][i] = 1;
  for (std::size_t k = 0; k < 6; ++k) {
    const double pivot = 1 / a[k][k];
    for (std::size_t j = 0; j < 6; ++j) a[k][j] *= pivot, inverse[k][j] *= pivot;
    for (std::size_t i = 0; i < 6; ++i) {
      if (i == k) continue;
      const double factor = a[i][k];
      for (std::size_t j = 0; j < 6; ++j) {
        a[i][j] -= factor * a[k][j];
        inverse[i][j] -= factor * inverse[k][j];
      }
    }
  }
  return inverse;
}

/// Some x with a x = b, for a symmetric matrix without negative eigenvalues. Directions in which there is
/// nothing to be found, with pivots of `least` and below, stay zero. By elimination, largest pivots first.
inline Vec6 solve_semidefinite(Mat6 a, Vec6 b, double least) {
  std::array<bool, 6> done{};
  std::array<std::size_t, 6> order{};
  std::size_t rank = 0;
  for (; rank < 6; ++rank) {
    std::size_t k = 6;
    for (std::size_t i = 0; i < 6; ++i)
      if (!done[i] && (k == 6 || a[i][i] > a[k][k])) k = i;
    if (!(a[k][k] > least)) break;
    done[k] = true;
    order[rank] = k;
    for (std::size_t i = 0; i < 6; ++i) {
      if (done[i]) continue;
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = 0; j < 6; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  Vec6 x{};
  while (rank-- > 0) {
    const std::size_t k = order[rank];
    double rest = b[k];
    for (std::size_t j = 0; j < 6; ++j)
      if (j != k) rest -= a[k][j] * x[j];
    x[k] = rest / a[k][k];
  }
  return x;
}

/// Velocity along a direction at a point that moves with a body, as six numbers times (velocity, spin); `arm`
/// from the body's centre.
inline Vec6 row_of(const Vec3d& direction, const Vec3d& arm) {
  const Vec3d turn = arm.cross(direction);
  return {direction.x, direction.y, direction.z, turn.x, turn.y, turn.z};
}

}  // namespace repose
