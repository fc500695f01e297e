// repose materials

#include <cstdio>
#include <numbers>

#include "arguments.h"
#include "console.h"
#include "verbs.h"
#include "wrap.h"
#include <fmt/format.h>

#include "repose/scene/load.h"

namespace repose::command {
namespace {

std::string angle_text(const Material& material) {
  if (!material.friction_angle) return "-";
  return fmt::format("{:.0f}", *material.friction_angle * 180 / std::numbers::pi);
}

}  // namespace

ExitCode materials_verb(Words line) {
  bool sources = false;
  Arguments arguments("materials",
                      "Lists the material presets, for [material.NAME] preset = \"...\" in a scene.");
  arguments.flag("--sources", sources, "says where the numbers come from");
  arguments.example("repose materials", "");
  arguments.example("repose materials --sources", "");
  if (!arguments.read(line)) {
    std::fputs(arguments.help().c_str(), stdout);
    return ExitCode::done;
  }
  Console console;
  console.line(fmt::format("{:<14} {:>9} {:>9} {:>7} {:>9}  {}", "preset", "density", "grain", "slope",
                           "cohesion", ""));
  console.line(fmt::format("{:<14} {:>9} {:>9} {:>7} {:>9}", "", "[kg/m3]", "[kg/m3]", "[deg]", "[Pa]"));
  for (const MaterialPreset& preset : material_presets()) {
    console.line(fmt::format("{:<14} {:>9.0f} {:>9.0f} {:>7} {:>9.0f}  {}", preset.name,
                             preset.values.density, preset.values.grain_density, angle_text(preset.values),
                             preset.values.cohesion, preset.description));
    if (sources) console.line(wrapped("", 15, preset.source));
  }
  console.line();
  console.line(
      "In a scene: [material.sand] preset = \"dry sand\"; a key that stands beside it wins over the "
      "preset's.");
  return ExitCode::done;
}

}  // namespace repose::command
