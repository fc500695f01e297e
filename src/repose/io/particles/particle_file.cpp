#include "repose/io/particles/particle_file.h"

#include <array>

#include "repose/io/particles/ply.h"
#include "repose/io/particles/vdb_points.h"
#include "repose/io/particles/vtp.h"
#include "repose/io/tables/csv.h"

namespace repose {

std::span<const std::string_view> particle_formats() {
  static constexpr std::array<std::string_view, 4> kFormats{"ply", "csv", "vtp", "vdb"};
  return kFormats;
}

void write_particles(const std::filesystem::path& path, std::string_view format, const Frame& frame,
                     Threads& threads) {
  if (format == "ply") write_ply(path, frame);
  if (format == "csv") write_csv(path, frame);
  if (format == "vtp") write_vtp(path, frame);
  if (format == "vdb") write_vdb(path, frame, threads);
}

}  // namespace repose
