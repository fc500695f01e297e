#include "repose/surface/surface_net.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "repose/exec/algorithms.h"

namespace repose {
namespace {

constexpr std::uint32_t kNoVertex = 0xffffffffU;
constexpr float kFar = std::numeric_limits<float>::max();

/// phi of a tile and of the layers after it along each axis: the corners of the tile's cubes. Cube (x, y, z)
/// has its lowest corner in the middle of cell (x, y, z).
class Corners {
 public:
  Corners(const TileSet& tiles, std::size_t tile, const std::vector<float>& phi) {
    for (int n = 0; n < 8; ++n) {
      const int dx = n & 1, dy = n >> 1 & 1, dz = n >> 2;
      const std::uint32_t from = tiles.neighbor(tile, neighbor_slot(dx, dy, dz));
      for (int z = 8 * dz; z < 8 + dz; ++z)
        for (int y = 8 * dy; y < 8 + dy; ++y)
          for (int x = 8 * dx; x < 8 + dx; ++x)
            values_[place(x, y, z)] =
                from == kNoTile ? kFar : phi[from * kTileCells + cell_in_tile(x & 7, y & 7, z & 7)];
    }
  }
  float operator()(int x, int y, int z) const { return values_[place(x, y, z)]; }

 private:
  static constexpr std::size_t place(int x, int y, int z) {
    return static_cast<std::size_t>(x + 9 * (y + 9 * z));
  }
  std::array<float, 729> values_;
};

/// The eight corners of a cube; bit 0 of the number is x, bit 1 y, bit 2 z.
using Cube = std::array<float, 8>;

Cube cube_at(const Corners& phi, int x, int y, int z) {
  Cube cube;
  for (int n = 0; n < 8; ++n)
    cube[static_cast<std::size_t>(n)] = phi(x + (n & 1), y + (n >> 1 & 1), z + (n >> 2));
  return cube;
}

bool is_cut(const Cube& cube) {
  const bool first = cube[0] < 0;
  return std::any_of(cube.begin(), cube.end(), [&](float value) { return (value < 0) != first; });
}

/// Mean of the places where the surface cuts the cube's edges, each coordinate 0 to 1.
Vec3f net_vertex(const Cube& cube) {
  Vec3f sum(0);
  int count = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (int n = 0; n < 8; ++n) {
      if ((n >> axis & 1) != 0) continue;
      const float a = cube[static_cast<std::size_t>(n)], b = cube[static_cast<std::size_t>(n | 1 << axis)];
      if ((a < 0) == (b < 0)) continue;
      Vec3f at(static_cast<float>(n & 1), static_cast<float>(n >> 1 & 1), static_cast<float>(n >> 2));
      at[axis] = a / (a - b);
      sum += at;
      ++count;
    }
  return sum / static_cast<float>(count);
}

/// Trilinear interpolation at a place in the cube.
struct Local {
  float value = 0;
  Vec3f gradient{0, 0, 0};  ///< by edge of the cube

  Local(const Cube& cube, const Vec3f& at) {
    for (int n = 0; n < 8; ++n) {
      Vec3f weight, sign;
      for (int axis = 0; axis < 3; ++axis) {
        const bool upper = (n >> axis & 1) != 0;
        weight[axis] = upper ? at[axis] : 1 - at[axis];
        sign[axis] = upper ? 1.0F : -1.0F;
      }
      const float corner = cube[static_cast<std::size_t>(n)];
      value += corner * weight.x * weight.y * weight.z;
      gradient += corner * Vec3f(sign.x * weight.y * weight.z, weight.x * sign.y * weight.z,
                                 weight.x * weight.y * sign.z);
    }
  }
};

/// The mean lies inside of a bulge: one step along the gradient brings it back to the surface.
Vec3f onto_surface(const Cube& cube, const Vec3f& at) {
  const Local local(cube, at);
  const float slope2 = local.gradient.dot(local.gradient);
  if (!(slope2 > 0)) return at;
  const Vec3f moved = at - (local.value / slope2) * local.gradient;
  return {std::clamp(moved.x, 0.0F, 1.0F), std::clamp(moved.y, 0.0F, 1.0F), std::clamp(moved.z, 0.0F, 1.0F)};
}

/// Calls f(x, y, z, cube) for the cubes of a tile that the surface passes.
template <class F>
void for_each_cut(const TileSet& tiles, std::size_t tile, const std::vector<float>& phi, F&& f) {
  const Corners corners(tiles, tile, phi);
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x) {
        const Cube cube = cube_at(corners, x, y, z);
        if (is_cut(cube)) f(x, y, z, cube);
      }
}

/// Which vertex a cube has, by tile and cell.
class VertexNumbers {
 public:
  VertexNumbers(const TileSet& tiles) : tiles_(tiles), number_(tiles.cell_count(), kNoVertex) {}
  std::uint32_t& at(std::size_t place) { return number_[place]; }
  /// Coordinates count from the tile's first cube and may be -1.
  std::uint32_t find(std::size_t tile, int x, int y, int z) const {
    const std::uint32_t from = tiles_.neighbor(tile, neighbor_slot(x >> 3, y >> 3, z >> 3));
    return from == kNoTile ? kNoVertex : number_[from * kTileCells + cell_in_tile(x & 7, y & 7, z & 7)];
  }

