#include "repose/refine/fine_frame.h"

#include "repose/exec/algorithms.h"

namespace repose {

Frame fine_frame(const FineGrains& fine, const Frame& guides, Threads& threads) {
  SortablePairs<std::uint32_t> order;
  order.keys = fine.id;
  order.values.resize(fine.size());
  threads.for_each(fine.size(), [&](std::size_t i) { order.values[i] = static_cast<std::uint32_t>(i); });
  sort_pairs(threads, order);

  std::vector<std::uint8_t> material(guides.id.empty() ? 0 : std::size_t{guides.id.back()} + 1, 0);
  for (std::size_t i = 0; i < guides.id.size(); ++i) material[guides.id[i]] = guides.material[i];

  Frame frame;
  frame.index = guides.index;
  frame.time = guides.time;
  frame.kind = ParticleKind::granular;
  frame.bodies = guides.bodies;
  frame.id = std::move(order.keys);
  frame.position.resize(fine.size());
  frame.velocity.resize(fine.size());
  frame.radius.assign(fine.size(), static_cast<float>(fine.radius));
  frame.material.resize(fine.size());
  threads.for_each(fine.size(), [&](std::size_t k) {
    const std::uint32_t i = order.values[k];
    frame.position[k] = fine.place.to_world(fine.x[i], fine.y[i], fine.z[i]);
    frame.velocity[k] = {fine.vx[i], fine.vy[i], fine.vz[i]};
    const std::size_t guide = fine.id[i] / fine.ratio;
    frame.material[k] = guide < material.size() ? material[guide] : std::uint8_t{0};
  });
  return frame;
}

}  // namespace repose
