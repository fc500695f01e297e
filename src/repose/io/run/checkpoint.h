#pragma once
// Checkpoints: what --resume continues from. Two files take turns, so the older one stays until the newer is
// complete on disk; each has a checksum, and where the newer turns out damaged the older one serves.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "repose/core/log.h"

namespace repose {

struct Checkpoint {
  std::vector<std::byte> loop;    ///< archive of the frame loop
  std::vector<std::byte> solver;  ///< archive of the solver
  std::uint64_t state_hash = 0;   ///< over `solver`
};

class CheckpointStore {
 public:
  explicit CheckpointStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// The newest good checkpoint; says in the log what is wrong with a newer one. None: an empty optional.
  std::optional<Checkpoint> read(const LogSink& log);

  /// Replaces the older of the two files. Returns the state hash. Call read() before, where an earlier
  /// process may have left checkpoints, so that the order of the files is known.
  std::uint64_t write(std::span<const std::byte> loop, std::span<const std::byte> solver);

  /// The two files, there or not.
  static std::vector<std::filesystem::path> files(const std::filesystem::path& folder);

 private:
  std::filesystem::path folder_;
  std::uint64_t sequence_ = 0;  ///< of the newest good checkpoint; its file is number sequence_ % 2
};

}  // namespace repose
