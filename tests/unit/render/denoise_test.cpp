#include "repose/render/denoise.h"

#include <cmath>

#include <gtest/gtest.h>

#include "repose/core/random.h"

namespace repose {
namespace {

/// A flat wall, lit evenly, facing the camera.
Layers wall(int width, int height) {
  Layers layers;
  layers.resize(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto i = static_cast<std::size_t>(y * width + x);
      layers.direct[i] = {1, 2, 3};
      layers.indirect[i] = {0.5F, 0.25F, 0.125F};
      layers.albedo[i] = {1, 1, 1};
      layers.normal[i] = {0, 0, 1};
      layers.position[i] = {static_cast<float>(x), static_cast<float>(y), 0};
      layers.footprint[i] = 1;
      layers.direct_variance[i] = layers.indirect_variance[i] = 0.01F;
    }
  return layers;
}

double mean(const std::vector<Vec3f>& light) {
  double sum = 0;
  for (const Vec3f& v : light) sum += v.y;
  return sum / static_cast<double>(light.size());
}

double deviation(const std::vector<Vec3f>& light) {
  double sum = 0;
  for (const Vec3f& v : light) sum += (v.y - 1) * (v.y - 1);
  return std::sqrt(sum / static_cast<double>(light.size()));
}

TEST(Denoise, KeepsAConstantPicture) {
  Threads threads(2);
  // A width that is no multiple of the block, a height below the reach of the filter.
  Layers layers = wall(45, 9);
  denoise(layers, threads);
  for (std::size_t i = 0; i < layers.direct.size(); ++i) {
    EXPECT_NEAR((layers.direct[i] - Vec3f(1, 2, 3)).length(), 0, 1e-5);
    EXPECT_NEAR((layers.indirect[i] - Vec3f(0.5F, 0.25F, 0.125F)).length(), 0, 1e-5);
  }
}

TEST(Denoise, TakesNoiseAndLeavesBrightness) {
  Threads threads(2);
  Layers layers = wall(96, 96);
  for (std::size_t i = 0; i < layers.indirect.size(); ++i) {
    Random random(1, Stream::test, 0, i);
    const auto value = static_cast<float>(random.uniform(0.5, 1.5));
    layers.indirect[i] = {value, value, value};
    layers.indirect_variance[i] = 1.0F / 12;
  }
  const double before = mean(layers.indirect), noise = deviation(layers.indirect);
  denoise(layers, threads);
  EXPECT_NEAR(mean(layers.indirect), before, 0.01);
  EXPECT_LT(deviation(layers.indirect), 0.2 * noise);
}

TEST(Denoise, KeepsEdgesOfNormalPositionAndLight) {
  Threads threads(2);
  const auto half = [](std::size_t i) { return i % 64 < 32; };
  for (int kind = 0; kind < 3; ++kind) {
    Layers layers = wall(64, 16);
    for (std::size_t i = 0; i < layers.direct.size(); ++i) {
      const float value = half(i) ? 1.0F : 2.0F;
      layers.direct[i] = {value, value, value};
      // A large variance, so that normal or position alone must hold; for light, a small one.
      layers.direct_variance[i] = kind == 2 ? 1e-5F : 1;
      if (kind == 0 && half(i)) layers.normal[i] = {1, 0, 0};
      if (kind == 1 && half(i)) layers.position[i].z = 40;
    }
    denoise(layers, threads);
    for (std::size_t i = 0; i < layers.direct.size(); ++i)
      EXPECT_NEAR(layers.direct[i].y, half(i) ? 1 : 2, 0.05) << "kind " << kind << " pixel " << i;
  }
}

}  // namespace
}  // namespace repose
