#include "repose/render/ray_scene.h"

#include <array>
#include <cstring>
#include <string>

#include <embree3/rtcore.h>

#include "repose/core/error.h"

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

/// -1 for rays, 0 for what fills up the last packet.
struct alignas(64) Lanes {
  int valid[kPacket];

  explicit Lanes(std::size_t count) {
    for (std::size_t i = 0; i < kPacket; ++i) valid[i] = i < count ? -1 : 0;
  }
};

}  // namespace

struct RayScene::Impl {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;

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

void RayScene::intersect(const RayBatch& rays, HitBatch& hits) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  hits.resize(rays.count);
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

void RayScene::occluded(const RayBatch& rays, std::vector<std::uint8_t>& blocked) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  grow(blocked, rays.count);
  for (std::size_t begin = 0; begin < rays.count; begin += kPacket) {
    RTCRay16 packet;
    fill_packet(rays, begin, packet);
    const Lanes lanes(rays.count - begin);
    rtcOccluded16(lanes.valid, impl_->scene, &context, &packet);
    for (std::size_t i = 0; i < kPacket; ++i) blocked[begin + i] = packet.tfar[i] < 0;
  }
}

}  // namespace repose
