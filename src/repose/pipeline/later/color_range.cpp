#include "repose/pipeline/later/color_range.h"

#include <algorithm>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/render/color_fields.h"

namespace repose {

void set_color_range(const RunCache& cache, const Threads& threads, Scene& scene) {
  const std::string& color_by = scene.render.color_by;
  if (!colors_show_a_value(color_by)) return;
  std::optional<ValueRange> range;
  for (const int number : cache.frames) {
    threads.check_stop();
    const Frame frame = read_frame(cache, number);
    if (lacks_color_values(scene, frame))
      throw Error(ExitCode::usage, fmt::format("the frames of {} have no channel '{}' (render.color_by)",
                                               cache.folder.root.string(), color_by));
    if (scene.render.range && frame.particle_count() > 0) return;
    const std::optional<ValueRange> here = spread_of(frame, color_by);
    if (!here) continue;
    range = range ? ValueRange{std::min(range->low, here->low), std::max(range->high, here->high)} : *here;
  }
  if (range && range->high > range->low)
    scene.render.range = {static_cast<double>(range->low), static_cast<double>(range->high)};
}

}  // namespace repose
