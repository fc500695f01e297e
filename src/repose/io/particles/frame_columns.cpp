#include "repose/io/particles/frame_columns.h"

#include <array>
#include <cstring>
#include <utility>

namespace repose {
namespace {

template <class T, class Get>
FrameColumn column(std::string name, ColumnType type, Get get) {
  return {std::move(name), type,
          [get](std::size_t begin, std::size_t end, std::byte* out, std::size_t stride) {
            for (std::size_t i = begin; i < end; ++i, out += stride) {
              const T value = get(i);
              std::memcpy(out, &value, sizeof(T));
            }
          }};
}

template <class Get>
FrameColumn float_column(std::string name, Get get) {
  return column<float>(std::move(name), ColumnType::float32, get);
}

template <class V>
void add_vector(std::vector<FrameColumn>& columns, std::array<const char*, 3> names,
                const std::vector<V>& values) {
  for (int axis = 0; axis < 3; ++axis)
    columns.push_back(float_column(names[static_cast<std::size_t>(axis)], [&values, axis](std::size_t i) {
      return static_cast<float>(values[i][axis]);
    }));
}

void add_grain_columns(std::vector<FrameColumn>& columns, const Frame& frame) {
  const auto& q = frame.orientation;
  columns.push_back(float_column("qw", [&q](std::size_t i) { return q[i].r; }));
  columns.push_back(float_column("qx", [&q](std::size_t i) { return q[i].v.x; }));
  columns.push_back(float_column("qy", [&q](std::size_t i) { return q[i].v.y; }));
  columns.push_back(float_column("qz", [&q](std::size_t i) { return q[i].v.z; }));
  add_vector(columns, {"wx", "wy", "wz"}, frame.angular_velocity);
  columns.push_back(
      column<std::uint16_t>("shape", ColumnType::uint16, [&frame](std::size_t i) { return frame.shape[i]; }));
}

}  // namespace

std::size_t size_of(ColumnType type) {
  switch (type) {
    case ColumnType::uint8:
      return 1;
    case ColumnType::uint16:
      return 2;
    default:
      return 4;
  }
}

std::vector<FrameColumn> frame_columns(const Frame& frame) {
  std::vector<FrameColumn> columns;
  add_vector(columns, {"x", "y", "z"}, frame.position);
  add_vector(columns, {"vx", "vy", "vz"}, frame.velocity);
  columns.push_back(float_column("radius", [&frame](std::size_t i) { return frame.radius[i]; }));
  columns.push_back(
      column<std::uint32_t>("id", ColumnType::uint32, [&frame](std::size_t i) { return frame.id[i]; }));
  columns.push_back(column<std::uint8_t>("material", ColumnType::uint8,
                                         [&frame](std::size_t i) { return frame.material[i]; }));
  if (frame.kind == ParticleKind::grains || !frame.orientation.empty()) add_grain_columns(columns, frame);
  for (const ScalarChannel& channel : frame.scalars)
    columns.push_back(float_column(channel.name, [&channel](std::size_t i) { return channel.values[i]; }));
  return columns;
}

std::size_t row_size(const std::vector<FrameColumn>& columns) {
  std::size_t size = 0;
  for (const FrameColumn& c : columns) size += size_of(c.type);
  return size;
}

void put_rows(const std::vector<FrameColumn>& columns, std::size_t begin, std::size_t end, std::byte* out) {
  const std::size_t stride = row_size(columns);
  for (const FrameColumn& c : columns) {
    c.put(begin, end, out, stride);
    out += size_of(c.type);
  }
}

}  // namespace repose
