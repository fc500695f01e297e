#pragma once
// Mass that passes the surface of a shape. A particle passes when its centre does, and is counted with its
// whole mass: positive into the shape. Seen at every step, a particle that goes in and out again counts once
// each way, so that the net flow is exact whatever happens between two rows. Matter that comes (emitters) or
// goes (sinks, open faces) while inside did not pass the surface and is not counted.

#include <cstdint>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/geometry/shape.h"
#include "repose/measure/grain_table.h"
#include "repose/particles/domain_box.h"
#include "repose/particles/frame.h"

namespace repose {

struct Crossing {
  double when;  ///< share of the way between the two moments at which the surface was passed, 0 to 1
  double mass;  ///< [kg]; positive: into the shape
};

class FlowWatch {
 public:
  FlowWatch(const Shape& shape, const DomainBox& box) : shape_(shape), box_(box) {}

  /// Remembers where particles are, without counting.
  void begin(const Frame& frame, Threads& threads);
  /// What passed since the moment before, in the order of ids; remembers this moment.
  std::vector<Crossing> advance(const Frame& frame, const GrainTable& grains, Threads& threads);

 private:
  struct Moment {
    std::vector<std::uint32_t> id;
    std::vector<Vec3d> position;   ///< [m]
    std::vector<double> distance;  ///< signed, to the shape [m]
  };
  void look(const Frame& frame, Threads& threads, Moment& out) const;

  Shape shape_;
  DomainBox box_;
  Moment before_, now_;
};

}  // namespace repose
