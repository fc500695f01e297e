#pragma once
// A system of rows: velocities between pairs of bodies that are to take given values, all at once.
//
// A row is a direction at a place (or an angle about a direction); an impulse along it pushes both bodies, in
// opposite senses. The impulses that it takes solve the symmetric matrix J M^-1 J^T between rows that share a
// body, by Cholesky's method within the envelope of the matrix (George and Liu 1981, "Computer solution of
// large sparse positive definite systems", chapter 4). Rows go in an order along the bodies (Cuthill and
// McKee 1969), so that the envelope is narrow and the work of a chain goes with its length. Rows that say the
// same twice (a door on two hinges, four corners of a box on a floor) are held apart by a trace on the
// diagonal.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "repose/bodies/constraints.h"

namespace repose {

struct Row {
  static constexpr std::uint32_t kWorld = 0xffffffffU;

  std::uint32_t a = kWorld, b = kWorld;  ///< bodies; kWorld: the world itself
  std::uint32_t owner = 0;               ///< for whoever made the row
  bool turns = false;                    ///< holds an angle, not a point
  Vec3d direction{0, 0, 1};              ///< unit, in the world; an impulse along it is given to a
  Vec3d place{0, 0, 0};                  ///< [m]
  double error = 0;                      ///< for whoever made the row [m] or [rad]
};

/// Velocity of a against b along a row [m/s] or [rad/s].
double row_velocity(const Row& row, std::span<const Mover> movers);
/// Gives an impulse [N s] or [N m s] along a row to a and takes it from b.
void push_row(const Row& row, double impulse, std::span<Mover> movers);

class RowSystem {
 public:
  /// Puts the rows into a good order and factorises; rows between bodies that nothing moves are left out.
  /// False, and nothing done, where that would take more multiplications than `most_work`.
  bool set(std::vector<Row> rows, std::span<const Mover> movers,
           double most_work = std::numeric_limits<double>::infinity());
  std::span<const Row> rows() const { return rows_; }

  /// The impulses that change the velocities of the rows by `changes`.
  std::vector<double> impulses_for(std::span<const double> changes) const;

 private:
  void order(std::span<const Mover> movers);
  void find_envelope(std::span<const Mover> movers);
  void factorise(std::span<const Mover> movers);

  std::vector<Row> rows_;
  std::vector<std::size_t> first_;   ///< column of the first entry of each row of the factor
  std::vector<std::size_t> offset_;  ///< where a row's entries begin, and the end of the last
  std::vector<double> factor_;       ///< lower triangle, row by row within the envelope
};

}  // namespace repose
