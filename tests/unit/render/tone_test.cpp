#include "repose/render/tone.h"

#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(Tone, CurveIsMonotoneFromBlackToWhite) {
  EXPECT_EQ(filmic_curve(0), 0);
  EXPECT_EQ(filmic_curve(-1), 0);
  EXPECT_LE(filmic_curve(1e6F), 1);
  EXPECT_GT(filmic_curve(20), 0.98F);
  float last = 0;
  for (float x = 1e-4F; x < 100; x *= 1.05F) {
    const float y = filmic_curve(x);
    EXPECT_GE(y, last);
    last = y;
  }
}

TEST(Tone, EncodesLikeSrgb) {
  EXPECT_EQ(encode_srgb(0), 0);
  EXPECT_NEAR(encode_srgb(1), 1, 1e-6);
  EXPECT_NEAR(encode_srgb(0.2140411F), 0.5, 1e-4);
}

TEST(Tone, ExposureBrightens) {
  Threads threads(1);
  Image image(8, 8);
  for (Vec3f& p : image.pixels) p = {0.2F, 0.3F, 0.4F};
  const Image8 plain = develop(image, 0, threads), more = develop(image, 1, threads);
  for (std::size_t i = 0; i < plain.pixels.size(); ++i) {
    EXPECT_GT(more.pixels[i][0], plain.pixels[i][0]);
    EXPECT_GT(plain.pixels[i][2], plain.pixels[i][0]);
  }
}

}  // namespace
}  // namespace repose
