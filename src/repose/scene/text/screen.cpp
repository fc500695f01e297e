#include "repose/scene/text/screen.h"

#include <fmt/format.h>

namespace repose::scene_file {
namespace {

constexpr std::size_t kLargestText = 8U
                                     << 20U;  // [bytes]; longer lists of points belong in a file of their own
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

/// Walks over the text as TOML would, knowing only strings, comments, brackets and dots.
class Screen {
 public:
  explicit Screen(std::string_view text) : text_(text) {}

  std::optional<ScreenProblem> run() {
    while (position_ < text_.size() && !problem_) {
      if (within_ == Within::plain)
        plain_character();
      else if (within_ == Within::comment)
        comment_character();
      else
        string_character();
    }
    return problem_;
  }

 private:
  enum class Within { plain, comment, string };

  void fail(std::string message) { problem_ = ScreenProblem{place_, std::move(message)}; }

  /// Steps over one character; false where it is broken.
  bool advance() {
    const std::size_t length = utf8_length(text_, position_);
    if (length == 0) {
      fail("the text is not valid UTF-8");
      return false;
    }
    if (text_[position_] == '\n') {
      ++place_.line;
      place_.column = 1;
    } else {
      ++place_.column;
    }
    position_ += length;
    return true;
  }

  std::size_t run_of(char c) const {
    std::size_t n = 0;
    while (position_ + n < text_.size() && text_[position_ + n] == c) ++n;
    return n;
  }
  void advance_by(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) advance();
  }

  void plain_character() {
    const char c = text_[position_];
    if (static_cast<unsigned char>(c) >= 0x80) {
      if (position_ == 0 && text_.starts_with("\xEF\xBB\xBF")) {
        advance();
        place_.column = 1;
        return;
      }
      if (utf8_length(text_, position_) == 0) return fail("the text is not valid UTF-8");
      return fail("a character outside ASCII may stand in text and comments only");
    }
    if (c == '"' || c == '\'') return open_string(c);
    if (c == '#') within_ = Within::comment;
    count_dots(c);
    count_brackets(c);
    if (!problem_) advance();
  }

  void open_string(char quote) {
    const std::size_t run = run_of(quote);
    quote_ = quote;
    multi_line_ = run >= 3;
    advance_by(multi_line_ ? 3 : 1);
    within_ = Within::string;
  }

  void comment_character() {
    if (text_[position_] == '\n') within_ = Within::plain;
    if (within_ == Within::plain) dots_ = 0;
    advance();
  }

  void string_character() {
    const char c = text_[position_];
    if (c == quote_) return close_string();
    if (c == '\n' && !multi_line_) within_ = Within::plain;  // a syntax error that the parser will name
    if (c == '\\' && quote_ == '"' && advance() && position_ >= text_.size()) return;
    if (!problem_) advance();
  }

  void close_string() {
    const std::size_t run = run_of(quote_);
    if (!multi_line_) {
      advance();
      within_ = Within::plain;
    } else if (run < 3) {
      advance_by(run);
    } else {
      // Up to two quotes may stand right before the closing three.
      advance_by(run < 5 ? run : 5);
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
  bool multi_line_ = false;
  int dots_ = 0, depth_ = 0;
  std::optional<ScreenProblem> problem_;
};

}  // namespace

std::optional<ScreenProblem> screen_text(std::string_view text) {
  if (text.size() > kLargestText)
    return ScreenProblem{{},
                         fmt::format("the scene is {} MiB long; at most {} MiB are read (keep long lists of "
                                     "points in a file of their own)",
                                     text.size() >> 20U, kLargestText >> 20U)};
  return Screen(text).run();
}

}  // namespace repose::scene_file
