#include "repose/solvers/flip/solids.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "repose/grid/tile_block.h"
#include "repose/physics/cut_cells.h"
#include "repose/physics/level_set.h"
#include "repose/solvers/flip/thin_solids.h"

namespace repose {
namespace {

/// Shares below this count as closed: such a cell would hold next to nothing.
constexpr float kLeastOpen = 0.02F;
/// How far distances to solids are known, in cells: what particles can cross in a step, and more.
constexpr double kReach = 4;
/// Thinner bodies are taken as this thick on the grid, in cells.
constexpr double kLeastThickness = 1;
/// How near to a thin body a particle's path counts as at it, as a share of the clearance.
constexpr double kTouch = 0.01;
/// The longest way within a cell, in its edges.
constexpr double kLongestWay = 1.7320508075688772;

using Nodes = std::array<double, 9 * 9 * 9>;
std::size_t node(int x, int y, int z) { return static_cast<std::size_t>(x + 9 * (y + 9 * z)); }

/// How much a body grows on the grid [m].
double growth_of(const Body& body, double cell) {
  double thickness = body.thinness;
  if (body.shape.thickness > 0) thickness = std::min(thickness, body.shape.thickness);
  return std::max(0.0, 0.5 * (kLeastThickness * cell - thickness));
}

/// The bodies within `reach` of a tile.
std::vector<std::uint16_t> bodies_near(const Bodies& bodies, const Vec3d& center, double reach) {
  std::vector<std::uint16_t> near;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!bodies[b].present || bodies.distance_bound(b, center) > reach) continue;
    near.push_back(static_cast<std::uint16_t>(b));
  }
  return near;
}

/// One tile among the bodies that are near it.
class TileSolids {
 public:
  TileSolids(const Bodies& bodies, const GridPlace& place, const Vec3i& tile)
      : bodies_(bodies), place_(place), tile_(tile), cell_(place.cell), corner_(tile_corner(place, tile)) {
    const double half = 0.5 * kTileEdge * cell_;
    near_ = bodies_near(bodies, corner_ + Vec3d(half), std::sqrt(3.0) * half + kReach * cell_);
  }

  bool empty() const { return near_.empty(); }

  void fill(std::size_t tile, double support, SolidCells& solids) {
    fill_cells(tile, support, solids);
    for (const std::uint16_t b : near_) {
      find_nodes(b);
      take_room(tile, b, solids);
      const std::optional<ThinSolid> thin = find_thin(b);
      if (!thin && std::all_of(nodes_.begin(), nodes_.end(), [](double d) { return d > 0; })) continue;
      for (std::size_t axis = 0; axis < 3; ++axis) close_faces(tile, axis, b, thin, solids);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) finish_faces(tile, axis, solids);
  }