 private:
  const TileSet& tiles_;
  std::vector<std::uint32_t> number_;
};

/// For each edge between the middles of two cells that the surface cuts, the square of the four cubes around
/// it, as two triangles.
void add_squares(const TileSet& tiles, std::size_t tile, const std::vector<float>& phi,
                 const VertexNumbers& vertices, std::vector<std::array<std::uint32_t, 3>>& out) {
  const Corners corners(tiles, tile, phi);
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x)
        for (int axis = 0; axis < 3; ++axis) {
          const bool inside = corners(x, y, z) < 0;
          const bool next_inside = corners(x + (axis == 0), y + (axis == 1), z + (axis == 2)) < 0;
          if (inside == next_inside) continue;
          // The two other axes in right-handed order: seen from the axis's end the cubes go round.
          Vec3i p(0), q(0);
          p[(axis + 1) % 3] = 1;
          q[(axis + 2) % 3] = 1;
          const Vec3i c(x, y, z);
          const std::array<Vec3i, 4> around{c - p - q, c - q, c, c - p};
          std::array<std::uint32_t, 4> v;
          for (std::size_t k = 0; k < 4; ++k)
            v[k] = vertices.find(tile, around[k].x, around[k].y, around[k].z);
          if (std::find(v.begin(), v.end(), kNoVertex) != v.end()) continue;
          if (next_inside) std::swap(v[1], v[3]);
          out.push_back({v[0], v[1], v[2]});
          out.push_back({v[0], v[2], v[3]});
        }
}

}  // namespace

SurfaceNet surface_net(const TileSet& tiles, const GridPlace& place, const std::vector<float>& phi,
                       Threads& threads) {
  SurfaceNet net;
  VertexNumbers vertices(tiles);
  std::vector<std::uint32_t> first(tiles.size() + 1);
  threads.for_each(
      tiles.size(),
      [&](std::size_t tile) {
        std::uint32_t count = 0;
        for_each_cut(tiles, tile, phi, [&](int, int, int, const Cube&) { ++count; });
        first[tile] = count;
      },
      4);
  const std::uint32_t vertex_count = exclusive_scan<std::uint32_t>(threads, first, first);
  net.mesh.positions.resize(vertex_count);
  net.mesh.normals.resize(vertex_count);
  net.tile.resize(vertex_count);
  threads.for_each(
      tiles.size(),
      [&](std::size_t tile) {
        std::uint32_t vertex = first[tile];
        const Vec3d corner = tile_corner(place, tiles.coordinate(tile));
        for_each_cut(tiles, tile, phi, [&](int x, int y, int z, const Cube& cube) {
          const Vec3f at = onto_surface(cube, net_vertex(cube));
          const Vec3d in_cells = Vec3d(x, y, z) + Vec3d(0.5) + Vec3d(at);
          net.mesh.positions[vertex] = Vec3f(corner + place.cell * in_cells);
          net.mesh.normals[vertex] = Local(cube, at).gradient.normalized();
          net.tile[vertex] = static_cast<std::uint32_t>(tile);
          vertices.at(tile * kTileCells + cell_in_tile(x, y, z)) = vertex++;
        });
      },
      4);
  std::vector<std::vector<std::array<std::uint32_t, 3>>> parts(tiles.size());
  threads.for_each(
      tiles.size(), [&](std::size_t tile) { add_squares(tiles, tile, phi, vertices, parts[tile]); }, 4);
  for (const auto& part : parts)
    net.mesh.triangles.insert(net.mesh.triangles.end(), part.begin(), part.end());
  return net;
}

}  // namespace repose
