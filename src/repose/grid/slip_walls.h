#pragma once
// Solids askew to the grid, as friction meets them (friction_stress.h).
//
// The faces that a tilted or round solid closes make a stair. If these moved with the solid, matter that
// slides along it would be strained at every step of the stair, and held by its own strength. So they move as
// the matter before them does, but for the component across the solid, which is the solid's:
//
//   u = e . (U - n n . (U - V))     U: mean of the matter's faces about half a cell before the solid's
//   surface
//
// with e the axis of the face, n the solid's normal and V its velocity. Sliding strains nothing, and stress
// still bears on the solid. Wall friction is a traction apart: each cell that the solid cuts has an impulse q
// along the solid, |q| <= limit, which acts on the mean U at its own part of the surface.
//
// Both act by the exact adjoint of how they see velocities, so that friction still takes energy and never
// gives any, and solids get what the matter loses.

#include <cstdint>
#include <span>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/grid/transfer.h"
#include "repose/math/mat6.h"
#include "repose/math/vec.h"

namespace repose {

struct FrictionPart;

/// The weight of a face of the matter in a mean.
struct FaceTerm {
  std::uint32_t axis, face;
  float weight;
};

/// The share that a traction has in something.
struct TractionShare {
  std::uint32_t traction;
  float share;
};

inline constexpr std::uint32_t kHeldSolid = 0xffffffffU;

/// A closed face that slips.
struct SlipFace {
  std::uint32_t axis = 0, face = 0;
  std::uint32_t part = kHeldSolid;   ///< of the solid, where friction can move it
  std::uint16_t owner = 0;           ///< the solid
  float normal = 0;                  ///< e . n
  Vec3f across{0, 0, 0};             ///< (e . n) n
  float solid = 0;                   ///< across . V of solids that are no part [m/s]
  Vec3d center{0, 0, 0};             ///< [m]
  Vec6 row{};                        ///< across . V over the motion of the part
  std::vector<FaceTerm> terms;       ///< of e . (U - n n . U)
  std::vector<TractionShare> bears;  ///< whose normal load what presses on it belongs to
};

/// The traction of wall friction in one cell.
struct WallTraction {
  std::uint32_t cell = 0, part = kHeldSolid;
  std::uint16_t owner = 0;
  Vec3f normal{0, 0, 1};
  float area = 0;                     ///< of the solid in the cell, over h^2
  float distance = 0;                 ///< of the cell's middle from the solid [m]
  float limit = 0;                    ///< of |q|
  Vec3f velocity{0, 0, 0};            ///< of surfaces that are no part [m/s]
  Vec3d point{0, 0, 0};               ///< of the surface [m]
  Vec3d arm{0, 0, 0};                 ///< likewise, from the part's centre [m]
  std::vector<FaceTerm> terms;        ///< of U, each for the component of its axis
  Vec3f now{0, 0, 0}, last{0, 0, 0};  ///< q on the matter, of the last two iterations, over rho h^3 [m/s]
  float stiffness = 1;                ///< inverse of the step of the gradient
};

class SlipWalls {
 public:
  /// inverse_mass: of faces, as FrictionSystem has it.
  void set(std::vector<SlipFace> faces, std::vector<WallTraction> tractions,
           const FaceVelocity& inverse_mass);

  bool empty() const { return faces_.empty() && tractions_.empty(); }
  std::span<const SlipFace> faces() const { return faces_; }
  std::span<const WallTraction> tractions() const { return tractions_; }
  std::span<WallTraction> tractions() { return tractions_; }
  /// By slip face: what the stress does to it, over rho h^3 [m/s].
  std::span<const float> face_forces() const { return {value_.data(), faces_.size()}; }
  /// By slip face: how much stiffer the stress about it is, as an inverse mass.
  std::span<const float> stiffening() const { return stiffening_; }

  /// Sets the velocity of slip faces; `motion` is by part.
  void set_velocity(std::span<const Vec6> motion, Threads& threads, FaceVelocity& velocity) const;

  /// Moves what the stress does to slip faces on to the faces of the matter, and adds what tractions do.
  void hand_on_forces(Threads& threads, FaceVelocity& force);

  /// By traction: how hard the stress presses the matter against the solid there, over rho h^3 [m/s].
  std::vector<double> stress_loads() const;

  /// What stress and tractions do to a part, over rho h^3, besides what they do to its own faces.
  Vec6 impulse_on(std::uint32_t part) const;

  struct Sums {
    double against = 0, squares = 0;  ///< as FrictionSystem::TileSums
  };
  /// One step of the gradient for all tractions.
  Sums improve(std::span<const Vec6> motion, const FaceVelocity& velocity, float ahead, Threads& threads);

  /// What stress and tractions do to the solids times how these move.
  double work_on_solids(std::span<const Vec6> motion) const;

  void scale_tractions(float factor);
  void start_afresh();

 private:
  float solid_speed(const SlipFace& face, std::span<const Vec6> motion) const;
  Vec3f solid_velocity(const WallTraction& at, std::span<const Vec6> motion) const;

  /// A face of the matter and what acts on it.
  struct Target {
    std::uint32_t axis, face, first, count;
  };
  struct Source {
    std::uint32_t value;
    float weight;
  };
  std::vector<SlipFace> faces_;
  std::vector<WallTraction> tractions_;
  std::vector<float> value_;  ///< forces on slip faces, then the three components of each traction
  std::vector<Target> targets_;
  std::vector<Source> sources_;
  std::vector<float> stiffening_;
};

}  // namespace repose
