#pragma once
// Bodies that are thinner than a cell, or have walls that are: sheets, shells, plates that cut across cells.
//
// The open share of a face comes from the distances at its corners (solids.h), and a thin body slips between
// corners. Even one that no corner misses leaves a way: a cell that it cuts in two is one unknown of the
// pressure, open to both sides. So cells are told apart by side: the middle of a cell lies on one side of the
// body, or inside it and is counted to the side whose surface is nearest. A face between cells of two sides
// is closed. Then no way from cell to cell leads through, wherever the body stands and however it is turned.
//
// Sides are found by the straight way between the middles of two cells: it leads through a thin body where it
// comes in and goes out by surfaces that look away from each other. That is local, so that thin walls of a
// mesh or a lathe are found as well as plates, and corners of solid bodies are left alone: there the two
// surfaces stand at right angles.

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "repose/bodies/bodies.h"
#include "repose/grid/particle_cells.h"
#include "repose/math/vec.h"

namespace repose {

/// Whether a body may be thinner somewhere than a cell is wide, along any diagonal.
bool may_be_thin(const Body& body, double cell);
/// Whether it may be so thin somewhere that its sides have to be told apart on the grid.
bool may_be_sheet(const Body& body, double cell);

/// A thin body among the cells of one tile.
class ThinSolid {
 public:
  /// `growth` is how much the body grows on the grid [m], `near` are the bodies near the tile.
  ThinSolid(const Bodies& bodies, std::uint16_t body, double growth, std::span<const std::uint16_t> near,
            const GridPlace& place, const Vec3i& tile);

  /// Whether the body lies between cell (x, y, z) and the one before it along the axis.
  bool parts(std::size_t axis, int x, int y, int z) const;

  /// Where a cell of the face lies inside the body: the distances of the face's corners from the surface on
  /// that cell's side, without growth. Those to the nearest surface would count what is behind the body as
  /// room before it.
  void take_side(std::size_t axis, int x, int y, int z, std::array<double, 4>& corners) const;

 private:
  /// A cell as the body sees it.
  struct Cell {
    Vec3d point;               ///< its middle, or the nearest point to it that other solids leave open [m]
    double distance;           ///< of the point; after growth [m]
    Vec3d normal;              ///< of the nearest surface
    bool is_in_sheet = false;  ///< inside the body, where its sides have to be told apart
    bool is_cut = false;       ///< likewise, where one cell reaches both sides
  };

  SurfacePoint nearest(const Vec3d& point) const;
  Cell look_at(const Vec3d& middle, std::span<const std::uint16_t> near) const;
  double thickness_at(const Cell& cell) const;
  std::optional<Vec3d> first_surface(const Cell& from, const Cell& to) const;

  const Bodies& bodies_;
  std::uint16_t body_;
  double growth_, h_;
  Vec3d corner_;
  std::array<Cell, 9 * 9 * 9> cells_;  ///< of the tile and of the layers before it
};

/// Where a straight way in a body's own frame first meets its surface from outside, if it does. Misses no
/// wall, however thin.
std::optional<Vec3d> first_entry(const Shape& shape, const Vec3d& from, const Vec3d& to, double tolerance);

}  // namespace repose
