// When rows are written and what they cover: closed forms of free fall, constant force and steps of any
// length.

#include "repose/measure/probes.h"

#include <charconv>

#include "frames.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

using namespace test;

using Rows = std::vector<std::vector<double>>;

Rows parse(const std::string& text) {
  Rows rows;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = text.find('\n', at);
    std::vector<double> row;
    while (at < end) {
      const std::size_t comma = std::min(text.find(',', at), end);
      double value = std::nan("");
      std::from_chars(text.data() + at, text.data() + comma, value);
      row.push_back(value);
      at = comma + 1;
    }
    rows.push_back(row);
    at = end + 1;
  }
  return rows;
}

class ProbesTest : public testing::Test {
 protected:
  ProbeDefinition& add(ProbeKind type, double interval) {
    ProbeDefinition probe;
    probe.name = "p";
    probe.type = type;
    probe.interval = interval;
    scene_.probes.push_back(probe);
    return scene_.probes.back();
  }
  ProbeSet make() { return {scene_, shapes_, threads_}; }

  /// A lattice of columns of grains that moves along z at this speed from its place at t = 0 [m/s].
  Frame column_at(double t, double speed) const {
    Frame frame;
    for (int k = 0; k < 100; ++k) add_grain(frame, {0, 0, 0.025 + 0.05 * k + speed * t}, 0.02, {0, 0, speed});
    return frame;
  }
  /// Shows the set steps of these lengths, over and over, until `end`; the rows of the first probe.
  template <class MakeSight>
  std::string watch(ProbeSet& set, const std::vector<double>& steps, double end, MakeSight make_sight) {
    std::string text;
    double t = 0;
    make_sight(0, 0, [&](const Sight& sight) {
      set.begin(sight);
      text += set.observe(sight)[0];
    });
    for (std::size_t k = 0; t < end; ++k) {
      const double to = std::min(end, t + steps[k % steps.size()]);
      make_sight(t, to, [&](const Sight& sight) { text += set.observe(sight)[0]; });
      t = to;
    }
    return text;
  }
  std::string watch_column(ProbeSet& set, const std::vector<double>& steps, double end, double speed) {
    return watch(set, steps, end, [&](double from, double to, const auto& show) {
      const Frame frame = column_at(to, speed);
      show(Sight{.from = from, .to = to, .frame = &frame});
    });
  }

  Scene scene_ = plain_scene();
  std::vector<GrainShape> shapes_ = lone_spheres();
  Threads threads_{2};
};

TEST_F(ProbesTest, FlowOfAFallingLatticeIsExact) {
  // A grain every 0.05 m at 2 m/s: 40 grains a second pass; rows at 0.05 s see two each.
  add(ProbeKind::flow, 0.05).shape = below(0);
  const double mass = 2500 * ball_volume(0.02F);
  for (const std::vector<double>& steps :
       {std::vector<double>{0.01}, std::vector<double>{0.0137}, std::vector<double>{0.003, 0.17, 0.0001}}) {
    ProbeSet set = make();
    const Rows rows = parse(watch_column(set, steps, 1.0, -2));
    ASSERT_EQ(rows.size(), 20U);
    for (std::size_t n = 0; n < rows.size(); ++n) {
      EXPECT_EQ(rows[n][0], std::round(5.0 * static_cast<double>(n + 1)) / 100) << "times are multiples";
      EXPECT_NEAR(rows[n][1], 40 * mass, 1e-9) << n;
      EXPECT_NEAR(rows[n][2], 2 * static_cast<double>(n + 1) * mass, 1e-9) << n;
      EXPECT_EQ(rows[n][3], 2 * static_cast<double>(n + 1)) << n;
      EXPECT_EQ(rows[n][5], 0) << n;
    }
  }
}

