#pragma once
// Frames for the tests of io.

#include "repose/core/random.h"
#include "repose/particles/frame.h"

namespace repose::test {

/// Particles with values everywhere; `grains` adds what dem has.
inline Frame make_frame(std::size_t count, bool grains) {
  Frame frame;
  frame.index = 7;
  frame.time = 7.0 / 24.0;
  frame.kind = grains ? ParticleKind::grains : ParticleKind::granular;
  Random random(1, Stream::test, 0, 0);
  const auto number = [&] { return static_cast<float>(random.uniform(-2, 2)); };
  frame.scalars = {{"density", {}}, {"pressure", {}}};
  for (std::size_t i = 0; i < count; ++i) {
    frame.id.push_back(static_cast<std::uint32_t>(3 * i + 1));
    frame.position.emplace_back(number(), number(), number());
    frame.velocity.emplace_back(number(), number(), number());
    frame.radius.push_back(number());
    frame.material.push_back(static_cast<std::uint8_t>(i % 200));
    for (ScalarChannel& channel : frame.scalars) channel.values.push_back(number());
    if (!grains) continue;
    frame.orientation.emplace_back(number(), number(), number(), number());
    frame.angular_velocity.emplace_back(number(), number(), number());
    frame.shape.push_back(static_cast<std::uint16_t>(1000 + i));
  }
  return frame;
}

}  // namespace repose::test
