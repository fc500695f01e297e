#include "repose/grid/viscosity.h"

#include <algorithm>
#include <cmath>

#include "repose/grid/field.h"
#include "repose/grid/tile_block.h"

namespace repose {
namespace {

using Block = TileBlock<1>;
using BlockField = std::array<float, Block::kCells>;

/// The nearest that a wall counts as, in cells: nearer ones would only spoil the matrix.
constexpr float kLeastWay = 0.1F;

constexpr std::size_t nine(int x, int y, int z) { return static_cast<std::size_t>(x + 9 * (y + 9 * z)); }

/// A field around a tile, by coordinates of cells.
struct Around {
  BlockField values;
  Around(const TileSet& tiles, std::size_t tile, const std::vector<float>& field) {
    Block::fill(tiles, tile, field, values.data());
  }
  float at(int x, int y, int z) const { return values[Block::place(x, y, z)]; }
};

/// How much steeper the gradient between two faces is where a solid closes one of them, from the distances to
/// solids at both.
float steepness(bool is_free_1, bool is_free_2, float distance_1, float distance_2) {
  if (is_free_1 == is_free_2) return 1;
  const float out = is_free_1 ? distance_1 : distance_2, in = is_free_1 ? distance_2 : distance_1;
  const float way = out > 0 && in < 0 ? out / (out - in) : 0.5F;
  return 1 / std::max(way, kLeastWay);
}

}  // namespace

template <class F>
void ViscousSystem::for_each_tile(const F& f) const {
  threads_.for_each(
      active_.size(), [&](std::size_t k) { f(active_[k]); }, 1);
}

ViscousSystem::ViscousSystem(const TileSet& tiles, const std::vector<float>& phi, double cell,
                             const SolidCells& solids, const FaceWeight& weight, double strength,
                             Threads& threads)
    : tiles_(tiles), solids_(solids), threads_(threads) {
  // How far inside the liquid, in cells: 0 well outside and where there is no grid, 1 at the surface.
  std::vector<float> inside(phi.size());
  const float scale = 1 / static_cast<float>(cell);
  threads.for_each(phi.size(), [&](std::size_t i) { inside[i] = depth_inside(phi[i] * scale); });
  active_.resize(tiles.size());
  threads_.for_each(
      tiles.size(),
      [&](std::size_t tile) {
        active_[tile].index = static_cast<std::uint32_t>(tile);
        weigh(inside, weight, strength, active_[tile]);
        find_diagonal(active_[tile]);
      },
      1);
  std::erase_if(active_, [](const Tile& tile) {
    return std::all_of(tile.diagonal.begin(), tile.diagonal.end(), [](const auto& axis) {
      return std::all_of(axis.begin(), axis.end(), [](float d) { return d == 0; });
    });
  });
  rank_.assign(tiles.size(), kNoTile);
  for (std::uint32_t k = 0; k < active_.size(); ++k) rank_[active_[k].index] = k;
}

void ViscousSystem::weigh(const std::vector<float>& inside, const FaceWeight& weight, double strength,
                          Tile& tile) {
  const Around near(tiles_, tile.index, inside), distance(tiles_, tile.index, solids_.distance);
  const std::array<Around, 3> open{Around(tiles_, tile.index, solids_.open[0]),
                                   Around(tiles_, tile.index, solids_.open[1]),
                                   Around(tiles_, tile.index, solids_.open[2])};
  const auto s = static_cast<float>(strength);
  for (int z = 0; z < kEdge; ++z)
    for (int y = 0; y < kEdge; ++y)
      for (int x = 0; x < kEdge; ++x)
        tile.cell[nine(x, y, z)] = 2 * s * share_of_matter(near.at(x - 1, y - 1, z - 1));

  // An edge along the third axis, where faces across a and across b meet.
  const auto weigh_edges = [&](std::size_t a, std::size_t b, Weights& out) {
    const Vec3i step_a(kAxisStep[a][0], kAxisStep[a][1], kAxisStep[a][2]),
        step_b(kAxisStep[b][0], kAxisStep[b][1], kAxisStep[b][2]);
    for (int z = 0; z < kEdge; ++z)
      for (int y = 0; y < kEdge; ++y)
        for (int x = 0; x < kEdge; ++x) {
          const auto of_cells = [&](const Around& field, int i, int k) {
            const Vec3i at = Vec3i(x, y, z) - i * step_a - k * step_b;
            return field.at(at.x, at.y, at.z);
          };
          const float liquid = 0.25F * ((of_cells(near, 0, 0) + of_cells(near, 1, 0)) +
                                        (of_cells(near, 0, 1) + of_cells(near, 1, 1)));
          // Of faces across a, one here and one a step back along b; and the other way around.
          const auto far = [&](int i, int k, int m, int n) {
            return 0.5F * (of_cells(distance, i, k) + of_cells(distance, m, n));
          };
          const float across_a = steepness(of_cells(open[a], 0, 0) > 0, of_cells(open[a], 0, 1) > 0,
                                           far(0, 0, 1, 0), far(0, 1, 1, 1));
          const float across_b = steepness(of_cells(open[b], 0, 0) > 0, of_cells(open[b], 1, 0) > 0,
                                           far(0, 0, 0, 1), far(1, 0, 1, 1));
          out[nine(x, y, z)] = s * share_of_matter(liquid) * std::max(across_a, across_b);
        }
  };
  weigh_edges(0, 1, tile.xy);
  weigh_edges(0, 2, tile.xz);
  weigh_edges(1, 2, tile.yz);

  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [sx, sy, sz] = kAxisStep[axis];
    for (int z = 0; z < kTileEdge; ++z)
      for (int y = 0; y < kTileEdge; ++y)
        for (int x = 0; x < kTileEdge; ++x) {
          const std::size_t i = cell_in_tile(x, y, z), face = tile.index * kTileCells + i;
          const float liquid = share_of_matter(0.5F * (near.at(x, y, z) + near.at(x - sx, y - sy, z - sz)));
          const bool is_open = solids_.open[axis][face] > 0;
          tile.mass[axis][i] = is_open && weight.u[axis][face] > 0 ? liquid : 0;
          tile.free[axis][i] = is_open ? 1.0F : 0.0F;
        }
  }
}

