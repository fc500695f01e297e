#include "repose/render/ray_scene.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include <embree3/rtcore.h>

#include "repose/core/error.h"
#include "repose/render/facets.h"

namespace repose {
namespace {

std::string device_settings([[maybe_unused]] int threads) {
#ifdef REPOSE_STD_THREADS
  return "threads=1";  // under the thread sanitizer oneTBB has no other
#else
  return "threads=" + std::to_string(threads);
#endif
}

std::size_t whole_packets(std::size_t n) { return (n + kPacket - 1) / kPacket * kPacket; }

/// Room for n; arrays never shrink, so that no time goes into filling them with zeros again.
template <class T>
void grow(std::vector<T>& part, std::size_t n) {
  if (part.size() < n) part.resize(whole_packets(n));
}

void copy_packet(const std::vector<float>& from, std::size_t begin, float* to) {
  std::memcpy(to, &from[begin], kPacket * sizeof(float));
}

/// The rays from `begin` on.
void fill_packet(const RayBatch& rays, std::size_t begin, RTCRay16& packet) {
  copy_packet(rays.ox, begin, packet.org_x);
  copy_packet(rays.oy, begin, packet.org_y);
  copy_packet(rays.oz, begin, packet.org_z);
  copy_packet(rays.dx, begin, packet.dir_x);
  copy_packet(rays.dy, begin, packet.dir_y);
  copy_packet(rays.dz, begin, packet.dir_z);
  copy_packet(rays.tmax, begin, packet.tfar);
  copy_packet(rays.time, begin, packet.time);
  for (std::size_t i = 0; i < kPacket; ++i) {
    packet.tnear[i] = 0;
    packet.mask[i] = ~0U;
    packet.flags[i] = 0;
  }
}

RTCRay single_ray(const RayBatch& rays, std::size_t i) {
  return {.org_x = rays.ox[i],
          .org_y = rays.oy[i],
          .org_z = rays.oz[i],
          .tnear = 0,
          .dir_x = rays.dx[i],
          .dir_y = rays.dy[i],
          .dir_z = rays.dz[i],
          .time = rays.time[i],
          .tfar = rays.tmax[i],
          .mask = ~0U,
          .id = 0,
          .flags = 0};
}

/// -1 for rays, 0 for what fills up the last packet.
struct alignas(64) Lanes {
  int valid[kPacket];

  explicit Lanes(std::size_t count) {
    for (std::size_t i = 0; i < kPacket; ++i) valid[i] = i < count ? -1 : 0;
  }
};

/// Grains with facets, as Embree's callbacks find them.
struct FacettedGrains {
  const Sphere* open;
  const Sphere* close;  ///< or none
  const std::uint32_t* words;
  const FacetShape* shapes;

