#include "console.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

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
  write(plain_, text);
}

void Console::object_text(const std::string& json) {
  end_live();
  write(stdout, json);
}

void Console::warning(std::string_view text) {
  if (settings_.quiet) return;
  end_live();
  write(stderr, fmt::format("warning: {}", text));
}

void Console::error(std::string_view text) {
  end_live();
  write(stderr, text);
}

void Console::live(std::string_view text) {
  if (!live_) return;
  const std::size_t width = terminal_width(plain_) - 1;
  const std::string out = fmt::format("\r{}\033[K", text.substr(0, std::min(text.size(), width)));
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

std::string Console::bold(std::string_view text) const {
  return color_ ? fmt::format("\033[1m{}\033[0m", text) : std::string(text);
}

bool flush_output() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  pollfd output{fileno(stdout), 0, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace repose::command