void ViscousSystem::find_diagonal(Tile& tile) const {
  const std::array<std::array<const Weights*, 2>, 3> edges{
      {{&tile.xy, &tile.xz}, {&tile.xy, &tile.yz}, {&tile.xz, &tile.yz}}};
  const std::array<std::array<std::size_t, 2>, 3> across{{{1, 2}, {0, 2}, {0, 1}}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [sx, sy, sz] = kAxisStep[axis];
    for (int z = 0; z < kTileEdge; ++z)
      for (int y = 0; y < kTileEdge; ++y)
        for (int x = 0; x < kTileEdge; ++x) {
          const std::size_t i = cell_in_tile(x, y, z);
          float sum = tile.mass[axis][i] + tile.cell[nine(x + 1, y + 1, z + 1)] +
                      tile.cell[nine(x + 1 - sx, y + 1 - sy, z + 1 - sz)];
          for (std::size_t e = 0; e < 2; ++e) {
            const auto [ex, ey, ez] = kAxisStep[across[axis][e]];
            sum += (*edges[axis][e])[nine(x, y, z)] + (*edges[axis][e])[nine(x + ex, y + ey, z + ez)];
          }
          if (!(sum > 0)) tile.free[axis][i] = 0;
          tile.diagonal[axis][i] = sum;
        }
  }
}

void ViscousSystem::apply(const Tile& tile, const FaceVelocity& velocity, FaceVelocity& out) const {
  const Around u(tiles_, tile.index, velocity.u[0]), v(tiles_, tile.index, velocity.u[1]),
      w(tiles_, tile.index, velocity.u[2]);
  // Stresses: those of cells -1 to 7, and of edges 0 to 8.
  Weights xx, yy, zz, xy, xz, yz;
  for (int z = 0; z < kEdge; ++z)
    for (int y = 0; y < kEdge; ++y)
      for (int x = 0; x < kEdge; ++x) {
        const std::size_t i = nine(x, y, z);
        xx[i] = tile.cell[i] * (u.at(x, y - 1, z - 1) - u.at(x - 1, y - 1, z - 1));
        yy[i] = tile.cell[i] * (v.at(x - 1, y, z - 1) - v.at(x - 1, y - 1, z - 1));
        zz[i] = tile.cell[i] * (w.at(x - 1, y - 1, z) - w.at(x - 1, y - 1, z - 1));
        xy[i] = tile.xy[i] * ((u.at(x, y, z) - u.at(x, y - 1, z)) + (v.at(x, y, z) - v.at(x - 1, y, z)));
        xz[i] = tile.xz[i] * ((u.at(x, y, z) - u.at(x, y, z - 1)) + (w.at(x, y, z) - w.at(x - 1, y, z)));
        yz[i] = tile.yz[i] * ((v.at(x, y, z) - v.at(x, y, z - 1)) + (w.at(x, y, z) - w.at(x, y - 1, z)));
      }
  for (int z = 0; z < kTileEdge; ++z)
    for (int y = 0; y < kTileEdge; ++y)
      for (int x = 0; x < kTileEdge; ++x) {
        const std::size_t i = cell_in_tile(x, y, z), to = tile.index * kTileCells + i;
        const std::size_t here = nine(x, y, z), cell = nine(x + 1, y + 1, z + 1);
        const std::size_t in_x = here + nine(1, 0, 0), in_y = here + nine(0, 1, 0),
                          in_z = here + nine(0, 0, 1);
        out.u[0][to] = tile.mass[0][i] * u.at(x, y, z) - ((xx[cell] - xx[cell - nine(1, 0, 0)]) +
                                                          (xy[in_y] - xy[here]) + (xz[in_z] - xz[here]));
        out.u[1][to] = tile.mass[1][i] * v.at(x, y, z) - ((yy[cell] - yy[cell - nine(0, 1, 0)]) +
                                                          (xy[in_x] - xy[here]) + (yz[in_z] - yz[here]));
        out.u[2][to] = tile.mass[2][i] * w.at(x, y, z) - ((zz[cell] - zz[cell - nine(0, 0, 1)]) +
                                                          (xz[in_x] - xz[here]) + (yz[in_y] - yz[here]));
      }
}

