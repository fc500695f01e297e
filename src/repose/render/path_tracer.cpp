#include "repose/render/path_tracer.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "repose/render/sampler.h"

namespace repose {
namespace {

constexpr int kTile = 8;          ///< edge of a tile in pixels
constexpr int kMaxBatch = 16;     ///< samples of a pixel that are traced together
constexpr float kFilter = 0.75F;  ///< half width of the pixel's tent filter in pixels

/// Which pair of sample dimensions a choice takes.
enum Pair : std::uint32_t {
  kPixelPair = 0,
  kTimePair = 1,
  kSunPair = 2,
  kBouncePair = 3,
  kPairsPerBounce = 2
};

/// The camera as rays need it: direction = forward + right * x + up * y for x, y in [-1, 1].
struct View {
  Vec3f origin, forward, right, up;

  View(const Camera& camera, const Vec3d& stage_origin, double aspect)
      : origin(camera.position - stage_origin) {
    const Vec3d ahead = (camera.target - camera.position).normalized();
    // Looking straight down, the picture's top is +y.
    const Vec3d pole = std::fabs(ahead.z) > 0.9999 ? Vec3d(0, 1, 0) : Vec3d(0, 0, 1);
    const Vec3d side = ahead.cross(pole).normalized();
    const double tan_v = std::tan(0.5 * camera.fov);
    forward = Vec3f(ahead);
    right = Vec3f(side * (tan_v * aspect));
    up = Vec3f(side.cross(ahead) * tan_v);
  }
};

/// From a uniform number to a tent over [-1, 1].
float tent(float u) { return u < 0.5F ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u); }

float brightness(const Vec3f& c) { return 0.2126F * c.x + 0.7152F * c.y + 0.0722F * c.z; }

Vec3f times(const Vec3f& a, const Vec3f& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

/// A path on its way: the ray that continues it and what light found there is worth.
struct Path {
  std::uint32_t slot;   ///< which sample of the tile
  std::uint32_t index;  ///< its place in the sample sequence
  Vec3f weight;
};

/// What one sample found.
struct Sample {
  Vec3f direct{0, 0, 0}, indirect{0, 0, 0}, albedo{0, 0, 0}, emitted{0, 0, 0}, normal{0, 0, 0},
      position{0, 0, 0};
  bool surface = false;
};

class Tile {
 public:
  Tile(const Stage& stage, const Lighting& lighting, const View& view, const TraceSettings& settings)
      : stage_(stage), lighting_(lighting), view_(view), settings_(settings) {
    const auto samples = static_cast<std::uint32_t>(settings.samples);
    sample_bits_ = std::bit_width(samples - 1);
  }

  void trace(int tile_x, int tile_y, Layers& layers) {
    x0_ = tile_x * kTile;
    y0_ = tile_y * kTile;
    x1_ = std::min(x0_ + kTile, settings_.width);
    y1_ = std::min(y0_ + kTile, settings_.height);
    sums_.assign(static_cast<std::size_t>((x1_ - x0_) * (y1_ - y0_)), Sums{});
    for (int first = 0; first < settings_.samples; first += kMaxBatch) {
      batch_ = std::min(kMaxBatch, settings_.samples - first);
      start_paths(first);
      for (int bounce = 0; !rays_.empty(); ++bounce) {
        find_hits(bounce);
        shade_hits(bounce);
        add_sunlight(bounce);
        std::swap(paths_, next_paths_);
        std::swap(rays_, next_rays_);
      }
      add_to_sums();
    }
    store(layers);
  }

 private:
  struct Sums {
    Sample total;
    float direct_squares = 0, indirect_squares = 0;
    int surface_count = 0;
  };

  void start_paths(int first) {
    rays_.clear();
    paths_.clear();
    std::uint32_t slot = 0;
    for (int y = y0_; y < y1_; ++y)
      for (int x = x0_; x < x1_; ++x) {
        const std::uint32_t pixel = z_order(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
        for (int s = first; s < first + batch_; ++s) {
          const std::uint32_t index = (pixel << sample_bits_) | static_cast<std::uint32_t>(s);
          rays_.push_back(camera_ray(x, y, index));
          paths_.push_back({slot++, index, {1, 1, 1}});
        }
      }
    samples_.assign(rays_.size(), Sample{});
  }

  Ray camera_ray(int x, int y, std::uint32_t index) const {
    const Point2 u = sample_point(index, kPixelPair);
    const float px = static_cast<float>(x) + 0.5F + kFilter * tent(u.x);
    const float py = static_cast<float>(y) + 0.5F + kFilter * tent(u.y);
    const float sx = 2 * px / static_cast<float>(settings_.width) - 1;
    const float sy = 1 - 2 * py / static_cast<float>(settings_.height);
    const Vec3f direction = unit(view_.forward + view_.right * sx + view_.up * sy);
    return {view_.origin, stage_.reach(view_.origin, direction), direction, 0};
  }

  void find_hits(int bounce) {
    if (settings_.watch) settings_.watch(bounce == 0 ? RayKind::camera : RayKind::bounce, rays_);
    hits_.resize(rays_.size());
    stage_.rays().intersect(rays_, hits_, bounce == 0 ? RayBundle::coherent : RayBundle::scattered);
  }

  /// Ends paths that reached the sky; at surfaces, sends a ray to the sun and one onwards.
  void shade_hits(int bounce) {
    next_rays_.clear();
    next_paths_.clear();
    shadow_rays_.clear();
    shadow_paths_.clear();
    for (std::size_t i = 0; i < rays_.size(); ++i) {
      const Ray& ray = rays_[i];
      const Path& path = paths_[i];
      Sample& sample = samples_[path.slot];
      if (!stage_.meets_surface(ray, hits_[i])) {
        const Vec3f light = times(path.weight, lighting_.sky(ray.direction));
        (bounce == 0 ? sample.emitted : sample.indirect) += light;
        continue;
      }
      const Surface surface = stage_.surface(ray, hits_[i]);
      Vec3f weight = path.weight;
      if (bounce == 0)
        start_sample(surface, sample);
      else
        weight = times(weight, surface.albedo);
      const std::uint32_t pairs = kPairsPerBounce * static_cast<std::uint32_t>(bounce);
      const Vec3f sun = lighting_.towards_sun(sample_point(path.index, pairs + kSunPair));
      const float cosine = sun.dot(surface.normal);
      if (cosine > 0) {
        shadow_rays_.push_back({surface.position, Stage::kFar, sun, ray.time});
        shadow_paths_.push_back({path.slot, path.index, times(weight, lighting_.sun) * cosine});
      }
      if (bounce < settings_.bounces) {
        const Vec3f out = cosine_direction(surface.normal, sample_point(path.index, pairs + kBouncePair));
        next_rays_.push_back({surface.position, stage_.reach(surface.position, out), out, ray.time});
        next_paths_.push_back({path.slot, path.index, weight});
      }
    }
  }

  static void start_sample(const Surface& surface, Sample& sample) {
    sample.albedo = surface.albedo;
    sample.normal = surface.normal;
    sample.position = surface.position;
    sample.surface = true;
  }

  void add_sunlight(int bounce) {
    if (settings_.watch) settings_.watch(RayKind::shadow, shadow_rays_);
    blocked_.resize(shadow_rays_.size());
    stage_.rays().occluded(shadow_rays_, blocked_, bounce == 0 ? RayBundle::coherent : RayBundle::scattered);
    for (std::size_t i = 0; i < shadow_rays_.size(); ++i) {
      if (blocked_[i] != 0) continue;
      Sample& sample = samples_[shadow_paths_[i].slot];
      (bounce == 0 ? sample.direct : sample.indirect) += shadow_paths_[i].weight;
    }
  }

  void add_to_sums() {
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      const Sample& s = samples_[i];
      Sums& sums = sums_[i / static_cast<std::size_t>(batch_)];
      sums.total.direct += times(s.albedo, s.direct);
      sums.total.indirect += times(s.albedo, s.indirect);
      sums.total.albedo += s.albedo;
      sums.total.emitted += s.emitted;
      sums.total.normal += s.normal;
      sums.total.position += s.position;
      sums.surface_count += s.surface ? 1 : 0;
      const float d = brightness(s.direct), n = brightness(s.indirect);
      sums.direct_squares += d * d;
      sums.indirect_squares += n * n;
    }
  }

  /// Width of a pixel at unit distance.
  float pixel_angle() const { return 2 * view_.up.length() / static_cast<float>(settings_.height); }

  void store(Layers& layers) const {
    const float n = static_cast<float>(settings_.samples), share = 1 / n;
    std::size_t slot = 0;
    for (int y = y0_; y < y1_; ++y)
      for (int x = x0_; x < x1_; ++x) {
        const Sums& sums = sums_[slot++];
        const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(settings_.width) +
                        static_cast<std::size_t>(x);
        const Vec3f albedo = sums.total.albedo * share;
        const auto over = [&](const Vec3f& light) {
          constexpr float kTiny = 1e-6F;
          return Vec3f(light.x / std::max(kTiny, albedo.x), light.y / std::max(kTiny, albedo.y),
                       light.z / std::max(kTiny, albedo.z)) *
                 share;
        };
        layers.albedo[at] = albedo;
        layers.direct[at] = over(sums.total.direct);
        layers.indirect[at] = over(sums.total.indirect);
        layers.emitted[at] = sums.total.emitted * share;
        layers.normal[at] = sums.total.normal * share;
        const int found = sums.surface_count;
        layers.position[at] = found > 0 ? sums.total.position / static_cast<float>(found) : Vec3f(0, 0, 0);
        layers.footprint[at] = found > 0 ? pixel_angle() * (layers.position[at] - view_.origin).length() : 0;
        const auto variance = [&](float squares, float mean) {
          return n > 1 ? std::max(0.0F, squares * share - mean * mean) / (n - 1) : mean * mean;
        };
        layers.direct_variance[at] = variance(sums.direct_squares, brightness(layers.direct[at]));
        layers.indirect_variance[at] = variance(sums.indirect_squares, brightness(layers.indirect[at]));
      }
  }

  const Stage& stage_;
  const Lighting& lighting_;
  const View& view_;
  const TraceSettings& settings_;
  int sample_bits_ = 0;
  int x0_ = 0, y0_ = 0, x1_ = 0, y1_ = 0, batch_ = 0;
  std::vector<Ray> rays_, next_rays_, shadow_rays_;
  std::vector<Path> paths_, next_paths_, shadow_paths_;
  std::vector<Hit> hits_;
  std::vector<std::uint8_t> blocked_;
  std::vector<Sample> samples_;
  std::vector<Sums> sums_;
};

}  // namespace

void Layers::resize(int w, int h) {
  width = w;
  height = h;
  const auto count = static_cast<std::size_t>(w) * static_cast<std::size_t>(h);
  for (std::vector<Vec3f>* layer : {&direct, &indirect, &albedo, &emitted, &normal, &position})
    layer->resize(count);
  for (std::vector<float>* layer : {&footprint, &direct_variance, &indirect_variance}) layer->resize(count);
}

void trace_paths(const Stage& stage, const Lighting& lighting, const Camera& camera,
                 const TraceSettings& settings, Threads& threads, Layers& layers) {
  layers.resize(settings.width, settings.height);
  const View view(camera, stage.origin(), static_cast<double>(settings.width) / settings.height);
  const int columns = (settings.width + kTile - 1) / kTile, rows = (settings.height + kTile - 1) / kTile;
  constexpr std::size_t kTilesPerChunk = 8;
  threads.for_chunks(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), kTilesPerChunk,
                     [&](std::size_t begin, std::size_t end, std::size_t) {
                       Tile tile(stage, lighting, view, settings);
                       for (std::size_t i = begin; i < end; ++i)
                         tile.trace(static_cast<int>(i) % columns, static_cast<int>(i) / columns, layers);
                     });
}

}  // namespace repose