TEST_F(ProbesTest, FlowKeepsToStartAndStop) {
  ProbeDefinition& probe = add(ProbeKind::flow, 0.05);
  probe.shape = below(0);
  probe.start = 0.21;
  probe.stop = 0.4;
  ProbeSet set = make();
  const Rows rows = parse(watch_column(set, {0.0137}, 1.0, -2));
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_NEAR(rows[0][0], 0.26, 1e-12);
  EXPECT_NEAR(rows[2][0], 0.36, 1e-12);
  EXPECT_EQ(rows[2][3], 6);  // 40 a second for 0.15 s
}

TEST_F(ProbesTest, IntervalZeroGivesARowForEachStep) {
  add(ProbeKind::flow, 0).shape = below(0);
  ProbeSet set = make();
  const Rows rows = parse(watch_column(set, {0.03, 0.02}, 0.2, -2));
  ASSERT_EQ(rows.size(), 8U);
  EXPECT_NEAR(rows[0][0], 0.03, 1e-15);
  EXPECT_NEAR(rows[7][0], 0.2, 1e-15);
  double sum = 0, t = 0;
  for (const auto& row : rows) {
    sum += row[1] * (row[0] - t);
    t = row[0];
  }
  EXPECT_NEAR(sum, rows.back()[2], 1e-12) << "rates times times are the mass";
  EXPECT_EQ(rows.back()[3], 8);
}

TEST_F(ProbesTest, RegionsAreSeenAtTheirTime) {
  // Step ends fall anywhere, and the border with rows at 0.05 s is always halfway between two grains.
  add(ProbeKind::region, 0.05).shape = box({1, 1, 1}, {0, 0, 0.5});
  ProbeSet set = make();
  const Rows rows = parse(watch_column(set, {0.0137}, 0.5, -2));
  ASSERT_EQ(rows.size(), 11U);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    EXPECT_NEAR(rows[n][0], 0.05 * static_cast<double>(n), 1e-12);
    EXPECT_EQ(rows[n][1], 20);
    EXPECT_NEAR(rows[n][2], 20 * 2500 * ball_volume(0.02F), 1e-9) << "grains are whole at that time";
    EXPECT_EQ(rows[n][6], -2);
    EXPECT_TRUE(std::isnan(rows[n][9])) << "nobody knows the stress";
  }
}

TEST_F(ProbesTest, StressIsTheMeanOverTheInterval) {
  add(ProbeKind::region, 0.1).shape = box(Vec3d(1));
  Frame frame;
  add_grain(frame, Vec3d(0), 0.1);
  ProbeSet set = make();
  EXPECT_TRUE(set.wants_moments());
  const Rows rows = parse(watch(set, {0.03, 0.011}, 0.5, [&](double from, double to, const auto& show) {
    // szz grows with time: its mean over a step is what the moment holds.
    ContactMoment moment;
    moment.add({0, 0, -1}, {0, 0, 0.5 * (from + to)});
    const std::vector<ContactMoment> moments{moment};
    show(Sight{.from = from, .to = to, .frame = &frame, .has_moments = true, .moments = moments});
  }));
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_TRUE(std::isnan(rows[0][12])) << "nothing has happened at the start";
  double sum = 0;
  for (std::size_t n = 1; n < rows.size(); ++n) {
    // Constant within a step of 0.03 s, which a row may cut.
    EXPECT_NEAR(rows[n][12], 0.1 * (static_cast<double>(n) - 0.5), 0.005);
    EXPECT_NEAR(rows[n][9], rows[n][12] / 3, 1e-12);
    sum += 0.1 * rows[n][12];
  }
  EXPECT_NEAR(sum, 0.125, 1e-12) << "the integral is exact whatever the steps";
}

