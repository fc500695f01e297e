#pragma once
// What the command prints, and where. Plain text goes to stdout; with `--json` stdout carries JSON objects
// alone and plain text goes to stderr; with `-q` there is no plain text. Warnings and errors go to stderr. On
// a terminal one line is live: it is written over until something else is printed. Texts may hold names and
// titles of files: control characters in them are shown, not obeyed (core/text.h, printable_text).

#include <cstdio>
#include <string>
#include <string_view>

namespace repose::command {

struct ConsoleSettings {
  bool quiet = false, json = false;
};

class Console {
 public:
  explicit Console(ConsoleSettings settings = {});
  ~Console() { end_live(); }
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  void line(std::string_view text = "");
  /// The same with a title before it, bold on a terminal.
  void titled(std::string_view title, std::string_view text);
  /// One JSON object (nlohmann's) a line; only with `--json`. Bytes that are no UTF-8, as paths may hold, are
  /// replaced.
  template <class Json>
  void object(const Json& json) {
    if (settings_.json) object_text(json.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  void warning(std::string_view text);
  void error(std::string_view text);

  /// Whether plain text goes to a terminal that can rewrite a line.
  bool is_live() const { return live_; }
  /// Replaces the live line; cut to the width of the terminal.
  void live(std::string_view text);
  /// Leaves the live line standing and starts a new one.
  void end_live();
  /// Wipes the live line away.
  void drop_live();

 private:
  void object_text(const std::string& json);
  void write(std::FILE* stream, std::string_view text);
  ConsoleSettings settings_;
  std::FILE* plain_;  ///< where plain text goes
  bool live_, color_;
  bool line_open_ = false;
};

/// Opens the null device for each of stdin, stdout and stderr that was closed: else the first file that is
/// opened takes the place of one, and what is printed goes into it.
void open_closed_streams();

/// Flushes stdout; false where what was printed did not arrive, unless its reader went away by its own will.
bool flush_output();

}  // namespace repose::command
