#include "repose/render/path_tracer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "repose/render/coat.h"
#include "repose/render/glass.h"
#include "repose/render/sampler.h"
#include "repose/render/snow_look.h"

namespace repose {
namespace {

constexpr int kTile = 8;             ///< edge of a tile in pixels
constexpr int kMaxBatch = 16;        ///< samples of a pixel that are traced together
constexpr int kClearLayers = 12;     ///< surfaces of glass on a ray's way
constexpr float kPastClear = 2e-5F;  ///< how far behind a clear surface the ray goes on, share of the scene
constexpr float kFilter = 0.75F;     ///< half width of the pixel's tent filter in pixels

/// Which pair of sample dimensions a choice takes.
enum Pair : std::uint32_t {
  kPixelPair = 0,
  kTimePair = 1,
  kSunPair = 2,
  kBouncePair = 3,
  kPairsPerBounce = 2,
  kRoulettePair = 1000  ///< beyond all bounces
};

/// As many numbers as a packet has rays. Loops over lanes have a fixed length and write to local arrays, so
/// that the compiler turns them into vector code.
using Lanes = std::array<float, kPacket>;
struct Lanes3 {
  Lanes x, y, z;
};

void store(const Lanes& lanes, std::vector<float>& to, std::size_t at) {
  std::memcpy(&to[at], lanes.data(), sizeof(Lanes));
}

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
float tent(float u) {
  const float half = u < 0.5F ? 2 * u : 2 - 2 * u, root = 1 - std::sqrt(half);
  return u < 0.5F ? -root : root;
}

float brightness(const Vec3f& c) { return 0.2126F * c.x + 0.7152F * c.y + 0.0722F * c.z; }

Vec3f times(const Vec3f& a, const Vec3f& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

/// Where paths stand and what light found there is worth. Arrays are whole packets long.
struct Vertices {
  std::size_t count = 0;
  std::vector<float> px, py, pz, nx, ny, nz, time;
  std::vector<std::uint32_t> slot;   ///< which sample of the tile
  std::vector<std::uint32_t> index;  ///< its place in the sample sequence
  std::vector<Vec3f> weight;

  explicit Vertices(std::size_t n) : slot(n), index(n), weight(n) {
    for (std::vector<float>* part : {&px, &py, &pz, &nx, &ny, &nz, &time}) part->resize(n);
  }
  void add(const Surface& surface, float at_time, std::uint32_t in_slot, std::uint32_t at_index,
           const Vec3f& worth) {
    px[count] = surface.position.x;
    py[count] = surface.position.y;
    pz[count] = surface.position.z;
    nx[count] = surface.normal.x;
    ny[count] = surface.normal.y;
    nz[count] = surface.normal.z;
    time[count] = at_time;
    slot[count] = in_slot;
    index[count] = at_index;
    weight[count++] = worth;
  }
  /// Vertex i takes the place of an earlier one.
  void move(std::size_t i, std::size_t to) {
    for (std::vector<float>* part : {&px, &py, &pz, &nx, &ny, &nz, &time}) (*part)[to] = (*part)[i];
    slot[to] = slot[i];
    index[to] = index[i];
    weight[to] = weight[i];
  }
};

/// What one sample found.
struct Sample {
  Vec3f direct{0, 0, 0}, indirect{0, 0, 0}, albedo{0, 0, 0}, emitted{0, 0, 0}, normal{0, 0, 0},
      position{0, 0, 0};
  float coat = 0, glint = 0;
  Vec3f facet{0, 0, 1};
  bool surface = false;
};

/// What the samples of one pixel found together.
struct Sums {
  Sample total;
  float direct_squares = 0, indirect_squares = 0;
  int surface_count = 0;

  void add(const Sample& s) {
    total.direct += times(s.albedo, s.direct);
    total.indirect += times(s.albedo, s.indirect);
    total.albedo += s.albedo;
    total.emitted += s.emitted;
    total.normal += s.normal;
    total.position += s.position;
    surface_count += s.surface ? 1 : 0;
    const float d = brightness(s.direct), n = brightness(s.indirect);
    direct_squares += d * d;
    indirect_squares += n * n;
  }
};

constexpr std::size_t kMaxPaths = static_cast<std::size_t>(kTile * kTile * kMaxBatch);
static_assert(kMaxPaths % kPacket == 0);

class Tile {
 public:
  Tile(const Stage& stage, const Lighting& lighting, const View& view, const TraceSettings& settings)
      : stage_(stage),
        lighting_(lighting),
        view_(view),
        settings_(settings),
        here_(kMaxPaths),
        next_(kMaxPaths) {
    sample_bits_ = std::bit_width(static_cast<std::uint32_t>(settings.samples - 1));
  }

  /// Throws Error(interrupted) where the threads are stopped: a tile of many samples may take minutes.
  void trace(int tile_x, int tile_y, const Threads& threads, Layers& layers) {
    x0_ = tile_x * kTile;
    y0_ = tile_y * kTile;
    x1_ = std::min(x0_ + kTile, settings_.width);
    y1_ = std::min(y0_ + kTile, settings_.height);
    sums_.assign(static_cast<std::size_t>((x1_ - x0_) * (y1_ - y0_)), Sums{});
    for (int first = 0; first < settings_.samples; first += kMaxBatch) {
      threads.check_stop();
      batch_ = std::min(kMaxBatch, settings_.samples - first);
      start_paths(first);
      for (int bounce = 0; rays_.count > 0; ++bounce) {
        const bool glass = bounce == 0 && stage_.has_clear();
        if (glass) pass_clear();
        find_surfaces(bounce);
        if (glass) lay_glass_over();
        add_sunlight(bounce);
        send_onwards(bounce);
      }
      for (std::size_t i = 0; i < samples_.size(); ++i)
        sums_[i / static_cast<std::size_t>(batch_)].add(samples_[i]);
    }
    store_pixels(layers);
  }

 private:
  void start_paths(int first) {
    here_.count = 0;
    for (int y = y0_; y < y1_; ++y)
      for (int x = x0_; x < x1_; ++x) {
        const std::uint32_t pixel = z_order(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
        for (int s = first; s < first + batch_; ++s) {
          // The pixel's place travels in the position until the camera rays are made.
          const std::size_t i = here_.count++;
          here_.px[i] = static_cast<float>(x);
          here_.py[i] = static_cast<float>(y);
          here_.slot[i] = static_cast<std::uint32_t>(i);
          here_.index[i] = (pixel << sample_bits_) | static_cast<std::uint32_t>(s);
          here_.weight[i] = {1, 1, 1};
        }
      }
    samples_.assign(here_.count, Sample{});
    aim_camera();
  }

  void aim_camera() {
    const PairSeeds seeds(kPixelPair);
    const float to_x = 2 / static_cast<float>(settings_.width),
                to_y = 2 / static_cast<float>(settings_.height);
    rays_.resize(here_.count);
    for (std::size_t begin = 0; begin < here_.count; begin += kPacket) {
      Lanes3 d;
      Lanes end;
      for (std::size_t k = 0; k < kPacket; ++k) {
        const Point2 u = sample_point(here_.index[begin + k], seeds);
        const float sx = (here_.px[begin + k] + 0.5F + kFilter * tent(u.x)) * to_x - 1;
        const float sy = 1 - (here_.py[begin + k] + 0.5F + kFilter * tent(u.y)) * to_y;
        const float x = view_.forward.x + view_.right.x * sx + view_.up.x * sy;
        const float y = view_.forward.y + view_.right.y * sx + view_.up.y * sy;
        const float z = view_.forward.z + view_.right.z * sx + view_.up.z * sy;
        const float scale = 1 / std::sqrt(x * x + y * y + z * z);
        d.x[k] = x * scale;
        d.y[k] = y * scale;
        d.z[k] = z * scale;
        end[k] = reach(stage_.ground(), view_.origin.z, d.z[k]);
      }
      store(d.x, rays_.dx, begin);
      store(d.y, rays_.dy, begin);
      store(d.z, rays_.dz, begin);
      store(end, rays_.tmax, begin);
    }
    std::fill(rays_.ox.begin(), rays_.ox.end(), view_.origin.x);
    std::fill(rays_.oy.begin(), rays_.oy.end(), view_.origin.y);
    std::fill(rays_.oz.begin(), rays_.oz.end(), view_.origin.z);
    const PairSeeds time_seeds(kTimePair);
    for (std::size_t i = 0; i < here_.count; ++i)
      rays_.time[i] = stage_.is_moving() ? sample_point(here_.index[i], time_seeds).x : 0.0F;
  }

  /// Follows the rays. Ends paths that reach the sky; the others stand at their next surface in here_.
  void find_surfaces(int bounce) {
    if (settings_.watch) settings_.watch(bounce == 0 ? RayKind::camera : RayKind::bounce, rays_);
    stage_.rays().intersect(rays_, hits_, bounce > 0);
    const bool weakened = bounce > 0 && stage_.has_clear();
    if (weakened) {
      copy_to_probe(rays_);
      std::copy_n(hits_.t.begin(), rays_.count, probe_.tmax.begin());
      weaken_by_glass();
    }
    std::swap(here_, next_);
    here_.count = 0;
    for (std::size_t i = 0; i < rays_.count; ++i) {
      Sample& sample = samples_[next_.slot[i]];
      Vec3f weight = weakened ? times(next_.weight[i], passed_[i]) : next_.weight[i];
      if (!stage_.meets_surface(rays_, hits_, i)) {
        const Vec3f sky = lighting_.sky(rays_.direction(i));
        if (bounce == 0)
          sample.emitted += sky * lighting_.backdrop;
        else
          sample.indirect += times(weight, sky);
        continue;
      }
      const Surface surface = stage_.surface(rays_, hits_, i);
      if (bounce == 0) {
        start_sample(surface, rays_.direction(i), sample);
      } else {
        weight = times(weight, surface.albedo);
      }
      here_.add(surface, rays_.time[i], next_.slot[i], next_.index[i], weight);
    }
  }

  void start_sample(const Surface& surface, const Vec3f& direction, Sample& sample) const {
    sample.albedo = surface.albedo;
    sample.normal = surface.normal;
    sample.position = surface.position;
    sample.coat = surface.coat;
    sample.glint = surface.glint;
    sample.facet = surface.facet;
    sample.surface = true;
    if (surface.coat > 0) sample.emitted += coat_sky(lighting_, direction, surface.normal) * surface.coat;
    if (surface.ground) {
      const float faded = stage_.fade(surface.position);
      sample.albedo *= 1 - faded;
      sample.emitted += lighting_.horizon * (lighting_.backdrop * faded);
    }
  }

  /// Takes camera rays through glass, from surface to surface, until something else is nearer. They start
  /// again behind it; through_ and over_ keep what the glass does to the light.
  void pass_clear() {
    through_.assign(rays_.count, Vec3f(1, 1, 1));
    over_.assign(rays_.count, Vec3f(0, 0, 0));
    inside_.assign(rays_.count, Vec3f(0, 0, 0));
    copy_to_probe(rays_);
    for (int layer = 0; layer < kClearLayers; ++layer) {
      stage_.clear_rays().intersect(probe_, clear_hits_);
      if (!any_clear_hit()) return;
      // What is behind another surface is not met: find those first.
      stage_.rays().intersect(probe_, hits_);
      for (std::size_t i = 0; i < probe_.count; ++i) {
        if (probe_.tmax[i] < 0) continue;
        if (clear_hits_.object[i] == kNoObject)
          end_passage(i);
        else
          pass_surface(i);
      }
    }
  }

  /// Nothing clear is left on the way to the next surface, or to the sky.
  void end_passage(std::size_t i) {
    if (hits_.t[i] < Stage::kFar) through_[i] = times(through_[i], left_after(inside_[i], hits_.t[i]));
    probe_.tmax[i] = -1;  // Embree leaves out rays that end before they start.
  }

  void copy_to_probe(const RayBatch& rays) {
    probe_.resize(rays.count);
    const auto copy = [&](const std::vector<float>& from, std::vector<float>& to) {
      std::copy_n(from.begin(), rays.count, to.begin());
    };
    copy(rays.ox, probe_.ox);
    copy(rays.oy, probe_.oy);
    copy(rays.oz, probe_.oz);
    copy(rays.dx, probe_.dx);
    copy(rays.dy, probe_.dy);
    copy(rays.dz, probe_.dz);
    copy(rays.tmax, probe_.tmax);
    copy(rays.time, probe_.time);
  }

  bool any_clear_hit() const {
    for (std::size_t i = 0; i < probe_.count; ++i)
      if (probe_.tmax[i] >= 0 && clear_hits_.object[i] != kNoObject) return true;
    return false;
  }

  void pass_surface(std::size_t i) {
    const ClearSurface clear = stage_.clear_surface(probe_, clear_hits_, i);
    if (clear_hits_.t[i] > hits_.t[i] - (clear.entering ? 0 : clear.film)) return end_passage(i);
    const Vec3f direction = probe_.direction(i);
    through_[i] = times(through_[i], left_after(inside_[i], clear_hits_.t[i]));
    const GlassPassage passage = pass_glass(clear, direction, lighting_);
    over_[i] += times(through_[i], passage.added);
    through_[i] = times(through_[i], passage.through);
    if (passage.crosses && !clear.thin) inside_[i] = clear.entering ? clear.absorption : Vec3f(0, 0, 0);
    const Vec3f p =
        probe_.origin(i) + direction * clear_hits_.t[i] + passage.direction * (kPastClear * stage_.size());
    for (RayBatch* rays : {&probe_, &rays_}) {
      rays->ox[i] = p.x;
      rays->oy[i] = p.y;
      rays->oz[i] = p.z;
      rays->dx[i] = passage.direction.x;
      rays->dy[i] = passage.direction.y;
      rays->dz[i] = passage.direction.z;
      rays->tmax[i] = reach(stage_.ground(), p.z, passage.direction.z);
    }
  }

  /// Lays the glass that camera rays went through over what they found. Slots of camera rays are their
  /// numbers.
  void lay_glass_over() {
    for (std::size_t i = 0; i < through_.size(); ++i) {
      samples_[i].albedo = times(samples_[i].albedo, through_[i]);
      samples_[i].coat *= brightness(through_[i]);
      samples_[i].glint *= brightness(through_[i]);
      samples_[i].emitted = times(samples_[i].emitted, through_[i]) + over_[i];
    }
  }

  /// What is left of the light that comes straight along each ray of probe_, through glass.
  void weaken_by_glass() {
    passed_.assign(probe_.count, Vec3f(1, 1, 1));
    for (int layer = 0; layer < kClearLayers; ++layer) {
      stage_.clear_rays().intersect(probe_, clear_hits_);
      if (!any_clear_hit()) return;
      for (std::size_t i = 0; i < probe_.count; ++i) {
        if (probe_.tmax[i] < 0) continue;
        if (clear_hits_.object[i] == kNoObject) {
          probe_.tmax[i] = -1;
          continue;
        }
        const ClearSurface clear = stage_.clear_surface(probe_, clear_hits_, i);
        passed_[i] = times(passed_[i], glass_straight(clear, probe_.direction(i)));
        if (!clear.entering) passed_[i] = times(passed_[i], left_after(clear.absorption, clear_hits_.t[i]));
        step_past(i);
      }
    }
  }

  /// Starts ray i of probe_ again behind its hit.
  void step_past(std::size_t i) {
    const float t = clear_hits_.t[i] + kPastClear * stage_.size();
    probe_.ox[i] += probe_.dx[i] * t;
    probe_.oy[i] += probe_.dy[i] * t;
    probe_.oz[i] += probe_.dz[i] * t;
    if (probe_.tmax[i] < Stage::kFar) probe_.tmax[i] -= t;
  }

  /// Sends a ray from each vertex to a point of the sun's disc.
  void add_sunlight(int bounce) {
    aim_at_sun(bounce);
    if (settings_.watch) settings_.watch(RayKind::shadow, shadow_rays_);
    stage_.rays().occluded(shadow_rays_, blocked_, bounce > 0);
    if (stage_.has_clear()) {
      copy_to_probe(shadow_rays_);
      for (std::size_t i = 0; i < probe_.count; ++i)
        if (blocked_[i] != 0) probe_.tmax[i] = -1;
      weaken_by_glass();
    }
    for (std::size_t i = 0; i < shadow_rays_.count; ++i) {
      if (blocked_[i] != 0) continue;
      const std::uint32_t from = shadow_vertex_[i];
      Sample& sample = samples_[here_.slot[from]];
      const Vec3f sun = stage_.has_clear() ? times(lighting_.sun, passed_[i]) : lighting_.sun;
      if (bounce == 0 && (sample.coat > 0 || sample.glint > 0)) {
        const Vec3f direction = unit(sample.position - view_.origin), to_sun = shadow_rays_.direction(i);
        if (sample.coat > 0)
          sample.emitted += sun * (sample.coat * coat_sun(direction, sample.normal, to_sun));
        if (sample.glint > 0)
          sample.emitted += sun * (sample.glint * ice_glint(direction, sample.facet, to_sun));
      }
      (bounce == 0 ? sample.direct : sample.indirect) += times(here_.weight[from], sun) * cosine_[from];
    }
  }

  void aim_at_sun(int bounce) {
    const PairSeeds seeds(kSunPair + kPairsPerBounce * static_cast<std::uint32_t>(bounce));
    shadow_rays_.resize(here_.count);
    shadow_vertex_.resize(kMaxPaths);
    cosine_.resize(kMaxPaths);
    std::size_t count = 0;
    for (std::size_t begin = 0; begin < here_.count; begin += kPacket) {
      Lanes3 d;
      Lanes cosine;
      for (std::size_t k = 0; k < kPacket; ++k) {
        const std::size_t i = begin + k;
        const Vec3f sun = lighting_.towards_sun(sample_point(here_.index[i], seeds));
        d.x[k] = sun.x;
        d.y[k] = sun.y;
        d.z[k] = sun.z;
        cosine[k] = sun.x * here_.nx[i] + sun.y * here_.ny[i] + sun.z * here_.nz[i];
      }
      store(cosine, cosine_, begin);
      // Only surfaces that face the sun need to know.
      const std::size_t end = std::min(kPacket, here_.count - begin);
      for (std::size_t k = 0; k < end; ++k) {
        if (cosine[k] <= 0) continue;
        const std::size_t i = begin + k;
        shadow_rays_.ox[count] = here_.px[i];
        shadow_rays_.oy[count] = here_.py[i];
        shadow_rays_.oz[count] = here_.pz[i];
        shadow_rays_.dx[count] = d.x[k];
        shadow_rays_.dy[count] = d.y[k];
        shadow_rays_.dz[count] = d.z[k];
        shadow_rays_.tmax[count] = Stage::kFar;
        shadow_rays_.time[count] = here_.time[i];
        shadow_vertex_[count++] = static_cast<std::uint32_t>(i);
      }
    }
    shadow_rays_.count = count;
  }

  /// Ends paths by chance, the sooner the less their light is worth, and makes the others worth more by as
  /// much: bright grains get the bounces that they need. Arvo and Kirk 1990, "Particle transport and image
  /// synthesis", section 3.
  void play_roulette(int bounce) {
    const PairSeeds seeds(kRoulettePair + static_cast<std::uint32_t>(bounce));
    std::size_t count = 0;
    for (std::size_t i = 0; i < here_.count; ++i) {
      const Vec3f& weight = here_.weight[i];
      const float stays = std::min(1.0F, std::max({weight.x, weight.y, weight.z}));
      if (sample_point(here_.index[i], seeds).x >= stays) continue;
      here_.weight[i] *= 1 / stays;
      here_.move(i, count++);
    }
    here_.count = count;
  }

  /// Sends a ray from each vertex in a direction about its normal, with density cos/pi.
  void send_onwards(int bounce) {
    if (bounce >= settings_.bounces) {
      if (settings_.bounces > 0 && bounce < stage_.most_bounces())
        play_roulette(bounce);
      else
        here_.count = 0;
    }
    const PairSeeds seeds(kBouncePair + kPairsPerBounce * static_cast<std::uint32_t>(bounce));
    rays_.resize(here_.count);
    for (std::size_t begin = 0; begin < here_.count; begin += kPacket) {
      Lanes3 d;
      Lanes end;
      for (std::size_t k = 0; k < kPacket; ++k) {
        const std::size_t i = begin + k;
        const Vec3f out =
            cosine_direction({here_.nx[i], here_.ny[i], here_.nz[i]}, sample_point(here_.index[i], seeds));
        d.x[k] = out.x;
        d.y[k] = out.y;
        d.z[k] = out.z;
        end[k] = reach(stage_.ground(), here_.pz[i], out.z);
      }
      store(d.x, rays_.dx, begin);
      store(d.y, rays_.dy, begin);
      store(d.z, rays_.dz, begin);
      store(end, rays_.tmax, begin);
    }
    std::copy_n(here_.px.begin(), here_.count, rays_.ox.begin());
    std::copy_n(here_.py.begin(), here_.count, rays_.oy.begin());
    std::copy_n(here_.pz.begin(), here_.count, rays_.oz.begin());
    std::copy_n(here_.time.begin(), here_.count, rays_.time.begin());
  }

  void store_pixels(Layers& layers) const {
    std::size_t slot = 0;
    for (int y = y0_; y < y1_; ++y)
      for (int x = x0_; x < x1_; ++x)
        store_pixel(sums_[slot++],
                    static_cast<std::size_t>(y) * static_cast<std::size_t>(settings_.width) +
                        static_cast<std::size_t>(x),
                    layers);
  }

  void store_pixel(const Sums& sums, std::size_t at, Layers& layers) const {
    const float n = static_cast<float>(settings_.samples), share = 1 / n;
    const Vec3f albedo = sums.total.albedo * share;
    const auto over_albedo = [&](const Vec3f& light) {
      constexpr float kTiny = 1e-6F;
      return Vec3f(light.x / std::max(kTiny, albedo.x), light.y / std::max(kTiny, albedo.y),
                   light.z / std::max(kTiny, albedo.z)) *
             share;
    };
    layers.albedo[at] = albedo;
    layers.direct[at] = over_albedo(sums.total.direct);
    layers.indirect[at] = over_albedo(sums.total.indirect);
    layers.emitted[at] = sums.total.emitted * share;
    layers.normal[at] = sums.total.normal * share;
    const int found = sums.surface_count;
    layers.position[at] = found > 0 ? sums.total.position / static_cast<float>(found) : Vec3f(0, 0, 0);
    // A pixel is 2 |up| / height wide at unit distance.
    const float angle = 2 * view_.up.length() / static_cast<float>(settings_.height);
    layers.footprint[at] = found > 0 ? angle * (layers.position[at] - view_.origin).length() : 0;
    const auto variance = [&](float squares, float mean) {
      return n > 1 ? std::max(0.0F, squares * share - mean * mean) / (n - 1) : mean * mean;
    };
    layers.direct_variance[at] = variance(sums.direct_squares, brightness(layers.direct[at]));
    layers.indirect_variance[at] = variance(sums.indirect_squares, brightness(layers.indirect[at]));
  }

  const Stage& stage_;
  const Lighting& lighting_;
  const View& view_;
  const TraceSettings& settings_;
  int sample_bits_ = 0;
  int x0_ = 0, y0_ = 0, x1_ = 0, y1_ = 0, batch_ = 0;
  RayBatch rays_, shadow_rays_;
  HitBatch hits_;
  Vertices here_, next_;  ///< where paths stand; where they came from
  std::vector<std::uint32_t> shadow_vertex_;
  std::vector<float> cosine_;
  std::vector<std::uint8_t> blocked_;
  RayBatch probe_;  ///< rays on their way through glass
  HitBatch clear_hits_;
  std::vector<Vec3f> through_;  ///< how much of what lies behind glass is seen
  std::vector<Vec3f> over_;     ///< what glass adds
  std::vector<Vec3f> inside_;   ///< absorption where the ray is [1/m]
  std::vector<Vec3f> passed_;   ///< what glass leaves of light along probe_
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
                         tile.trace(static_cast<int>(i) % columns, static_cast<int>(i) / columns, threads,
                                    layers);
                     });
}

}  // namespace repose
