#pragma once
// How Repose writes files, all of them: under a temporary name in the same folder, flushed to the disk, and
// only then renamed. So a file under its final name is always whole, whenever the process is killed or the
// disk fills up. Every failure throws Error(run_failed) with the path, the system's reason and a remedy, and
// leaves no temporary file behind. A killed process may leave one, which the next one that writes to the
// folder sweeps: its name starts with kTemporaryPrefix, and nobody holds a lock on it. A power cut may undo
// the last renames, never the content of a file that has its name.
//
// Tables that grow by a row a frame (io/tables/csv_table.h) are the one exception.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace repose {

inline constexpr std::string_view kTemporaryPrefix = ".tmp-";

/// A file in the making. Goes away unless commit() was called.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  /// Flushes, closes and gives the file its final name.
  void commit();

  /// Where the bytes are until then, for another program that writes them.
  const std::filesystem::path& temporary() const { return temporary_; }

 private:
  [[noreturn]] void fail(int error);
  void discard() noexcept;

  std::filesystem::path path_, temporary_;
  int descriptor_ = -1;
};

void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_file(const std::filesystem::path& path, std::string_view text);

/// Removes what killed processes left half-written directly in a folder. What somebody still writes stays.
void sweep_temporary_files(const std::filesystem::path& folder);

/// Makes the folder and those above it; content with one that is there.
void create_folder(const std::filesystem::path& path);

/// "cannot write PATH: REASON; REMEDY" for an errno value.
std::string write_failure(const std::filesystem::path& path, int error);

}  // namespace repose
