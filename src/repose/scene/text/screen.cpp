#include "repose/scene/text/screen.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace repose::scene_file {
namespace {

constexpr int kMostKeyParts = 16;
constexpr int kDeepestNesting = 32;

/// Bytes of the UTF-8 character at text[i], or 0 where the bytes are no UTF-8 (RFC 3629: no overlong forms,
/// no surrogates, nothing past U+10FFFF).
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) {
    return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U;
  };
  const auto tail = [&](std::size_t k) { return (byte(k) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return tail(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
    return tail(1) && tail(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
    return tail(1) && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

/// The code point of a good character outside ASCII.
unsigned long code_point(std::string_view character) {
  unsigned long code = static_cast<unsigned char>(character[0]) & (0xFFU >> (character.size() + 1));
  for (const char tail : character.substr(1))
    code = (code << 6U) | (static_cast<unsigned char>(tail) & 0x3FU);
  return code;
}

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

/// Walks over the text as TOML would, knowing only strings, comments, brackets and dots, and writes it in
/// ASCII.
class Screen {
 public:
  explicit Screen(std::string_view text) : text_(text) { out_.ascii.reserve(text.size()); }

  ScreenedText run() {
    if (text_.starts_with("\xEF\xBB\xBF")) position_ = 3;
    while (position_ < text_.size() && !out_.problem) {
      if (within_ == Within::plain)
        plain_character();
      else if (within_ == Within::comment)
        comment_character();
      else
        string_character();
    }
    return std::move(out_);
  }

 private:
  enum class Within { plain, comment, string };

  void fail(std::string message) { out_.problem = ScreenProblem{place_, std::move(message)}; }

  char here() const { return text_[position_]; }

  /// Steps over one character of the text; `replacement` goes to the ASCII text instead of it.
  void take_as(std::string_view replacement) {
    const std::size_t length = utf8_length(text_, position_);
    if (length == 0) return fail("the text is not valid UTF-8");
    out_.ascii += replacement;
    const bool is_new_line = here() == '\n';
    position_ += length;
    ++place_.column;
    if (is_new_line) {
      ++place_.line;
      place_.column = 1;
      extra_ = 0;
    } else if (replacement.size() != 1) {
      extra_ += static_cast<int>(replacement.size()) - 1;
      out_.shifts.push_back({place_.line, place_.column + extra_, extra_});
    }
  }
  void take() {
    const char c = here();
    take_as({&c, 1});
  }
  void take(std::size_t count) {
    for (std::size_t i = 0; i < count && !out_.problem; ++i) take();
  }

  std::size_t run_of(char c) const {
    std::size_t n = 0;
    while (position_ + n < text_.size() && text_[position_ + n] == c) ++n;
    return n;
  }

  void plain_character() {
    const char c = here();
    if (!is_ascii(c)) {
      const bool broken = utf8_length(text_, position_) == 0;
      return fail(broken ? "the text is not valid UTF-8"
                         : "a character outside ASCII may stand in text and comments only");
    }
    if (c == '"' || c == '\'') return open_string(c);
    if (c == '#') within_ = Within::comment;
    count_dots(c);
    count_brackets(c);
    if (!out_.problem) take();
  }

  void comment_character() {
    if (here() == '\n') {
      within_ = Within::plain;
      dots_ = 0;
    }
    is_ascii(here()) ? take() : take_as("?");
  }

  void open_string(char quote) {
    quote_ = quote;
    multi_line_ = run_of(quote) >= 3;
    within_ = Within::string;
    // Literal strings know no escapes; one that needs some goes out as a basic string.
    becomes_basic_ = quote == '\'' && literal_has_others();
    for (int i = 0; i < (multi_line_ ? 3 : 1); ++i) take_as(out_quote());
  }
  std::string_view out_quote() const { return quote_ == '"' || becomes_basic_ ? "\"" : "'"; }

  /// Whether the literal string that begins here holds characters outside ASCII.
  bool literal_has_others() const {
    const std::string_view rest = text_.substr(position_ + (multi_line_ ? 3 : 1));
    const std::size_t end = multi_line_ ? rest.find("'''") : rest.find_first_of("'\n");
    const std::string_view inside = rest.substr(0, end);
    return !std::all_of(inside.begin(), inside.end(), is_ascii);
  }

  void string_character() {
    const char c = here();
    if (c == quote_) return close_string();
    if (c == '\n' && !multi_line_) within_ = Within::plain;  // a syntax error that the parser will name
    if (c == '\\' && quote_ == '"') return escape();
    if (becomes_basic_ && c == '\\') return take_as("\\\\");
    if (becomes_basic_ && c == '"') return take_as("\\\"");
    is_ascii(c) ? take() : take_escaped();
  }

  void escape() {
    take();
    if (position_ >= text_.size()) return;
    if (!is_ascii(here())) return fail("a backslash and a character outside ASCII are no escape");
    take();
  }

  void take_escaped() {
    const std::size_t length = utf8_length(text_, position_);
    if (length == 0) return fail("the text is not valid UTF-8");
    const unsigned long code = code_point(text_.substr(position_, length));
    take_as(code <= 0xFFFF ? fmt::format("\\u{:04X}", code) : fmt::format("\\U{:08X}", code));
  }

  void close_string() {
    const std::size_t run = run_of(quote_);
    if (!multi_line_) {
      take_as(out_quote());
      within_ = Within::plain;
    } else if (run < 3) {
      take(run);
    } else {
      // Up to two quotes may stand right before the closing three.
      take(std::min<std::size_t>(run, 5) - 3);
      for (int i = 0; i < 3; ++i) take_as(out_quote());
      within_ = Within::plain;
    }
  }

  /// Dots are counted as long as they could belong to one key.
  void count_dots(char c) {
    const bool part_of_key = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                             c == '_' || c == '-' || c == '+' || c == ' ' || c == '\t';
    if (c == '.')
      ++dots_;
    else if (!part_of_key)
      dots_ = 0;
    if (dots_ >= kMostKeyParts) fail(fmt::format("a key of more than {} parts", kMostKeyParts));
  }

  void count_brackets(char c) {
    if (c == '[' || c == '{') ++depth_;
    if ((c == ']' || c == '}') && depth_ > 0) --depth_;
    if (depth_ > kDeepestNesting) fail(fmt::format("brackets are nested more than {} deep", kDeepestNesting));
  }

  std::string_view text_;
  std::size_t position_ = 0;
  Place place_;
  Within within_ = Within::plain;
  char quote_ = '"';
  bool multi_line_ = false, becomes_basic_ = false;
  int dots_ = 0, depth_ = 0;
  int extra_ = 0;  ///< by which the ASCII text is longer, on this line so far
  ScreenedText out_;
};

}  // namespace

Place ScreenedText::original(int line, int column) const {
  const auto is_before = [](const std::pair<int, int>& place, const Shift& shift) {
    return place < std::pair(shift.line, shift.column);
  };
  const auto next = std::upper_bound(shifts.begin(), shifts.end(), std::pair(line, column), is_before);
  const bool is_shifted = next != shifts.begin() && std::prev(next)->line == line;
  return {-1, line, is_shifted ? column - std::prev(next)->extra : column};
}

ScreenedText screen_text(std::string_view text) {
  if (text.size() <= kLargestText) return Screen(text).run();
  ScreenedText out;
  out.problem =
      ScreenProblem{{},
                    fmt::format("the scene is longer than {} MiB, the most that is read (keep long lists "
                                "of points in a file of their own)",
                                kLargestText >> 20U)};
  return out;
}

}  // namespace repose::scene_file