double ViscousSystem::dot(const FaceVelocity& a, const FaceVelocity& b) const {
  return threads_.reduce(
      active_.size(), 0.0,
      [&](std::size_t k, std::size_t) {
        const Tile& tile = active_[k];
        double sum = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (std::size_t i = 0, at = tile.index * kTileCells; i < kTileCells; ++i, ++at)
            sum += static_cast<double>(a.u[axis][at]) * static_cast<double>(b.u[axis][at]);
        return sum;
      },
      [](double p, double q) { return p + q; }, 1);
}

double ViscousSystem::largest(const FaceVelocity& a) const {
  return threads_.reduce(
      active_.size(), 0.0F,
      [&](std::size_t k, std::size_t) {
        float most = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (std::size_t i = 0, at = active_[k].index * kTileCells; i < kTileCells; ++i, ++at)
            most = std::max(most, std::abs(a.u[axis][at]));
        return most;
      },
      [](float p, float q) { return std::max(p, q); }, 1);
}

Mat6 ViscousSystem::inverse_block(const RigidPart& part) const {
  Mat6 block = part.mass;
  for (const RigidPart::Face& at : part.faces) {
    const std::uint32_t k = rank_[at.face / kTileCells];
    if (k == kNoTile) continue;
    const double diagonal = active_[k].diagonal[at.axis][at.face % kTileCells];
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j) block[i][j] += diagonal * at.row[i] * at.row[j];
  }
  return inverse_of(block);
}

namespace {

/// What goes with the faces of a part in conjugate gradients.
struct PartVectors {
  Vec6 residual{}, direction{}, image{};
  Mat6 inverse;
};

void spread(const RigidPart& part, const Vec6& motion, FaceVelocity& field) {
  for (const RigidPart::Face& at : part.faces)
    field.u[at.axis][at.face] = static_cast<float>(dot(at.row, motion));
}

Vec6 gather(const RigidPart& part, const FaceVelocity& field) {
  Vec6 sum{};
  for (const RigidPart::Face& at : part.faces)
    for (std::size_t i = 0; i < 6; ++i) sum[i] += at.row[i] * static_cast<double>(field.u[at.axis][at.face]);
  return sum;
}

Vec6 plus(const Vec6& a, double factor, const Vec6& b) {
  Vec6 sum;
  for (std::size_t i = 0; i < 6; ++i) sum[i] = a[i] + factor * b[i];
  return sum;
}

}  // namespace

/// What conjugate gradients go with.
struct ViscousSystem::Iteration {
  FaceVelocity residual, direction, image;
  std::vector<PartVectors> parts;
  double scale = 0;  ///< of the residual: the largest momentum of a face
  double along = 0;  ///< residual times its preconditioned self
};

template <class F>
void ViscousSystem::for_each_face(const F& f) const {
  for_each_tile([&](const Tile& tile) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t i = 0, at = tile.index * kTileCells; i < kTileCells; ++i, ++at) f(tile, axis, i, at);
  });
}

float ViscousSystem::precondition(const Tile& tile, std::size_t axis, std::size_t i, float residual) {
  return tile.free[axis][i] > 0 ? residual / tile.diagonal[axis][i] : 0.0F;
}

