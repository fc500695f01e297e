#include "repose/pipeline/export_run.h"

#include <system_error>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"
#include "repose/io/csv.h"
#include "repose/io/ply.h"
#include "repose/pipeline/cache.h"
#include "repose/pipeline/stopwatch.h"

namespace repose {
namespace {

void check_format(const std::string& format) {
  if (format == "ply" || format == "csv") return;
  if (format == "vtp" || format == "vdb")
    throw Error(ExitCode::usage,
                fmt::format("export to '{}' is not available yet; formats: ply, csv", format));
  throw Error(ExitCode::usage, fmt::format("'{}' is no format to export to; formats: ply, csv", format));
}

}  // namespace

ExportSummary export_run(const ExportOptions& options, Progress& progress) {
  check_format(options.format);
  const RunCache cache = open_run(options.run);
  const std::vector<int> frames = select_frames(cache, options.frames);
  ExportSummary summary;
  summary.output = options.output.empty() ? cache.folder.root / "export" / options.format : options.output;
  create_folder(summary.output);

  const Stopwatch watch;
  const int total = static_cast<int>(frames.size());
  for (const int number : frames) {
    if (options.interrupt != nullptr && options.interrupt->load()) {
      summary.interrupted = true;
      return summary;
    }
    const Frame frame = read_frame(cache, number);
    const auto path = summary.output / numbered_name("particles", number, options.format);
    if (options.format == "csv")
      write_csv(path, frame);
    else
      write_ply(path, frame);
    std::error_code gone;
    const auto size = std::filesystem::file_size(path, gone);
    if (!gone) summary.bytes += size;
    ++summary.frames;
    progress.job_advanced({.job = "export",
                           .frame = number,
                           .done = summary.frames,
                           .total = total,
                           .elapsed = watch.seconds(),
                           .eta = watch.seconds() / summary.frames * (total - summary.frames)});
  }
  return summary;
}

}  // namespace repose
