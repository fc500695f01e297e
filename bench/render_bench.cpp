// Pictures of 1e5 and 2e7 spheres at 1280x720 with 8 samples a pixel and 2 bounces, in two threads.
//
// The spheres make a conical heap on a jittered lattice with a solid fraction of 0.6, in the order of the
// lattice, seen by the automatic camera. "build" places the spheres and builds Embree's hierarchy, "trace"
// follows all paths, "denoise" filters; "frame" is their sum with the tone curve. "memory" is the peak of the
// process so far, the frame's own channels included.
//
// The rate of rays in "trace" (with all shading) stands beside the raw rate of Embree: the rays of one sample
// a pixel are recorded and traced again through the same spheres with nothing else to do, one at a time and
// in packets of 16, the same threads, camera and bounce rays for the nearest hit, shadow rays for any.
//
// Gate: the peak memory of the largest scene stays within 8 GiB. Exits with 1 if it does not.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <embree3/rtcore.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "repose/core/random.h"
#include "repose/render/denoise.h"
#include "repose/render/path_tracer.h"
#include "repose/render/render.h"
#include "repose/render/tone.h"

namespace repose {
namespace {

constexpr int kThreads = 2;
constexpr double kSolidFraction = 0.6;
constexpr double kRadius = 0.5, kHeight = 0.3;  // of the heap [m]
constexpr double kMemoryGate = 8.0 * 1024 * 1024 * 1024;

/// A row of the table; times in seconds, rates in rays a second.
struct Result {
  std::size_t count = 0;
  double build = 0, trace = 0, denoise = 0, tone = 0;
  double rays = 0;
  double raw_build = 0, raw_single = 0, raw_packets = 0;
  double memory = 0;  // [bytes]

  double frame() const { return build + trace + denoise + tone; }
};

template <class F>
double seconds(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

Scene make_scene() {
  Scene scene;
  scene.materials.emplace_back();
  Fill fill;
  Shape heap;
  heap.kind = ShapeKind::cone;
  heap.radius = kRadius;
  heap.radius_top = 0;
  heap.height = kHeight;
  heap.pose.position = {0, 0, 0.5 * kHeight};
  fill.shape = heap;
  scene.fills.push_back(fill);
  scene.render.size = {1280, 720};
  scene.render.samples = 8;
  scene.render.bounces = 2;
  return scene;
}

Frame make_heap(std::size_t count) {
  const double volume = kPi * kRadius * kRadius * kHeight / 3;
  const double spacing = std::cbrt(volume / static_cast<double>(count));
  const double radius = spacing * std::cbrt(kSolidFraction * 3 / (4 * kPi));
  const auto side = static_cast<int>(std::ceil(kRadius / spacing));
  Frame frame;
  const std::size_t most = count + count / 20;
  frame.id.reserve(most);
  frame.position.reserve(most);
  for (int z = 0; z * spacing < kHeight; ++z)
    for (int y = -side; y <= side; ++y)
      for (int x = -side; x <= side; ++x) {
        Random random(1, Stream::test, static_cast<std::uint32_t>(z),
                      static_cast<std::uint64_t>((y + side) * (2 * side + 1) + x + side));
        const Vec3d jitter(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2));
        const Vec3d p = (Vec3d(x, y, z + 0.7) + jitter) * spacing;
        if (std::hypot(p.x, p.y) / kRadius + p.z / kHeight > 1) continue;
        frame.id.push_back(static_cast<std::uint32_t>(frame.id.size()));
        frame.position.push_back(p);
      }
  frame.velocity.assign(frame.id.size(), Vec3f(0, 0, 0));
  frame.radius.assign(frame.id.size(), static_cast<float>(radius));
  frame.material.assign(frame.id.size(), 0);
  return frame;
}

TraceSettings trace_settings(const RenderSettings& settings, int samples) {
  return {.width = settings.size[0],
          .height = settings.size[1],
          .samples = samples,
          .bounces = settings.bounces,
          .watch = {}};
}

/// The rays of a frame by kind, in the order they were traced.
struct Recording {
  std::vector<RTCRay> nearest, any;

