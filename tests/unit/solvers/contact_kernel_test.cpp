// The kernel gives every contact the same bits wherever it stands in a batch, alone or among others, and the
// opposite when the two spheres change places: all that runs being bit-identical stands on.

#include "repose/solvers/dem/contact_kernel.h"

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "repose/core/random.h"

namespace repose {
namespace {

constexpr float kDt = 1e-5F;

PairLawOf<float> some_law() {
  PairLawOf<double> law;
  law.hertz = 4e6;
  law.damping_ratio = 0.4;
  law.friction = 0.5;
  law.spring = 3000;
  law.shear = 5e6;
  law.drag_rate = 1000;
  law.drag_ratio = 0.3;
  law.pull = 50;
  law.rolling = 0.1;
  return law.as<float>();
}

KernelSettings settings_of(NormalKind normal, TangentialKind tangential, bool rolls) {
  KernelSettings settings;
  settings.normal = normal;
  settings.tangential = tangential;
  settings.rolls = rolls;
  settings.alpha = 0.3;
  settings.beta = 1.4;
  settings.force_quantum = 0x1p-40;
  settings.torque_quantum = 0x1p-48;
  return settings;
}

template <class Lanes, class Random>
void fill(Lanes& lanes, std::size_t k, double size, Random& random) {
  using T = std::remove_reference_t<decltype(lanes.x[0])>;
  for (auto* lane : {&lanes.x, &lanes.y, &lanes.z})
    (*lane)[k] = static_cast<T>(size * (2 * random.uniform() - 1));
}

std::unique_ptr<ContactBatch> random_batch() {
  auto batch = std::make_unique<ContactBatch>();
  batch->count = ContactBatch::kSize;
  for (std::size_t k = 0; k < batch->count; ++k) {
    Random random(7, Stream::test, 0, k);
    fill(batch->d, k, 1, random);
    const double length = std::sqrt(batch->d.x[k] * batch->d.x[k] + batch->d.y[k] * batch->d.y[k] +
                                    batch->d.z[k] * batch->d.z[k]);
    const double r_1 = 1e-3 * (1 + random.uniform()), r_2 = 1e-3 * (1 + random.uniform());
    const double distance = (r_1 + r_2) * (1 - 0.01 * random.uniform());
    for (auto* lane : {&batch->d.x, &batch->d.y, &batch->d.z}) (*lane)[k] *= distance / length;
    batch->radius_1[k] = static_cast<float>(r_1);
    batch->radius_2[k] = static_cast<float>(r_2);
    fill(batch->velocity, k, 0.5, random);
    fill(batch->spin_1, k, 50, random);
    fill(batch->spin_2, k, 50, random);
    batch->inverse_mass[k] = static_cast<float>(1e4 * (1 + random.uniform()));
    batch->inverse_diameter[k] = static_cast<float>(0.5 / r_1);
    fill(batch->slip, k, 1e-6, random);
    fill(batch->roll, k, 1e-6, random);
  }
  return batch;
}

template <class Lanes>
void copy(const Lanes& from, std::size_t k, Lanes& to) {
  to.x[0] = from.x[k], to.y[0] = from.y[k], to.z[0] = from.z[k];
}

/// Lane k alone, as lane 0.
std::unique_ptr<ContactBatch> alone(const ContactBatch& from, std::size_t k) {
  auto to = std::make_unique<ContactBatch>();
  to->count = 1;
  copy(from.d, k, to->d);
  copy(from.velocity, k, to->velocity);
  copy(from.spin_1, k, to->spin_1);
  copy(from.spin_2, k, to->spin_2);
  copy(from.slip, k, to->slip);
  copy(from.roll, k, to->roll);
  to->radius_1[0] = from.radius_1[k];
  to->radius_2[0] = from.radius_2[k];
  to->inverse_mass[0] = from.inverse_mass[k];
  to->inverse_diameter[0] = from.inverse_diameter[k];
  return to;
}

template <class Lanes>
void negate(Lanes& lanes) {
  lanes.x[0] = -lanes.x[0], lanes.y[0] = -lanes.y[0], lanes.z[0] = -lanes.z[0];
}

template <class Lanes>
auto at(const Lanes& lanes, std::size_t k) {
  return Vec3d(lanes.x[k], lanes.y[k], lanes.z[k]);
}

class Kernel : public testing::TestWithParam<KernelSettings> {};

TEST_P(Kernel, GivesEachLaneItsBitsWhereverItStandsAndWhoeverIsFirst) {
  const KernelSettings settings = GetParam();
  const ContactKernel kernel = choose_kernel(settings);
  const auto inputs = random_batch(), batch = random_batch();
  kernel(settings, some_law(), kDt, *batch);
  for (std::size_t k = 0; k < inputs->count; ++k) {
    const auto one = alone(*inputs, k);
    kernel(settings, some_law(), kDt, *one);
    ASSERT_EQ(at(one->force, 0), at(batch->force, k)) << "lane " << k;
    ASSERT_EQ(at(one->torque_1, 0), at(batch->torque_1, k));
    ASSERT_EQ(at(one->torque_2, 0), at(batch->torque_2, k));
    ASSERT_EQ(at(one->slip, 0), at(batch->slip, k));
    ASSERT_EQ(at(one->roll, 0), at(batch->roll, k));
    ASSERT_EQ(one->frequency2[0], batch->frequency2[k]);

    const auto other = alone(*inputs, k);
    negate(other->d);
    negate(other->velocity);
    negate(other->slip);
    std::swap(other->spin_1, other->spin_2);
    std::swap(other->radius_1, other->radius_2);
    kernel(settings, some_law(), kDt, *other);
    ASSERT_EQ(at(other->force, 0), -at(batch->force, k)) << "lane " << k;
    ASSERT_EQ(at(other->torque_1, 0), at(batch->torque_2, k));
    ASSERT_EQ(at(other->torque_2, 0), at(batch->torque_1, k));
    ASSERT_EQ(at(other->slip, 0), -at(batch->slip, k));
    ASSERT_EQ(at(other->roll, 0), at(batch->roll, k));
  }
}

std::vector<KernelSettings> all_settings() {
  std::vector<KernelSettings> all;
  for (const NormalKind normal :
       {NormalKind::hertz, NormalKind::viscoelastic, NormalKind::linear, NormalKind::general})
    for (const TangentialKind tangential :
         {TangentialKind::memoryless, TangentialKind::spring, TangentialKind::mindlin})
      for (const bool rolls : {false, true}) all.push_back(settings_of(normal, tangential, rolls));
  return all;
}
INSTANTIATE_TEST_SUITE_P(AllLaws, Kernel, testing::ValuesIn(all_settings()),
                         [](const auto& test) { return "Law" + std::to_string(test.index); });

TEST(Quanta, SumsOfRoundedNumbersAreExactInAnyOrder) {
  constexpr double kQuantum = 0x1p-40;
  std::vector<double> values;
  for (std::size_t k = 0; k < 200; ++k) {
    Random random(3, Stream::test, 0, k);
    values.push_back(rounded_to(1000 * (random.uniform() - 0.5), kQuantum));
    EXPECT_EQ(std::fmod(values.back(), kQuantum), 0);
  }
  double forward = 0, backward = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    forward += values[k];
    backward += values[values.size() - 1 - k];
  }
  EXPECT_EQ(forward, backward);
}

}  // namespace
}  // namespace repose
