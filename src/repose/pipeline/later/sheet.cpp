#include "repose/pipeline/later/sheet.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"
#include "repose/io/pictures/png.h"
#include "repose/pipeline/later/cache.h"
#include "repose/pipeline/later/color_range.h"
#include "repose/pipeline/later/each_frame.h"
#include "repose/pipeline/later/run_camera.h"
#include "repose/pipeline/stages/picture_stage.h"
#include "repose/pipeline/stoppable.h"
#include "repose/pipeline/stopwatch.h"
#include "repose/render/color_fields.h"
#include "repose/render/lettering.h"
#include "repose/render/render.h"

namespace repose {
namespace {

constexpr int kWidth = 1920;  ///< of the sheet, about [pixel]
constexpr int kGap = 4;       ///< between pictures [pixel]
constexpr int kMost = 20;     ///< columns or rows
constexpr Rgb8 kBackground{24, 24, 26}, kLabel{245, 245, 245}, kPaper{0, 0, 0};

/// As many of the frames as there are places, first and last among them.
std::vector<int> spread_frames(const std::vector<int>& frames, std::size_t places) {
  if (frames.size() <= places) return frames;
  if (places == 1) return {frames.back()};
  std::vector<int> chosen;
  for (std::size_t i = 0; i < places; ++i) {
    const std::size_t step = places - 1;
    chosen.push_back(frames[(i * (frames.size() - 1) + step / 2) / step]);
  }
  return chosen;
}

void paste(const Image8& picture, int left, int top, Image8& sheet) {
  for (int y = 0; y < picture.height; ++y) {
    const auto from = picture.pixels.begin() + static_cast<std::ptrdiff_t>(y) * picture.width;
    std::copy_n(from, picture.width,
                sheet.pixels.begin() + static_cast<std::ptrdiff_t>(top + y) * sheet.width + left);
  }
}

void draw_label(const Frame& frame, Image8& picture) {
  const std::string text = fmt::format("frame {}   {:.3f} s", frame.index, frame.time);
  const double height = std::max(7.0, 0.035 * picture.height);
  const int pad = static_cast<int>(height);
  const int top = picture.height - 3 * pad;
  fill_rectangle(picture, 0, top, static_cast<int>(text_width(text, height)) + 2 * pad, picture.height,
                 kPaper, 0.5);
  draw_text(picture, text, pad, top + pad, height, kLabel);
}

}  // namespace

void parse_sheet(const std::string& text, SheetOptions& options) {
  const std::size_t cross = text.find('x');
  const auto number = [&](std::size_t begin, std::size_t end, int& value) {
    const auto [stop, error] = std::from_chars(text.data() + begin, text.data() + end, value);
    return error == std::errc() && stop == text.data() + end && value >= 1 && value <= kMost;
  };
  if (cross == std::string::npos || !number(0, cross, options.columns) ||
      !number(cross + 1, text.size(), options.rows))
    throw Error(
        ExitCode::usage,
        fmt::format("--sheet needs columns and rows from 1 to {}, such as 4x3, found '{}'", kMost, text));
}

SheetSummary render_sheet(const SheetOptions& options, Threads& threads, Progress& progress) {
  const Stopwatch watch;
  const RunCache cache = open_run(options.run);
  Scene scene = options.scene ? *options.scene : run_scene(cache);
  const auto places = static_cast<std::size_t>(options.columns) * static_cast<std::size_t>(options.rows);
  const std::vector<int> frames = spread_frames(select_frames(cache, options.frames), places);
  const RunFolder target = picture_folder(cache, options.output);
  sweep_temporary_files(target.root);
  SheetSummary summary;
  if (colors_show_a_value(scene.render.color_by))
    progress.message(LogLevel::activity, "looking through the frames for the range of colours");
  summary.interrupted = !finish_unless_stopped(threads, options.interrupt, [&] {
    set_color_range(cache, threads, scene);
    set_run_camera(cache, threads, scene);
  });
  if (summary.interrupted) return summary;
  const double aspect = static_cast<double>(scene.render.size[1]) / scene.render.size[0];
  const int width = std::max(16, (kWidth - kGap) / options.columns - kGap);
  const int height = std::max(16, static_cast<int>(width * aspect));
  scene.render.size = {width, height};

  const int rows = static_cast<int>((frames.size() + static_cast<std::size_t>(options.columns) - 1) /
                                    static_cast<std::size_t>(options.columns));
  Image8 sheet{kGap + options.columns * (width + kGap), kGap + rows * (height + kGap), {}};
  sheet.pixels.assign(static_cast<std::size_t>(sheet.width) * static_cast<std::size_t>(sheet.height),
                      kBackground);
  progress.message(LogLevel::activity, fmt::format("drawing frame {}", frames.front()));
  Renderer renderer(scene, cache.shapes, threads);
  summary.frames = for_each_frame("render", frames, threads, options.interrupt, progress, [&](int number) {
    const Frame frame = read_frame(cache, scene, number);
    const DrawnMatter drawn = drawn_matter(cache.folder, scene, frame, threads);
    Image8 picture = renderer.picture(
        frame, {drawn.surface ? &drawn.surface->mesh : nullptr, drawn.fine ? &*drawn.fine : nullptr});
    draw_label(frame, picture);
    const int place = static_cast<int>(std::find(frames.begin(), frames.end(), number) - frames.begin());
    const int column = place % options.columns, row = place / options.columns;
    paste(picture, kGap + column * (width + kGap), kGap + row * (height + kGap), sheet);
  });
  summary.interrupted = summary.frames < static_cast<int>(frames.size());
  if (summary.interrupted) return summary;
  summary.file = target.sheet();
  write_png(summary.file, sheet);
  summary.seconds = watch.seconds();
  return summary;
}

}  // namespace repose
