#include "repose/refine/near_guides.h"

#include <algorithm>
#include <cmath>

namespace repose {
namespace {

constexpr float kFarAway = 1e9F;  // in radii of influence
/// A guide at the border of the reach is taken rather than left.
constexpr double kRounding = 1.00001;

/// How far a row of cells [c, c + 1] lies from [low, high].
double apart(int c, double low, double high) { return std::max({0.0, c - high, low - (c + 1)}); }

int floor_of(double c) { return static_cast<int>(std::floor(c)); }

/// Calls f(first row, end row) for guides of the grid: all within a distance of a box, and some around. In
/// cells.
template <class F>
void for_each_guide_run(const GuideStep& guides, const Vec3d& low, const Vec3d& high, double reach, F&& f) {
  const TileSet& tiles = guides.cells.tiles;
  const Vec3i first(floor_of(low.x - reach), floor_of(low.y - reach), floor_of(low.z - reach)),
      last(floor_of(high.x + reach), floor_of(high.y + reach), floor_of(high.z + reach));
  for (int tz = first.z >> 3; tz <= last.z >> 3; ++tz)
    for (int ty = first.y >> 3; ty <= last.y >> 3; ++ty)
      for (int tx = first.x >> 3; tx <= last.x >> 3; ++tx) {
        const std::uint32_t tile = tiles.find({tx, ty, tz});
        if (tile == kNoTile) continue;
        const int y_end = std::min(last.y - 8 * ty, 7), z_end = std::min(last.z - 8 * tz, 7);
        for (int z = std::max(first.z - 8 * tz, 0); z <= z_end; ++z) {
          const double dz = apart(8 * tz + z, low.z, high.z);
          for (int y = std::max(first.y - 8 * ty, 0); y <= y_end; ++y) {
            const double dy = apart(8 * ty + y, low.y, high.y), left = reach * reach - dz * dz - dy * dy;
            if (left < 0) continue;
            const double dx = std::sqrt(left);
            const int x0 = std::max(floor_of(low.x - dx) - 8 * tx, 0),
                      x1 = std::min(floor_of(high.x + dx) - 8 * tx, 7);
            if (x0 > x1) continue;
            const std::size_t row = tile * kTileCells + cell_in_tile(0, y, z);
            const std::uint32_t begin = guides.cells.cell_first[row + static_cast<std::size_t>(x0)],
                                end = guides.cells.cell_first[row + static_cast<std::size_t>(x1) + 1];
            if (begin < end) f(begin, end);
          }
        }
      }
}

}  // namespace

void NearGuides::reserve(std::size_t count) {
  if (count + 2 * kCompactLanes <= row_.size()) return;
  const std::size_t room = 2 * (count + kCompactLanes);
  for (auto* column : {&x_, &y_, &z_, &apart_}) column->resize(room);
  for (auto* column : {&row_, &chosen_}) column->resize(room);
  guides_.resize(room);
}

void NearGuides::find(const RefineModel& model, const GuideStep& guides, const PlaceBox& box,
                      const std::array<std::int32_t, 3>& origin) {
  origin_ = origin;
  const FinePlace& place = model.place;
  const Vec3d center = place.to_world(origin[0], origin[1], origin[2]);
  Vec3d half;
  for (int axis = 0; axis < 3; ++axis)
    half[axis] = 0.5 * place.unit * (box.extent(static_cast<std::size_t>(axis)) + 2);
  std::size_t count = 0;
  for_each_guide_run(guides, guides.place.to_cells(center - half), guides.place.to_cells(center + half),
                     kRounding * model.influence / guides.place.cell,
                     [&](std::uint32_t begin, std::uint32_t end) {
                       reserve(count + (end - begin));
                       for (std::uint32_t g = begin; g < end; ++g) row_[count++] = g;
                     });
  reserve(count);
  const Vec3f edge = to_float(half / model.influence);
  const auto from_origin = [&](const std::vector<std::int32_t>& c, std::uint32_t g, std::size_t axis) {
    return kPerUnit * static_cast<float>(c[g] - origin_[axis]);
  };
  size_ = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t g = row_[k];
    const float x = from_origin(guides.x, g, 0), y = from_origin(guides.y, g, 1),
                z = from_origin(guides.z, g, 2);
    const float ox = std::max(0.0F, std::fabs(x) - edge.x), oy = std::max(0.0F, std::fabs(y) - edge.y),
                oz = std::max(0.0F, std::fabs(z) - edge.z);
    x_[size_] = x, y_[size_] = y, z_[size_] = z;
    guides_[size_] = {x, y, z, guides.vx[g], guides.vy[g], guides.vz[g]};
    size_ += ox * ox + oy * oy + oz * oz < 1 ? 1 : 0;
  }
  for (std::size_t k = size_; k < size_ + kCompactLanes; ++k) x_[k] = y_[k] = z_[k] = kFarAway;
}

}  // namespace repose
