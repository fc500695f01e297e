#pragma once
// What the guides around sixteen grains say, a lane a grain: sums of the papers' weights over the guides in
// reach (physics/upsampling.h). Guides out of a grain's reach have weight zero and change no bit of its sums.

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "repose/exec/widest.h"
#include "repose/math/lanes.h"
#include "repose/physics/upsampling.h"
#include "repose/refine/refine_model.h"

namespace repose {

/// A guide as a run of grains sees it. Distances from the run's own origin are whole numbers of units, and a
/// radius of influence is a power of two of them: differences are exact, and what a grain does never depends
/// on the run that it is in.
struct alignas(32) NearGuide {
  float x, y, z;     ///< from the run's origin, in radii of influence [-]
  float vx, vy, vz;  ///< [m/s]
};

/// Some of the guides around a run.
struct ChosenGuides {
  std::span<const NearGuide> guides;
  std::span<const std::uint32_t> chosen;
};

/// Grains, as they see guides.
struct LanePlaces {
  Lanes x, y, z;  ///< from the run's origin, in radii of influence [-]
};

struct Led {
  Lanes x, y, z;    ///< mean velocity of the guides [m/s]
  Lanes weight;     ///< sum of weights [-]
  Lanes own_share;  ///< of the grain's own flight [-]
};

/// Sums of weights and of weights times velocities.
struct LeadSums {
  Lanes weight{0}, x{0}, y{0}, z{0};

  void add(const Lanes& w, const NearGuide& guide) {
    weight += w;
    x += w * Lanes(guide.vx);
    y += w * Lanes(guide.vy);
    z += w * Lanes(guide.vz);
  }
  Led mean(const Lanes& own_share) const {
    const Lanes inverse = select(weight > Lanes(0), Lanes(1) / weight, Lanes(0));
    return {x * inverse, y * inverse, z * inverse, weight, own_share};
  }
};

/// In squares of the radius of influence.
inline Lanes squared_distance(const LanePlaces& at, const NearGuide& guide) {
  const Lanes dx = at.x - Lanes(guide.x), dy = at.y - Lanes(guide.y), dz = at.z - Lanes(guide.z);
  return (dx * dx + dy * dy) + dz * dz;
}

/// Ihmsen 2013, eq. 23, and what eq. 24 needs.
inline Led lead_ihmsen2013(const ChosenGuides& guides, const LanePlaces& at) {
  LeadSums sums;
  Lanes largest(0);
  for (const std::uint32_t k : guides.chosen) {
    const NearGuide& guide = guides.guides[k];
    const Lanes w = ihmsen2013_weight(squared_distance(at, guide));
    largest = max(largest, w);
    sums.add(w, guide);
  }
  return sums.mean(ihmsen2013_own_share(largest, sums.weight));
}

/// Alduan 2009, eq. 3.
inline Led lead_alduan2009(const ChosenGuides& guides, const LanePlaces& at) {
  LeadSums sums;
  Lanes count(0);
  for (const std::uint32_t k : guides.chosen) {
    const NearGuide& guide = guides.guides[k];
    const Lanes square = squared_distance(at, guide);
    const IntLanes is_reached = square < Lanes(1);
    count += select(is_reached, Lanes(1), Lanes(0));
    sums.add(select(is_reached, alduan2009_weight(root(square)), Lanes(0)), guide);
  }
  return sums.mean(alduan2009_own_share(count));
}

/// Takahashi 2014, section 3.3, with the continuum's velocity and density (eq. 2) at the grain itself.
inline Led lead_takahashi2014(const ChosenGuides& guides, const LanePlaces& at, float dense) {
  LeadSums sums;
  Lanes density(0);
  for (const std::uint32_t k : guides.chosen) {
    const NearGuide& guide = guides.guides[k];
    const Lanes square = squared_distance(at, guide);
    density += takahashi2014_smooth(square);
    sums.add(takahashi2014_sharp(square), guide);
  }
  const Lanes led_share = takahashi2014_led_share(density, Lanes(dense));
  return sums.mean(Lanes(1) - select(sums.weight > Lanes(0), led_share, Lanes(0)));
}

inline Led lead(const RefineModel& model, const ChosenGuides& guides, const LanePlaces& at) {
  switch (model.method) {
    case RefineMethod::alduan2009:
      return lead_alduan2009(guides, at);
    case RefineMethod::takahashi2014:
      return lead_takahashi2014(guides, at, static_cast<float>(model.dense));
    case RefineMethod::ihmsen2013:
      break;
  }
  return lead_ihmsen2013(guides, at);
}

}  // namespace repose
