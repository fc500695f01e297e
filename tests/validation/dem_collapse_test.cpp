// A planar column of grains that is let go, the smallest version; dem_collapse_long_test.cpp has the rest.
//
// Reference: (L - L0) / L0 over the aspect a = H / L0. Lube and co-authors 2005 measured 1.2 a, the continuum
// with mu(I) gives 2.2 a (Lagree, Staron and Popinet 2011); without side walls that rub, runs go further than
// in channels. Band: [0.85 x 1.2 a, 1.15 x 2.2 a], that is 1.0 to 2.5 for a = 1. Front: the 99th percentile
// of the grains of the connected deposit.

#include <string>

#include "support/collapse.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(PlanarColumn, RunsOutAsFarAsMeasured) {
  const test::Deposit deposit = test::collapse({.aspect = 1, .length = 10});
  ASSERT_EQ(deposit.failure, "");
  RecordProperty("runout", std::to_string(deposit.runout));
  EXPECT_GT(deposit.runout, 1.0);
  EXPECT_LT(deposit.runout, 2.5);
  EXPECT_LE(deposit.height, 1.05) << "in lengths: the top does not rise";
}

}  // namespace
}  // namespace repose
