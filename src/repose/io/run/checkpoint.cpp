#include "repose/io/run/checkpoint.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/hash.h"
#include "repose/io/atomic_file.h"
#include "repose/io/read_file.h"

namespace repose {
namespace {

constexpr std::array<char, 8> kMagic{'R', 'E', 'P', 'O', 'S', 'E', 'C', 'P'};
constexpr std::uint64_t kFormat = 2;
constexpr std::uint64_t kMostSections = 64;

/// What a checkpoint file starts with. The table of its sections follows, then their bytes.
struct Head {
  std::array<char, 8> magic = kMagic;
  std::uint64_t format = kFormat;
  std::uint64_t sequence = 0;
  std::uint64_t sections = 0;
  std::uint64_t table_hash = 0;
  std::uint64_t head_hash = 0;  ///< over all of the above
};
static_assert(sizeof(Head) == 48);

struct TableRow {
  std::array<char, 32> name{};  ///< ends with a zero
  std::uint64_t size = 0;       ///< [bytes]
  std::uint64_t hash = 0;
};
static_assert(sizeof(TableRow) == 48);

std::uint64_t hash_of(const Head& head) {
  return hash_bytes(std::as_bytes(std::span(&head, 1)).first(sizeof(Head) - sizeof(head.head_hash)));
}

struct Loaded {
  std::uint64_t sequence = 0;
  Checkpoint checkpoint;
};

/// Throws Error where the file is no whole checkpoint.
Loaded load_file(const std::filesystem::path& path) {
  const auto require = [&](bool good, const char* what) {
    if (!good) throw Error(ExitCode::run_failed, fmt::format("{}: {}", path.string(), what));
  };
  std::vector<std::byte> bytes = read_bytes(path);
  Head head;
  require(bytes.size() >= sizeof(head), "is cut short");
  std::memcpy(&head, bytes.data(), sizeof(head));
  require(head.magic == kMagic, "is no checkpoint");
  require(head.format == kFormat, "was written by another version of repose");
  require(head.head_hash == hash_of(head) && head.sections <= kMostSections, "has a damaged head");

  std::vector<TableRow> table(head.sections);
  const std::size_t table_size = table.size() * sizeof(TableRow);
  std::span<const std::byte> rest = std::span(bytes).subspan(sizeof(head));
  require(rest.size() >= table_size, "is cut short");
  require(hash_bytes(rest.first(table_size)) == head.table_hash, "has a damaged table of sections");
  if (table_size > 0) std::memcpy(table.data(), rest.data(), table_size);
  rest = rest.subspan(table_size);

  std::vector<CheckpointSection> sections;
  for (const TableRow& row : table) {
    require(row.size <= rest.size() && row.name.back() == 0, "is cut short");
    const auto part = rest.first(row.size);
    require(hash_bytes(part) == row.hash, "is damaged (its checksum does not fit)");
    sections.push_back({row.name.data(), part, row.hash});
    rest = rest.subspan(row.size);
  }
  require(rest.empty(), "is longer than it should be");
  return {head.sequence, Checkpoint(std::move(bytes), std::move(sections))};
}

}  // namespace

const CheckpointSection* Checkpoint::find(std::string_view name) const {
  const auto found = std::find_if(sections_.begin(), sections_.end(),
                                  [&](const CheckpointSection& section) { return section.name == name; });
  return found == sections_.end() ? nullptr : &*found;
}

std::vector<std::filesystem::path> CheckpointStore::files(const std::filesystem::path& folder) {
  return {folder / "checkpoint.0.bin", folder / "checkpoint.1.bin"};
}

std::optional<Checkpoint> CheckpointStore::read(const LogSink& log) {
  std::optional<Checkpoint> newest;
  for (const auto& path : files(folder_)) {
    if (!file_exists(path)) continue;
    try {
      Loaded loaded = load_file(path);
      if (newest && loaded.sequence <= sequence_) continue;
      sequence_ = loaded.sequence;
      newest = std::move(loaded.checkpoint);
    } catch (const Error& error) {
      log(LogLevel::warning, fmt::format("{}; looking for an older checkpoint", error.what()));
    }
  }
  return newest;
}

std::vector<std::uint64_t> CheckpointStore::write(std::span<const CheckpointSection> sections) {
  create_folder(folder_);
  std::vector<TableRow> table(sections.size());
  std::vector<std::uint64_t> hashes;
  for (std::size_t k = 0; k < sections.size(); ++k) {
    assert(sections[k].name.size() < table[k].name.size());
    std::copy(sections[k].name.begin(), sections[k].name.end(), table[k].name.begin());
    table[k].size = sections[k].bytes.size();
    table[k].hash = hash_bytes(sections[k].bytes);
    hashes.push_back(table[k].hash);
  }
  Head head;
  head.sequence = sequence_ + 1;
  head.sections = table.size();
  head.table_hash = hash_bytes(std::as_bytes(std::span(table)));
  head.head_hash = hash_of(head);
  AtomicFile file(files(folder_)[head.sequence % 2]);
  file.write(std::as_bytes(std::span(&head, 1)));
  file.write(std::as_bytes(std::span(table)));
  for (const CheckpointSection& section : sections) file.write(section.bytes);
  file.commit();
  sequence_ = head.sequence;
  return hashes;
}

}  // namespace repose
