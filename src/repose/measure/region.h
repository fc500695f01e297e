#pragma once
// What is in a region at one moment, and the stress of its contacts.

#include <array>
#include <limits>
#include <span>

#include "repose/exec/threads.h"
#include "repose/geometry/shape.h"
#include "repose/measure/grain_table.h"
#include "repose/particles/contact_moment.h"
#include "repose/particles/domain_box.h"
#include "repose/particles/frame.h"

namespace repose {

struct Region {
  Shape shape;
  double volume;  ///< [m3]

  explicit Region(const Shape& s) : shape(s), volume(repose::volume(s)) {}
};

/// Grains that the border cuts count by the share of their solid inside (cut_grain.h), but for `count` and
/// `coordination`.
struct RegionReading {
  std::size_t count = 0;      ///< particles whose centre is inside
  double mass = 0;            ///< [kg]
  double solid_fraction = 0;  ///< solid volume over the region's volume [-]
  Vec3d velocity{0, 0, 0};    ///< of the centre of mass [m/s]; not a number where nothing is inside
  /// A third of the mean square of the velocity about its mean, by mass [m2/s2].
  double temperature = 0;
  /// Mean number of other grains that a grain with its centre inside touches; not a number where there is
  /// none, or where particles are no grains.
  double coordination = std::numeric_limits<double>::quiet_NaN();
};

RegionReading read_region(const Region& region, const Frame& frame, const GrainTable& grains,
                          const DomainBox& box, Threads& threads);

/// Stress xx, yy, zz, xy, yz, zx [Pa], symmetric part, compression positive: minus the sum of arm times force
/// over the region's volume (Love 1927; Weber 1966), a grain by the share of its bounding ball inside.
std::array<double, 6> contact_stress(const Region& region, const Frame& frame,
                                     std::span<const ContactMoment> moments, Threads& threads);

}  // namespace repose