void ViscousSystem::begin(FaceVelocity& velocity, std::span<const RigidPart> parts, Iteration& it) const {
  for (FaceVelocity* field : {&it.residual, &it.direction, &it.image}) field->resize(tiles_.cell_count());
  it.parts.resize(parts.size());
  // Momentum before; then solids move as they do.
  for_each_face([&](const Tile& tile, std::size_t axis, std::size_t i, std::size_t at) {
    it.residual.u[axis][at] = tile.mass[axis][i] * velocity.u[axis][at];
    if (solids_.open[axis][at] <= 0) velocity.u[axis][at] = solids_.surface_velocity(axis, at);
  });
  for (const RigidPart& part : parts) spread(part, part.velocity, velocity);
  it.scale = largest(it.residual);
  for_each_tile([&](const Tile& tile) { apply(tile, velocity, it.image); });
  for (std::size_t p = 0; p < parts.size(); ++p) {
    it.parts[p].inverse = inverse_block(parts[p]);
    it.parts[p].residual = plus({}, -1, gather(parts[p], it.image));
    it.parts[p].direction = times(it.parts[p].inverse, it.parts[p].residual);
  }
  for_each_face([&](const Tile& tile, std::size_t axis, std::size_t i, std::size_t at) {
    float& residual = it.residual.u[axis][at];
    residual = tile.free[axis][i] * (residual - it.image.u[axis][at]);
    it.direction.u[axis][at] = precondition(tile, axis, i, residual);
  });
  it.scale = std::max(it.scale, largest(it.residual));
  it.along = dot(it.residual, it.direction);
  for (const PartVectors& part : it.parts) it.along += repose::dot(part.residual, part.direction);
}

double ViscousSystem::find_image(std::span<const RigidPart> parts, Iteration& it) const {
  for (std::size_t p = 0; p < parts.size(); ++p) spread(parts[p], it.parts[p].direction, it.direction);
  for_each_tile([&](const Tile& tile) { apply(tile, it.direction, it.image); });
  double curvature = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    PartVectors& part = it.parts[p];
    part.image = plus(gather(parts[p], it.image), 1, times(parts[p].mass, part.direction));
    curvature += repose::dot(part.direction, part.image);
  }
  for_each_face([&](const Tile& tile, std::size_t axis, std::size_t i, std::size_t at) {
    it.image.u[axis][at] *= tile.free[axis][i];
  });
  return curvature + dot(it.direction, it.image);
}

void ViscousSystem::improve(FaceVelocity& velocity, std::span<RigidPart> parts, Iteration& it) const {
  const double step = it.along / find_image(parts, it);
  for_each_face([&](const Tile& tile, std::size_t axis, std::size_t i, std::size_t at) {
    velocity.u[axis][at] += static_cast<float>(step) * it.direction.u[axis][at];
    it.residual.u[axis][at] -= static_cast<float>(step) * it.image.u[axis][at];
    it.image.u[axis][at] = precondition(tile, axis, i, it.residual.u[axis][at]);
  });
  double next = dot(it.residual, it.image);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    PartVectors& part = it.parts[p];
    parts[p].velocity = plus(parts[p].velocity, step, part.direction);
    part.residual = plus(part.residual, -step, part.image);
    part.image = times(part.inverse, part.residual);
    next += repose::dot(part.residual, part.image);
  }
  const double turn = next / it.along;
  it.along = next;
  for_each_face([&](const Tile&, std::size_t axis, std::size_t, std::size_t at) {
    it.direction.u[axis][at] = it.image.u[axis][at] + static_cast<float>(turn) * it.direction.u[axis][at];
  });
  for (PartVectors& part : it.parts) part.direction = plus(part.image, turn, part.direction);
}

ViscousResult ViscousSystem::solve(double tolerance, int max_iterations, FaceVelocity& velocity,
                                   std::span<RigidPart> parts) {
  Iteration it;
  begin(velocity, parts, it);
  ViscousResult result;
  for (;; ++result.iterations) {
    result.residual = it.scale > 0 ? largest(it.residual) / it.scale : 0;
    result.converged = result.residual <= tolerance;
    if (result.converged || result.iterations == max_iterations || !(it.along > 0)) break;
    improve(velocity, parts, it);
  }
  for (const RigidPart& part : parts) spread(part, part.velocity, velocity);
  return result;
}

void ViscousSystem::find_drag(const FaceVelocity& velocity, FaceVelocity& drag) {
  drag.resize(tiles_.cell_count());
  for_each_tile([&](const Tile& tile) {
    apply(tile, velocity, drag);
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t at = tile.index * kTileCells; at < (tile.index + 1) * kTileCells; ++at)
        drag.u[axis][at] = solids_.open[axis][at] > 0 ? 0 : -drag.u[axis][at];  // no mass there
  });
}

}  // namespace repose
