#include "repose/measure/checks.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace repose {
namespace {

class CheckTest : public testing::Test {
 protected:
  CheckResult evaluate() const { return evaluate_check(check_, {t_, values_, 0.5}); }
  CheckDefinition check_{
      .name = "c", .probe = "p", .stat = {}, .column = "rate", .at = {}, .over = {}, .min = 1, .max = 2};
  std::vector<double> t_{0.1, 0.2, 0.3, 0.4, 0.5}, values_{0, 1, 2, 3, 1.5};
};

TEST_F(CheckTest, WithoutATimeTheLastRowCounts) {
  EXPECT_TRUE(evaluate().passed);
  EXPECT_EQ(evaluate().value, 1.5);
  EXPECT_EQ(evaluate().when, "at the end");
  EXPECT_EQ(evaluate().subject, "probe p: rate");
  check_.max = 1.4;
  EXPECT_FALSE(evaluate().passed);
  EXPECT_TRUE(evaluate().problem.empty());
  check_.max.reset();
  check_.min = 1.6;
  EXPECT_FALSE(evaluate().passed);
}

TEST_F(CheckTest, AtTakesTheNearestRow) {
  check_.at = 0.26;
  EXPECT_EQ(evaluate().value, 2);
  check_.at = 0;
  EXPECT_EQ(evaluate().value, 0);
}

TEST_F(CheckTest, OverTakesTheMeanOfTheRowsAfterItsStart) {
  check_.over = {0.1, 0.4};  // the row at 0.1 tells of the time before
  EXPECT_NEAR(evaluate().value, 2, 1e-14);
  // Rows of steps weigh by their length.
  t_ = {0.1, 0.2, 0.4, 0.45, 0.5};
  EXPECT_NEAR(evaluate().value, (0.1 * 1 + 0.2 * 2) / 0.3, 1e-14);
}

TEST_F(CheckTest, ATimeThatNeverCameFails) {
  check_.at = 0.6;
  EXPECT_FALSE(evaluate().passed);
  EXPECT_FALSE(evaluate().reached);
  EXPECT_EQ(evaluate().problem, "that time never came: the run ended at t = 0.5 s");
  check_.at.reset();
  check_.over = {0.4, 0.6};
  EXPECT_FALSE(evaluate().reached);
}

TEST_F(CheckTest, WhatIsNoNumberFails) {
  values_.back() = std::nan("");
  EXPECT_FALSE(evaluate().passed);
  EXPECT_FALSE(evaluate().problem.empty());
  check_.over = {0.42, 0.45};  // no row
  EXPECT_FALSE(evaluate().passed);
  t_.clear();
  values_.clear();
  check_.over.reset();
  EXPECT_EQ(evaluate().problem, "there are no rows");
}

}  // namespace
}  // namespace repose
