#pragma once
// Contact detection as in Bell, Yu and Mucha 2005, section 3.2, for comparison only: a spatial hash with
// voxels two largest radii wide that is kept from step to step and mended where a sphere moves into another
// voxel.
//
// Each sphere is entered in its own voxel and the 26 around it, so that one lookup finds all candidates of a
// sphere; or in its own voxel alone, and a query looks into 27. A voxel's spheres are a short array in one
// block of memory. Updates run in one thread (two spheres that move may share voxels), queries in any number.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "repose/math/vec.h"

namespace repose::bench {

class VoxelHash {
 public:
  /// `spread`: enter spheres in 27 voxels, not one.
  VoxelHash(std::span<const Vec3d> positions, double radius, bool spread)
      : inverse_width_(1 / (2 * radius)), spread_(spread), voxel_of_(positions.size()) {
    std::size_t size = 1;
    while (size < 4 * positions.size() + 64) size *= 2;
    slots_.assign(size, {kFree, 0});
    for (std::uint32_t i = 0; i < positions.size(); ++i) {
      voxel_of_[i] = voxel(positions[i]);
      for_each_target(voxel_of_[i], [&](const Voxel& v) { enter(v, i); });
    }
  }

  /// Moves spheres between voxels; how many changed theirs.
  std::size_t update(std::span<const Vec3d> positions) {
    std::size_t changed = 0;
    for (std::uint32_t i = 0; i < positions.size(); ++i) {
      const Voxel now = voxel(positions[i]), before = voxel_of_[i];
      if (now == before) continue;
      // Voxels around both places keep the sphere.
      for_each_target(before, [&](const Voxel& v) {
        if (!is_target(now, v)) leave(v, i);
      });
      for_each_target(now, [&](const Voxel& v) {
        if (!is_target(before, v)) enter(v, i);
      });
      voxel_of_[i] = now;
      ++changed;
    }
    return changed;
  }

  /// Calls f(j) for all spheres that could touch sphere i, itself too.
  template <class F>
  void for_each_candidate(std::uint32_t i, F&& f) const {
    const Voxel& own = voxel_of_[i];
    if (spread_) return visit(own, f);
    for_each_around(own, [&](const Voxel& v) { visit(v, f); });
  }

  std::size_t bytes() const {
    return slots_.size() * sizeof(Slot) + lists_.size() * sizeof(List) + voxel_of_.size() * sizeof(Voxel);
  }

 private:
  using Voxel = std::array<std::int32_t, 3>;
  static constexpr std::uint64_t kFree = ~0ULL;
  static constexpr std::size_t kMost = 63;  ///< spheres in a list; a bed has 31 on average with 27 entries
  struct Slot {
    std::uint64_t key;
    std::uint32_t list;
  };
  struct List {
    std::uint32_t count = 0;
    std::array<std::uint32_t, kMost> sphere;
  };

  Voxel voxel(const Vec3d& x) const {
    const auto cell = [&](double c) { return static_cast<std::int32_t>(std::floor(c * inverse_width_)); };
    return {cell(x.x), cell(x.y), cell(x.z)};
  }
  template <class F>
  static void for_each_around(const Voxel& v, F&& f) {
    for (std::int32_t z = -1; z <= 1; ++z)
      for (std::int32_t y = -1; y <= 1; ++y)
        for (std::int32_t x = -1; x <= 1; ++x) f(Voxel{v[0] + x, v[1] + y, v[2] + z});
  }
  template <class F>
  void for_each_target(const Voxel& v, F&& f) const {
    if (spread_)
      for_each_around(v, f);
    else
      f(v);
  }
  bool is_target(const Voxel& home, const Voxel& v) const {
    if (!spread_) return home == v;
    return std::abs(home[0] - v[0]) <= 1 && std::abs(home[1] - v[1]) <= 1 && std::abs(home[2] - v[2]) <= 1;
  }
  static std::uint64_t key_of(const Voxel& v) {
    constexpr std::uint64_t kMask = (1ULL << 21) - 1;
    return (static_cast<std::uint64_t>(v[0]) & kMask) | (static_cast<std::uint64_t>(v[1]) & kMask) << 21 |
           (static_cast<std::uint64_t>(v[2]) & kMask) << 42;
  }
  std::size_t slot_of(std::uint64_t key) const {
    std::size_t s = (key * 0x9E3779B97F4A7C15ULL) >> 20 & (slots_.size() - 1);
    while (slots_[s].key != key && slots_[s].key != kFree) s = (s + 1) & (slots_.size() - 1);
    return s;
  }
  void enter(const Voxel& v, std::uint32_t i) {
    const std::uint64_t key = key_of(v);
    Slot& slot = slots_[slot_of(key)];
    if (slot.key == kFree) {
      slot = {key, static_cast<std::uint32_t>(lists_.size())};
      lists_.emplace_back();
    }
    List& list = lists_[slot.list];
    if (list.count < kMost) list.sphere[list.count++] = i;
  }
  void leave(const Voxel& v, std::uint32_t i) {
    List& list = lists_[slots_[slot_of(key_of(v))].list];
    for (std::uint32_t k = 0; k < list.count; ++k)
      if (list.sphere[k] == i) {
        list.sphere[k] = list.sphere[--list.count];
        return;
      }
  }
  template <class F>
  void visit(const Voxel& v, F&& f) const {
    const Slot& slot = slots_[slot_of(key_of(v))];
    if (slot.key == kFree) return;
    const List& list = lists_[slot.list];
    for (std::uint32_t k = 0; k < list.count; ++k) f(list.sphere[k]);
  }

  double inverse_width_;
  bool spread_;
  std::vector<Voxel> voxel_of_;
  std::vector<Slot> slots_;
  std::vector<List> lists_;
};

}  // namespace repose::bench
