#include "repose/io/pictures/png.h"

#include <csetjmp>
#include <new>
#include <string>

#include <png.h>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"

namespace repose {
namespace {

/// Pictures with grain noise barely shrink further at higher levels, which cost several times as much.
constexpr int kCompression = 3;

void append(png_structp png, png_bytep data, png_size_t size) {
  auto& bytes = *static_cast<std::vector<std::byte>*>(png_get_io_ptr(png));
  const auto* from = reinterpret_cast<const std::byte*>(data);
  try {
    bytes.insert(bytes.end(), from, from + size);
  } catch (const std::bad_alloc&) {
    png_error(png, "out of memory");
  }
}
void flush_nothing(png_structp) {}
void ignore_warning(png_structp, png_const_charp) {}

/// libpng unwinds by longjmp: between setjmp and its end nothing here has a destructor.
bool encode(png_structp png, png_infop info, const Image8& image) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_IHDR(png, info, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height), 8,
               PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_set_compression_level(png, kCompression);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  png_write_info(png, info);
  for (int y = 0; y < image.height; ++y) {
    const auto row = static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width);
    png_write_row(png, image.pixels[row].data());
  }
  png_write_end(png, nullptr);
  return true;
}

}  // namespace

std::vector<std::byte> encode_png(const Image8& image) {
  std::vector<std::byte> bytes;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, ignore_warning);
  png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
  bool done = false;
  if (info != nullptr) {
    png_set_write_fn(png, &bytes, append, flush_nothing);
    done = encode(png, info, image);
  }
  png_destroy_write_struct(&png, &info);
  if (!done) throw Error(ExitCode::run_failed, "cannot encode a PNG picture (out of memory?)");
  return bytes;
}

void write_png(const std::filesystem::path& path, const Image8& image) {
  write_file(path, encode_png(image));
}

}  // namespace repose
