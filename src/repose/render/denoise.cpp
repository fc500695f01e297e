#include "repose/render/denoise.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace repose {
namespace {

constexpr int kLevels = 4;            ///< taps lie 1, 2, 4, 8 pixels apart
constexpr float kNormalWeight = 12;   ///< per squared distance of normals
constexpr float kPlaneWeight = 0.5F;  ///< per squared distance off the tangent plane in tap distances
/// Per squared difference of brightness in units of the variance: direct, indirect. Shadows between grains
/// are sharp and stay so; light from the sky is smooth.
constexpr std::array<float, 2> kLightWeight{0.12F, 0.06F};
constexpr float kTinyVariance = 1e-6F;
constexpr std::size_t kRowsPerChunk = 8;

/// The B3 spline, as a-trous filters use it.
constexpr std::array<float, 5> kKernel{1.0F / 16, 4.0F / 16, 6.0F / 16, 4.0F / 16, 1.0F / 16};
/// Pixels around the picture, so that no tap has to be checked: the last level reaches 2 * 2^(kLevels - 1).
constexpr std::size_t kBorder = std::size_t{1} << kLevels;
/// A normal so far from any other that pixels of the border weigh nothing.
constexpr float kNowhere = 1e4F;

/// Pixels that are filtered together. Their sums are small local arrays and the loops have a fixed length, so
/// that the compiler turns them into vector code.
constexpr std::size_t kBlock = 32;
using Block = std::array<float, kBlock>;

using Plane = std::vector<float>;

/// One kind of light and its variance, by channel.
struct Light {
  Plane r, g, b, variance;
};
using Lights = std::array<Light, 2>;  ///< direct, indirect

/// The layers by channel, with a border, and room for the next level.
struct Planes {
  std::size_t width, height, stride;
  Plane nx, ny, nz, px, py, pz, scale;  ///< normal, position, 1 / footprint (0: sky)
  Lights in, out;

  Planes(const Layers& layers, Threads& threads);
  std::size_t at(std::size_t x, std::size_t y) const { return (y + kBorder) * stride + x + kBorder; }
};

Planes::Planes(const Layers& layers, Threads& threads)
    : width(static_cast<std::size_t>(layers.width)), height(static_cast<std::size_t>(layers.height)) {
  stride = (width + kBlock - 1) / kBlock * kBlock + 2 * kBorder;
  const std::size_t count = stride * (height + 2 * kBorder);
  for (Plane* plane : {&px, &py, &pz, &scale}) plane->assign(count, 0.0F);
  for (Plane* plane : {&nx, &ny, &nz}) plane->assign(count, kNowhere);
  for (Lights* lights : {&in, &out})
    for (Light& light : *lights)
      for (Plane* plane : {&light.r, &light.g, &light.b, &light.variance}) plane->assign(count, 0.0F);
  threads.for_each(
      height,
      [&](std::size_t y) {
        for (std::size_t x = 0; x < width; ++x) {
          const std::size_t from = y * width + x, to = at(x, y);
          nx[to] = layers.normal[from].x;
          ny[to] = layers.normal[from].y;
          nz[to] = layers.normal[from].z;
          px[to] = layers.position[from].x;
          py[to] = layers.position[from].y;
          pz[to] = layers.position[from].z;
          scale[to] = layers.footprint[from] > 0 ? 1 / layers.footprint[from] : 0;
          const auto put = [to](Light& light, const Vec3f& value, float variance) {
            light.r[to] = value.x;
            light.g[to] = value.y;
            light.b[to] = value.z;
            light.variance[to] = variance;
          };
          put(in[0], layers.direct[from], layers.direct_variance[from]);
          put(in[1], layers.indirect[from], layers.indirect_variance[from]);
        }
      },
      kRowsPerChunk);
}

/// What the brightness weight goes by. The variance from a few samples is itself noisy: take its mean over
/// 3 x 3 pixels.
Block find_noise(const Plane& variance, std::size_t p, std::size_t stride, float weight) {
  Block noise;
  const float *above = &variance[p - stride], *here = &variance[p], *below = &variance[p + stride];
  std::array<float, kBlock + 2> column;
  for (std::size_t i = 0; i < kBlock + 2; ++i)
    column[i] = (above - 1)[i] + 2 * (here - 1)[i] + (below - 1)[i];
  for (std::size_t i = 0; i < kBlock; ++i)
    noise[i] = weight / (0.0625F * (column[i] + 2 * column[i + 1] + column[i + 2]) + kTinyVariance);
  return noise;
}

/// How the pixels from p on and their neighbours from q on differ in normal and position.
Block compare_geometry(const Planes& planes, std::size_t p, std::size_t q, float per_plane) {
  Block apart;
  const float *ax = &planes.nx[p], *ay = &planes.ny[p], *az = &planes.nz[p];
  const float *bx = &planes.nx[q], *by = &planes.ny[q], *bz = &planes.nz[q];
  const float *px = &planes.px[p], *py = &planes.py[p], *pz = &planes.pz[p];
  const float *qx = &planes.px[q], *qy = &planes.py[q], *qz = &planes.pz[q], *scale = &planes.scale[p];
  for (std::size_t i = 0; i < kBlock; ++i) {
    const float nx = bx[i] - ax[i], ny = by[i] - ay[i], nz = bz[i] - az[i];
    const float off =
        ((qx[i] - px[i]) * ax[i] + (qy[i] - py[i]) * ay[i] + (qz[i] - pz[i]) * az[i]) * scale[i];
    apart[i] = (1 + kNormalWeight * (nx * nx + ny * ny + nz * nz)) * (1 + per_plane * off * off);
  }
  return apart;
}

/// Weighted sums of one kind of light over the taps.
struct Sums {
  Block noise, weight{}, r{}, g{}, b{}, variance{};

