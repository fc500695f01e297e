#include "repose/scene/copies.h"

#include <fmt/format.h>

#include "repose/core/random.h"

namespace repose {
namespace {

bool has_copies(const BodyDefinition& body) {
  return !body.positions.empty() || body.copies != std::array<int, 3>{1, 1, 1};
}

/// Where copy number `copy` stands, as a shift from the body's own position [m].
Vec3d shift_of(const BodyDefinition& body, std::uint64_t seed, std::uint32_t table, std::uint64_t copy) {
  Vec3d shift(0);
  if (!body.positions.empty()) {
    shift = body.positions[copy] - body.shape.pose.position;
  } else {
    const auto nx = static_cast<std::uint64_t>(body.copies[0]),
               ny = static_cast<std::uint64_t>(body.copies[1]);
    const std::uint64_t x = copy % nx, y = copy / nx % ny, z = copy / (nx * ny);
    shift = body.step * Vec3d(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
  }
  if (body.jitter > 0) {
    Random random(seed, Stream::body_jitter, table, copy);
    for (int axis = 0; axis < 3; ++axis) shift[axis] += random.uniform(-body.jitter, body.jitter);
  }
  return shift;
}

}  // namespace

std::uint64_t copy_count(const BodyDefinition& body) {
  if (!body.positions.empty()) return body.positions.size();
  std::uint64_t count = 1;
  for (const int n : body.copies) count *= static_cast<std::uint64_t>(n);
  return count;
}

std::string copy_name(const BodyDefinition& body, std::uint64_t copy) {
  return has_copies(body) ? fmt::format("{}.{}", body.name, copy) : body.name;
}

std::vector<BodyDefinition> lay_out_bodies(const Scene& scene) {
  std::vector<BodyDefinition> all;
  for (std::uint32_t table = 0; table < scene.bodies.size(); ++table) {
    const BodyDefinition& given = scene.bodies[table];
    for (std::uint64_t copy = 0; copy < copy_count(given); ++copy) {
      BodyDefinition body = given;
      body.family = given.name;
      if (has_copies(given) || given.jitter > 0) {
        const Vec3d shift = shift_of(given, scene.info.seed, table, copy);
        body.name = copy_name(given, copy);
        body.shape.pose.position += shift;
        for (Keyframe& key : body.keyframes) key.position += shift;
        if (body.pivot) *body.pivot += shift;
        if (body.oscillation.pivot) *body.oscillation.pivot += shift;
        body.copies = {1, 1, 1};
        body.positions.clear();
        body.jitter = 0;
      }
      all.push_back(std::move(body));
    }
  }
  return all;
}

}  // namespace repose
