#pragma once
// Sixteen numbers that are worked on at once. Where the processor has narrower vectors the compiler cuts them
// up; the bits are the same, since each lane is computed alike.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace repose {

/// Sixteen floats.
struct Lanes {
  static constexpr std::size_t kCount = 16;
  using Raw __attribute__((vector_size(kCount * sizeof(float)))) = float;
  Raw raw;

  Lanes() = default;
  template <class Number>
  requires std::is_arithmetic_v<Number>
  explicit Lanes(Number all) : raw(static_cast<float>(all) - Raw{}) {}
  explicit Lanes(const Raw& values) : raw(values) {}
  static Lanes load(const float* from) {
    Lanes lanes;
    std::memcpy(&lanes.raw, from, sizeof(Raw));
    return lanes;
  }
  void store(float* to) const { std::memcpy(to, &raw, sizeof(Raw)); }

  Lanes& operator+=(const Lanes& other) {
    raw += other.raw;
    return *this;
  }
};

/// Sixteen whole numbers; also, where two Lanes are compared, all bits set in lanes where it is true.
struct IntLanes {
  static constexpr std::size_t kCount = Lanes::kCount;
  using Raw __attribute__((vector_size(kCount * sizeof(std::int32_t)))) = std::int32_t;
  Raw raw;

  IntLanes() = default;
  explicit IntLanes(std::int32_t all) : raw(all - Raw{}) {}
  explicit IntLanes(const Raw& values) : raw(values) {}
  static IntLanes load(const std::int32_t* from) {
    IntLanes lanes;
    std::memcpy(&lanes.raw, from, sizeof(Raw));
    return lanes;
  }
  void store(std::int32_t* to) const { std::memcpy(to, &raw, sizeof(Raw)); }
};

inline Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.raw + b.raw); }
inline Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.raw - b.raw); }
inline Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.raw * b.raw); }
inline Lanes operator/(const Lanes& a, const Lanes& b) { return Lanes(a.raw / b.raw); }
inline Lanes max(const Lanes& a, const Lanes& b) { return Lanes(a.raw > b.raw ? a.raw : b.raw); }
inline Lanes min(const Lanes& a, const Lanes& b) { return Lanes(a.raw < b.raw ? a.raw : b.raw); }
/// Square root.
inline Lanes root(const Lanes& a) {
  Lanes out;
  for (std::size_t l = 0; l < Lanes::kCount; ++l) out.raw[l] = std::sqrt(a.raw[l]);
  return out;
}
inline IntLanes operator<(const Lanes& a, const Lanes& b) { return IntLanes(a.raw < b.raw); }
inline IntLanes operator>(const Lanes& a, const Lanes& b) { return IntLanes(a.raw > b.raw); }
inline IntLanes operator<=(const Lanes& a, const Lanes& b) { return IntLanes(a.raw <= b.raw); }
inline IntLanes operator>=(const Lanes& a, const Lanes& b) { return IntLanes(a.raw >= b.raw); }

inline IntLanes operator+(const IntLanes& a, const IntLanes& b) { return IntLanes(a.raw + b.raw); }
inline IntLanes operator-(const IntLanes& a, const IntLanes& b) { return IntLanes(a.raw - b.raw); }

inline Lanes to_lanes(const IntLanes& a) { return Lanes(__builtin_convertvector(a.raw, Lanes::Raw)); }
/// Towards zero.
inline IntLanes truncated(const Lanes& a) { return IntLanes(__builtin_convertvector(a.raw, IntLanes::Raw)); }

/// Whether a condition is true in any lane.
inline bool any(const IntLanes& condition) {
  std::int32_t bits = 0;
  for (std::size_t l = 0; l < IntLanes::kCount; ++l) bits |= condition.raw[l];
  return bits != 0;
}

/// In each lane, or of one number: a where the condition is true, else b.
inline Lanes select(const IntLanes& condition, const Lanes& a, const Lanes& b) {
  return Lanes(condition.raw != 0 ? a.raw : b.raw);
}
template <class T>
inline T select(bool condition, T a, T b) {
  return condition ? a : b;
}

}  // namespace repose