  double count() const { return static_cast<double>(nearest.size() + any.size()); }
};

/// On one thread, so that the rays need no lock and come in one order.
Recording record(const Stage& stage, const Scene& scene) {
  Recording recording;
  Threads threads(1);
  TraceSettings settings = trace_settings(scene.render, 1);
  settings.watch = [&](RayKind kind, const RayBatch& rays) {
    std::vector<RTCRay>& out = kind == RayKind::shadow ? recording.any : recording.nearest;
    for (std::size_t i = 0; i < rays.count; ++i) {
      RTCRay ray{};
      ray.org_x = rays.ox[i], ray.org_y = rays.oy[i], ray.org_z = rays.oz[i];
      ray.dir_x = rays.dx[i], ray.dir_y = rays.dy[i], ray.dir_z = rays.dz[i];
      ray.tfar = rays.tmax[i];
      ray.mask = ~0U;
      out.push_back(ray);
    }
  };
  Layers layers;
  trace_paths(stage, make_lighting(scene.render), scene_camera(scene, 0), settings, threads, layers);
  return recording;
}

/// Spheres in Embree and nothing around them.
class RawScene {
 public:
  RawScene(const Frame& frame, const Vec3d& origin, Threads& threads)
      : device_(rtcNewDevice(nullptr)), scene_(rtcNewScene(device_)), spheres_(frame.particle_count()) {
    threads.for_each(spheres_.size(), [&](std::size_t i) {
      spheres_[i] = {Vec3f(frame.position[i] - origin), frame.radius[i]};
    });
    RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, spheres_.data(), 0,
                               sizeof(Sphere), spheres_.size());
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    threads.enclose([&] { rtcJoinCommitScene(scene_); });
  }
  ~RawScene() {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }
  RawScene(const RawScene&) = delete;
  RawScene& operator=(const RawScene&) = delete;

  void trace_single(const Recording& rays, Threads& threads) const {
    threads.for_chunks(rays.nearest.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
      RTCIntersectContext context;
      rtcInitIntersectContext(&context);
      for (std::size_t i = begin; i < end; ++i) {
        RTCRayHit ray{};
        ray.ray = rays.nearest[i];
        ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(scene_, &context, &ray);
      }
    });
    threads.for_chunks(rays.any.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
      RTCIntersectContext context;
      rtcInitIntersectContext(&context);
      for (std::size_t i = begin; i < end; ++i) {
        RTCRay ray = rays.any[i];
        rtcOccluded1(scene_, &context, &ray);
      }
    });
  }

  void trace_packets(const Recording& rays, Threads& threads) const {
    threads.for_chunks(rays.nearest.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
      RTCIntersectContext context;
      rtcInitIntersectContext(&context);
      for (std::size_t i = begin; i < end; i += kPacket) {
        RTCRayHit16 packet;
        const Valid valid(rays.nearest, i, end, packet.ray);
        for (unsigned& id : packet.hit.geomID) id = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect16(valid.lanes, scene_, &context, &packet);
      }
    });
    threads.for_chunks(rays.any.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
      RTCIntersectContext context;
      rtcInitIntersectContext(&context);
      for (std::size_t i = begin; i < end; i += kPacket) {
        RTCRay16 packet;
        const Valid valid(rays.any, i, end, packet);
        rtcOccluded16(valid.lanes, scene_, &context, &packet);
      }
    });
  }

 private:
  static constexpr std::size_t kChunk = 4096;

  /// Fills a packet with the rays from `begin` on and tells which lanes hold one.
  struct alignas(64) Valid {
    int lanes[kPacket];

    Valid(const std::vector<RTCRay>& rays, std::size_t begin, std::size_t end, RTCRay16& packet) {
      for (std::size_t k = 0; k < kPacket; ++k) {
        lanes[k] = begin + k < end ? -1 : 0;
        const RTCRay& ray = rays[std::min(begin + k, end - 1)];
        packet.org_x[k] = ray.org_x, packet.org_y[k] = ray.org_y, packet.org_z[k] = ray.org_z;
        packet.dir_x[k] = ray.dir_x, packet.dir_y[k] = ray.dir_y, packet.dir_z[k] = ray.dir_z;
        packet.tnear[k] = ray.tnear, packet.tfar[k] = ray.tfar, packet.time[k] = ray.time;
        packet.mask[k] = ray.mask, packet.flags[k] = ray.flags;
      }
    }
  };

  RTCDevice device_;
  RTCScene scene_;
  std::vector<Sphere> spheres_;
};

