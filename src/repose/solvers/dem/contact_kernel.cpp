#include "repose/solvers/dem/contact_kernel.h"

#include <bit>
#include <cmath>

#include "repose/exec/widest.h"

namespace repose {
namespace {

template <class Normal>
Normal make_law(const KernelSettings&) {
  return {};
}
template <>
GeneralLaw make_law<GeneralLaw>(const KernelSettings& settings) {
  return {settings.alpha, settings.beta};
}

/// One lane: what happens between sphere 1 and sphere 2.
template <class Normal, TangentialKind kTangential, bool kRolls>
inline void compute_lane(const Normal& normal_law, const PairLawOf<float>& law, float dt,
                         double force_quantum, double torque_quantum, ContactBatch& b, std::size_t k) {
  const double dx = b.d.x[k], dy = b.d.y[k], dz = b.d.z[k];
  const double distance = std::sqrt(dx * dx + dy * dy + dz * dz);
  const double inverse = 1 / distance;
  const float r_1 = b.radius_1[k], r_2 = b.radius_2[k];
  const double radius_1 = r_1, radius_2 = r_2;
  const double overlap = (radius_1 + radius_2) - distance;
  const Vec3f N(static_cast<float>(dx * inverse), static_cast<float>(dy * inverse),
                static_cast<float>(dz * inverse));

  ContactOf<float> contact;
  contact.normal = N;
  contact.overlap = static_cast<float>(overlap);
  const float a_1 = r_1 - 0.5F * contact.overlap, a_2 = r_2 - 0.5F * contact.overlap;
  const Vec3f w_1(b.spin_1.x[k], b.spin_1.y[k], b.spin_1.z[k]);
  const Vec3f w_2(b.spin_2.x[k], b.spin_2.y[k], b.spin_2.z[k]);
  contact.velocity =
      Vec3f(b.velocity.x[k], b.velocity.y[k], b.velocity.z[k]) + (a_1 * w_1 + a_2 * w_2).cross(N);
  contact.R_eff = r_1 * r_2 / (r_1 + r_2);
  contact.inverse_mass = b.inverse_mass[k];
  contact.spin = w_1 - w_2;
  contact.slip = Vec3f(b.slip.x[k], b.slip.y[k], b.slip.z[k]);
  contact.roll = Vec3f(b.roll.x[k], b.roll.y[k], b.roll.z[k]);
  const ContactForceOf<float> f =
      contact_force<Normal, kTangential, kRolls, float>(normal_law, law, contact, dt);

  const double fx = rounded_to(f.force.x, force_quantum), fy = rounded_to(f.force.y, force_quantum),
               fz = rounded_to(f.force.z, force_quantum);
  b.force.x[k] = fx, b.force.y[k] = fy, b.force.z[k] = fz;
  // The contact point lies on the line of the centres: both torques are shares of d x F, and they sum up to
  // it, so that angular momentum is kept.
  const double mx = dy * fz - dz * fy, my = dz * fx - dx * fz, mz = dx * fy - dy * fx;
  const double share_1 = (radius_1 - 0.5 * overlap) * inverse;
  const double share_2 = (radius_2 - 0.5 * overlap) * inverse;
  double cx = 0, cy = 0, cz = 0;
  if constexpr (kRolls) cx = f.couple.x, cy = f.couple.y, cz = f.couple.z;
  b.torque_1.x[k] = rounded_to(share_1 * mx + cx, torque_quantum);
  b.torque_1.y[k] = rounded_to(share_1 * my + cy, torque_quantum);
  b.torque_1.z[k] = rounded_to(share_1 * mz + cz, torque_quantum);
  b.torque_2.x[k] = rounded_to(share_2 * mx - cx, torque_quantum);
  b.torque_2.y[k] = rounded_to(share_2 * my - cy, torque_quantum);
  b.torque_2.z[k] = rounded_to(share_2 * mz - cz, torque_quantum);

  if constexpr (kTangential != TangentialKind::memoryless)
    b.slip.x[k] = f.slip.x, b.slip.y[k] = f.slip.y, b.slip.z[k] = f.slip.z;
  if constexpr (kRolls) b.roll.x[k] = f.roll.x, b.roll.y[k] = f.roll.y, b.roll.z[k] = f.roll.z;
  b.overlap[k] = contact.overlap;
  b.frequency2[k] = f.frequency2;
  b.braking[k] = f.braking;
  b.grain_share[k] = contact.overlap * b.inverse_diameter[k];
  b.sphere_share[k] = contact.overlap / (r_1 < r_2 ? r_1 : r_2);
}

/// The largest of numbers that are not negative: their bits have the same order as whole numbers, of which a
/// compiler knows that the order of comparisons does not matter.
inline float largest(const ContactBatch::Lane<float>& values, std::size_t count) {
  std::int32_t most = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const auto bits = std::bit_cast<std::int32_t>(values[k]);
    most = bits > most ? bits : most;
  }
  return std::bit_cast<float>(most);
}

template <class Normal, TangentialKind kTangential, bool kRolls>
void compute(const KernelSettings& settings, const PairLawOf<float>& given, float dt, ContactBatch& batch) {
  run_widest([&] {
    const Normal normal_law = make_law<Normal>(settings);
    const PairLawOf<float> law = given;
    const double force_quantum = settings.force_quantum, torque_quantum = settings.torque_quantum;
    const std::size_t count = batch.count;
    REPOSE_INDEPENDENT_TURNS
    for (std::size_t k = 0; k < count; ++k)
      compute_lane<Normal, kTangential, kRolls>(normal_law, law, dt, force_quantum, torque_quantum, batch, k);
    batch.most_frequency2 = largest(batch.frequency2, count);
    batch.most_grain_share = largest(batch.grain_share, count);
    batch.most_sphere_share = largest(batch.sphere_share, count);
  });
}

template <class Normal, bool kRolls>
ContactKernel choose_tangential(TangentialKind tangential) {
  switch (tangential) {
    case TangentialKind::memoryless:
      return compute<Normal, TangentialKind::memoryless, kRolls>;
    case TangentialKind::spring:
      return compute<Normal, TangentialKind::spring, kRolls>;
    case TangentialKind::mindlin:
      return compute<Normal, TangentialKind::mindlin, kRolls>;
  }
  return nullptr;
}

template <class Normal>
ContactKernel choose_rolling(const KernelSettings& settings) {
  return settings.rolls ? choose_tangential<Normal, true>(settings.tangential)
                        : choose_tangential<Normal, false>(settings.tangential);
}

}  // namespace

ContactKernel choose_kernel(const KernelSettings& settings) {
  switch (settings.normal) {
    case NormalKind::hertz:
      return choose_rolling<HertzLaw>(settings);
    case NormalKind::viscoelastic:
      return choose_rolling<HertzViscoelasticLaw>(settings);
    case NormalKind::linear:
      return choose_rolling<LinearLaw>(settings);
    case NormalKind::general:
      return choose_rolling<GeneralLaw>(settings);
  }
  return nullptr;
}

}  // namespace repose