 private:
  void fill_cells(std::size_t tile, double support, SolidCells& solids) const {
    for (int z = 0; z < 8; ++z)
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) {
          const Vec3d center = corner_ + cell_ * Vec3d(x + 0.5, y + 0.5, z + 0.5);
          double nearest = solids.reach, room = 1;
          Vec3d shift(0);
          for (const std::uint16_t b : near_) {
            const SurfacePoint s = bodies_.nearest(b, center);
            nearest = std::min(nearest, s.distance);
            if (s.distance < support) shift += support * half_space_mean(s.distance / support) * s.normal;
            room *= open_hat(s.distance / cell_);
          }
          const std::size_t i = tile * kTileCells + cell_in_tile(x, y, z);
          solids.distance[i] = static_cast<float>(nearest);
          solids.shift[i] = to_float(shift);
          solids.room[i] = static_cast<float>(room);
        }
  }

  void find_nodes(std::uint16_t body) {
    const double growth = growth_of(bodies_[body], cell_);
    for (int z = 0; z <= 8; ++z)
      for (int y = 0; y <= 8; ++y)
        for (int x = 0; x <= 8; ++x)
          nodes_[node(x, y, z)] = bodies_.nearest(body, corner_ + cell_ * Vec3d(x, y, z)).distance - growth;
  }

  /// The body by the sides of cells, if it may be thin here.
  std::optional<ThinSolid> find_thin(std::uint16_t body) const {
    if (!may_be_sheet(bodies_[body], cell_)) return std::nullopt;
    const double far = kLongestWay * cell_;
    if (std::all_of(nodes_.begin(), nodes_.end(), [&](double d) { return d > far; })) return std::nullopt;
    return ThinSolid(bodies_, body, growth_of(bodies_[body], cell_), near_, place_, tile_);
  }

  /// How much of the cubes about faces lies in the body itself, without growth: from eighths of cells, each
  /// by the distance of its middle. What lies along the grid is exact.
  void take_room(std::size_t tile, std::uint16_t body, SolidCells& solids) {
    const double growth = growth_of(bodies_[body], cell_), far = kLongestWay * cell_;
    if (std::all_of(nodes_.begin(), nodes_.end(), [&](double d) { return d + growth > far; })) return;
    // Faces at the tile's start share their cube with the cells before.
    for (int z = -1; z < 8; ++z)
      for (int y = -1; y < 8; ++y)
        for (int x = -1; x < 8; ++x) {
          const double corner = nodes_[node(std::max(0, x), std::max(0, y), std::max(0, z))] + growth;
          if (corner > far) continue;
          const Vec3d center = corner_ + cell_ * Vec3d(x + 0.5, y + 0.5, z + 0.5);
          for (int n = 0; n < 8; ++n) {
            const std::array<int, 3> upper{n & 1, n >> 1 & 1, n >> 2};
            const Vec3d way(upper[0] - 0.5, upper[1] - 0.5, upper[2] - 0.5);
            const double share =
                corner < -far ? 1 : share_inside(bodies_.nearest(body, center + 0.5 * cell_ * way).distance);
            if (share <= 0) continue;
            for (std::size_t axis = 0; axis < 3; ++axis) {
              const auto [sx, sy, sz] = kAxisStep[axis];
              const int up = upper[axis], fx = x + up * sx, fy = y + up * sy, fz = z + up * sz;
              if (fx < 0 || fy < 0 || fz < 0 || fx > 7 || fy > 7 || fz > 7) continue;
              const std::size_t face = tile * kTileCells + cell_in_tile(fx, fy, fz);
              float& taken = solids.taken[axis][face];
              taken = std::min(1.0F, taken + static_cast<float>(share / 8));
              if (solids.owner[axis][face] == kNoSolid) solids.owner[axis][face] = body;
            }
          }
        }
  }
  /// Of an eighth of a cell, by the distance of its middle.
  double share_inside(double distance) const { return std::clamp(0.5 - 2 * distance / cell_, 0.0, 1.0); }

  /// What two bodies close of a face adds up: where they nearly touch, a way between them stays open. The one
  /// that closes more of it owns it.
  void close_faces(std::size_t tile, std::size_t axis, std::uint16_t body,
                   const std::optional<ThinSolid>& thin, SolidCells& solids) {
    const auto [ux, uy, uz] = kAxisStep[(axis + 1) % 3];
    const auto [vx, vy, vz] = kAxisStep[(axis + 2) % 3];
    for (int z = 0; z < 8; ++z)
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) {
          std::array<double, 4> corners{nodes_[node(x, y, z)], nodes_[node(x + ux, y + uy, z + uz)],
                                        nodes_[node(x + ux + vx, y + uy + vy, z + uz + vz)],
                                        nodes_[node(x + vx, y + vy, z + vz)]};
          if (thin) thin->take_side(axis, x, y, z, corners);
          const bool is_clear = std::all_of(corners.begin(), corners.end(), [](double d) { return d > 0; });
          auto closed = is_clear ? 0.0F : static_cast<float>(1 - open_area(corners));
          const bool is_parted = thin && closed < 1 && thin->parts(axis, x, y, z);
          if (is_clear && !is_parted) continue;
          if (is_parted) closed = 1;
          const std::size_t i = cell_in_tile(x, y, z), face = tile * kTileCells + i;
          float& most = most_closed_[axis][i];
          if (solids.owner[axis][face] == kNoSolid || closed > most)
            solids.owner[axis][face] = body, most = closed;
          solids.open[axis][face] -= closed;
        }
  }

  void finish_faces(std::size_t tile, std::size_t axis, SolidCells& solids) const {
    const auto [ux, uy, uz] = kAxisStep[(axis + 1) % 3];
    const auto [vx, vy, vz] = kAxisStep[(axis + 2) % 3];
    for (int z = 0; z < 8; ++z)
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) {
          const std::size_t face = tile * kTileCells + cell_in_tile(x, y, z);
          const std::uint16_t owner = solids.owner[axis][face];
          if (owner == kNoSolid) continue;
          float& open = solids.open[axis][face];
          if (open < kLeastOpen) open = 0;
          const Vec3d center = corner_ + cell_ * (Vec3d(x, y, z) + 0.5 * Vec3d(ux + vx, uy + vy, uz + vz));
          solids.velocity[axis][face] =
              static_cast<float>(bodies_.velocity_at(owner, center)[static_cast<int>(axis)]);
          if (has_belt(bodies_[owner]))
            solids.belt[axis][face] = static_cast<float>(
                bodies_.belt_velocity(owner, bodies_.nearest(owner, center).normal)[static_cast<int>(axis)]);
        }
  }

  const Bodies& bodies_;
  const GridPlace& place_;
  Vec3i tile_;
  double cell_;
  Vec3d corner_;
  std::vector<std::uint16_t> near_;
  Nodes nodes_;                                                 ///< of the body that is being looked at
  std::array<std::array<float, kTileCells>, 3> most_closed_{};  ///< share of each face, by its owner
};

