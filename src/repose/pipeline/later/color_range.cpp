#include "repose/pipeline/later/color_range.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/render/color_fields.h"

namespace repose {

void set_color_range(const RunCache& cache, const Threads& threads, Scene& scene) {
  const std::string& color_by = scene.render.color_by;
  if (!colors_show_a_value(color_by)) return;
  std::vector<float> values;
  for (const int number : cache.frames) {
    threads.check_stop();
    const Frame frame = read_frame(cache, scene, number);
    if (lacks_color_values(scene, frame))
      throw Error(ExitCode::usage, fmt::format("the frames of {} have no channel '{}' (render.color_by)",
                                               cache.folder.root.string(), color_by));
    if (scene.render.range && frame.particle_count() > 0) return;
    add_color_values(frame, color_by, values);
  }
  const std::optional<ValueRange> range = spread_of(std::move(values), color_by);
  if (range && range->high > range->low)
    scene.render.range = {static_cast<double>(range->low), static_cast<double>(range->high)};
}

}  // namespace repose
