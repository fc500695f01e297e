// Any bytes are a frame of particles or an Error; and what was read and checked can be drawn, exported,
// measured and made a surface of, without a crash, a hang or a leak. The first byte says which of these, the
// second whether the rest is the file itself or changes to a good one (edits.h).

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "edits.h"

#include "repose/core/error.h"
#include "repose/io/particles/frame_check.h"
#include "repose/io/particles/ply.h"
#include "repose/io/particles/up_axis.h"
#include "repose/io/particles/vdb_points.h"
#include "repose/measure/probes.h"
#include "repose/render/render.h"
#include "repose/scene/load.h"
#include "repose/surface/surface.h"

namespace repose {
namespace {

constexpr const char* kScene = R"(
[scene]
version = 1
duration = 1
[domain]
min = [-1, -1, 0]
max = [1, 1, 1]
[solver]
type = "dem"
spacing = 0.1
[material.sand]
preset = "dry sand"
[material.gravel]
preset = "gravel"
[probe.all]
type = "region"
shape = "box"
size = [1, 1, 1]
[probe.level]
type = "flow"
shape = "plane"
position = [0, 0, 0.1]
[probe.heap]
type = "pile"
shape = "box"
size = [1, 1, 1]
[render]
size = [8, 6]
samples = 1
bounces = 1
denoise = false
)";

/// All that stays the same from input to input.
struct Bench {
  Threads threads{1};
  Scene scene = parse_scene(kScene, "fuzz.toml", "");
  std::vector<GrainShape> shapes{{"sphere", {{{0, 0, 0}, 1}}},
                                 {"pair", {{{0.4, 0, 0}, 0.6}, {{-0.4, 0, 0}, 0.6}}}};
  Renderer renderer{scene, shapes, threads};
  SurfaceOptions surface = surface_options(scene, ParticleKind::granular);
  std::vector<std::byte> good;

  Bench() {
    Frame frame;
    for (std::uint32_t i = 0; i < 5; ++i) {
      frame.id.push_back(2 * i);
      frame.position.emplace_back(0.1 * i, 0.05, 0.1);
      frame.velocity.emplace_back(0.0F, 0.1F, -1.0F);
      frame.radius.push_back(0.05F);
      frame.material.push_back(static_cast<std::uint8_t>(i % 2));
      frame.orientation.emplace_back(1, 0, 0, 0);
      frame.angular_velocity.emplace_back(0.0F, 0.0F, 1.0F);
      frame.shape.push_back(static_cast<std::uint16_t>(i % 2));
    }
    frame.kind = ParticleKind::grains;
    frame.scalars.push_back({"density", std::vector<float>(5, 1500.0F)});
    good = encode_ply(frame);
  }
};

void measure(Bench& bench, const Frame& frame) {
  ProbeSet probes(bench.scene, bench.shapes, bench.threads, ProbeSource::cache);
  const Sight sight{.from = 0, .to = 0, .frame = &frame, .bodies = frame.bodies};
  probes.begin(sight);
  probes.observe(sight);
  const Sight later{.from = 0, .to = 1, .frame = &frame, .bodies = frame.bodies, .force_span = 1};
  probes.begin_interval();
  probes.observe(later);
}

void use(Bench& bench, std::uint8_t stage, Frame frame) {
  switch (stage % 4) {
    case 0:
      bench.renderer.picture(frame);
      break;
    case 1:
      make_surface(frame, bench.scene.materials, bench.surface, bench.threads);
      break;
    case 2:
      measure(bench, frame);
      break;
    default:
      turn_y_up(frame);
      encode_ply(frame);
      encode_vdb(frame, bench.threads);
  }
}

}  // namespace
}  // namespace repose

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  static const auto bench = std::make_unique<repose::Bench>();
  const std::span<const std::uint8_t> rest(data + 2, size - 2);
  const auto raw = std::as_bytes(rest);
  std::vector<std::byte> bytes = bench->good;
  if (data[1] % 2 == 0)
    bytes.assign(raw.begin(), raw.end());
  else
    repose::apply_edits(rest, bytes);
  try {
    repose::Frame frame = repose::decode_ply(bytes, "fuzz.ply");
    repose::check_frame(frame, bench->shapes.size(), bench->scene.materials.size(), "fuzz.ply");
    repose::use(*bench, data[0], std::move(frame));
  } catch (const repose::Error&) {
  }
  return 0;
}
