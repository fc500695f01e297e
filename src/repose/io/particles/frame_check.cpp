#include "repose/io/particles/frame_check.h"

#include <cmath>

#include <fmt/format.h>

#include "repose/core/error.h"

namespace repose {
namespace {

constexpr double kFarthest = 1e15;  ///< [m], and likewise for speeds: squares of it are still numbers

bool is_in_reach(const Vec3d& v) {
  return std::abs(v.x) <= kFarthest && std::abs(v.y) <= kFarthest && std::abs(v.z) <= kFarthest;
}

bool is_turn(const Quatf& q) {
  const double square = static_cast<double>(q.r) * q.r + Vec3d(q.v).length2();
  return std::abs(square - 1) < 1e-3;
}

}  // namespace

void check_frame(const Frame& frame, std::size_t shape_count, std::size_t material_count,
                 const std::string& file) {
  const auto fail = [&](std::size_t row, const std::string& what) {
    throw Error(ExitCode::run_failed, fmt::format("{}: particle {} (counted from 0) {}: the file is damaged, "
                                                  "or belongs to another run",
                                                  file, row, what));
  };
  for (std::size_t i = 0; i < frame.particle_count(); ++i) {
    if (i < frame.shape.size() && frame.shape[i] >= shape_count)
      fail(i, fmt::format("has grain shape {}, but the run has {}", frame.shape[i], shape_count));
    if (frame.material[i] >= material_count)
      fail(i, fmt::format("has material {}, but the scene has {}", frame.material[i], material_count));
    if (i > 0 && frame.id[i] <= frame.id[i - 1])
      fail(i, fmt::format("has id {} after id {}: rows go by id", frame.id[i], frame.id[i - 1]));
    if (!is_in_reach(frame.position[i])) fail(i, "has a position that is not a number up to 1e15");
    if (!(frame.radius[i] >= 0 && frame.radius[i] <= kFarthest))
      fail(i, "has a radius that is not a number from 0 to 1e15");
    if (!is_in_reach(Vec3d(frame.velocity[i]))) fail(i, "has a velocity that is not a number up to 1e15");
    if (i < frame.orientation.size() && !is_turn(frame.orientation[i]))
      fail(i, "has an orientation that is no quaternion of length 1");
    if (i < frame.angular_velocity.size() && !is_in_reach(Vec3d(frame.angular_velocity[i])))
      fail(i, "has an angular velocity that is not a number up to 1e15");
  }
}

}  // namespace repose
