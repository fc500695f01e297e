#include "repose/io/pictures/film.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"
#include "repose/io/read_file.h"

extern char** environ;

namespace repose {
namespace {

[[noreturn]] void fail(const std::filesystem::path& film, const std::string& why) {
  throw Error(ExitCode::run_failed,
              fmt::format("cannot make the film {}: {} (the images are kept)", film.string(), why));
}

std::string reason(int error) { return std::generic_category().message(error); }

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryLog = std::unique_ptr<std::FILE, CloseFile>;

/// A running ffmpeg. Ends with the object, one way or the other.
class Child {
 public:
  Child(const std::filesystem::path& program, const std::vector<std::string>& arguments);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// False where the child does not listen any more.
  bool send(std::span<const std::byte> bytes);
  /// Tells the child that there is no more and waits for its end; its exit status, or -1. Asks go_on() now
  /// and then (where there is one); nothing where it said no.
  std::optional<int> finish(const std::function<bool()>& go_on);
  /// What it said on stdout and stderr.
  std::string output() const;

 private:
  int wait();

  // A socket instead of a pipe: writing to a child that is gone must not raise SIGPIPE in a program that
  // uses this library.
  int socket_ = -1;
  pid_t process_ = -1;
  TemporaryLog log_;
};

Child::Child(const std::filesystem::path& program, const std::vector<std::string>& arguments)
    : log_(std::tmpfile()) {
  std::array<int, 2> ends{};
  if (!log_ || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Error(ExitCode::run_failed, fmt::format("cannot start {}: {}", program.string(), reason(errno)));
  socket_ = ends[0];

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(log_.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(log_.get()), STDERR_FILENO);
  // Its own process group: Ctrl-C at the terminal is ours to handle.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<std::string> texts{program.string()};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  const int error = posix_spawn(&process_, program.c_str(), &actions, &attributes, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  if (error != 0) {
    close(socket_);
    process_ = -1;
    throw Error(ExitCode::run_failed, fmt::format("cannot start {}: {}", program.string(), reason(error)));
  }
}

Child::~Child() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    wait();
  }
  if (socket_ >= 0) close(socket_);
}

bool Child::send(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

int Child::wait() {
  int status = 0;
  while (waitpid(process_, &status, 0) < 0)
    if (errno != EINTR) break;
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::optional<int> Child::finish(const std::function<bool()>& go_on) {
  constexpr useconds_t kPause = 50'000;  // [us]
  close(socket_);
  socket_ = -1;
  while (true) {
    siginfo_t ended{};
    const int answer = waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT);
    if ((answer != 0 && errno != EINTR) || ended.si_pid != 0) return wait();
    if (go_on && !go_on()) return std::nullopt;
    usleep(kPause);
  }
}

std::string Child::output() const {
  constexpr std::size_t kMostKept = 2000;
  std::string text(kMostKept, '\0');
  std::fseek(log_.get(), 0, SEEK_SET);
  text.resize(std::fread(text.data(), 1, text.size(), log_.get()));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

/// Width and height as they stand in a PNG file, or nothing where it is none.
std::span<const std::byte> png_size(std::span<const std::byte> bytes) {
  return bytes.size() < 24 ? std::span<const std::byte>() : bytes.subspan(16, 8);
}

std::vector<std::string> ffmpeg_arguments(double fps, const std::filesystem::path& target) {
  return {"-hide_banner", "-loglevel", "error", "-nostdin", "-y",
          // the images, one after another on stdin
          "-f", "image2pipe", "-framerate", fmt::format("{}", fps), "-c:v", "png", "-i", "pipe:0",
          // libx264 takes even sizes only
          "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "18",
          "-movflags", "+faststart", "-f", "mp4", "file:" + target.string()};
}

}  // namespace

std::optional<std::filesystem::path> find_ffmpeg() {
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const auto candidate = std::filesystem::path(rest.substr(0, end)) / "ffmpeg";
    std::error_code error;
    if (std::filesystem::is_regular_file(candidate, error) && access(candidate.c_str(), X_OK) == 0)
      return candidate;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return std::nullopt;
}

bool write_film(const std::filesystem::path& film, std::span<const std::filesystem::path> images,
                const FilmOptions& options) {
  const auto program = find_ffmpeg();
  if (!program) fail(film, kNoFfmpeg);
  if (images.empty()) fail(film, "there are no images");

  AtomicFile file(film);
  Child ffmpeg(*program, ffmpeg_arguments(options.fps, file.temporary()));
  std::size_t done = 0;
  std::vector<std::byte> first_size;
  for (const auto& image : images) {
    if (options.go_on && !options.go_on(done)) return false;
    const std::vector<std::byte> bytes = read_bytes(image);
    const auto size = png_size(bytes);
    if (done == 0) first_size.assign(size.begin(), size.end());
    if (!std::equal(size.begin(), size.end(), first_size.begin(), first_size.end()))
      fail(film, fmt::format("{} has another size than the images before it; make all of them again with "
                             "'repose render'",
                             image.string()));
    if (!ffmpeg.send(bytes)) break;  // its exit status tells why
    ++done;
  }
  const auto go_on = [&] { return !options.go_on || options.go_on(done); };
  const std::optional<int> status = ffmpeg.finish(go_on);
  if (!status) return false;
  if (*status != 0) {
    const std::string words = ffmpeg.output();
    fail(film,
         fmt::format("ffmpeg failed{}", words.empty() ? fmt::format(" (exit {})", *status) : ": " + words));
  }
  file.commit();
  return true;
}

}  // namespace repose
