#include "repose/core/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "repose/core/error.h"

namespace repose {
namespace {

// A sanitizer reserves terabytes of addresses, which a limit on them would forbid.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitsMemory = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kLimitsMemory = false;
#else
constexpr bool kLimitsMemory = true;
#endif
#else
constexpr bool kLimitsMemory = true;
#endif

constexpr int kThrew = 3, kNoPipe = 4;

void set_limit(int what, std::uint64_t value) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource>(what), &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(value, limit.rlim_max);
  setrlimit(static_cast<__rlimit_resource>(what), &limit);
}

/// Addresses that the process has already [bytes].
std::uint64_t addresses_in_use() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  std::array<char, 64> text{};
  const std::size_t count = std::fread(text.data(), 1, text.size() - 1, file);
  static_cast<void>(std::fclose(file));
  const std::uint64_t pages = count > 0 ? std::strtoull(text.data(), nullptr, 10) : 0;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

bool write_all(int pipe, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = write(pipe, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

[[noreturn]] void be_child(const std::function<std::string()>& work, const ChildLimits& limits, int pipe) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int ignored : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(ignored, SIG_IGN);
  if (const int null = open("/dev/null", O_WRONLY | O_CLOEXEC); null >= 0) {
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
  }
  set_limit(RLIMIT_CORE, 0);
  set_limit(RLIMIT_CPU, static_cast<std::uint64_t>(limits.seconds));
  if (kLimitsMemory) set_limit(RLIMIT_AS, addresses_in_use() + limits.memory);
  int code = kThrew;
  try {
    code = write_all(pipe, work()) ? 0 : kNoPipe;
  } catch (...) {  // out of memory, most likely: the parent is told by the code
  }
  // Nothing of the parent is cleaned up twice, and no buffer of it written twice.
  _exit(code);
}

/// Reads until the child closes its end; false where it takes longer than it may.
bool read_all(int pipe, int seconds, std::string& bytes) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::seconds(seconds);
  std::array<char, 65536> buffer;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return false;
    pollfd wait{pipe, POLLIN, 0};
    if (poll(&wait, 1, static_cast<int>(left)) <= 0) continue;
    const ssize_t got = read(pipe, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    bytes.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

std::string failure_of(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU || signal == SIGKILL) return "it takes too long";
    return std::string("it crashed (") + strsignal(signal) + ")";
  }
  return WEXITSTATUS(status) == kThrew ? "it takes too much memory" : "it crashed";
}

}  // namespace

ChildAnswer run_in_child(const std::function<std::string()>& work, const ChildLimits& limits) {
  std::array<int, 2> ends{};
  const auto fail = [](const char* what) {
    throw Error(ExitCode::run_failed, std::string("cannot ") + what + ": " + std::strerror(errno));
  };
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("open a pipe");
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    fail("start a process to read a file in");
  }
  if (child == 0) {
    close(ends[0]);
    be_child(work, limits, ends[1]);
  }
  close(ends[1]);
  ChildAnswer answer;
  std::string bytes;
  const bool ended = read_all(ends[0], 2 * limits.seconds, bytes);
  close(ends[0]);
  if (!ended) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (ended && WIFEXITED(status) && WEXITSTATUS(status) == 0)
    answer.bytes = std::move(bytes);
  else
    answer.failure = failure_of(status);
  return answer;
}

}  // namespace repose
