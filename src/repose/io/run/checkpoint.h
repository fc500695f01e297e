#pragma once
// Checkpoints: what --resume continues from. Two files take turns, so the older one stays until the newer is
// complete on disk; each has a checksum, and where the newer turns out damaged the older one serves.
//
// A checkpoint is made of sections with names: the frame loop's, the solver's, and one for each stage over
// frames that has a memory.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "repose/core/log.h"

namespace repose {

struct CheckpointSection {
  std::string name;  ///< at most 31 letters
  std::span<const std::byte> bytes;
  std::uint64_t hash = 0;  ///< over the bytes; what write() is given need not have it
};

class Checkpoint {
 public:
  /// Refers to `bytes`, which it keeps.
  Checkpoint(std::vector<std::byte> bytes, std::vector<CheckpointSection> sections)
      : bytes_(std::move(bytes)), sections_(std::move(sections)) {}
  Checkpoint(Checkpoint&&) = default;
  Checkpoint& operator=(Checkpoint&&) = default;
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;
  ~Checkpoint() = default;

  /// None where there is no such section.
  const CheckpointSection* find(std::string_view name) const;

 private:
  std::vector<std::byte> bytes_;
  std::vector<CheckpointSection> sections_;
};

class CheckpointStore {
 public:
  explicit CheckpointStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// The newest good checkpoint; says in the log what is wrong with a newer one. None: an empty optional.
  std::optional<Checkpoint> read(const LogSink& log);

  /// Replaces the older of the two files. Returns the hash of each section. Call read() before, where an
  /// earlier process may have left checkpoints, so that the order of the files is known.
  std::vector<std::uint64_t> write(std::span<const CheckpointSection> sections);

  /// The two files, there or not.
  static std::vector<std::filesystem::path> files(const std::filesystem::path& folder);

 private:
  std::filesystem::path folder_;
  std::uint64_t sequence_ = 0;  ///< of the newest good checkpoint; its file is number sequence_ % 2
};

}  // namespace repose
