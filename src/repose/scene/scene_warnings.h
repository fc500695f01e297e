#pragma once
// What a scene may say, and can hardly mean: things outside of the domain, an emitter that nothing comes out
// of, a number in another unit. `repose check` and `repose run` tell it; nothing is refused.

#include <string>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/scene/scene.h"

namespace repose {

struct SceneWarning {
  std::string name;   ///< what kind it is: "body_outside", "emitter_rate", ...
  std::string place;  ///< "file:line:col: ", or "" where nothing is known
  std::string text;   ///< what is odd, and what to do

  std::string line() const { return place + text; }
};

/// In the order of the tables: fills, emitters, bodies, gravity, numbers.
std::vector<SceneWarning> find_scene_warnings(const Scene& scene, Threads& threads);

/// Those of emitters alone (scene_warnings_emitters.cpp).
void warn_of_emitters(const Scene& scene, std::vector<SceneWarning>& warnings);

}  // namespace repose
