#include "repose/measure/flow.h"

#include <utility>

namespace repose {

void FlowWatch::look(const Frame& frame, Threads& threads, Moment& out) const {
  out.id = frame.id;
  out.position = frame.position;
  out.distance.resize(frame.particle_count());
  threads.for_each(out.distance.size(),
                   [&](std::size_t i) { out.distance[i] = signed_distance(shape_, out.position[i]); });
}

void FlowWatch::begin(const Frame& frame, Threads& threads) { look(frame, threads, before_); }

std::vector<Crossing> FlowWatch::advance(const Frame& frame, const GrainTable& grains, Threads& threads) {
  look(frame, threads, now_);
  std::vector<Crossing> crossings;
  std::size_t b = 0;
  for (std::size_t i = 0; i < now_.id.size(); ++i) {
    while (b < before_.id.size() && before_.id[b] < now_.id[i]) ++b;
    if (b == before_.id.size()) break;
    if (before_.id[b] != now_.id[i]) continue;
    double from = before_.distance[b];
    const double to = now_.distance[i];
    if (box_.any_periodic()) {
      // A particle that left through a periodic face and came back through the other one went the short way.
      const Vec3d way = now_.position[i] - before_.position[b], short_way = box_.minimum_image(way);
      if (short_way != way) from = signed_distance(shape_, now_.position[i] - short_way);
    }
    if ((from < 0) == (to < 0)) continue;
    const double mass = grains.mass(frame, i);
    crossings.push_back({from / (from - to), to < 0 ? mass : -mass});
  }
  std::swap(before_, now_);
  return crossings;
}

}  // namespace repose
