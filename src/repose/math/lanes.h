#pragma once
// Sixteen floats that are worked on at once. Where the processor has narrower vectors the compiler cuts them
// up; the bits are the same, since each lane is computed alike.

#include <cstddef>
#include <cstring>

namespace repose {

struct Lanes {
  static constexpr std::size_t kCount = 16;
  using Raw __attribute__((vector_size(kCount * sizeof(float)))) = float;
  Raw raw;

  Lanes() = default;
  explicit Lanes(float all) : raw(all - Raw{}) {}
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

inline Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.raw + b.raw); }
inline Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.raw - b.raw); }
inline Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.raw * b.raw); }
inline Lanes max(const Lanes& a, const Lanes& b) { return Lanes(a.raw > b.raw ? a.raw : b.raw); }

}  // namespace repose
