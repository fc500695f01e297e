#include "wrap.h"

#include <algorithm>

namespace repose::command {

std::string wrapped(std::string_view left, std::size_t column, std::string_view text) {
  constexpr std::size_t kWidth = 100;
  std::string out(left);
  if (left.size() >= column) {
    out += '\n';
    out.append(column, ' ');
  } else {
    out.append(column - left.size(), ' ');
  }
  std::size_t position = column;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (position > column && position + 1 + word.size() > kWidth) {
      out += '\n';
      out.append(column, ' ');
      position = column;
    }
    if (position > column) {
      out += ' ';
      ++position;
    }
    out += word;
    position += word.size();
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return out + '\n';
}

}  // namespace repose::command
