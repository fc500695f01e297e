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

template <class T, class Random>
Imath::Vec3<T> some_vector(double size, Random& random) {
  Imath::Vec3<T> v;
  for (int i = 0; i < 3; ++i) v[i] = static_cast<T>(size * (2 * random.uniform() - 1));
  return v;
}

/// Contacts of spheres of many sizes, or of one.
std::unique_ptr<ContactBatch> random_batch(bool alike = false) {
  auto batch = std::make_unique<ContactBatch>();
  batch->count = ContactBatch::kSize;
  for (std::size_t k = 0; k < batch->count; ++k) {
    Random random(7, Stream::test, 0, k);
    const auto radius = [&] { return static_cast<float>(alike ? 1.5e-3 : 1e-3 * (1 + random.uniform())); };
    batch->radius_1[k] = radius();
    batch->radius_2[k] = radius();
    const Vec3f velocity = some_vector<float>(0.5, random);
    const Vec3f spin_1 = some_vector<float>(50, random), spin_2 = some_vector<float>(50, random);
    batch->motion[k] = {velocity, batch->radius_1[k] - batch->radius_2[k], spin_1 + spin_2,
                        static_cast<float>(alike ? 1e4 : 1e4 * (1 + random.uniform()))};
    batch->spin_difference[k] = PaddedVec3f(spin_1 - spin_2);
    const Vec3d direction = some_vector<double>(1, random);
    const double reach = static_cast<double>(batch->radius_1[k]) + static_cast<double>(batch->radius_2[k]);
    const double distance = reach * (1 - 0.01 * random.uniform());
    batch->offset[k] = {direction * (distance / direction.length()), 0.5 / 1.5e-3};
    batch->slip[k] = PaddedVec3f(some_vector<float>(1e-6, random));
    batch->roll[k] = PaddedVec3f(some_vector<float>(1e-6, random));
  }
  return batch;
}

/// Lane k alone, as lane 0.
std::unique_ptr<ContactBatch> alone(const ContactBatch& from, std::size_t k) {
  auto to = std::make_unique<ContactBatch>();
  to->count = 1;
  to->offset[0] = from.offset[k];
  to->motion[0] = from.motion[k];
  to->spin_difference[0] = from.spin_difference[k];
  to->radius_1[0] = from.radius_1[k];
  to->radius_2[0] = from.radius_2[k];
  to->slip[0] = from.slip[k];
  to->roll[0] = from.roll[k];
  return to;
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
    ASSERT_EQ(one->force.at(0), batch->force.at(k)) << "lane " << k;
    ASSERT_EQ(one->torque_1.at(0), batch->torque_1.at(k));
    ASSERT_EQ(one->torque_2.at(0), batch->torque_2.at(k));
    ASSERT_EQ(one->slip[0].vec(), batch->slip[k].vec());
    ASSERT_EQ(one->roll[0].vec(), batch->roll[k].vec());
    ASSERT_EQ(one->frequency2[0], batch->frequency2[k]);

    const auto other = alone(*inputs, k);
    other->offset[0].d *= -1;
    other->slip[0] = PaddedVec3f(-other->slip[0].vec());
    other->motion[0].velocity *= -1;
    other->spin_difference[0] = PaddedVec3f(-other->spin_difference[0].vec());
    std::swap(other->radius_1[0], other->radius_2[0]);
    kernel(settings, some_law(), kDt, *other);
    ASSERT_EQ(other->force.at(0), -batch->force.at(k)) << "lane " << k;
    ASSERT_EQ(other->torque_1.at(0), batch->torque_2.at(k));
    ASSERT_EQ(other->torque_2.at(0), batch->torque_1.at(k));
    ASSERT_EQ(other->slip[0].vec(), -batch->slip[k].vec());
    ASSERT_EQ(other->roll[0].vec(), batch->roll[k].vec());
  }
}

// What is alike is computed once; it must not show.
TEST_P(Kernel, GivesSpheresThatAreAlikeTheSameBits) {
  const KernelSettings settings = GetParam();
  const ContactKernel kernel = choose_kernel(settings);
  const auto each = random_batch(true), once = random_batch(true);
  once->alike = true;
  kernel(settings, some_law(), kDt, *each);
  kernel(settings, some_law(), kDt, *once);
  for (std::size_t k = 0; k < each->count; ++k) {
    ASSERT_EQ(once->force.at(k), each->force.at(k)) << "lane " << k;
    ASSERT_EQ(once->torque_1.at(k), each->torque_1.at(k));
    ASSERT_EQ((once->same_torque ? once->torque_1 : once->torque_2).at(k), each->torque_2.at(k));
    ASSERT_EQ(once->slip[k].vec(), each->slip[k].vec());
    ASSERT_EQ(once->roll[k].vec(), each->roll[k].vec());
    ASSERT_EQ(once->frequency2[k], each->frequency2[k]);
    ASSERT_EQ(once->sphere_share[k], each->sphere_share[k]);
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
