// Restitution of the normal laws of Bell 2005, eq. 7, integrated as two masses that meet.
//
// Reference: for the spring and dashpot k_d and k_r of Bell's eq. 9 and 10 give the restitution and contact
// time asked for, if contacts may pull; the values for contacts that do not pull, and those of figure 3 of
// the paper (k_r = 1e6, m_eff = 1 kg, since the paper does not print the mass), are from RK4 with 4e5 steps a
// contact. Tolerance: 0.5 % of e and 1 % of the contact time at a hundredth of the contact time; 0.005 of e
// for figure 3: the tables are printed to four digits, and the step of the scheme (first order in the
// damping) takes the rest. How e changes with speed must come out for every law: constant, rising or falling.

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "repose/physics/contact.h"
#include "repose/physics/restitution.h"

namespace repose {
namespace {

struct Impact {
  double e, duration;
};

struct Case {
  double m_eff, k_r, k_d, speed;
  bool pull;
};

/// Drift, kick, drift, as the solver steps. Contacts so damped that they would pull for ever end after a
/// second.
template <class Law>
Impact impact(const Law& law, const Case& c, double dt) {
  double x = 0, v = c.speed, t = 0;
  while (true) {
    x += 0.5 * dt * v;
    double f = x > 0 ? law.repulsion(c.k_r, c.k_d, x, v) : 0.0;
    const bool let_go = !c.pull && f <= 0 && v < 0;
    if (!c.pull) f = std::max(0.0, f);
    v -= dt * f / c.m_eff;
    x += 0.5 * dt * v;
    t += dt;
    if (let_go || (x <= 0 && v < 0) || t > 1) return {-v / c.speed, t};
  }
}

TEST(LinearLaw, GivesTheRestitutionAndContactTimeAskedFor) {
  constexpr double kTime = 1e-3;
  struct Row {
    double e, k_d, k_r, e_no_pull, time_no_pull;
  };
  const Row table[] = {{0.3, 2407.946, 1.13192e7, 0.3971, 0.767e-3},
                       {0.5, 1386.294, 1.03501e7, 0.5503, 0.862e-3},
                       {0.8, 446.287, 9.91940e6, 0.8081, 0.955e-3},
                       {0.9, 210.721, 9.88071e6, 0.9020, 0.979e-3}};
  for (const Row& row : table) {
    // Bell 2005, eq. 9 and 10.
    EXPECT_NEAR(2 * -std::log(row.e) / kTime, row.k_d, 1e-3);
    EXPECT_NEAR((std::log(row.e) * std::log(row.e) + kPi * kPi) / (kTime * kTime), row.k_r, 1e-5 * row.k_r);
    double last_error = 1;
    for (const double dt : {kTime / 100, kTime / 200, kTime / 800}) {
      const Impact pull = impact(LinearLaw{}, {1, row.k_r, row.k_d, 1, true}, dt);
      const Impact no_pull = impact(LinearLaw{}, {1, row.k_r, row.k_d, 1, false}, dt);
      const double slack = dt == kTime / 100 ? 3.0 : 1.0;  // the scheme is of first order in the damping
      EXPECT_NEAR(pull.e, row.e, slack * 0.005 * row.e) << "dt " << dt;
      EXPECT_NEAR(pull.duration, kTime, 0.01 * kTime + dt);
      EXPECT_NEAR(no_pull.e, row.e_no_pull, slack * 0.005 * row.e_no_pull);
      EXPECT_NEAR(no_pull.duration, row.time_no_pull, 0.01 * kTime + dt);
      const double error = std::abs(pull.e - row.e) + 1e-4;
      EXPECT_LT(error, last_error);
      last_error = error;
    }
  }
}

struct FigureRow {
  const char* name;
  GeneralLaw law;
  double e[4][3];     ///< by k_d = 50, 100, 250, 500 and speed 0.1, 1, 10 m/s, contacts may pull
  double no_pull[4];  ///< at 1 m/s
  int sign;           ///< of de/dv
};

const FigureRow kFigure3[] = {
    {"(0, 1)",
     {0, 1},
     {{0.9244, 0.9244, 0.9244}, {0.8545, 0.8545, 0.8545}, {0.6731, 0.6731, 0.6731}, {0.4443, 0.4443, 0.4443}},
     {0.9256, 0.8588, 0.6947, 0.5063},
     0},
    {"(0, 3/2)",
     {0, 1.5},
     {{0.5445, 0.6898, 0.7943}, {0.2500, 0.4546, 0.6219}, {0.0003, 0.0432, 0.2522}, {0, 0, 0}},
     {0.7225, 0.5389, 0.2532, 0.0957},
     1},
    {"(1/4, 3/2)",
     {0.25, 1.5},
     {{0.9321, 0.9321, 0.9321}, {0.8688, 0.8688, 0.8688}, {0.7023, 0.7023, 0.7023}, {0.4864, 0.4864, 0.4864}},
     {0.9331, 0.8723, 0.7202, 0.5394},
     0},
    {"(1/2, 3/2)",
     {0.5, 1.5},
     {{0.9909, 0.9856, 0.9774}, {0.9819, 0.9715, 0.9553}, {0.9555, 0.9306, 0.8926}, {0.9134, 0.8668, 0.7984}},
     {0.9856, 0.9715, 0.9308, 0.8680},
     -1}};
constexpr double kDampings[] = {50, 100, 250, 500};
constexpr double kSpeeds[] = {0.1, 1, 10};

TEST(NormalLaws, ReproduceFigure3OfBell2005) {
  for (const FigureRow& row : kFigure3)
    for (int d = 0; d < 4; ++d) {
      for (int s = 0; s < 3; ++s) {
        const double time = 3e-3 * std::pow(kSpeeds[s], row.law.beta > 1 ? -0.2 : 0.0);
        const Impact result = impact(row.law, {1, 1e6, kDampings[d], kSpeeds[s], true}, time / 8000);
        EXPECT_NEAR(result.e, row.e[d][s], 0.005)
            << row.name << " k_d " << kDampings[d] << " v " << kSpeeds[s];
      }
      const Impact result = impact(row.law, {1, 1e6, kDampings[d], 1, false}, 5e-7);
      EXPECT_NEAR(result.e, row.no_pull[d], 0.005) << row.name << " no pull, k_d " << kDampings[d];
    }
}

TEST(NormalLaws, RestitutionDependsOnSpeedAsThePaperSays) {
  for (const FigureRow& row : kFigure3) {
    const auto e_at = [&](double v) { return impact(row.law, {1, 1e6, 100, v, false}, 3e-7).e; };
    const double change = e_at(10) - e_at(0.1);
    if (row.sign == 0)
      EXPECT_LT(std::abs(change), 2e-3) << row.name;
    else
      EXPECT_GT(row.sign * change, 0.01) << row.name;
  }
}

TEST(NormalLaws, LoseNothingWithoutDamping) {
  for (const FigureRow& row : kFigure3)
    EXPECT_NEAR(impact(row.law, {1, 1e6, 0, 1, true}, 1e-6).e, 1, 1e-3) << row.name;
}

TEST(NormalLaws, ClosedFormsAgreeWithTheFigure) {
  for (int d = 0; d < 4; ++d) {
    const double A = kDampings[d] / std::sqrt(1e6);
    EXPECT_NEAR(restitution_with_pull(A / 2), kFigure3[0].e[d][1], 1e-4);
    EXPECT_NEAR(restitution_without_pull(A / 2), kFigure3[0].no_pull[d], 1e-4);
    EXPECT_NEAR(restitution_with_pull(A / std::sqrt(5.0)), kFigure3[2].e[d][1], 1e-4);
    EXPECT_NEAR(restitution_without_pull(A / std::sqrt(5.0)), kFigure3[2].no_pull[d], 1e-4);
  }
}

}  // namespace
}  // namespace repose
