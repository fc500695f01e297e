#include "console.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "repose/core/text.h"

namespace repose::command {
namespace {

/// https://no-color.org: set and not empty means no colour. A dumb terminal cannot rewrite a line either.
bool set_and_not_empty(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool is_terminal(std::FILE* stream) {
  const char* term = std::getenv("TERM");
  return isatty(fileno(stream)) == 1 && (term == nullptr || std::string_view(term) != "dumb");
}

std::size_t terminal_width(std::FILE* stream) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return 80;
  return size.ws_col;
}

}  // namespace

Console::Console(ConsoleSettings settings)
    : settings_(settings),
      plain_(settings.json ? stderr : stdout),
      live_(!settings.quiet && is_terminal(plain_)),
      color_(live_ && !set_and_not_empty("NO_COLOR")) {}

void Console::write(std::FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fputc('\n', stream);
  std::fflush(stream);
}

void Console::line(std::string_view text) {
  if (settings_.quiet) return;
  end_live();
  write(plain_, printable_text(text));
}

void Console::titled(std::string_view title, std::string_view text) {
  if (settings_.quiet) return;
  end_live();
  write(plain_, fmt::format("{}{}{} {}", color_ ? "\033[1m" : "", printable_text(title),
                            color_ ? "\033[0m" : "", printable_text(text)));
}

void Console::object_text(const std::string& json) {
  end_live();
  write(stdout, json);
}

void Console::warning(std::string_view text) {
  if (settings_.quiet) return;
  end_live();
  write(stderr, fmt::format("warning: {}", printable_text(text)));
}

void Console::error(std::string_view text) {
  end_live();
  write(stderr, printable_text(text));
}

void Console::live(std::string_view text) {
  if (!live_) return;
  const std::size_t width = terminal_width(plain_) - 1;
  const std::string shown = printable_text(text);
  const std::string out = fmt::format("\r{}\033[K", shown.substr(0, std::min(shown.size(), width)));
  std::fwrite(out.data(), 1, out.size(), plain_);
  std::fflush(plain_);
  line_open_ = true;
}

void Console::end_live() {
  if (!line_open_) return;
  std::fputc('\n', plain_);
  std::fflush(plain_);
  line_open_ = false;
}

void Console::drop_live() {
  if (!line_open_) return;
  std::fputs("\r\033[K", plain_);
  std::fflush(plain_);
  line_open_ = false;
}

void open_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      open("/dev/null", O_RDWR);  // takes the lowest free number
}

bool flush_output() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  pollfd output{fileno(stdout), 0, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace repose::command
