// Columns of sand that collapse under sph, planar and 20 particles high. Reference: (L - L0) / L0 of
// experiments is 1.2 a (Lube et al. 2005) to 1.8 a (Lajeunesse et al. 2005) for low columns, and of continua
// with mu(I) 2.2 a; a = H / L0. Ours is between the least and the largest. It is that of the tip of the wedge
// that the deposit ends in, as experiments measure it: half a percent of the sand lies in the last fifth of
// the runout. Others are in sph_column_long_test.cpp.

#include "support/figure.h"
#include "support/sph_columns.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(SphColumn, RunsAsFarAsSandDoes) {
  Threads threads(2);
  const test::Spread found = test::collapse_of({.aspect = 1}, threads);
  RecordProperty("runout", test::figure(found.runout));
  RecordProperty("height", test::figure(found.height));
  EXPECT_GT(found.runout, 1.2);
  EXPECT_LT(found.runout, 2.2);
}

}  // namespace
}  // namespace repose
