#include "repose/io/vdb_archive.h"

#include <sstream>

#include <fmt/format.h>
#include <openvdb/io/Archive.h>

#include "repose/core/error.h"
#include "repose/core/hash.h"

namespace repose {
namespace {

/// Writes to any stream, with the places of the grids in it, as io::File does for files alone.
class StreamArchive : public openvdb::io::Archive {
 public:
  using Archive::write;
  void write_to(std::ostream& out, const openvdb::GridCPtrVec& grids) const {
    Archive::write(out, grids, /*seekable=*/true);
  }
};

/// OpenVDB marks each file with a random number. One made from the content keeps equal frames equal to the
/// byte. It stands as 36 characters after the magic number (8 bytes), three version numbers (4 each) and a
/// flag (1).
void mark_by_content(std::string& bytes) {
  constexpr std::size_t kPlace = 21, kLength = 36;
  if (bytes.size() < kPlace + kLength) return;
  char* mark = bytes.data() + kPlace;
  for (const std::size_t dash : {8U, 13U, 18U, 23U})
    if (mark[dash] != '-') return;  // another layout than that of OpenVDB 10: leave it alone
  const auto rest = std::as_bytes(std::span(bytes)).subspan(kPlace + kLength);
  const std::string digits = to_hex(hash_bytes(rest)) + to_hex(hash_bytes(rest, 1));
  for (std::size_t i = 0, next = 0; i < kLength; ++i)
    if (mark[i] != '-') mark[i] = digits[next++];
}

}  // namespace

std::string vdb_file_bytes(const openvdb::GridCPtrVec& grids) {
  StreamArchive archive;
  archive.setCompression(openvdb::io::COMPRESS_BLOSC | openvdb::io::COMPRESS_ACTIVE_MASK);
  std::ostringstream out(std::ios_base::out | std::ios_base::binary);
  archive.write_to(out, grids);
  std::string bytes = std::move(out).str();
  mark_by_content(bytes);
  return bytes;
}

std::string vdb_in_arena(Threads& threads, std::string_view what, const std::function<std::string()>& make) {
  std::string bytes, failure;
  threads.enclose([&] {
    try {
      openvdb::initialize();
      bytes = make();
    } catch (const openvdb::Exception& error) {
      failure = error.what();
    }
  });
  if (!failure.empty()) throw Error(ExitCode::run_failed, fmt::format("cannot make {}: {}", what, failure));
  return bytes;
}

}  // namespace repose
