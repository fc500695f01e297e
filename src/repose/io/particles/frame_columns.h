#pragma once
// A frame as a table: which columns its particle files have, in which order, and their values row by row.
// PLY and CSV files are both written from it.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "repose/particles/frame.h"

namespace repose {

enum class ColumnType { uint8, uint16, uint32, float32 };

std::size_t size_of(ColumnType type);  ///< [bytes]

struct FrameColumn {
  std::string name;
  ColumnType type;
  /// Puts the values of rows [begin, end) at out, out + stride, ...
  std::function<void(std::size_t begin, std::size_t end, std::byte* out, std::size_t stride)> put;
};

/// The columns refer to the frame and live no longer than it.
std::vector<FrameColumn> frame_columns(const Frame& frame);

std::size_t row_size(const std::vector<FrameColumn>& columns);  ///< [bytes]

/// Rows [begin, end) without gaps between the values, at out.
void put_rows(const std::vector<FrameColumn>& columns, std::size_t begin, std::size_t end, std::byte* out);

/// Rows to put at a time, so that they stay in the cache while the columns take turns.
inline constexpr std::size_t kRowBlock = 512;

}  // namespace repose
