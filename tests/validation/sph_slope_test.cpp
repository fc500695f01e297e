// Slopes without end for every two degrees from 20 to 44, 5 and 10 particles deep, and for some of
// them 26 deep. support/sph_slopes.h has the reference; sph_slope_long_test.cpp the other angles, and 60
// deep.
//
// What they guard against: lowest particles that keep to a rough floor (5 deep: 0.67 of the acceleration that
// is due); a limit of friction that follows the pressure while it is being found (26 deep, 32 to 38 degrees:
// set out below their angle), or that of single particles (40 to 44 degrees: lose a seventh of their
// friction); too few iterations for the depth.

#include "support/sph_slopes.h"

namespace repose {
namespace {

class SphSlopeSweep : public test::SphSlopes {};

TEST_P(SphSlopeSweep, StandsBelowItsAngle) { stands_below(0.6); }
TEST_P(SphSlopeSweep, FlowsAboveItsAngle) { flows_above(0.5); }

INSTANTIATE_TEST_SUITE_P(Thin, SphSlopeSweep,
                         testing::Combine(testing::Values(5, 10), testing::Range(20, 46, 2)), test::name_of);
INSTANTIATE_TEST_SUITE_P(Deep, SphSlopeSweep,
                         testing::Combine(testing::Values(26), testing::Values(22, 32, 36, 40, 44)),
                         test::name_of);

}  // namespace
}  // namespace repose
