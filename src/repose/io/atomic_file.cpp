#include "repose/io/atomic_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "repose/core/error.h"

namespace repose {
namespace {

std::string remedy(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "; the disk is full: free space";
    case EFBIG:
      return "; files of this size are not allowed here: raise the limit (ulimit -f) or write fewer "
             "particles";
    case EACCES:
    case EPERM:
      return "; check who may write to that folder, or choose another one with -o";
    case EROFS:
      return "; the file system is read-only: choose another folder with -o";
    case ENOTDIR:
    case EEXIST:
      return "; a file is in the way: remove it, or choose another folder with -o";
    case ENAMETOOLONG:
      return "; choose a shorter name with -o";
    case ENOENT:
      return "; the folder was removed while the run was writing to it";
    default:
      return "; check the disk";
  }
}

/// Some file systems cannot flush; their word has to do.
bool flush(int descriptor) {
  return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

/// A new file for writing, locked while it is open: the lock says that somebody is at work on it. -1: errno
/// says why not.
int open_locked(const std::filesystem::path& path) {
  while (true) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0) return -1;
    struct stat facts {};
    // File systems without locks go without. Between open and flock somebody may have swept the file.
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 || fstat(descriptor, &facts) != 0 || facts.st_nlink > 0)
      return descriptor;
    close(descriptor);
  }
}

/// Whether nobody writes to this temporary file any more.
bool is_abandoned(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct stat facts {};
  const bool abandoned =
      fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  close(descriptor);
  return abandoned;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  const auto folder = path.parent_path();
  return folder.empty() ? std::filesystem::path(".") : folder;
}

}  // namespace

std::string write_failure(const std::filesystem::path& path, int error) {
  return fmt::format("cannot write {}: {}{}", path.string(), std::generic_category().message(error),
                     remedy(error));
}

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
  temporary_ =
      folder_of(path_) / fmt::format("{}{}-{}", kTemporaryPrefix, getpid(), path_.filename().string());
  descriptor_ = open_locked(temporary_);
  if (descriptor_ < 0) throw Error(ExitCode::run_failed, write_failure(path_, errno));
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() noexcept {
  if (descriptor_ < 0) return;
  close(descriptor_);
  descriptor_ = -1;
  unlink(temporary_.c_str());
}

void AtomicFile::fail(int error) {
  discard();
  throw Error(ExitCode::run_failed, write_failure(path_, error));
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // Linux takes at most 2 GiB in one call
  while (!bytes.empty()) {
    const auto written = ::write(descriptor_, bytes.data(), std::min(bytes.size(), kMostAtOnce));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    if (written == 0) fail(ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  int error = flush(descriptor_) ? 0 : errno;
  if (close(std::exchange(descriptor_, -1)) != 0 && error == 0 && errno != EINTR) error = errno;
  if (error == 0 && std::rename(temporary_.c_str(), path_.c_str()) != 0) error = errno;
  if (error != 0) {
    unlink(temporary_.c_str());
    throw Error(ExitCode::run_failed, write_failure(path_, error));
  }
}

void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  write_file(path, std::as_bytes(std::span(text)));
}

void sweep_temporary_files(const std::filesystem::path& folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().filename().string().starts_with(kTemporaryPrefix) && is_abandoned(it->path()))
      unlink(it->path().c_str());
}

void create_folder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error && !std::filesystem::is_directory(path, error))
    error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    throw Error(ExitCode::run_failed, fmt::format("cannot make the folder {}: {}{}", path.string(),
                                                  error.message(), remedy(error.value())));
}

}  // namespace repose