/// The velocity in the middle of a face: its own component, and the mean of the four faces around it of each
/// other axis.
Vec3d velocity_at_face(const std::array<std::array<float, TileBlock<1>::kCells>, 3>& blocks, std::size_t axis,
                       int x, int y, int z) {
  Vec3d v;
  const auto [ax, ay, az] = kAxisStep[axis];
  for (std::size_t other = 0; other < 3; ++other) {
    const auto [sx, sy, sz] = kAxisStep[other];
    const auto at = [&](int cx, int cy, int cz) { return blocks[other][TileBlock<1>::place(cx, cy, cz)]; };
    v[static_cast<int>(other)] =
        other == axis ? at(x, y, z)
                      : 0.25F * ((at(x, y, z) + at(x + sx, y + sy, z + sz)) +
                                 (at(x - ax, y - ay, z - az) + at(x - ax + sx, y - ay + sy, z - az + sz)));
  }
  return v;
}

}  // namespace

std::optional<NearestSolid> nearest_solid(const Bodies& bodies, const Vec3d& point, double reach) {
  std::optional<NearestSolid> nearest;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!bodies[b].present || bodies.distance_bound(b, point) >= reach) continue;
    const SurfacePoint at = bodies.nearest(b, point);
    if (at.distance >= reach) continue;
    reach = at.distance;
    nearest = NearestSolid{b, at};
  }
  return nearest;
}

Vec3d rub_at_wall(const Vec3d& along, double into, double friction) {
  const double speed = along.length(), loss = friction * into;
  return speed > loss ? (1 - loss / speed) * along : Vec3d(0);
}

