#include "repose/io/particles/fine_file.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"
#include "repose/io/particles/fine_ply.h"
#include "repose/io/particles/fine_vdb.h"
#include "repose/io/read_file.h"

namespace repose {
namespace {

bool is_asked_for(const std::vector<std::string>& channels, std::string_view name) {
  return std::find(channels.begin(), channels.end(), name) != channels.end();
}

/// The files that hold one frame; none where any is missing.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder, int frame) {
  const auto whole = folder / fine_name(frame, {}, "vdb");
  if (file_exists(whole)) return {whole};
  std::error_code error;
  const std::string start = fmt::format("fine.{:04}.", frame);
  std::vector<std::filesystem::path> parts;
  std::uint32_t count = 0;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    const std::size_t of = name.find("-of-");
    if (!name.starts_with(start) || of == std::string::npos) continue;
    GuidePart part;
    std::from_chars(name.data() + start.size(), name.data() + of, part.index);
    std::from_chars(name.data() + of + 4, name.data() + name.size(), part.count);
    if (part.index < 1 || part.count < part.index || part.count > 1000000) continue;
    --part.index;
    if (name != fine_name(frame, part, "vdb")) continue;
    parts.push_back(it->path());
    count = std::max(count, part.count);
  }
  if (parts.size() != count) return {};
  std::sort(parts.begin(), parts.end());
  return parts;
}

void append(const FineGrains& part, FineGrains& grains) {
  const auto add = [](const auto& from, auto& to) { to.insert(to.end(), from.begin(), from.end()); };
  add(part.x, grains.x);
  add(part.y, grains.y);
  add(part.z, grains.z);
  add(part.vx, grains.vx);
  add(part.vy, grains.vy);
  add(part.vz, grains.vz);
  add(part.id, grains.id);
}

}  // namespace

std::string fine_name(int frame, const GuidePart& part, std::string_view format) {
  if (part.count == 1) return fmt::format("fine.{:04}.{}", frame, format);
  return fmt::format("fine.{:04}.{}-of-{}.{}", frame, part.index + 1, part.count, format);
}

std::uint64_t write_fine_files(const std::filesystem::path& folder, const OutputSettings& output,
                               const FineGrains& grains, const Frame& guides, const GuidePart& part,
                               Threads& threads) {
  FineFileHead head{guides.index, guides.time, is_asked_for(output.fine_channels, "velocity")};
  if (is_asked_for(output.fine_channels, "material") && !guides.id.empty()) {
    head.material.resize(std::size_t{guides.id.back()} + 1);
    for (std::size_t i = 0; i < guides.id.size(); ++i) head.material[guides.id[i]] = guides.material[i];
  }
  std::uint64_t bytes = 0;
  for (const std::string& format : output.fine_formats) {
    const auto path = folder / fine_name(guides.index, part, format);
    if (format == "vdb") write_file(path, encode_fine_vdb(grains, head, threads));
    if (format == "ply") write_fine_ply(path, grains, head);
    std::error_code gone;
    const auto size = std::filesystem::file_size(path, gone);
    if (!gone) bytes += size;
  }
  return bytes;
}

bool has_fine_grains(const std::filesystem::path& folder, int frame) {
  return !files_of(folder, frame).empty();
}

FineGrains read_fine_grains(const std::filesystem::path& folder, int frame, Threads& threads) {
  FineGrains grains;
  bool is_first = true;
  for (const auto& path : files_of(folder, frame)) {
    FineGrains part;
    read_fine_vdb(path, threads, part);
    if (is_first) {
      grains = std::move(part);
      is_first = false;
      continue;
    }
    if (part.ratio != grains.ratio || part.radius != grains.radius || part.place.unit != grains.place.unit ||
        part.place.origin != grains.place.origin)
      throw Error(ExitCode::run_failed,
                  fmt::format("{}: is a part of other fine grains than the parts beside it: remove the parts "
                              "that are left from an earlier call",
                              path.string()));
    append(part, grains);
  }
  return grains;
}

}  // namespace repose
