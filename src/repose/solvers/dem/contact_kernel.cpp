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

/// 1 / sqrt(x): float's root, made double by two steps of Newton's method, each of which squares the error.
/// Much faster than root and quotient in double, and as good but for the last two bits.
inline double inverse_root(double x) {
  double y = 1.0F / std::sqrt(static_cast<float>(x));
  y = y * (1.5 - 0.5 * x * y * y);
  return y * (1.5 - 0.5 * x * y * y);
}

/// Of spheres that are alike.
struct CommonSphere {
  float radius, inverse_mass;  ///< the latter of two
};

/// One lane: what happens between sphere 1 and sphere 2.
template <class Normal, TangentialKind kTangential, bool kRolls, bool kAlike>
inline void compute_lane(const Normal& normal_law, const PairLawOf<float>& law, const CommonSphere& common,
                         float dt, double force_quantum, double torque_quantum, ContactBatch& b,
                         std::size_t k) {
  const Vec3d d = b.offset[k].d;
  const double dx = d.x, dy = d.y, dz = d.z;
  const double distance2 = dx * dx + dy * dy + dz * dz;
  const double inverse = inverse_root(distance2);
  const double distance = distance2 * inverse;
  const float r_1 = kAlike ? common.radius : b.radius_1[k], r_2 = kAlike ? r_1 : b.radius_2[k];
  const double radius_1 = r_1, radius_2 = r_2;
  const double overlap = (radius_1 + radius_2) - distance;
  const Vec3f N(static_cast<float>(dx * inverse), static_cast<float>(dy * inverse),
                static_cast<float>(dz * inverse));

  ContactOf<float> contact;
  contact.normal = N;
  contact.overlap = static_cast<float>(overlap);
  const float a_1 = r_1 - 0.5F * contact.overlap, a_2 = r_2 - 0.5F * contact.overlap;
  // a_1 omega_1 + a_2 omega_2, by sum and difference: of spheres alike the latter counts nothing.
  Vec3f turning = (0.5F * (a_1 + a_2)) * b.motion[k].spin_sum;
  if constexpr (!kAlike) turning += (0.5F * (a_1 - a_2)) * b.spin_difference[k].vec();
  contact.velocity = b.motion[k].velocity + turning.cross(N);
  contact.R_eff = r_1 * r_2 / (r_1 + r_2);
  contact.inverse_mass = kAlike ? common.inverse_mass : b.motion[k].inverse_mass;
  if constexpr (kRolls) contact.spin = b.spin_difference[k].vec();
  contact.slip = b.slip[k].vec();
  contact.roll = b.roll[k].vec();
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
  if constexpr (kRolls || !kAlike) {
    b.torque_2.x[k] = rounded_to(share_2 * mx - cx, torque_quantum);
    b.torque_2.y[k] = rounded_to(share_2 * my - cy, torque_quantum);
    b.torque_2.z[k] = rounded_to(share_2 * mz - cz, torque_quantum);
  }

  if constexpr (kTangential != TangentialKind::memoryless) b.slip[k] = {f.slip.x, f.slip.y, f.slip.z};
  if constexpr (kRolls) b.roll[k] = {f.roll.x, f.roll.y, f.roll.z};
  b.frequency2[k] = f.frequency2;
  b.braking[k] = f.braking;
  b.grain_share[k] = contact.overlap * static_cast<float>(b.offset[k].inverse_diameter);
  b.sphere_share[k] = contact.overlap * (1.0F / (r_1 < r_2 ? r_1 : r_2));
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
    const CommonSphere common{batch.radius_1[0], batch.motion[0].inverse_mass};
    const std::size_t count = batch.count;
    batch.same_torque = batch.alike && !kRolls;
    if (batch.alike) {
      REPOSE_INDEPENDENT_TURNS
      for (std::size_t k = 0; k < count; ++k)
        compute_lane<Normal, kTangential, kRolls, true>(normal_law, law, common, dt, force_quantum,
                                                        torque_quantum, batch, k);
    } else {
      REPOSE_INDEPENDENT_TURNS
      for (std::size_t k = 0; k < count; ++k)
        compute_lane<Normal, kTangential, kRolls, false>(normal_law, law, common, dt, force_quantum,
                                                         torque_quantum, batch, k);
    }
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
