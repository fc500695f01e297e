#include "repose/io/tables/csv_table.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"
#include "repose/io/read_file.h"

namespace repose {
namespace {

/// Where the rows of frames up to last_frame end, and the last such frame.
struct Cut {
  std::size_t length;
  int last_frame;
};

Cut find_cut(std::string_view text, std::size_t start, int last_frame) {
  Cut cut{start, -1};
  while (true) {
    const std::size_t end = text.find('\n', cut.length);
    if (end == std::string_view::npos) return cut;
    int frame = -1;
    const auto [number_end, error] = std::from_chars(text.data() + cut.length, text.data() + end, frame);
    if (error != std::errc() || *number_end != ',' || frame > last_frame) return cut;
    cut = {end + 1, frame};
  }
}

std::vector<std::string> split_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

}  // namespace

CsvTable::CsvTable(const std::filesystem::path& path, std::string_view header) : path_(path) {
  write_file(path_, fmt::format("{}\n", header));
  open_for_append();
}

CsvTable::CsvTable(const std::filesystem::path& path, std::string_view header, int last_frame) : path_(path) {
  const std::string head = fmt::format("{}\n", header);
  if (!file_exists(path_)) {
    write_file(path_, head);
  } else {
    const std::string text = read_existing(head);
    const Cut found = find_cut(text, head.size(), last_frame);
    last_kept_frame_ = found.last_frame;
    cut(text, found.length);
  }
  open_for_append();
}

CsvTable::CsvTable(const std::filesystem::path& path, std::string_view header, KeepRows rows) : path_(path) {
  const std::string head = fmt::format("{}\n", header);
  if (rows.count == 0 || !file_exists(path_)) {
    write_file(path_, head);
  } else {
    const std::string text = read_existing(head);
    std::size_t length = head.size();
    for (; kept_rows_ < rows.count; ++kept_rows_) {
      const std::size_t end = text.find('\n', length);
      if (end == std::string::npos) break;
      length = end + 1;
    }
    cut(text, length);
  }
  open_for_append();
}

std::string CsvTable::read_existing(const std::string& head) const {
  std::string text = read_text(path_);
  if (!text.starts_with(head))
    throw Error(
        ExitCode::run_failed,
        fmt::format("{}: has other columns than this version of repose writes; start the run anew with "
                    "--force, or move the file away",
                    path_.string()));
  return text;
}

void CsvTable::cut(const std::string& text, std::size_t length) {
  if (length < text.size()) write_file(path_, std::string_view(text).substr(0, length));
}

CsvTable::CsvTable(CsvTable&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      last_kept_frame_(other.last_kept_frame_),
      kept_rows_(other.kept_rows_) {}

CsvTable::~CsvTable() {
  if (descriptor_ >= 0) close(descriptor_);
}

void CsvTable::open_for_append() {
  descriptor_ = open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor_ < 0) throw Error(ExitCode::run_failed, write_failure(path_, errno));
}

void CsvTable::append(std::string_view rows) {
  struct stat before {};
  if (fstat(descriptor_, &before) != 0) throw Error(ExitCode::run_failed, write_failure(path_, errno));
  std::size_t done = 0;
  while (done < rows.size()) {
    const auto written = ::write(descriptor_, rows.data() + done, rows.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      // Take back what went out of these rows, so that the table stays whole.
      const int error = written < 0 ? errno : ENOSPC;
      const bool taken_back = ftruncate(descriptor_, before.st_size) == 0;
      throw Error(ExitCode::run_failed,
                  write_failure(path_, error) + (taken_back ? "" : " (its last line is cut short)"));
    }
    done += static_cast<std::size_t>(written);
  }
}

void CsvTable::flush() {
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP)
    throw Error(ExitCode::run_failed, write_failure(path_, errno));
}

int CsvContent::column(std::string_view name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

CsvContent read_csv(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  CsvContent content;
  std::size_t position = 0, line_number = 0;
  while (true) {
    const std::size_t end = text.find('\n', position);
    if (end == std::string::npos) break;
    auto fields = split_fields(std::string_view(text).substr(position, end - position));
    ++line_number;
    if (line_number == 1) {
      content.columns = std::move(fields);
    } else if (fields.size() != content.columns.size()) {
      throw Error(ExitCode::run_failed,
                  fmt::format("{}:{}: has {} fields instead of {}: the file is damaged", path.string(),
                              line_number, fields.size(), content.columns.size()));
    } else {
      content.rows.push_back(std::move(fields));
    }
    position = end + 1;
  }
  return content;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

}  // namespace repose
