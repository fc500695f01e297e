// The pressure around particles that limits their friction under sph (SphScratch::bearing).

#include "repose/solvers/sph/sph_pairs.h"

#include <cmath>

#include "support/sph_scenes.h"
#include <gtest/gtest.h>

#include "repose/core/random.h"

namespace repose {
namespace {

constexpr double kSpacing = 0.01;
constexpr int kDepth = 8;

/// A level layer, 8 particles deep, whose pressures are as given by the height.
class SphBearing : public testing::Test {
 protected:
  template <class F>
  void find(F&& pressure) {
    SphSetup setup = make_sph_setup(test::slope_patch(30, kDepth), threads_);
    model_ = std::move(setup.model);
    state_ = std::move(setup.state);
    scratch_.cells = find_cells(state_.position, state_.id, model_.place, 0, threads_, scratch_.order);
    select_rows(state_, scratch_.order, threads_);
    scratch_.is_deep.assign(state_.size(), 0);
    for (std::size_t p = 0; p < state_.size(); ++p)
      state_.stress[p].pressure = static_cast<float>(pressure(state_.position[p].z, state_.id[p]));
    find_pairs(model_, threads_, state_, scratch_);
  }
  double weight_above(double z) const { return model_.materials[0].density * 9.81 * (kDepth * kSpacing - z); }

  Threads threads_{2};
  SphModel model_;
  SphState state_;
  SphScratch scratch_;
};

TEST_F(SphBearing, IsThePressureWhereThatIsTheWeightAbove) {
  constexpr double kDensity = 1600, kScale = kDensity * 9.81;
  find([&](double z, std::uint32_t) { return kScale * (kDepth * kSpacing - z); });
  ASSERT_EQ(model_.materials[0].density, kDensity);
  for (std::size_t p = 0; p < state_.size(); ++p) {
    const double z = state_.position[p].z;
    // In the highest row the mean may be changed by half at most.
    const double tolerance = z < (kDepth - 1) * kSpacing ? 1e-3 : 0.15;
    EXPECT_NEAR(static_cast<double>(scratch_.bearing[p]), weight_above(z), tolerance * kScale * kSpacing)
        << "at a height of " << z / kSpacing << " spacings";
  }
}

TEST_F(SphBearing, EvensOutWhatSingleParticlesBear) {
  constexpr double kMean = 1000, kSpread = 500;  // [Pa]
  find([&](double, std::uint32_t id) {
    return Random(1, Stream::fill_position, 0, id).uniform(kMean - kSpread, kMean + kSpread);
  });
  double before = 0, after = 0, count = 0;
  for (std::size_t p = 0; p < state_.size(); ++p) {
    if (std::abs(state_.position[p].z - 0.5 * kDepth * kSpacing) > 2 * kSpacing) continue;
    before += std::pow(static_cast<double>(state_.stress[p].pressure) - kMean, 2);
    after += std::pow(static_cast<double>(scratch_.bearing[p]) - kMean, 2);
    ++count;
  }
  ASSERT_GT(count, 500);
  EXPECT_NEAR(std::sqrt(before / count), kSpread / std::sqrt(3), 0.05 * kSpread);
  EXPECT_LT(after, 0.2 * before);
}

TEST_F(SphBearing, IsNoneWhereNothingBears) {
  find([](double, std::uint32_t) { return 0; });
  for (std::size_t p = 0; p < state_.size(); ++p) EXPECT_EQ(scratch_.bearing[p], 0);
}

}  // namespace
}  // namespace repose
