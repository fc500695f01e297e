#pragma once
// Fills that start as settled packings: packing = "settled".
//
// A fill's material asks for a solid fraction, density / grain_density. A periodic tile of the material's
// grains is packed at random as dense as they go (particles/packing/tile.h), thinned to the fraction asked
// for, and laid over the fill's shape (carve.h). Tiles are made once for each material and kept while fills
// are placed. Then all settled grains together make room for walls, bodies, grains of other fills and each
// other (make_room).
//
// A material of widely different sizes is packed by groups of similar size, large grains first, each group
// into the voids of those before it (particles/packing/mixture.h). How dense such a mixture packs is
// computed, not tried.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/particles/packing/carve.h"
#include "repose/scene/scene.h"
#include "repose/solvers/dem/dem_model.h"

namespace repose {

/// No overlap of a settled packing is deeper, in diameters of the smaller grain [-].
inline constexpr double kSettledOverlap = 0.008;

struct SettledFill {
  PackedGrains grains;
  double volume = 0;   ///< that grains can reach [m3]
  double densest = 0;  ///< solid fraction of the densest random packing of these grains [-]
  double count = 0;    ///< grains, where they were counted
};

class SettledFills {
 public:
  /// `draft`: fills are counted, not placed, and tiles are small ones.
  SettledFills(const Scene& scene, const DemModel& model, const Bodies& bodies, Threads& threads,
               bool draft = false);

  /// The grains of one fill. Throws Error(bad_scene) where its material asks for a fraction that grains of
  /// its shape do not have.
  SettledFill place(const Fill& fill, std::size_t material);

  /// The same without grains, but for how many there will be.
  SettledFill count(const Fill& fill, std::size_t material);

  /// Moves grains that are free until none is deep in another, in a wall or in what covers a body. Those that
  /// find no room are marked in the result.
  std::vector<std::uint8_t> make_room(PackedGrains& grains);

 private:
  CarveRegion region_of(const Fill& fill, const std::vector<Shape>& others) const;
  const Tile& tile_of(const Fill& fill, std::size_t material, const CarveRegion& region, double fraction);
  TileRequest request_of(const Fill& fill, std::size_t material) const;
  Vec3d periodic_spans(const Fill& fill, std::size_t material) const;
  double densest_mixture(const Fill& fill, std::size_t material);
  SettledFill place_mixture(const Fill& fill, std::size_t material, const CarveRegion& region,
                            double fraction);

  const Scene& scene_;
  const DemModel& model_;
  const Bodies& bodies_;
  Threads& threads_;
  bool draft_;
  std::vector<Shape> walls_;  ///< bodies and walls of the domain
  struct KeptTile {
    std::size_t material;
    std::optional<Vec3d> rotation;
    Vec3d lengths;
    Tile tile;
  };
  std::vector<KeptTile> tiles_;
  struct KeptFraction {
    std::size_t material;
    std::optional<Vec3d> rotation;
    double fraction;
  };
  std::vector<KeptFraction> mixtures_;
};

/// Whether any settled fill is a wide mixture (particles/packing/mixture.h).
bool has_wide_mixture(const Scene& scene, const DemModel& model);

/// What to say of a material that asks for less than its grains hold under load; empty where it does not.
std::string looseness_warning(const Fill& fill, const Material& material, double densest);

}  // namespace repose
