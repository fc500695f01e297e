#include "repose/io/run/checkpoint.h"

#include <array>
#include <cstring>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/hash.h"
#include "repose/io/atomic_file.h"
#include "repose/io/read_file.h"

namespace repose {
namespace {

constexpr std::array<char, 8> kMagic{'R', 'E', 'P', 'O', 'S', 'E', 'C', 'P'};
constexpr std::uint64_t kFormat = 1;

/// What a checkpoint file starts with.
struct Head {
  std::array<char, 8> magic = kMagic;
  std::uint64_t format = kFormat;
  std::uint64_t sequence = 0;
  std::uint64_t loop_size = 0, solver_size = 0;  ///< [bytes]
  std::uint64_t loop_hash = 0, solver_hash = 0;
  std::uint64_t head_hash = 0;  ///< over all of the above
};
static_assert(sizeof(Head) == 64);

std::uint64_t hash_of(const Head& head) {
  return hash_bytes(std::as_bytes(std::span(&head, 1)).first(sizeof(Head) - sizeof(head.head_hash)));
}

struct Loaded {
  std::uint64_t sequence = 0;
  Checkpoint checkpoint;
};

/// Throws Error where the file is no whole checkpoint.
Loaded load_file(const std::filesystem::path& path) {
  const auto fail = [&](const char* what) {
    throw Error(ExitCode::run_failed, fmt::format("{}: {}", path.string(), what));
  };
  const std::vector<std::byte> bytes = read_bytes(path);
  Head head;
  if (bytes.size() < sizeof(head)) fail("is cut short");
  std::memcpy(&head, bytes.data(), sizeof(head));
  if (head.magic != kMagic) fail("is no checkpoint");
  if (head.format != kFormat) fail("was written by another version of repose");
  if (head.head_hash != hash_of(head)) fail("has a damaged head");
  const std::span<const std::byte> rest = std::span(bytes).subspan(sizeof(head));
  if (head.loop_size > rest.size() || head.solver_size != rest.size() - head.loop_size) fail("is cut short");
  const auto loop = rest.first(head.loop_size), solver = rest.subspan(head.loop_size);
  if (hash_bytes(loop) != head.loop_hash || hash_bytes(solver) != head.solver_hash)
    fail("is damaged (its checksum does not fit)");
  return {head.sequence, {{loop.begin(), loop.end()}, {solver.begin(), solver.end()}, head.solver_hash}};
}

}  // namespace

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

std::uint64_t CheckpointStore::write(std::span<const std::byte> loop, std::span<const std::byte> solver) {
  create_folder(folder_);
  Head head;
  head.sequence = sequence_ + 1;
  head.loop_size = loop.size();
  head.solver_size = solver.size();
  head.loop_hash = hash_bytes(loop);
  head.solver_hash = hash_bytes(solver);
  head.head_hash = hash_of(head);
  AtomicFile file(files(folder_)[head.sequence % 2]);
  file.write(std::as_bytes(std::span(&head, 1)));
  file.write(loop);
  file.write(solver);
  file.commit();
  sequence_ = head.sequence;
  return head.solver_hash;
}

}  // namespace repose