void find_solids(const Bodies& bodies, const GridPlace& place, const TileSet& tiles, double support,
                 Threads& threads, SolidCells& solids) {
  bool has_belts = false;
  for (std::size_t b = 0; b < bodies.size(); ++b) has_belts = has_belts || has_belt(bodies[b]);
  solids.resize(tiles.cell_count(), static_cast<float>(kReach * place.cell), has_belts);
  threads.for_each(
      tiles.size(),
      [&](std::size_t tile) {
        TileSolids here(bodies, place, tiles.coordinate(tile));
        if (!here.empty()) here.fill(tile, support, solids);
      },
      1);
}

void slide_along_solids(const Bodies& bodies, std::span<const BodyVelocity> motion, const GridPlace& place,
                        const TileSet& tiles, const SolidCells& solids, std::span<const std::uint8_t> askew,
                        const KnownFaces& known, Threads& threads, FaceVelocity& velocity) {
  FaceVelocity slid = velocity;
  threads.for_each(
      tiles.size(),
      [&](std::size_t tile) {
        const std::size_t base = tile * kTileCells;
        const auto slides = [&](std::size_t axis, std::size_t i) {
          return known.at[axis][base + i] != 0 && is_closed_to_sand(solids, askew, axis, base + i);
        };
        bool any = false;
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (std::size_t i = 0; i < kTileCells; ++i) any = any || slides(axis, i);
        if (!any) return;
        std::array<std::array<float, TileBlock<1>::kCells>, 3> blocks;
        for (std::size_t axis = 0; axis < 3; ++axis)
          TileBlock<1>::fill(tiles, tile, velocity.u[axis], blocks[axis].data());
        const Vec3d corner = tile_corner(place, tiles.coordinate(tile));
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (int z = 0; z < 8; ++z)
            for (int y = 0; y < 8; ++y)
              for (int x = 0; x < 8; ++x) {
                if (!slides(axis, cell_in_tile(x, y, z))) continue;
                const std::size_t face = base + cell_in_tile(x, y, z);
                Vec3d center = corner + place.cell * Vec3d(x + 0.5, y + 0.5, z + 0.5);
                center[static_cast<int>(axis)] -= 0.5 * place.cell;
                const std::uint16_t owner = solids.owner[axis][face];
                const Vec3d n = bodies.nearest(owner, center).normal;
                const Vec3d relative = velocity_at_face(blocks, axis, x, y, z) - motion[owner].at(center);
                slid.u[axis][face] =
                    static_cast<float>(velocity.u[axis][face] - n.dot(relative) * n[static_cast<int>(axis)]);
              }
      },
      1);
  velocity = std::move(slid);
}

namespace {

/// Where a way in the body's own frame first comes into it, or its end.
Vec3d first_inside(const Body& body, const Vec3d& from, const Vec3d& to) {
  const double length = (to - from).length();
  double thickness = body.thinness;
  if (body.shape.thickness > 0) thickness = std::min(thickness, body.shape.thickness);
  if (!(length > 0.25 * thickness)) return to;
  const int pieces = static_cast<int>(std::ceil(4 * length / thickness));
  for (int k = 1; k < pieces; ++k) {
    const Vec3d at = from + (static_cast<double>(k) / pieces) * (to - from);
    if (distance_in_own_frame(body.shape, at).distance < 0) return at;
  }
  return to;
}

/// Moves a particle that came from `from`, in the body's own frame, back to that side of a thin body, which
/// need not be the nearer one; it slides on along the surface. Whether it did.
bool push_out_of_thin(const Body& body, const Vec3d& from, double clearance, Vec3d& position) {
  const Vec3d to = body.pose.to_local(position);
  Vec3d local = to;
  if (const std::optional<Vec3d> entry = first_entry(body.shape, from, to, kTouch * clearance)) {
    const Vec3d n = distance_in_own_frame(body.shape, *entry).normal;
    local += std::max(0.0, clearance - n.dot(to - *entry)) * n;
  }
  const SurfacePoint s = distance_in_own_frame(body.shape, local);
  if (s.distance < clearance) local += (clearance - s.distance) * s.normal;
  if (local == to) return false;
  position = body.pose.to_world(local);
  return true;
}

}  // namespace

