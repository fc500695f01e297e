#pragma once
// Vectors of three numbers that lie in memory as four, so that one instruction moves them.

#include <cstring>

#include "repose/math/vec.h"
#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace repose {

template <class T>
struct alignas(4 * sizeof(T)) PaddedVec3 {
  T x, y, z, unused;

  PaddedVec3() = default;
  PaddedVec3(T px, T py, T pz) : x(px), y(py), z(pz), unused(0) {}
  explicit PaddedVec3(const Imath::Vec3<T>& v) : PaddedVec3(v.x, v.y, v.z) {}
  Imath::Vec3<T> vec() const { return {x, y, z}; }
};
using PaddedVec3d = PaddedVec3<double>;
using PaddedVec3f = PaddedVec3<float>;

/// Four doubles that are computed with at once, mostly a vector and a number that means nothing. By reference
/// everywhere: how such are handed over by value depends on the machine.
using Row4d = double __attribute__((vector_size(4 * sizeof(double))));
using Row4f = float __attribute__((vector_size(4 * sizeof(float))));

/// The vector, and zero.
inline void to_row(const Vec3d& v, Row4d& out) { out = Row4d{v.x, v.y, v.z, 0}; }
inline void to_row(const PaddedVec3d& v, Row4d& out) { std::memcpy(&out, &v, sizeof out); }
inline Vec3d to_vec(const Row4d& row) { return {row[0], row[1], row[2]}; }

// Where the machine turns four floats into doubles at once, and back, g++ 12 still does it in halves.

inline void narrow(const Row4d& row, Row4f& out) {
#if defined(__AVX__)
  out = _mm256_cvtpd_ps(row);
#else
  out = __builtin_convertvector(row, Row4f);
#endif
}
inline void add_to(Row4d& sum, const Row4f& term) {
#if defined(__AVX__)
  sum += _mm256_cvtps_pd(term);
#else
  sum += __builtin_convertvector(term, Row4d);
#endif
}

/// The first three, the first two of them at once.
inline void store_three(const Row4d& row, Vec3d& out) {
  using Pair = double __attribute__((vector_size(2 * sizeof(double))));
  const Pair xy = __builtin_shufflevector(row, row, 0, 1);
  std::memcpy(static_cast<void*>(&out), &xy, sizeof xy);
  out.z = row[2];
}

/// a x b, as Imath has it.
inline void cross_rows(const Row4d& a, const Row4d& b, Row4d& out) {
  out = __builtin_shufflevector(a, a, 1, 2, 0, 3) * __builtin_shufflevector(b, b, 2, 0, 1, 3) -
        __builtin_shufflevector(a, a, 2, 0, 1, 3) * __builtin_shufflevector(b, b, 1, 2, 0, 3);
}

/// A struct at once, not number by number, which is what compilers make of Imath's vectors.
template <class T>
inline void copy_whole(const T& from, T& to) {
  std::memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof(T));
}

/// The four doubles at once. Compilers find that by themselves only where they may also do it elsewhere, and
/// there it costs more than it brings.
inline void add_to(PaddedVec3d& sum, const PaddedVec3d& term) {
  Row4d a, b;
  to_row(sum, a);
  to_row(term, b);
  a += b;
  std::memcpy(static_cast<void*>(&sum), &a, sizeof a);
}
inline void take_from(PaddedVec3d& sum, const PaddedVec3d& term) {
  Row4d a, b;
  to_row(sum, a);
  to_row(term, b);
  a -= b;
  std::memcpy(static_cast<void*>(&sum), &a, sizeof a);
}

/// Of structs of eight floats, at once: the difference of the first four, the sum of the others.
template <class In, class Out>
inline void combine_rows(const In& a, const In& b, Out& out) {
  using Lanes = float __attribute__((vector_size(8 * sizeof(float))));
  static_assert(sizeof(In) == sizeof(Lanes) && sizeof(Out) == sizeof(Lanes));
  Lanes x, y;
  std::memcpy(&x, static_cast<const void*>(&a), sizeof x);
  std::memcpy(&y, static_cast<const void*>(&b), sizeof y);
  x += Lanes{-1, -1, -1, -1, 1, 1, 1, 1} * y;
  std::memcpy(static_cast<void*>(&out), &x, sizeof x);
}

/// Four vectors, from arrays of their components.
struct Rows4 {
  PaddedVec3d rows[4];

  void set(const double* x, const double* y, const double* z) {
    Row4d a, b, c;
    std::memcpy(&a, x, sizeof a);
    std::memcpy(&b, y, sizeof b);
    std::memcpy(&c, z, sizeof c);
    const Row4d zero{};
    const Row4d ab_02 = __builtin_shufflevector(a, b, 0, 4, 2, 6),
                ab_13 = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const Row4d c_02 = __builtin_shufflevector(c, zero, 0, 4, 2, 6),
                c_13 = __builtin_shufflevector(c, zero, 1, 5, 3, 7);
    const Row4d out[4] = {
        __builtin_shufflevector(ab_02, c_02, 0, 1, 4, 5), __builtin_shufflevector(ab_13, c_13, 0, 1, 4, 5),
        __builtin_shufflevector(ab_02, c_02, 2, 3, 6, 7), __builtin_shufflevector(ab_13, c_13, 2, 3, 6, 7)};
    std::memcpy(static_cast<void*>(rows), out, sizeof rows);
  }
};

}  // namespace repose
