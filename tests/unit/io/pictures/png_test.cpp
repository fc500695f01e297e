#include "repose/io/pictures/png.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <png.h>

namespace repose {
namespace {

Image8 pattern(int width, int height) {
  Image8 image{width, height, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      image.pixels.push_back({static_cast<std::uint8_t>(x * 7), static_cast<std::uint8_t>(y * 5),
                              static_cast<std::uint8_t>(x * y)});
  return image;
}

/// libpng's own reader, which shares nothing with ours but the library.
std::vector<std::uint8_t> read_back(const std::filesystem::path& path, int& width, int& height) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_file(&png, path.c_str()), 0);
  png.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> bytes(PNG_IMAGE_SIZE(png));
  EXPECT_NE(png_image_finish_read(&png, nullptr, bytes.data(), 0, nullptr), 0);
  width = static_cast<int>(png.width);
  height = static_cast<int>(png.height);
  return bytes;
}

TEST(Png, ReadsBackEqual) {
  const Image8 image = pattern(37, 23);
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "repose_png_test.png";
  write_png(path, image);
  int width = 0, height = 0;
  const std::vector<std::uint8_t> bytes = read_back(path, width, height);
  std::filesystem::remove(path);
  ASSERT_EQ(width, 37);
  ASSERT_EQ(height, 23);
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(bytes[3 * i + c], image.pixels[i][c]);
}

TEST(Png, SamePictureGivesSameBytes) {
  EXPECT_EQ(encode_png(pattern(16, 16)), encode_png(pattern(16, 16)));
  EXPECT_NE(encode_png(pattern(16, 16)), encode_png(pattern(16, 17)));
}

}  // namespace
}  // namespace repose