Result measure(std::size_t count, Threads& threads) {
  const Scene scene = make_scene();
  const Frame frame = make_heap(count);
  Result result{.count = frame.particle_count()};
  Recording recording;
  Vec3d origin;
  {
    Stage stage(scene, {}, threads);
    Layers layers;
    result.build = seconds([&] { stage.set(frame); });
    result.trace = seconds([&] {
      trace_paths(stage, make_lighting(scene.render), scene_camera(scene, 0),
                  trace_settings(scene.render, scene.render.samples), threads, layers);
    });
    result.denoise = seconds([&] { denoise(layers, threads); });
    result.tone = seconds([&] { develop(compose(layers, threads), scene.render.exposure, threads); });
    result.memory = peak_memory();
    recording = record(stage, scene);
    result.rays = recording.count() * scene.render.samples;
    origin = stage.origin();
  }
  std::unique_ptr<RawScene> raw;
  result.raw_build = seconds([&] { raw = std::make_unique<RawScene>(frame, origin, threads); });
  result.raw_single = recording.count() / seconds([&] { raw->trace_single(recording, threads); });
  result.raw_packets = recording.count() / seconds([&] { raw->trace_packets(recording, threads); });
  return result;
}

std::string table_of(const std::vector<Result>& results) {
  std::string text = fmt::format("{:>9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>11} {:>8} {:>9}\n",
                                 "spheres", "build s", "trace s", "denoise", "frame s", "M rays", "M rays/s",
                                 "raw x1", "raw packets", "share", "memory");
  for (const Result& r : results) {
    const double rate = r.rays / r.trace;
    text += fmt::format(
        "{:>9} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.1f} {:>9.2f} {:>9.2f} {:>11.2f} {:>7.0f}% {:>5.2f} "
        "GiB\n",
        r.count, r.build, r.trace, r.denoise, r.frame(), 1e-6 * r.rays, 1e-6 * rate, 1e-6 * r.raw_single,
        1e-6 * r.raw_packets, 100 * rate / r.raw_packets, r.memory / (1024.0 * 1024 * 1024));
  }
  return text;
}

void write_results(const std::filesystem::path& path, const std::vector<Result>& results,
                   const std::string& text) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Result& r : results)
    rows.push_back({{"spheres", r.count},
                    {"build_s", r.build},
                    {"trace_s", r.trace},
                    {"denoise_s", r.denoise},
                    {"frame_s", r.frame()},
                    {"rays", r.rays},
                    {"rays_per_s", r.rays / r.trace},
                    {"raw_build_s", r.raw_build},
                    {"raw_single_rays_per_s", r.raw_single},
                    {"raw_packet_rays_per_s", r.raw_packets},
                    {"peak_memory_bytes", r.memory}});
  std::ofstream(path) << rows.dump(2) << '\n';
  std::ofstream(std::filesystem::path(path).replace_extension(".txt")) << text;
}

int run(std::string_view output, std::size_t largest) {
  Threads threads(kThreads);
  std::vector<Result> results;
  // The small one first: the peak of memory only grows.
  for (const std::size_t count : {std::size_t{100000}, std::size_t{20000000}})
    if (count <= largest) results.push_back(measure(count, threads));
  const bool fits = results.back().memory <= kMemoryGate;
  std::string text = table_of(results);
  text += fmt::format("peak memory: {:.2f} GiB (gate 8): {}\n",
                      results.back().memory / (1024.0 * 1024 * 1024), fits ? "ok" : "FAILED");
  fmt::print("{}", text);
  if (!output.empty()) write_results(output, results, text);
  return fits ? 0 : 1;
}

}  // namespace
}  // namespace repose

int main(int argc, char** argv) {
  std::string_view output;
  std::size_t largest = 20000000;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    constexpr std::string_view kOutput = "--benchmark_out=", kLargest = "--largest=";
    if (argument.starts_with(kOutput)) output = argument.substr(kOutput.size());
    if (argument.starts_with(kLargest)) largest = std::stoul(std::string(argument.substr(kLargest.size())));
  }
  return repose::run(output, largest);
}