  std::uint32_t shape(unsigned k) const { return words[k] >> 24; }
};

void bound_grain(const RTCBoundsFunctionArguments* args) {
  const auto& grains = *static_cast<const FacettedGrains*>(args->geometryUserPtr);
  const Sphere& ball = (args->timeStep == 0 ? grains.open : grains.close)[args->primID];
  const FacetShape& shape = grains.shapes[grains.shape(args->primID)];
  const Vec3f low = ball.center + shape.low * ball.radius, high = ball.center + shape.high * ball.radius;
  RTCBounds& box = *args->bounds_o;
  box.lower_x = low.x;
  box.lower_y = low.y;
  box.lower_z = low.z;
  box.upper_x = high.x;
  box.upper_y = high.y;
  box.upper_z = high.z;
}

/// Calls found(lane, hit, grain's ball) for each ray of the packet that meets grain k.
template <class Found>
void meet_grain(const FacettedGrains& grains, unsigned k, const int* valid, RTCRayN* rays, unsigned n,
                const Found& found) {
  const float *ox = &RTCRayN_org_x(rays, n, 0), *oy = &RTCRayN_org_y(rays, n, 0),
              *oz = &RTCRayN_org_z(rays, n, 0), *dx = &RTCRayN_dir_x(rays, n, 0),
              *dy = &RTCRayN_dir_y(rays, n, 0), *dz = &RTCRayN_dir_z(rays, n, 0),
              *tnear = &RTCRayN_tnear(rays, n, 0), *tfar = &RTCRayN_tfar(rays, n, 0),
              *time = &RTCRayN_time(rays, n, 0);
  const Vec3f at = grains.open[k].center;
  const Vec3f way = grains.close == nullptr ? Vec3f(0, 0, 0) : grains.close[k].center - at;
  const float radius = grains.open[k].radius;
  // Most rays miss: find out for all at once.
  std::array<float, kPacket> px, py, pz, middle, inside;
  for (unsigned i = 0; i < n; ++i) {
    const float x = ox[i] - at.x - way.x * time[i], y = oy[i] - at.y - way.y * time[i],
                z = oz[i] - at.z - way.z * time[i];
    middle[i] = -(x * dx[i] + y * dy[i] + z * dz[i]);
    px[i] = x + dx[i] * middle[i];
    py[i] = y + dy[i] * middle[i];
    pz[i] = z + dz[i] * middle[i];
    inside[i] = radius * radius - (px[i] * px[i] + py[i] * py[i] + pz[i] * pz[i]);
  }
  for (unsigned i = 0; i < n; ++i) {
    if (valid[i] == 0 || inside[i] <= 0) continue;
    const float half = std::sqrt(inside[i]);
    if (middle[i] + half < tnear[i] || middle[i] - half > tfar[i]) continue;
    const BallPassage passage{{px[i], py[i], pz[i]}, middle[i], half};
    const FacetHit hit = intersect_facets(grains.shapes[grains.shape(k)], radius, passage,
                                          {dx[i], dy[i], dz[i]}, tnear[i], tfar[i]);
    if (hit.hit) found(i, hit, passage);
  }
}

void intersect_grain(const RTCIntersectFunctionNArguments* args) {
  const auto& grains = *static_cast<const FacettedGrains*>(args->geometryUserPtr);
  const unsigned n = args->N, k = args->primID;
  RTCRayN* rays = RTCRayHitN_RayN(args->rayhit, n);
  RTCHitN* hits = RTCRayHitN_HitN(args->rayhit, n);
  meet_grain(grains, k, args->valid, rays, n, [&](unsigned i, const FacetHit& hit, const BallPassage& p) {
    const Vec3f d(RTCRayN_dir_x(rays, n, i), RTCRayN_dir_y(rays, n, i), RTCRayN_dir_z(rays, n, i));
    const Vec3f normal = hit.facet == FacetHit::kRound
                             ? p.nearest + d * (hit.t - p.at)
                             : grains.shapes[grains.shape(k)].normal(static_cast<std::size_t>(hit.facet));
    RTCRayN_tfar(rays, n, i) = hit.t;
    RTCHitN_Ng_x(hits, n, i) = normal.x;
    RTCHitN_Ng_y(hits, n, i) = normal.y;
    RTCHitN_Ng_z(hits, n, i) = normal.z;
    RTCHitN_u(hits, n, i) = static_cast<float>(hit.facet);
    RTCHitN_v(hits, n, i) = 0;
    RTCHitN_primID(hits, n, i) = k;
    RTCHitN_geomID(hits, n, i) = args->geomID;
    RTCHitN_instID(hits, n, i, 0) = args->context->instID[0];
  });
}

void occlude_by_grain(const RTCOccludedFunctionNArguments* args) {
  const auto& grains = *static_cast<const FacettedGrains*>(args->geometryUserPtr);
  meet_grain(grains, args->primID, args->valid, args->ray, args->N,
             [&](unsigned i, const FacetHit&, const BallPassage&) {
               RTCRayN_tfar(args->ray, args->N, i) = -std::numeric_limits<float>::infinity();
             });
}

}  // namespace

struct RayScene::Impl {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;
  std::vector<std::unique_ptr<FacettedGrains>> grains;  ///< of the scene

