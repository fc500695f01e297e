#include "repose/particles/domain_box.h"

#include <cmath>

#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(DomainBox, BringsPositionsBackIn) {
  const DomainBox box{{-1, 0, 0}, {3, 1, 1}, {true, false, true}};
  const auto wrapped = [&](Vec3d x) {
    wrap_into(box, x);
    return x;
  };
  EXPECT_EQ(wrapped({0.3, 0.5, 0.7}), Vec3d(0.3, 0.5, 0.7));
  EXPECT_EQ(wrapped({3.5, 7, -0.25}), Vec3d(-0.5, 7, 0.75)) << "y is not periodic";
  EXPECT_EQ(wrapped({-9.5, 0, 4.25}), Vec3d(2.5, 0, 0.25)) << "more than once around";
  EXPECT_EQ(wrapped({3, 0, 1}), Vec3d(-1, 0, 0)) << "the far face is the near one";
  EXPECT_EQ(wrapped({0, 0, -1e-20}), Vec3d(0)) << "also where rounding puts it there";
  const Vec3d last(std::nextafter(3.0, 0.0), 0, std::nextafter(1.0, 0.0));
  EXPECT_EQ(wrapped(last), last);
}

}  // namespace
}  // namespace repose
