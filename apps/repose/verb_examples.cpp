// repose examples

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "arguments.h"
#include "console.h"
#include "verbs.h"
#include <fmt/format.h>

#include "repose/scene/load.h"

namespace repose::command {
namespace {

namespace fs = std::filesystem;

/// The folder of example scenes: beside the build folder, where `make` leaves the command, or where it is
/// installed.
fs::path find_examples() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const std::array places{program.parent_path().parent_path() / "examples",
                          program.parent_path().parent_path() / "share" / "repose" / "examples",
                          fs::path(REPOSE_EXAMPLES)};
  for (const fs::path& place : places)
    if (fs::is_directory(place, ignored)) return place;
  throw Error(ExitCode::usage,
              fmt::format("the example scenes are not there: looked for the folder {}", places[0].string()));
}

std::vector<fs::path> list_scenes(const fs::path& folder) {
  std::vector<fs::path> scenes;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".toml") scenes.push_back(entry.path());
  std::sort(scenes.begin(), scenes.end());
  return scenes;
}

/// The scene to begin with: one that needs no other file.
std::string first_of(const fs::path& folder, const std::vector<fs::path>& scenes) {
  const fs::path first = folder / "first-pile.toml";
  if (std::find(scenes.begin(), scenes.end(), first) != scenes.end()) return first.string();
  return scenes.empty() ? std::string("SCENE") : scenes[0].string();
}

std::string title_of(const fs::path& path) {
  try {
    return load_scene(path.string(), {}).info.title;
  } catch (const Error&) {
    return fmt::format("(does not load; repose check {} says why)", path.string());
  }
}

}  // namespace

ExitCode examples_verb(Words line) {
  Arguments arguments("examples", "Lists the example scenes that come with Repose.");
  arguments.example("repose examples", "");
  if (!arguments.read(line)) {
    std::fputs(arguments.help().c_str(), stdout);
    return ExitCode::done;
  }
  std::error_code ignored;
  const fs::path found = find_examples();
  const fs::path near = fs::proximate(found, ignored);
  const fs::path folder = near.empty() || near.string().size() > found.string().size() ? found : near;
  const std::vector<fs::path> scenes = list_scenes(folder);
  std::size_t width = 0;
  for (const fs::path& scene : scenes) width = std::max(width, scene.string().size());
  Console console;
  for (const fs::path& scene : scenes)
    console.line(fmt::format("{:<{}}  {}", scene.string(), width, title_of(scene)));
  if (scenes.empty()) console.line(fmt::format("no scene in {}", folder.string()));
  console.line();
  console.line(fmt::format("To make one your own: cp {} my.toml, change it, then repose run my.toml",
                           first_of(folder, scenes)));
  return ExitCode::done;
}

}  // namespace repose::command
