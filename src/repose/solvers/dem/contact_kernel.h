#pragma once
// The forces of many contacts between spheres at a time. Contacts of one pair law are gathered into a batch,
// array by array, and computed together; what they give is then added to the spheres (contacts.cpp).
//
// Differences of positions and the overlap are double, all else is float. Forces and torques come rounded to
// multiples of a quantum, a power of two so small that it is lost in the rounding of float, and so large that
// every sum of them on a grain fits into the 53 bits of a double. Such sums are exact. So their order does
// not matter, neither of contacts nor of threads, and what one sphere gains the other loses to the last bit.

#include <array>
#include <cstddef>
#include <cstdint>

#include "repose/solvers/dem/contact_law.h"

namespace repose {

struct ContactBatch {
  static constexpr std::size_t kSize = 128;
  template <class T>
  using Lane = std::array<T, kSize>;
  template <class T>
  struct alignas(64) Lanes3 {
    Lane<T> x, y, z;
  };

  std::size_t count = 0;
  // What the kernel reads.
  Lanes3<double> d;              ///< from sphere 1 to sphere 2 [m]
  Lane<float> radius_1;          ///< [m]
  Lane<float> radius_2;          ///< [m]
  Lanes3<float> velocity;        ///< of the centres, v_1 - v_2 [m/s]
  Lanes3<float> spin_1;          ///< [rad/s]
  Lanes3<float> spin_2;          ///< [rad/s]
  Lane<float> inverse_mass;      ///< 1 / m_eff [1/kg]
  Lane<float> inverse_diameter;  ///< of the smaller of the two grains [1/m]
  // Read and written.
  Lanes3<float> slip;  ///< of eq. 19 [m]
  Lanes3<float> roll;  ///< likewise [m]
  // What the kernel writes.
  Lanes3<double> force;      ///< on sphere 1 [N]
  Lanes3<double> torque_1;   ///< about the centre of sphere 1 [N m]
  Lanes3<double> torque_2;   ///< about the centre of sphere 2 [N m]
  Lane<float> overlap;       ///< [m]
  Lane<float> frequency2;    ///< stiffness over 3/2 m_eff [1/s2]
  Lane<float> braking;       ///< normal or tangential force by velocity, the larger [N s/m]
  Lane<float> grain_share;   ///< overlap over the smaller grain's diameter [-]
  Lane<float> sphere_share;  ///< overlap over the smaller sphere's radius [-]
  float most_frequency2, most_grain_share, most_sphere_share;  ///< of all lanes
  Lane<std::uint32_t> pair;                                    ///< for whoever gathers and scatters
};

/// What all contacts of a step have in common.
struct KernelSettings {
  NormalKind normal = NormalKind::hertz;
  TangentialKind tangential = TangentialKind::memoryless;
  bool rolls = false;
  double alpha = 0.25, beta = 1.5;                    ///< of the general law
  double force_quantum = 0, torque_quantum = 0;       ///< powers of two [N], [N m]
  double stiffness_quantum = 0, braking_quantum = 0;  ///< likewise [N/m], [N s/m]

  /// Whether contacts have a memory.
  bool remembers() const { return rolls || tangential != TangentialKind::memoryless; }
};

/// Computes lanes [0, count) of the batch over a step dt [s].
using ContactKernel = void (*)(const KernelSettings& settings, const PairLawOf<float>& law, float dt,
                               ContactBatch& batch);
ContactKernel choose_kernel(const KernelSettings& settings);

/// x as a multiple of the quantum, a power of two, that x is less than 2^51 times of.
inline double rounded_to(double x, double quantum) {
  const double shift = 6755399441055744.0 * quantum;  // 3/2 2^52
  return (x + shift) - shift;
}

}  // namespace repose
