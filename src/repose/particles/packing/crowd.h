#pragma once
// A crowd: grains that overlap and push each other apart until they do not. What packings are made with.
//
// Grains are rigid compounds of spheres, as everywhere. Two spheres of different grains that overlap by
// `overlap` push each other with a force of just that size (a spring of stiffness one, so forces are lengths
// here); walls push likewise. There is no friction and no weight. Where the energy of all springs is least,
// the crowd has made the room it needs. The way there is FIRE: Bitzek, Koskinen, Gaehler, Moseler and Gumbsch
// 2006, "Structural relaxation made simple", Physical Review Letters 97, 170201: motion with inertia that is
// turned towards the force, and stopped wherever it goes uphill.
//
// In a periodic box the lengths of the box can give way too, against a pressure from outside (in units of
// stiffness over length): then the crowd grows denser until its grains carry the pressure, which is how a
// random close packing is found (O'Hern, Silbert, Liu and Nagel 2003, "Jamming at zero temperature and zero
// applied stress", Physical Review E 68, 011306, do the same in many small steps of the volume).
//
// The same bits for any number of threads: a grain sums its own contacts in the order of indices, and sums
// over grains run by chunks.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/geometry/shape.h"
#include "repose/math/vec.h"
#include "repose/particles/domain_box.h"
#include "repose/particles/frame.h"
#include "repose/particles/neighbors.h"

namespace repose {

enum class Freedom : std::uint8_t { held, moves, moves_and_turns };

/// Grains by row.
struct PackedGrains {
  std::vector<Vec3d> position;
  std::vector<Quatd> orientation;
  std::vector<double> radius;  ///< bounding radius [m]
  std::vector<std::uint16_t> shape;
  std::vector<Freedom> freedom;

  std::size_t size() const { return position.size(); }
  void add(const Vec3d& x, const Quatd& q, double r, std::uint16_t s, Freedom f);
  /// Appends a row of other grains, at another place.
  void add_from(const PackedGrains& other, std::size_t row, const Vec3d& at);
  /// Keeps the rows with keep[row] != 0.
  void select(std::span<const std::uint8_t> keep);
};

/// How a crowd is relaxed.
struct Relaxation {
  int iterations = 500;          ///< at most
  double allowed_overlap = 0;    ///< done when no overlap is deeper, in diameters of the smaller grain [-]
  double allowed_residual = 0;   ///< or when the mean net force is less, in mean contact forces [-]
  double pressure = 0;           ///< on the box; 0: the box keeps its lengths [1/m of stiffness one]
  std::array<bool, 3> yields{};  ///< axes along which the box gives way to the pressure
};

/// How a crowd stands.
struct CrowdState {
  double deepest_overlap = 0;  ///< of two grains or a grain and a wall, in diameters of the smaller [-]
  double energy = 0;           ///< [m2]
  double residual = 0;         ///< mean net force over mean contact force; 0 without contacts [-]
  int iterations = 0;          ///< done
};

class Crowd {
 public:
  /// Shapes as grains refer to them, at a bounding radius of one. Walls are solids that push grains out. All
  /// of it outlives the crowd.
  Crowd(PackedGrains& grains, std::span<const GrainShape> shapes, std::span<const Shape> walls,
        const DomainBox& box, Threads& threads);

  CrowdState relax(const Relaxation& how);
  /// Makes contacts of large grains stiffer, with the square of the smaller radius of two: then they come
  /// apart as quickly, for their mass, as those of small ones. For wide mixtures (mixture.h).
  void stiffen_by_size();
  /// Sets the size of all grains to `scale` times that of their rows: for growing.
  void set_scale(double scale);
  const DomainBox& box() const { return box_; }

  /// Of the last relaxation: how deep each grain is in others and in walls, in diameters [-].
  std::span<const double> overlaps() const { return overlap_; }
  /// Of the last relaxation: in how many places each grain touches others and walls.
  std::span<const std::uint32_t> contacts() const { return contacts_; }

 private:
  struct Sums;
  struct Sphere {
    Vec3d position;
    double radius;
  };
  struct WallCandidate {
    std::uint32_t grain, wall;
  };
  void arrange();
  void place();
  bool moved_too_far();
  void make_lists();
  Sums find_forces();
  void push_from_grains(std::size_t g, Sums& sums);
  void push_from_walls(std::size_t g, Sums& sums);
  void stop();
  void move(double dt);

  PackedGrains& grains_;
  std::span<const GrainShape> shapes_;
  std::span<const Shape> walls_;
  DomainBox box_;
  Threads& threads_;
  double scale_ = 1;
  double margin_ = 0;  ///< of the lists [m]
  double longest_move_ = 0;
  bool stiffer_by_size_ = false;

  // by grain
  std::vector<std::uint32_t> first_sphere_;
  std::vector<double> mass_;  ///< also how stiff contacts are that are stiffer by size
  std::vector<Vec3d> force_, torque_, velocity_, spin_;
  std::vector<double> overlap_;
  std::vector<std::uint32_t> contacts_;
  std::vector<std::uint32_t> wall_first_;
  std::vector<std::uint32_t> wall_of_;
  // by sphere
  std::vector<Sphere> spheres_;
  std::vector<std::uint32_t> grain_of_;
  std::vector<Vec3d> listed_;
  std::vector<Vec3d> search_positions_;
  std::vector<double> search_radii_;
  // the box as one more unknown: the same strain along all axes that yield
  double strain_force_ = 0, strain_rate_ = 0, strain_mass_ = 1;
  std::array<bool, 3> yields_{};

  NeighborSearch search_;
  NeighborLists lists_;
  bool lists_are_valid_ = false;
};

/// 0 for the grains with the deepest overlaps, `most` of them, as far as they are deeper than `allowed`; 1
/// for the others.
std::vector<std::uint8_t> all_but_deepest(std::span<const double> overlaps, double allowed, std::size_t most);

}  // namespace repose
