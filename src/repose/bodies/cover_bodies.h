#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "repose/bodies/bodies.h"

namespace repose {

/// Covers of those of the first `count` bodies that are covered with particles. Copies of a body are alike in
/// their own frames, so make(b) is called for the first of each family.
template <class Cover, class Make>
std::vector<Cover> cover_bodies(const Bodies& bodies, std::size_t count, Make&& make) {
  std::vector<Cover> covers;
  for (std::size_t b = 0; b < count; ++b) {
    if (bodies[b].surface != BodySurface::particles) continue;
    const auto same = std::find_if(covers.begin(), covers.end(), [&](const Cover& cover) {
      return bodies[cover.body].family == bodies[b].family;
    });
    Cover cover = same != covers.end() ? *same : make(b);
    cover.body = b;
    covers.push_back(std::move(cover));
  }
  return covers;
}

}  // namespace repose
