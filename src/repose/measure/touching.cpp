#include "repose/measure/touching.h"

#include <algorithm>

#include "repose/particles/neighbors.h"

namespace repose {
namespace {

struct Spheres {
  std::vector<Vec3d> position;
  std::vector<double> radius;        ///< with the gap
  std::vector<std::uint32_t> owner;  ///< index into the rows
  std::vector<std::size_t> first;    ///< by row, one more
};

Spheres place_spheres(const Frame& frame, std::span<const std::uint32_t> rows, const GrainTable& grains,
                      double gap) {
  Spheres s;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::uint32_t row = rows[k];
    const double r = frame.radius[row];
    s.first.push_back(s.position.size());
    const auto shape = grains.spheres(frame, row);
    const Quatd q = frame.orientation.empty() ? Quatd() : Quatd(frame.orientation[row]);
    for (const ShapeSphere& sphere : shape) {
      s.position.push_back(frame.position[row] + rotate(q, r * sphere.center));
      s.radius.push_back(r * sphere.radius * (1 + gap));
    }
    if (shape.empty()) {
      s.position.push_back(frame.position[row]);
      s.radius.push_back(r * (1 + gap));
    }
    s.owner.resize(s.position.size(), static_cast<std::uint32_t>(k));
  }
  s.first.push_back(s.position.size());
  return s;
}

}  // namespace

Touching find_touching(const Frame& frame, std::span<const std::uint32_t> rows, const GrainTable& grains,
                       const DomainBox& box, double gap, Threads& threads) {
  const Spheres spheres = place_spheres(frame, rows, grains, gap);
  NeighborSearch search;
  search.build(threads, spheres.position, spheres.radius, 0, box);
  NeighborLists lists;
  search.build_lists(
      threads, [&](std::size_t i, std::size_t j) { return spheres.owner[i] != spheres.owner[j]; },
      [](std::uint32_t j) { return j; }, lists);

  Touching touching;
  touching.first.push_back(0);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto begin = static_cast<std::ptrdiff_t>(touching.partners.size());
    for (std::size_t s = spheres.first[k]; s < spheres.first[k + 1]; ++s)
      for (const std::uint32_t j : lists.of(s)) touching.partners.push_back(spheres.owner[j]);
    std::sort(touching.partners.begin() + begin, touching.partners.end());
    touching.partners.erase(std::unique(touching.partners.begin() + begin, touching.partners.end()),
                            touching.partners.end());
    touching.first.push_back(touching.partners.size());
  }
  return touching;
}

}  // namespace repose
