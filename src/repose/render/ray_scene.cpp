#include "repose/render/ray_scene.h"

#include <array>
#include <cstring>
#include <string>

#include <embree3/rtcore.h>

#include "repose/core/error.h"

namespace repose {
namespace {

constexpr std::size_t kPacket = 16;
constexpr float kNear = 0;

void fill_packet(std::span<const Ray> rays, RTCRay16& packet) {
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const Ray& ray = rays[i];
    packet.org_x[i] = ray.origin.x;
    packet.org_y[i] = ray.origin.y;
    packet.org_z[i] = ray.origin.z;
    packet.dir_x[i] = ray.direction.x;
    packet.dir_y[i] = ray.direction.y;
    packet.dir_z[i] = ray.direction.z;
    packet.tnear[i] = kNear;
    packet.tfar[i] = ray.tmax;
    packet.time[i] = ray.time;
    packet.mask[i] = ~0U;
    packet.flags[i] = 0;
  }
}

RTCRay make_ray(const Ray& ray) {
  RTCRay r{};
  r.org_x = ray.origin.x;
  r.org_y = ray.origin.y;
  r.org_z = ray.origin.z;
  r.dir_x = ray.direction.x;
  r.dir_y = ray.direction.y;
  r.dir_z = ray.direction.z;
  r.tnear = kNear;
  r.tfar = ray.tmax;
  r.time = ray.time;
  r.mask = ~0U;
  return r;
}

std::array<int, kPacket> valid_lanes(std::size_t count) {
  std::array<int, kPacket> valid{};
  for (std::size_t i = 0; i < count; ++i) valid[i] = -1;
  return valid;
}

}  // namespace

struct RayScene::Impl {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;

  // Embree's own setting for the number of threads would hold for all of oneTBB in the process: commit()
  // takes the caller's threads instead.
  Impl() : device(rtcNewDevice(nullptr)) {
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

RayScene::RayScene() : impl_(std::make_unique<Impl>()) { clear(); }
RayScene::~RayScene() = default;

void RayScene::clear() {
  if (impl_->scene != nullptr) rtcReleaseScene(impl_->scene);
  impl_->scene = rtcNewScene(impl_->device);
  impl_->check("make a scene");
}

std::uint32_t RayScene::add_spheres(std::span<const Sphere> spheres, std::span<const Sphere> at_close) {
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

void RayScene::intersect(std::span<const Ray> rays, std::span<Hit> hits, RayBundle bundle) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  if (bundle == RayBundle::scattered) {
    for (std::size_t i = 0; i < rays.size(); ++i) {
      RTCRayHit r;
      r.ray = make_ray(rays[i]);
      r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
      rtcIntersect1(impl_->scene, &context, &r);
      hits[i] = {r.ray.tfar, r.hit.geomID, r.hit.primID,
                 r.hit.u,    r.hit.v,      {r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z}};
    }
    return;
  }
  context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  for (std::size_t begin = 0; begin < rays.size(); begin += kPacket) {
    const std::size_t count = std::min(kPacket, rays.size() - begin);
    RTCRayHit16 p;
    fill_packet(rays.subspan(begin, count), p.ray);
    for (unsigned& id : p.hit.geomID) id = RTC_INVALID_GEOMETRY_ID;
    alignas(64) const std::array<int, kPacket> valid = valid_lanes(count);
    rtcIntersect16(valid.data(), impl_->scene, &context, &p);
    for (std::size_t i = 0; i < count; ++i)
      hits[begin + i] = {p.ray.tfar[i], p.hit.geomID[i], p.hit.primID[i],
                         p.hit.u[i],    p.hit.v[i],      {p.hit.Ng_x[i], p.hit.Ng_y[i], p.hit.Ng_z[i]}};
  }
}

void RayScene::occluded(std::span<const Ray> rays, std::span<std::uint8_t> blocked, RayBundle bundle) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  if (bundle == RayBundle::scattered) {
    for (std::size_t i = 0; i < rays.size(); ++i) {
      RTCRay r = make_ray(rays[i]);
      rtcOccluded1(impl_->scene, &context, &r);
      blocked[i] = r.tfar < 0;
    }
    return;
  }
  context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  for (std::size_t begin = 0; begin < rays.size(); begin += kPacket) {
    const std::size_t count = std::min(kPacket, rays.size() - begin);
    RTCRay16 p;
    fill_packet(rays.subspan(begin, count), p);
    alignas(64) const std::array<int, kPacket> valid = valid_lanes(count);
    rtcOccluded16(valid.data(), impl_->scene, &context, &p);
    for (std::size_t i = 0; i < count; ++i) blocked[begin + i] = p.tfar[i] < 0;
  }
}

}  // namespace repose
