#pragma once
// PLY files of any content: text, and binary of both byte orders. Rows are handed out one at a time. No bytes
// can make it crash, run for ever or take more memory than a few times their own size: counts are held
// against what the file has left. What does not fit throws Error(bad_scene) with the line or the byte,
// without the path.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repose/core/text_lines.h"

namespace repose {

enum class PlyType { i8, u8, i16, u16, i32, u32, f32, f64 };

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::f32;
  std::optional<PlyType> count_type;  ///< of a list; none: a single number
  bool wanted = false;                ///< else its values are passed over
};

struct PlyElement {
  std::string name;
  std::size_t count = 0;
  std::vector<PlyProperty> properties;

  /// Its place among the properties; none where it has no such property.
  std::optional<std::size_t> find(std::string_view property) const;
};

struct PlyRow {
  std::size_t index = 0;  ///< from 0
  std::size_t line = 0;   ///< in a text file; 0: binary
  /// By property; a single number is a list of one, what is not wanted is empty. Finite.
  std::vector<std::vector<double>> values;
};

class PlyReader {
 public:
  static bool is_ply(std::string_view bytes);

  /// Reads the header. `wanted` says which properties of which elements are to be read.
  PlyReader(std::string_view bytes,
            const std::function<bool(std::string_view element, std::string_view property)>& wanted);

  const std::vector<PlyElement>& elements() const { return elements_; }
  /// Reads the rows of the next element, in the order of elements(), and calls `take` for each.
  void read_next(const std::function<void(const PlyRow&)>& take);

 private:
  enum class Format { text, little_endian, big_endian };

  void read_header(const std::function<bool(std::string_view, std::string_view)>& wanted);
  void add_property(const std::vector<std::string_view>& words,
                    const std::function<bool(std::string_view, std::string_view)>& wanted);
  void read_text_row(const PlyElement& element, PlyRow& row);
  void read_binary_row(const PlyElement& element, PlyRow& row);
  std::string_view take_bytes(const PlyElement& element, std::size_t row, std::size_t count);
  double load(PlyType type, const char* bytes) const;

  std::size_t file_size_;
  LineReader lines_;
  std::string_view data_;  // what is left of a binary file
  Format format_ = Format::text;
  std::vector<PlyElement> elements_;
  std::size_t next_ = 0;
};

}  // namespace repose
