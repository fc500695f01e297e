#pragma once
// Tables that grow while a run works: stats.csv and bodies.csv, whose first column is the frame, and those of
// probes, which have rows of their own.
//
// They are appended to, since writing all of a long table again for each frame would cost more than the
// frame: the rows of a frame go out in one write, and are taken back where that fails. After a kill the table
// holds every frame up to some moment; a resume cuts it back to the frame of the checkpoint, or to the number
// of rows that there were then.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace repose {

/// How many rows of a table a resume keeps.
struct KeepRows {
  std::uint64_t count;
};

class CsvTable {
 public:
  /// A new table with this header line (columns joined by commas, no line end).
  CsvTable(const std::filesystem::path& path, std::string_view header);
  /// Goes on with a table, keeping the rows of frames up to last_frame; a missing one is made anew. Throws
  /// Error(run_failed) where its columns are others.
  CsvTable(const std::filesystem::path& path, std::string_view header, int last_frame);
  /// The same by rows; with none to keep, the table is made anew.
  CsvTable(const std::filesystem::path& path, std::string_view header, KeepRows rows);
  CsvTable(CsvTable&& other) noexcept;
  CsvTable& operator=(CsvTable&&) = delete;
  ~CsvTable();

  /// Whole lines, each with its line end.
  void append(std::string_view rows);
  /// Brings the rows to the disk.
  void flush();
  /// The frame of the last row that a resume kept; -1 for none.
  int last_kept_frame() const { return last_kept_frame_; }
  /// How many rows a resume by rows kept.
  std::uint64_t kept_rows() const { return kept_rows_; }

 private:
  /// The text of a table with this header; throws where it has another.
  std::string read_existing(const std::string& head) const;
  /// Keeps this much of a table's text.
  void cut(const std::string& text, std::size_t length);
  void open_for_append();

  std::filesystem::path path_;
  int descriptor_ = -1;
  int last_kept_frame_ = -1;
  std::uint64_t kept_rows_ = 0;
};

/// A table in memory. A last line without its end is left out: the run was killed while writing it.
struct CsvContent {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;

  /// Index of a column; -1 where there is none.
  int column(std::string_view name) const;
};
CsvContent read_csv(const std::filesystem::path& path);

/// A field as it stands in a line: in quotes where it holds a comma or a quote.
std::string csv_field(std::string_view text);

}  // namespace repose