  // Embree builds in an arena of its own, whatever arena it is called from: this is what holds it to the
  // caller's number. While the device lives, no arena of oneTBB gets more threads than the largest such
  // number.
  explicit Impl(int threads) : device(rtcNewDevice(device_settings(threads).c_str())) {
    if (device == nullptr)
      throw Error(ExitCode::run_failed, "render: Embree could not start on this machine");
  }
  ~Impl() {
    if (scene != nullptr) rtcReleaseScene(scene);
    rtcReleaseDevice(device);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void check(const char* what) const {
    if (rtcGetDeviceError(device) != RTC_ERROR_NONE)
      throw Error(ExitCode::run_failed,
                  std::string("render: Embree failed to ") + what + " (out of memory?)");
  }
  void intersect_singly(const RayBatch& rays, HitBatch& hits) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (std::size_t i = 0; i < rays.count; ++i) {
      RTCRayHit one;
      one.ray = single_ray(rays, i);
      one.hit.geomID = kNoObject;
      rtcIntersect1(scene, &context, &one);
      hits.t[i] = one.ray.tfar;
      hits.object[i] = one.hit.geomID;
      hits.primitive[i] = one.hit.primID;
      hits.u[i] = one.hit.u;
      hits.v[i] = one.hit.v;
      hits.nx[i] = one.hit.Ng_x;
      hits.ny[i] = one.hit.Ng_y;
      hits.nz[i] = one.hit.Ng_z;
    }
  }
  void occlude_singly(const RayBatch& rays, std::vector<std::uint8_t>& blocked) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (std::size_t i = 0; i < rays.count; ++i) {
      RTCRay one = single_ray(rays, i);
      rtcOccluded1(scene, &context, &one);
      blocked[i] = one.tfar < 0;
    }
  }
  std::uint32_t attach(RTCGeometry geometry) {
    rtcCommitGeometry(geometry);
    const std::uint32_t id = rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    check("add a geometry");
    return id;
  }
};

void RayBatch::resize(std::size_t n) {
  count = n;
  for (std::vector<float>* part : {&ox, &oy, &oz, &dx, &dy, &dz, &tmax, &time}) grow(*part, n);
}

void HitBatch::resize(std::size_t n) {
  for (std::vector<float>* part : {&t, &u, &v, &nx, &ny, &nz}) grow(*part, n);
  for (std::vector<std::uint32_t>* part : {&object, &primitive}) grow(*part, n);
}

RayScene::RayScene(const Threads& threads) : impl_(std::make_unique<Impl>(threads.count())) { clear(); }
RayScene::~RayScene() = default;

void RayScene::clear() {
  if (impl_->scene != nullptr) rtcReleaseScene(impl_->scene);
  impl_->grains.clear();
  impl_->scene = rtcNewScene(impl_->device);
  impl_->check("make a scene");
}

std::uint32_t RayScene::add_spheres(std::span<const Sphere> spheres, std::span<const Sphere> at_close) {
  static_assert(RTC_INVALID_GEOMETRY_ID == kNoObject);
  static_assert(sizeof(Sphere) == 16, "Embree reads spheres as x y z r");
  RTCGeometry geometry = rtcNewGeometry(impl_->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
  const bool moving = !at_close.empty();
  if (moving) rtcSetGeometryTimeStepCount(geometry, 2);
  rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, spheres.data(), 0,
                             sizeof(Sphere), spheres.size());
  if (moving)
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 1, RTC_FORMAT_FLOAT4, at_close.data(), 0,
                               sizeof(Sphere), at_close.size());
  return impl_->attach(geometry);
}

