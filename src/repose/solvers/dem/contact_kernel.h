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

#include "repose/math/padded_vec.h"
#include "repose/solvers/dem/contact_law.h"

namespace repose {

/// What a sphere is to a contact, but for its place: a row of eight. Its radius is what a float can say,
/// and exact.
struct alignas(32) SphereMotion {
  Vec3f velocity;      ///< of its centre [m/s]
  float radius;        ///< [m]
  Vec3f spin;          ///< of its grain [rad/s]
  float inverse_mass;  ///< of its grain; 0: held [1/kg]
};

/// What is gathered stands in rows of four numbers, which are moved whole; the kernel turns them into vectors
/// of equals, and writes such.
struct ContactBatch {
  static constexpr std::size_t kSize = 64;
  template <class T>
  using Lane = std::array<T, kSize>;
  struct alignas(32) Offset {
    Vec3d d;                  ///< from sphere 1 to sphere 2 [m]
    double inverse_diameter;  ///< of the smaller of the two grains [1/m]
  };
  struct alignas(32) Motion {
    Vec3f velocity;  ///< v_1 - v_2, of the centres [m/s]
    float radius_difference;
    Vec3f spin_sum;      ///< omega_1 + omega_2 [rad/s]
    float inverse_mass;  ///< 1 / m_eff [1/kg]
  };

  std::size_t count = 0;
  /// All spheres have radius, mass and grain size of the first: less to do, the same bits.
  bool alike = false;
  // What the kernel reads.
  Lane<Offset> offset;
  Lane<Motion> motion;
  Lane<PaddedVec3f> spin_difference;  ///< omega_1 - omega_2; if rolling counts, or spheres differ [rad/s]
  Lane<float> radius_1, radius_2;     ///< the first lane alone where they are alike [m]
  // Read and written.
  Lane<PaddedVec3f> slip;  ///< of eq. 19 [m]
  Lane<PaddedVec3f> roll;  ///< likewise [m]
  // What the kernel writes.
  struct alignas(64) Lanes3 {
    Lane<double> x, y, z;
    Vec3d at(std::size_t k) const { return {x[k], y[k], z[k]}; }
  };
  Lanes3 force;              ///< on sphere 1 [N]
  Lanes3 torque_1;           ///< about the centre of sphere 1 [N m]
  Lanes3 torque_2;           ///< about the centre of sphere 2 [N m]
  bool same_torque;          ///< torque_2 is not written: it is torque_1
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
