#include "repose/io/pictures/exr.h"

#include <filesystem>

#include "support/temporary_folder.h"
#include <OpenEXR/ImfArray.h>
#include <OpenEXR/ImfRgbaFile.h>
#include <gtest/gtest.h>

#include "repose/io/atomic_file.h"

namespace repose {
namespace {

TEST(Exr, KeepsLinearLightBeyondOne) {
  Image image(5, 3);
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = {0.25F * static_cast<float>(i), 1e-3F, 1e6F};
  const std::vector<std::byte> bytes = encode_exr(image);
  EXPECT_EQ(encode_exr(image), bytes);
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "a.exr";
  write_file(path, bytes);

  Imf::RgbaInputFile file(path.c_str());  // the other interface of the library
  const auto box = file.dataWindow();
  ASSERT_EQ(box.max.x - box.min.x, 4);
  ASSERT_EQ(box.max.y - box.min.y, 2);
  Imf::Array2D<Imf::Rgba> pixels(3, 5);
  file.setFrameBuffer(&pixels[0][0], 1, 5);
  file.readPixels(0, 2);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x) {
      EXPECT_EQ(static_cast<float>(pixels[y][x].r), 0.25F * static_cast<float>(5 * y + x));
      EXPECT_NEAR(static_cast<float>(pixels[y][x].g), 1e-3, 1e-6);
      EXPECT_EQ(static_cast<float>(pixels[y][x].b), 65504) << "the largest half";
    }
}

}  // namespace
}  // namespace repose