  void add(const Light& in, std::size_t p, std::size_t q, float share, const Block& apart) {
    const float *pr = &in.r[p], *pg = &in.g[p], *pb = &in.b[p], *qv = &in.variance[q];
    const float *qr = &in.r[q], *qg = &in.g[q], *qb = &in.b[q];
    for (std::size_t i = 0; i < kBlock; ++i) {
      const float light = 0.2126F * (qr[i] - pr[i]) + 0.7152F * (qg[i] - pg[i]) + 0.0722F * (qb[i] - pb[i]);
      const float away = apart[i] * (1 + light * light * noise[i]);
      const float w = share / (away * away);
      weight[i] += w;
      r[i] += w * qr[i];
      g[i] += w * qg[i];
      b[i] += w * qb[i];
      variance[i] += w * w * qv[i];
    }
  }

  void store(Light& out, std::size_t p, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) {
      const float scale = 1 / weight[i];
      out.r[p + i] = r[i] * scale;
      out.g[p + i] = g[i] * scale;
      out.b[p + i] = b[i] * scale;
      out.variance[p + i] = variance[i] * scale * scale;
    }
  }
};

void filter_row(Planes& planes, std::size_t step, std::size_t y) {
  const float per_plane = kPlaneWeight / static_cast<float>(step * step);
  for (std::size_t x = 0; x < planes.width; x += kBlock) {
    const std::size_t p = planes.at(x, y);
    std::array<Sums, 2> sums;
    for (std::size_t k = 0; k < 2; ++k)
      sums[k].noise = find_noise(planes.in[k].variance, p, planes.stride, kLightWeight[k]);
    for (std::size_t j = 0; j < 5; ++j)
      for (std::size_t i = 0; i < 5; ++i) {
        const std::size_t q = p + (j * step * planes.stride + i * step) - 2 * step * (planes.stride + 1);
        const Block apart = compare_geometry(planes, p, q, per_plane);
        for (std::size_t k = 0; k < 2; ++k) sums[k].add(planes.in[k], p, q, kKernel[i] * kKernel[j], apart);
      }
    for (std::size_t k = 0; k < 2; ++k) sums[k].store(planes.out[k], p, std::min(kBlock, planes.width - x));
  }
}

}  // namespace

void denoise(Layers& layers, Threads& threads) {
  Planes planes(layers, threads);
  for (int level = 0; level < kLevels; ++level) {
    threads.for_each(
        planes.height, [&](std::size_t y) { filter_row(planes, std::size_t{1} << level, y); }, kRowsPerChunk);
    std::swap(planes.in, planes.out);
  }
  threads.for_each(
      planes.height,
      [&](std::size_t y) {
        for (std::size_t x = 0; x < planes.width; ++x) {
          const std::size_t from = planes.at(x, y), to = y * planes.width + x;
          layers.direct[to] = {planes.in[0].r[from], planes.in[0].g[from], planes.in[0].b[from]};
          layers.indirect[to] = {planes.in[1].r[from], planes.in[1].g[from], planes.in[1].b[from]};
        }
      },
      kRowsPerChunk);
}

}  // namespace repose
