#include "repose/refine/guides.h"

#include <algorithm>
#include <cmath>

namespace repose {
namespace {

/// Cells of the guides' grid in the radius of influence.
constexpr int kCellsInReach = 2;

Vec3d nearest_image(const RefineModel& model, Vec3d position, const Vec3d& to) {
  const Vec3d size = model.domain.size();
  for (int axis = 0; axis < 3; ++axis)
    if (model.periodic[static_cast<std::size_t>(axis)])
      position[axis] -= size[axis] * std::round((position[axis] - to[axis]) / size[axis]);
  return position;
}

void wrap(const RefineModel& model, Vec3d& position) {
  const Vec3d size = model.domain.size();
  for (int axis = 0; axis < 3; ++axis)
    if (model.periodic[static_cast<std::size_t>(axis)])
      position[axis] -= size[axis] * std::floor((position[axis] - model.domain.min[axis]) / size[axis]);
}

struct Sample {
  Vec3d position;
  Vec3f velocity;
  std::uint32_t id;
  bool in_flight;
};

/// Whether a guide's acceleration between the frames is that of gravity, but for half of it: drag takes some.
bool is_in_flight(const RefineModel& model, const GuidePaths& paths, std::size_t guide) {
  const Vec3d change = Vec3d(paths.last_velocity[guide]) - Vec3d(paths.velocity[guide]);
  constexpr double kOther = 0.5;
  // Rounding of velocities counts where there is no gravity.
  const double rounding = 1e-5 * Vec3d(paths.velocity[guide]).length();
  return (change - paths.duration * model.gravity).length() <=
         kOther * paths.duration * model.gravity.length() + rounding;
}

/// Adds images of the samples so far that lie within reach of the faces across one axis.
void add_images(const RefineModel& model, int axis, std::vector<Sample>& samples) {
  const double low = model.domain.min[axis], high = model.domain.max[axis];
  const std::size_t count = samples.size();
  // Images that lead grains need those around them, too, to know whether they are loose.
  const double reach = model.influence + (model.spread ? kCompanyRadii * model.guide_radius : 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    for (const double shift : {high - low, low - high}) {
      const double image = samples[i].position[axis] + shift;
      if (image < low - reach || image > high + reach) continue;
      Sample copy = samples[i];
      copy.position[axis] = image;
      samples.push_back(copy);
    }
  }
}

}  // namespace

GuidePaths find_paths(const RefineModel& model, const Frame& from, const Frame& to) {
  GuidePaths paths;
  paths.duration = to.time - from.time;
  std::size_t j = 0;
  for (std::size_t i = 0; i < from.particle_count(); ++i) {
    while (j < to.particle_count() && to.id[j] < from.id[i]) ++j;
    const bool stays = j < to.particle_count() && to.id[j] == from.id[i];
    paths.id.push_back(from.id[i]);
    paths.start.push_back(from.position[i]);
    paths.velocity.push_back(from.velocity[i]);
    paths.end.push_back(stays ? nearest_image(model, to.position[j], from.position[i])
                              : from.position[i] + paths.duration * Vec3d(from.velocity[i]));
    paths.last_velocity.push_back(stays ? to.velocity[j] : from.velocity[i]);
  }
  return paths;
}

Vec3d position_at(const GuidePaths& paths, std::size_t guide, double share) {
  const double s = share, s2 = s * s, s3 = s2 * s;
  return (2 * s3 - 3 * s2 + 1) * paths.start[guide] + (3 * s2 - 2 * s3) * paths.end[guide] +
         paths.duration * ((s3 - 2 * s2 + s) * Vec3d(paths.velocity[guide]) +
                           (s3 - s2) * Vec3d(paths.last_velocity[guide]));
}

GuideStep guides_over_step(const RefineModel& model, const GuidePaths& paths, double begin, double end,
                           Threads& threads) {
  const double dt = (end - begin) * paths.duration;
  std::vector<Sample> samples(paths.id.size());
  threads.for_each(samples.size(), [&](std::size_t i) {
    const Vec3d at = position_at(paths, i, begin), then = position_at(paths, i, end);
    samples[i] = {at, to_float((then - at) / dt), paths.id[i], is_in_flight(model, paths, i)};
    wrap(model, samples[i].position);
  });
  for (int axis = 0; axis < 3; ++axis)
    if (model.periodic[static_cast<std::size_t>(axis)]) add_images(model, axis, samples);

  GuideStep step;
  step.place.cell = model.influence / kCellsInReach;
  step.place.origin = model.place.origin;
  std::vector<Vec3d> positions(samples.size());
  std::vector<std::uint32_t> ids(samples.size()), order;
  for (std::size_t i = 0; i < samples.size(); ++i) positions[i] = samples[i].position, ids[i] = samples[i].id;
  step.cells = find_cells(positions, ids, step.place, kCellsInReach + 1, threads, order);
  for (auto* column : {&step.x, &step.y, &step.z}) column->resize(order.size());
  for (auto* column : {&step.vx, &step.vy, &step.vz}) column->resize(order.size());
  step.in_flight.resize(order.size());
  threads.for_each(order.size(), [&](std::size_t k) {
    const Sample& sample = samples[order[k]];
    step.x[k] = model.place.from_world(sample.position.x, 0);
    step.y[k] = model.place.from_world(sample.position.y, 1);
    step.z[k] = model.place.from_world(sample.position.z, 2);
    step.vx[k] = sample.velocity.x, step.vy[k] = sample.velocity.y, step.vz[k] = sample.velocity.z;
    step.in_flight[k] = sample.in_flight ? 1 : 0;
  });
  return step;
}

}  // namespace repose