void stick_to_solids(const GridPlace& place, const TileSet& tiles, const SolidCells& solids, Threads& threads,
                     FaceVelocity& velocity) {
  const auto h = static_cast<float>(place.cell);
  threads.for_each(
      tiles.size(),
      [&](std::size_t tile) {
        for_each_closed_face(place, tiles, solids, tile, [&](const ClosedFace& at) {
          if (solids.open[at.axis][at.face] > 0 || at.low == kNoTile) return;
          const float distance = 0.5F * (solids.distance[at.face] + solids.distance[at.low]);
          // What was carried on into the solid comes from a cell farther out.
          const float share = distance > -0.5F * h ? std::min(distance, 0.0F) / (distance + h) : -1.0F;
          float& u = velocity.u[at.axis][at.face];
          const float solid = solids.surface_velocity(at.axis, at.face);
          u = solid + share * (u - solid);
        });
      },
      4);
}

void keep_out_of_solids(const Bodies& bodies, std::span<const Pose> poses, const GridPlace& place,
                        const ParticleCells& cells, const SolidCells& solids, double clearance,
                        std::span<const Vec3d> start, Threads& threads, std::span<Vec3d> positions) {
  const auto near = static_cast<float>(0.9 * kReach * place.cell);
  std::vector<std::size_t> thin;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (bodies[b].present && may_be_thin(bodies[b], place.cell)) thin.push_back(b);
  // Out of one solid may be into the next. In a wedge a round leaves a share of the way, and what stays
  // inside a thin body comes out of the other side.
  const int rounds = thin.empty() ? 3 : 24;
  const auto push_out = [&](std::size_t p) {
    for (int round = 0; round < rounds; ++round) {
      bool moved = false;
      for (std::size_t b = 0; b < bodies.size(); ++b) {
        const Body& body = bodies[b];
        if (!body.present) continue;
        if (is_plain_plane(body.shape)) {
          const SurfacePoint s = bodies.nearest(b, positions[p]);
          if (s.distance < clearance) positions[p] += (clearance - s.distance) * s.normal, moved = true;
          continue;
        }
        const double way = (positions[p] - start[p]).length();
        if (bodies.distance_bound(b, positions[p]) > clearance + way) continue;
        if (may_be_thin(body, place.cell)) {
          moved |= push_out_of_thin(body, poses[b].to_local(start[p]), clearance, positions[p]);
          continue;
        }
        Vec3d local = body.pose.to_local(positions[p]);
        if (round == 0) local = first_inside(body, poses[b].to_local(start[p]), local);
        const SurfacePoint s = distance_in_own_frame(body.shape, local);
        if (s.distance >= clearance) continue;
        positions[p] = body.pose.to_world(local + (clearance - s.distance) * s.normal);
        moved = true;
      }
      if (!moved) return;
    }
  };
  const auto keep_out = [&](std::size_t p) {
    push_out(p);
    // Between solids that close in on each other some push may lead through a thin one. Where it was, it was
    // on its own side.
    for (const std::size_t b : thin) {
      const double way = (positions[p] - start[p]).length();
      if (bodies.distance_bound(b, positions[p]) > clearance + way) continue;
      const Vec3d from = poses[b].to_local(start[p]), to = bodies[b].pose.to_local(positions[p]);
      if (first_entry(bodies[b].shape, from, to, kTouch * clearance))
        positions[p] = bodies[b].pose.to_world(from);
    }
  };
  threads.for_each(
      cells.occupied.size(),
      [&](std::size_t k) {
        const std::size_t tile = cells.occupied[k];
        for (std::size_t cell = tile * kTileCells; cell < (tile + 1) * kTileCells; ++cell)
          if (solids.distance[cell] < near)
            for (std::uint32_t p = cells.cell_first[cell]; p < cells.cell_first[cell + 1]; ++p) keep_out(p);
      },
      1);
}

}  // namespace repose
