#include "repose/render/camera.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "repose/bodies/keyframes.h"
#include "repose/scene/copies.h"
#include "repose/scene/pouring.h"

namespace repose {
namespace {

/// Free border of an automatically framed picture, share of its half height and half width.
constexpr double kMargin = 0.10;
/// From the target towards the camera: three quarters, from slightly above.
const Vec3d kViewFrom(0.52, -1.0, 0.56);
/// Slope that a heap is taken to make, for framing only: tan(27 deg), flatter than most sand stands.
constexpr double kHeapSlope = 0.51;
/// Of the volume that is seen, left out at each side.
constexpr double kStray = 0.01;
/// How many particles of a frame are looked at, about.
constexpr std::size_t kLookedAt = 10000;
/// How far around the matter that was seen bodies are shown, in its diagonals.
constexpr double kAround = 0.5;

bool is_finite(const Box3d& box) {
  const auto finite = [](const Vec3d& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
  };
  return !box.isEmpty() && finite(box.min) && finite(box.max);
}

void add_corners(const Box3d& box, std::vector<Vec3d>& points) {
  for (int i = 0; i < 8; ++i)
    points.emplace_back((i & 1) != 0 ? box.max.x : box.min.x, (i & 2) != 0 ? box.max.y : box.min.y,
                        (i & 4) != 0 ? box.max.z : box.min.z);
}

/// Corners of the body's box all along its path; none for solids without end.
void add_body(const BodyDefinition& body, std::vector<Vec3d>& points) {
  Shape shape = body.shape;
  shape.invert = false;
  if (shape.kind == ShapeKind::plane) return;
  const auto add_at = [&](const Pose& pose) {
    shape.pose = pose;
    const Box3d here = bounds(shape);
    if (is_finite(here)) add_corners(here, points);
  };
  if (body.motion != Motion::keyframed || body.keyframes.empty()) {
    add_at(body.shape.pose);
    return;
  }
  const KeyframePath path(body.keyframes, body.interpolation);
  const double start = body.keyframes.front().t, end = body.keyframes.back().t;
  constexpr int kSteps = 64;
  for (int i = 0; i <= kSteps; ++i) add_at(path.at(start + (end - start) * i / kSteps).pose);
}

/// Matter of the scene: where it starts, and how much there is [m3].
struct Matter {
  std::vector<Box3d> boxes;
  double volume = 0;
};

Matter find_matter(const Scene& scene) {
  Matter matter;
  const auto add_shape = [&](const Shape& shape) {
    const Box3d box = bounds(shape);
    if (is_finite(box)) matter.boxes.push_back(box);
  };
  for (const Fill& fill : scene.fills) {
    if (fill.shape) {
      add_shape(*fill.shape);
      const double v = volume(*fill.shape);
      if (std::isfinite(v)) matter.volume += v;
    }
    const Vec3d reach(0.5 * scene.solver.spacing);
    Box3d around;
    for (const std::vector<Vec3d>* points : {&fill.points, &fill.rows.position}) {
      for (const Vec3d& point : *points) around.extendBy(Box3d(point - reach, point + reach));
      matter.volume += static_cast<double>(points->size()) * std::pow(scene.solver.spacing, 3);
    }
    if (!around.isEmpty()) matter.boxes.push_back(around);
  }
  for (const Emitter& emitter : scene.emitters) {
    add_shape(emitter.shape);
    double density = 1600;
    for (const Material& material : scene.materials)
      if (material.name == emitter.material) density = material.density;
    // What sinks take away makes no heap.
    if (scene.sinks.empty()) matter.volume += pouring_of(emitter).mass(0, scene.info.duration) / density;
  }
  return matter;
}

/// The rim of the heap that all matter would make below the middle of where it starts: V = pi r^2 h / 3 with
/// h = slope r.
void add_heap(const Matter& matter, double ground, std::vector<Vec3d>& points) {
  Box3d start;
  for (const Box3d& box : matter.boxes) start.extendBy(box);
  if (start.isEmpty()) return;
  const double r = std::cbrt(3 * matter.volume / (kPi * kHeapSlope));
  const Vec3d middle = start.center();
  constexpr int kCorners = 16;
  for (int i = 0; i < kCorners; ++i) {
    const double angle = 2 * kPi * i / kCorners;
    points.emplace_back(middle.x + r * std::cos(angle), middle.y + r * std::sin(angle), ground);
  }
}

/// Moves points that lie beyond the box onto its faces.
void keep_within(const Box3d& box, std::vector<Vec3d>& points) {
  for (Vec3d& p : points)
    for (int axis = 0; axis < 3; ++axis) p[axis] = std::clamp(p[axis], box.min[axis], box.max[axis]);
}

/// The value that this share of the weight lies below.
double weighted_quantile(std::vector<std::pair<double, double>>& values, double share) {
  std::sort(values.begin(), values.end());
  double total = 0, sum = 0;
  for (const auto& [value, weight] : values) total += weight;
  for (const auto& [value, weight] : values)
    if ((sum += weight) >= share * total) return value;
  return values.back().first;
}

}  // namespace

double ground_height(const Scene& scene) { return scene.domain.min.z; }

std::vector<Vec3d> content_points(const Scene& scene) {
  const Matter matter = find_matter(scene);
  std::vector<Vec3d> points;
  for (const Box3d& box : matter.boxes) add_corners(box, points);
  if (scene.render.ground) add_heap(matter, ground_height(scene), points);
  if (scene.domain.given) keep_within({scene.domain.min, scene.domain.max}, points);
  for (const BodyDefinition& body : lay_out_bodies(scene))
    if (body.visible) add_body(body, points);
  if (points.empty() || scene.render.walls) add_corners(Box3d(scene.domain.min, scene.domain.max), points);
  return points;
}

void SeenMatter::add(const Frame& frame) {
  const std::size_t count = frame.particle_count(), stride = std::max<std::size_t>(1, count / kLookedAt);
  for (std::size_t i = 0; i < count; i += stride) {
    const double r = frame.radius[i];
    seen_.push_back({frame.position[i], static_cast<double>(stride) * r * r * r});
  }
}

Box3d SeenMatter::bounds() const {
  Box3d box;
  if (seen_.empty()) return box;
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<std::pair<double, double>> values;
    for (const Seen& one : seen_) values.emplace_back(one.position[axis], one.weight);
    box.min[axis] = weighted_quantile(values, kStray);
    box.max[axis] = weighted_quantile(values, 1 - kStray);
  }
  return box;
}

