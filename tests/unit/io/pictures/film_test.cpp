// Films: made whole by ffmpeg, or not there at all.

#include "repose/io/pictures/film.h"

#include <algorithm>
#include <cstdlib>

#include "support/temporary_folder.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"

namespace repose {
namespace {

/// A grey picture of 3 by 3 pixels: odd sizes are the ones that libx264 refuses.
std::string odd_png() {
  constexpr unsigned char kBytes[] = {
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
      0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x03, 0x08, 0x00, 0x00, 0x00, 0x00, 0x73, 0x43, 0xea,
      0x63, 0x00, 0x00, 0x00, 0x14, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0xb0, 0x71, 0x0b, 0x60,
      0x48, 0xc9, 0xab, 0x60, 0xe8, 0x99, 0xb6, 0x00, 0x00, 0x13, 0x44, 0x03, 0xdf, 0x36, 0xb8, 0x04,
      0xe3, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
  return {reinterpret_cast<const char*>(kBytes), sizeof(kBytes)};
}

class FilmTest : public testing::Test {
 protected:
  FilmTest() {
    for (const int frame : {0, 3, 6, 9}) {  // gaps, as with output.every = 3
      images_.push_back(folder_.path() / ("image." + std::to_string(frame) + ".png"));
      write_file(images_.back(), odd_png());
    }
  }
  test::TemporaryFolder folder_;
  std::vector<std::filesystem::path> images_;
  std::filesystem::path film_ = folder_.path() / "a film.mp4";
};

TEST_F(FilmTest, IsMadeFromImagesOfOddSize) {
  if (!find_ffmpeg()) GTEST_SKIP() << "no ffmpeg here";
  // Asked before each image, and then while ffmpeg comes to its end.
  std::size_t calls = 0;
  const auto go_on = [&](std::size_t done) { return done == std::min(calls++, images_.size()); };
  EXPECT_TRUE(write_film(film_, images_, {.fps = 8, .go_on = go_on}));
  EXPECT_GE(calls, images_.size());
  EXPECT_GT(std::filesystem::file_size(film_), 500U);
  EXPECT_EQ(folder_.files().size(), images_.size() + 1);
}

TEST_F(FilmTest, DamagedImagesGiveFfmpegsOwnWordsAndNoFilm) {
  if (!find_ffmpeg()) GTEST_SKIP() << "no ffmpeg here";
  for (const auto& image : images_) write_file(image, std::string(100000, 'x'));
  try {
    write_film(film_, images_, {});
    FAIL() << "a film of nothing";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::run_failed);
    EXPECT_NE(std::string(error.what()).find("ffmpeg failed: "), std::string::npos) << error.what();
  }
  EXPECT_EQ(folder_.files().size(), images_.size());
}

TEST_F(FilmTest, ImagesOfDifferentSizesAreRefused) {
  if (!find_ffmpeg()) GTEST_SKIP() << "no ffmpeg here";
  std::string wider = odd_png();
  wider[19] = 5;
  write_file(images_[2], wider);
  try {
    write_film(film_, images_, {});
    FAIL() << "a film of images that do not fit together";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("image.6.png has another size"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(folder_.files().size(), images_.size());
}

TEST_F(FilmTest, InterruptLeavesNoFilm) {
  if (!find_ffmpeg()) GTEST_SKIP() << "no ffmpeg here";
  EXPECT_FALSE(write_film(film_, images_, {.fps = 8, .go_on = [](std::size_t done) { return done < 2; }}));
  EXPECT_EQ(folder_.files().size(), images_.size());
}

TEST_F(FilmTest, MissingFfmpegSaysWhatToInstall) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder_.path().c_str(), 1);
  try {
    write_film(film_, images_, {});
    ADD_FAILURE() << "no ffmpeg, yet a film";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("apt-get install ffmpeg"), std::string::npos) << error.what();
  }
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(folder_.files().size(), images_.size());
}

}  // namespace
}  // namespace repose