/// A body that is pushed by a force linear in time, on a turning arm; means start anew at frames.
struct PushedBody {
  double begun = 0;  ///< the interval of the means [s]
  std::vector<BodyRow> rows{2};
  PushedBody() {
    rows[0].name = "plate";
    rows[1].name = "domain.z-";
  }
  void look(double t) {
    const double span = t - begun, mean = 0.5 * (begun + t);
    rows[0].force = span > 0 ? Vec3d(0, 0, -mean) : Vec3d(0);
    rows[0].torque = span > 0 ? Vec3d(2 * mean, 0, 0) : Vec3d(0);
    rows[1].force = span > 0 ? Vec3d(1, 0, 0) : Vec3d(0);
    rows[1].pose.position = {0, 3, 0};
  }
};

TEST_F(ProbesTest, ForcesAreImpulsesOverTime) {
  // Frames every 0.07 s start the means anew; rows come every 0.1 s; steps are 0.01 s.
  for (const bool both : {false, true}) {
    scene_.probes.clear();
    add(ProbeKind::force, 0.1).body.items =
        both ? std::vector<std::string>{"plate", "domain.z-"} : std::vector<std::string>{"plate"};
    ProbeSet set = make();
    PushedBody body;
    std::string text;
    double t = 0;
    set.begin({.bodies = body.rows});
    for (int k = 1; k <= 50; ++k) {
      const double to = 0.01 * k;
      body.look(to);
      EXPECT_TRUE(set.needs(t, to).bodies);
      EXPECT_FALSE(set.needs(t, to).frame);
      text += set.observe({.from = t, .to = to, .bodies = body.rows, .force_span = to - body.begun})[0];
      if (k % 7 == 0) {
        body.begun = to;
        set.begin_interval();
      }
      t = to;
    }
    const Rows rows = parse(text);
    ASSERT_EQ(rows.size(), 5U);
    for (std::size_t n = 0; n < rows.size(); ++n) {
      const double mean = 0.1 * (static_cast<double>(n) + 0.5);
      EXPECT_NEAR(rows[n][3], -mean, 1e-12);
      EXPECT_NEAR(rows[n][1], both ? 1 : 0, 1e-12);
      EXPECT_NEAR(rows[n][4], 2 * mean, 1e-12);
      EXPECT_NEAR(rows[n][6], both ? -3 : 0, 1e-12) << "several: about the world's origin";
      EXPECT_NEAR(rows[n][7], std::hypot(mean + 0.045, both ? 1 : 0), 1e-12) << "the last step's is the peak";
    }
  }
}

TEST_F(ProbesTest, CopiesOfABodyCountTogether) {
  add(ProbeKind::force, 0.1).body.items = {"box"};
  ProbeSet set = make();
  std::vector<BodyRow> rows(4);
  const char* names[] = {"box.0", "box.12", "boxer", "box.lid"};
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].name = names[i];
  set.begin({.bodies = rows});
  for (BodyRow& row : rows) row.force = {1, 0, 0};
  const Rows got = parse(set.observe({.from = 0, .to = 0.1, .bodies = rows, .force_span = 0.1})[0]);
  ASSERT_EQ(got.size(), 1U);
  EXPECT_NEAR(got[0][1], 2, 1e-12);
}

TEST_F(ProbesTest, AStateCarriesOn) {
  add(ProbeKind::flow, 0.05).shape = below(0);
  ProbeSet whole = make(), first = make(), second = make();
  const std::string all = watch_column(whole, {0.0137}, 0.4, -2);
  std::string text;
  double t = 0;
  ProbeSet* set = &first;
  const Frame start = column_at(0, -2);
  first.begin({.frame = &start});
  for (int k = 1; t < 0.4; ++k) {
    const double to = std::min(0.4, t + 0.0137);
    const Frame frame = column_at(to, -2);
    text += set->observe({.from = t, .to = to, .frame = &frame})[0];
    t = to;
    if (k == 9) {
      second.set_states(first.states());
      second.begin({.from = t, .to = t, .frame = &frame});
      set = &second;
    }
  }
  EXPECT_EQ(text, all);
  EXPECT_EQ(second.states()[0].rows, 8U);
}

}  // namespace
}  // namespace repose