std::uint32_t RayScene::add_grains(std::span<const Sphere> balls, std::span<const Sphere> at_close,
                                   std::span<const std::uint32_t> words) {
  RTCGeometry geometry = rtcNewGeometry(impl_->device, RTC_GEOMETRY_TYPE_USER);
  const bool moving = !at_close.empty();
  if (moving) rtcSetGeometryTimeStepCount(geometry, 2);
  impl_->grains.push_back(std::make_unique<FacettedGrains>(
      FacettedGrains{balls.data(), moving ? at_close.data() : nullptr, words.data(), facet_shapes().data()}));
  rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(balls.size()));
  rtcSetGeometryUserData(geometry, impl_->grains.back().get());
  rtcSetGeometryBoundsFunction(geometry, bound_grain, nullptr);
  rtcSetGeometryIntersectFunction(geometry, intersect_grain);
  rtcSetGeometryOccludedFunction(geometry, occlude_by_grain);
  return impl_->attach(geometry);
}

std::uint32_t RayScene::add_mesh(std::span<const Vec3f> positions,
                                 std::span<const std::array<std::uint32_t, 3>> triangles,
                                 std::span<const Vec3f> at_close) {
  RTCGeometry geometry = rtcNewGeometry(impl_->device, RTC_GEOMETRY_TYPE_TRIANGLE);
  const bool moving = !at_close.empty();
  if (moving) rtcSetGeometryTimeStepCount(geometry, 2);
  const auto copy = [&](RTCBufferType type, unsigned slot, RTCFormat format, const void* data,
                        std::size_t size, std::size_t count) {
    void* buffer = rtcSetNewGeometryBuffer(geometry, type, slot, format, size, count);
    impl_->check("hold a mesh");
    std::memcpy(buffer, data, size * count);
  };
  copy(RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, positions.data(), sizeof(Vec3f), positions.size());
  if (moving)
    copy(RTC_BUFFER_TYPE_VERTEX, 1, RTC_FORMAT_FLOAT3, at_close.data(), sizeof(Vec3f), at_close.size());
  copy(RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, triangles.data(), sizeof(triangles[0]), triangles.size());
  return impl_->attach(geometry);
}

void RayScene::commit(Threads& threads) {
  threads.enclose([&] { rtcJoinCommitScene(impl_->scene); });
  impl_->check("build the ray hierarchy");
}

void RayScene::intersect(const RayBatch& rays, HitBatch& hits, bool scattered) const {
  hits.resize(rays.count);
  if (scattered && !impl_->grains.empty()) return impl_->intersect_singly(rays, hits);
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  for (std::size_t begin = 0; begin < rays.count; begin += kPacket) {
    RTCRayHit16 packet;
    fill_packet(rays, begin, packet.ray);
    for (unsigned& id : packet.hit.geomID) id = kNoObject;
    const Lanes lanes(rays.count - begin);
    rtcIntersect16(lanes.valid, impl_->scene, &context, &packet);
    const auto copy = [begin](const auto* from, auto& to) {
      std::memcpy(&to[begin], from, kPacket * sizeof(*from));
    };
    copy(packet.ray.tfar, hits.t);
    copy(packet.hit.geomID, hits.object);
    copy(packet.hit.primID, hits.primitive);
    copy(packet.hit.u, hits.u);
    copy(packet.hit.v, hits.v);
    copy(packet.hit.Ng_x, hits.nx);
    copy(packet.hit.Ng_y, hits.ny);
    copy(packet.hit.Ng_z, hits.nz);
  }
}

void RayScene::occluded(const RayBatch& rays, std::vector<std::uint8_t>& blocked, bool scattered) const {
  grow(blocked, rays.count);
  if (scattered && !impl_->grains.empty()) return impl_->occlude_singly(rays, blocked);
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  for (std::size_t begin = 0; begin < rays.count; begin += kPacket) {
    RTCRay16 packet;
    fill_packet(rays, begin, packet);
    const Lanes lanes(rays.count - begin);
    rtcOccluded16(lanes.valid, impl_->scene, &context, &packet);
    for (std::size_t i = 0; i < kPacket; ++i) blocked[begin + i] = packet.tfar[i] < 0;
  }
}

}  // namespace repose
