// Any bytes are the saved state of a run or an Error; and a state that was taken can be stepped on, shown and
// saved again, without a crash, a hang or a leak. The first byte says which solver, the rest are changes to a
// good state (edits.h). Two particles, and few steps of the solver whose step is slow, so that an input takes
// milliseconds.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "edits.h"

#include "repose/core/archive.h"
#include "repose/core/error.h"
#include "repose/scene/load.h"
#include "repose/solvers/solver.h"

namespace repose {
namespace {

constexpr const char* kScene = R"(
[scene]
version = 1
duration = 1
[domain]
min = [0, 0, 0]
max = [0.3, 0.3, 0.3]
z = "wall"
[material.sand]
friction_angle = 30
density = 1500
grain_density = 2600
young = 1e6
friction = 0.5
grain = "pair"
[grain.pair]
spheres = [[0.5, 0, 0, 0.5], [-0.5, 0, 0, 0.5]]
mass = "sum"
[body.ball]
shape = "sphere"
radius = 0.05
position = [0.15, 0.15, 0.051]
motion = "dynamic"
density = 1000
[fill.two]
material = "sand"
points = [[0.05, 0.05, 0.05], [0.13, 0.05, 0.05]]
[emitter.spout]
material = "sand"
shape = "box"
size = [0.1, 0.1, 0.1]
position = [0.15, 0.15, 0.24]
rate = 1
)";

/// One solver's scene and a state of it.
struct Saved {
  Scene scene;
  std::vector<std::byte> state;
};

Saved make_saved(const std::string& solver, Threads& threads) {
  Saved saved;
  saved.scene = parse_scene(std::string(kScene) + "[solver]\ntype = \"" + solver + "\"\nspacing = 0.05\n",
                            "fuzz.toml", "");
  const auto made = make_solver(saved.scene, threads, {});
  for (int k = 0; k < 3; ++k) made->step(1e-3);
  ArchiveWriter out;
  made->save(out);
  saved.state.assign(out.bytes().begin(), out.bytes().end());
  return saved;
}

struct Bench {
  Threads threads{1};
  std::array<Saved, 3> saved{make_saved("dem", threads), make_saved("flip", threads),
                             make_saved("sph", threads)};
};

}  // namespace
}  // namespace repose

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  static const auto bench = std::make_unique<repose::Bench>();
  const repose::Saved& saved = bench->saved[data[0] % bench->saved.size()];
  std::vector<std::byte> bytes = saved.state;
  repose::apply_edits({data + 1, size - 1}, bytes);
  const auto solver = repose::make_solver(saved.scene, bench->threads, {});
  try {
    repose::ArchiveReader in(bytes);
    solver->load(in);
  } catch (const repose::Error&) {
    return 0;
  }
  // What was taken as a state must go on; a step may say that it failed, but not throw.
  const bool is_slow = &saved == &bench->saved[1];
  if (!is_slow || data[0] / bench->saved.size() % 8 == 0) solver->step(1e-4);
  repose::Frame frame;
  solver->fill_frame(frame);
  repose::ArchiveWriter out;
  solver->save(out);
  return 0;
}
