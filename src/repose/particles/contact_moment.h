#pragma once

#include <array>
#include <cstddef>

#include "repose/math/vec.h"

namespace repose {

/// Sum over the contacts of a particle of arm times force, arm from its centre of mass to the contact: what
/// contact stress is made of (Love-Weber).
struct ContactMoment {
  std::array<double, 9> values{};  ///< [3 i + k]: component i of the arm times component k of the force [N m]

  void add(const Vec3d& arm, const Vec3d& force) {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        values[3 * i + k] += arm[static_cast<int>(i)] * force[static_cast<int>(k)];
  }
  ContactMoment& operator+=(const ContactMoment& other) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += other.values[i];
    return *this;
  }
};

}  // namespace repose
