#include "repose/io/pictures/exr.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <string>

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfStandardAttributes.h>
#include <half.h>

#include "repose/core/error.h"

namespace repose {
namespace {

using Half = Imath::half;
static_assert(sizeof(Half) == 2);

/// OpenEXR goes back to fill in where the lines are, so bytes are kept until the end.
class MemoryStream : public Imf::OStream {
 public:
  explicit MemoryStream(std::vector<std::byte>& bytes) : OStream("picture"), bytes_(bytes) {}
  void write(const char data[], int size) override {
    const std::size_t end = place_ + static_cast<std::size_t>(size);
    if (bytes_.size() < end) bytes_.resize(end);
    std::memcpy(bytes_.data() + place_, data, static_cast<std::size_t>(size));
    place_ = end;
  }
  std::uint64_t tellp() override { return place_; }
  void seekp(std::uint64_t place) override { place_ = place; }

 private:
  std::vector<std::byte>& bytes_;
  std::size_t place_ = 0;
};

Half to_half(float value) {
  constexpr float kLargest = 65504;
  return Half(std::clamp(value, -kLargest, kLargest));
}

void encode(const Image& image, std::vector<std::byte>& bytes) {
  Imf::Header header(image.width, image.height);
  header.compression() = Imf::ZIP_COMPRESSION;
  Imf::addChromaticities(header, Imf::Chromaticities());  // Rec. 709
  std::vector<Half> pixels(3 * image.pixels.size());
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    for (int c = 0; c < 3; ++c) pixels[3 * i + static_cast<std::size_t>(c)] = to_half(image.pixels[i][c]);
  Imf::FrameBuffer buffer;
  const char* names[] = {"R", "G", "B"};
  for (std::size_t c = 0; c < 3; ++c) {
    header.channels().insert(names[c], Imf::Channel(Imf::HALF));
    buffer.insert(names[c],
                  Imf::Slice(Imf::HALF, reinterpret_cast<char*>(pixels.data() + c), 3 * sizeof(Half),
                             3 * sizeof(Half) * static_cast<std::size_t>(image.width)));
  }
  MemoryStream stream(bytes);
  Imf::OutputFile file(stream, header, /*numThreads=*/0);
  file.setFrameBuffer(buffer);
  file.writePixels(image.height);
}

}  // namespace

std::vector<std::byte> encode_exr(const Image& image) {
  std::vector<std::byte> bytes;
  try {
    encode(image, bytes);
  } catch (const std::exception& error) {
    throw Error(ExitCode::run_failed, std::string("cannot encode an EXR picture: ") + error.what());
  }
  return bytes;
}

}  // namespace repose
