#include "repose/io/particles/fine_ply.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "repose/io/atomic_file.h"

namespace repose {

void write_fine_ply(const std::filesystem::path& path, const FineGrains& grains, const FineFileHead& head) {
  constexpr std::size_t kBlock = 65536;  // grains
  AtomicFile file(path);
  std::string text = fmt::format(
      "ply\nformat binary_little_endian 1.0\ncomment repose frame {}\ncomment repose time {}\ncomment repose "
      "radius {}\ncomment repose ratio {}\nelement vertex {}\nproperty float x\nproperty float y\nproperty "
      "float z\n",
      head.frame, head.time, grains.radius, grains.ratio, grains.size());
  if (head.velocities) text += "property float vx\nproperty float vy\nproperty float vz\n";
  text += "property uint id\n";
  if (!head.material.empty()) text += "property uint8 material\n";
  file.write(text + "end_header\n");
  const std::size_t numbers_size = (head.velocities ? 6 : 3) * sizeof(float);
  const std::size_t row_size = numbers_size + sizeof(std::uint32_t) + (head.material.empty() ? 0 : 1);
  std::vector<std::byte> rows(kBlock * row_size);
  for (std::size_t begin = 0; begin < grains.size(); begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, grains.size());
    std::byte* at = rows.data();
    for (std::size_t i = begin; i < end; ++i, at += row_size) {
      const Vec3d p = grains.place.to_world(grains.x[i], grains.y[i], grains.z[i]);
      const std::array<float, 6> numbers{static_cast<float>(p.x),
                                         static_cast<float>(p.y),
                                         static_cast<float>(p.z),
                                         grains.vx[i],
                                         grains.vy[i],
                                         grains.vz[i]};
      std::memcpy(at, numbers.data(), numbers_size);
      std::memcpy(at + numbers_size, &grains.id[i], sizeof(std::uint32_t));
      if (!head.material.empty()) at[row_size - 1] = std::byte{head.material_of(grains, i)};
    }
    file.write(std::span(rows).first((end - begin) * row_size));
  }
  file.commit();
}

}  // namespace repose
