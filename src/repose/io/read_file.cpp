#include "repose/io/read_file.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "repose/core/error.h"

namespace repose {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, ExitCode code, int error) {
  throw Error(code, fmt::format("cannot read {}: {}", path.string(), std::generic_category().message(error)));
}

template <class Container>
Container read_whole(const std::filesystem::path& path) {
  // O_NONBLOCK: a pipe in place of the file is refused below, and must not be waited for.
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) fail(path, ExitCode::usage, errno);
  struct Closer {
    int descriptor;
    ~Closer() { close(descriptor); }
  } closer{descriptor};

  struct stat facts {};
  if (fstat(descriptor, &facts) != 0) fail(path, ExitCode::run_failed, errno);
  if (S_ISDIR(facts.st_mode)) fail(path, ExitCode::usage, EISDIR);
  if (!S_ISREG(facts.st_mode))
    throw Error(ExitCode::usage, fmt::format("cannot read {}: it is not a regular file", path.string()));
  Container content(static_cast<std::size_t>(facts.st_size), {});
  std::size_t done = 0;
  while (done < content.size()) {
    const auto got = read(descriptor, content.data() + done, content.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, ExitCode::run_failed, errno);
    if (got == 0) break;  // the file became shorter meanwhile
    done += static_cast<std::size_t>(got);
  }
  content.resize(done);
  return content;
}

}  // namespace

std::vector<std::byte> read_bytes(const std::filesystem::path& path) {
  return read_whole<std::vector<std::byte>>(path);
}

std::string read_text(const std::filesystem::path& path) { return read_whole<std::string>(path); }

bool file_exists(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

}  // namespace repose
