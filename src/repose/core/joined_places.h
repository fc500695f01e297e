#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace repose {

/// A cell that is in no part.
inline constexpr std::uint32_t kNoPart = 0xffffffffU;

/// Sets of places, each known by its smallest member: union-find. Where two are joined depends on nothing
/// else, so the result is the same in whatever order they are.
class JoinedPlaces {
 public:
  explicit JoinedPlaces(std::size_t count) : parent_(count) {}

  void start(std::size_t place, bool present) {
    parent_[place] = present ? static_cast<std::uint32_t>(place) : kNoPart;
  }
  std::uint32_t root(std::uint32_t place) {
    while (parent_[place] != place) place = parent_[place] = parent_[parent_[place]];
    return place;
  }
  void join(std::size_t a, std::size_t b) {
    const std::uint32_t p = root(static_cast<std::uint32_t>(a)), q = root(static_cast<std::uint32_t>(b));
    parent_[std::max(p, q)] = std::min(p, q);
  }
  /// The root of every place, or kNoPart.
  std::vector<std::uint32_t> take_roots() {
    // A parent stands before its child, so that one pass in order finds all roots.
    for (std::uint32_t& part : parent_)
      if (part != kNoPart) part = parent_[part];
    return std::move(parent_);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace repose
