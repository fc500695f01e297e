// Files are whole or not there, whatever fails.

#include "repose/io/atomic_file.h"

#include <csignal>

#include "support/temporary_folder.h"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "repose/core/error.h"
#include "repose/io/read_file.h"
#include "repose/io/tables/csv_table.h"

namespace repose {
namespace {

/// No file may grow past this size while the object lives: a disk that is full, without a disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit old_{};
  void (*old_handler_)(int);
};

std::string error_text(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::run_failed);
    return error.what();
  }
  return "";
}

TEST(AtomicFile, AppearsOnCommitOnly) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "data.txt";
  AtomicFile file(path);
  file.write("one");
  EXPECT_FALSE(std::filesystem::exists(path));
  file.write(" two");
  file.commit();
  EXPECT_EQ(read_text(path), "one two");
  EXPECT_EQ(folder.files(), std::vector<std::string>{"data.txt"});
}

TEST(AtomicFile, LeavesNothingWithoutCommit) {
  const test::TemporaryFolder folder;
  { AtomicFile(folder.path() / "data.txt").write("one"); }
  EXPECT_TRUE(folder.files().empty());
}

TEST(AtomicFile, ReplacesWholeFiles) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "data.txt";
  write_file(path, "a longer text");
  write_file(path, "short");
  EXPECT_EQ(read_text(path), "short");
}

TEST(AtomicFile, KeepsTheOldFileWhenTheDiskRefuses) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "data.txt";
  write_file(path, "old");
  const FileSizeLimit limit(1000);
  const std::string text = error_text([&] { write_file(path, std::string(5000, 'x')); });
  EXPECT_NE(text.find("cannot write " + path.string()), std::string::npos) << text;
  EXPECT_EQ(read_text(path), "old");
  EXPECT_EQ(folder.files(), std::vector<std::string>{"data.txt"});
}

TEST(AtomicFile, SaysWhereAndWhyAFolderCannotBeWritten) {
  const std::string text = error_text([] { write_file("/proc/version_of_mine/data.txt", "x"); });
  EXPECT_NE(text.find("cannot write /proc/version_of_mine/data.txt: "), std::string::npos) << text;
}

TEST(AtomicFile, RefusesAFolderInTheWay) {
  const test::TemporaryFolder folder;
  create_folder(folder.path() / "taken");
  EXPECT_NE(error_text([&] { write_file(folder.path() / "taken", "x"); }), "");
  EXPECT_TRUE(folder.files().empty());
}

TEST(AtomicFile, FullDiskTellsWhatToDo) {
  // Whether there is a run to resume only the run itself knows (tests/cli/test_disk.py).
  EXPECT_EQ(write_failure("out/a.ply", ENOSPC),
            "cannot write out/a.ply: No space left on device; the disk is full: free space");
}

TEST(CreateFolder, MakesFoldersAboveAndRefusesAFile) {
  const test::TemporaryFolder folder;
  create_folder(folder.path() / "a" / "b");
  create_folder(folder.path() / "a" / "b");
  EXPECT_TRUE(std::filesystem::is_directory(folder.path() / "a" / "b"));
  write_file(folder.path() / "file", "x");
  EXPECT_NE(error_text([&] { create_folder(folder.path() / "file"); }), "");
  EXPECT_NE(error_text([&] { create_folder(folder.path() / "file" / "below"); }), "");
}

TEST(CsvTable, TakesBackRowsThatDoNotFit) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "stats.csv";
  CsvTable table(path, "frame,value");
  table.append("0,1\n");
  {
    const FileSizeLimit limit(100);
    EXPECT_NE(error_text([&] { table.append("1," + std::string(200, '7') + "\n"); }), "");
  }
  EXPECT_EQ(read_text(path), "frame,value\n0,1\n");
  table.append("1,2\n");
  EXPECT_EQ(read_text(path), "frame,value\n0,1\n1,2\n");
}

TEST(AtomicFile, OnlyWhatNobodyWritesIsSwept) {
  const test::TemporaryFolder folder;
  AtomicFile writing(folder.path() / "a.txt");
  writing.write("half");
  const auto left = folder.path() / ".tmp-1-b.txt", own = folder.path() / "b.txt";
  write_file(own, "mine");
  std::filesystem::copy_file(own, left);
  sweep_temporary_files(folder.path());
  EXPECT_FALSE(file_exists(left));
  EXPECT_TRUE(file_exists(own));
  writing.commit();
  EXPECT_EQ(read_text(folder.path() / "a.txt"), "half");
  sweep_temporary_files(folder.path() / "nowhere");
}

}  // namespace
}  // namespace repose