bool camera_is_automatic(const Scene& scene) {
  const RenderSettings& render = scene.render;
  return render.camera_keys.empty() && !render.camera_position && !render.camera_target;
}

std::vector<Vec3d> seen_points(const Scene& scene, const SeenMatter& seen) {
  Box3d box = seen.bounds();
  if (box.isEmpty()) return content_points(scene);
  box = Box3d(box.min - Vec3d(scene.solver.spacing), box.max + Vec3d(scene.solver.spacing));
  const Vec3d around(kAround * box.size().length());
  std::vector<Vec3d> points;
  for (const BodyDefinition& body : lay_out_bodies(scene))
    if (body.visible) add_body(body, points);
  keep_within({box.min - around, box.max + around}, points);
  add_corners(box, points);
  if (scene.render.walls) add_corners(Box3d(scene.domain.min, scene.domain.max), points);
  return points;
}

Box3d content_bounds(const Scene& scene) {
  Box3d box;
  for (const Vec3d& point : content_points(scene)) box.extendBy(point);
  return box;
}

Camera frame_points(std::span<const Vec3d> points, double fov, double aspect) {
  const Vec3d back = kViewFrom.normalized();
  const Vec3d right = Vec3d(0, 0, 1).cross(back).normalized();
  const Vec3d up = back.cross(right);
  const double tan_v = std::tan(0.5 * fov) / (1 + kMargin), tan_h = tan_v * aspect;

  // A point p is in the picture of a camera at c where |(p - c).right| <= tan_h (c - p).back, and likewise
  // for up: each side is a bound on c, and the nearest c that meets all four follows in closed form.
  constexpr double kLow = std::numeric_limits<double>::lowest();
  double to_right = kLow, to_left = kLow, to_top = kLow, to_bottom = kLow;
  Box3d box;
  for (const Vec3d& p : points) {
    const double x = p.dot(right), y = p.dot(up), z = p.dot(back);
    to_right = std::max(to_right, x + tan_h * z);
    to_left = std::max(to_left, -x + tan_h * z);
    to_top = std::max(to_top, y + tan_v * z);
    to_bottom = std::max(to_bottom, -y + tan_v * z);
    box.extendBy(p);
  }
  const double z = std::max((to_right + to_left) / (2 * tan_h), (to_top + to_bottom) / (2 * tan_v));
  const Vec3d position = right * (0.5 * (to_right - to_left)) + up * (0.5 * (to_top - to_bottom)) + back * z;
  return {position, position - back * (z - box.center().dot(back)), fov};
}

Camera scene_camera(const Scene& scene, double time) {
  const RenderSettings& settings = scene.render;
  const double fov = radians(settings.camera_fov);
  const std::vector<CameraKey>& keys = settings.camera_keys;
  if (!keys.empty()) {
    // The same smooth path that bodies take: no halt at the keys.
    std::vector<Keyframe> eye, target;
    for (const CameraKey& key : keys) {
      eye.push_back({key.t, key.position, {0, 0, 0}});
      target.push_back({key.t, key.target, {0, 0, 0}});
    }
    const auto at = [time](const std::vector<Keyframe>& path) {
      return KeyframePath(path, Interpolation::smooth).at(time).pose.position;
    };
    return {at(eye), at(target), fov};
  }
  Camera camera =
      frame_points(content_points(scene), fov, static_cast<double>(settings.size[0]) / settings.size[1]);
  if (settings.camera_target) {
    if (!settings.camera_position) camera.position += *settings.camera_target - camera.target;
    camera.target = *settings.camera_target;
  }
  if (settings.camera_position) camera.position = *settings.camera_position;
  return camera;
}

}  // namespace repose
