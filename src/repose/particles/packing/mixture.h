#pragma once
// Mixtures whose sizes differ much: how dense they pack at random, and how they are split for packing.
//
// Small grains fit between large ones, so a mixture packs denser than grains of one size: with a ratio of 20
// and a quarter of the solid in the small ones, 0.77 instead of 0.64. Packing all sizes at once does not get
// there: the pressure that closes a cell of small grains crushes the large ones, and few large ones make
// thousands of small ones. So a wide mixture is packed in groups of similar size, from large to small, each
// into the voids that the groups before it leave (carve_between in carve.h).

#include <cstddef>
#include <span>
#include <vector>

#include "repose/particles/packing/carve.h"
#include "repose/particles/packing/tile.h"

namespace repose {

/// Ratio of the largest to the smallest radius from which on a mixture is packed by groups [-].
inline constexpr double kWideMixture = 5;

/// Share of mixture_fraction that packing by groups reaches at its worst, where large and small grains both
/// carry [-]: from 0.98 on it takes long, above 1 not all grains find room.
inline constexpr double kMixtureReach = 0.97;

/// Whether these sizes are packed by groups.
bool is_wide_mixture(std::span<const TileSize> sizes);

/// Sizes that are packed together: within a factor of three, from large to small. `probability` stays the
/// share of all grains by number.
std::vector<std::vector<TileSize>> size_groups(std::span<const TileSize> sizes);

/// Solid fraction at which a mixture of grains packs at random that reach `single` in one size [-]: the
/// linear packing model of Stovall, de Larrard and Buil 1986, "Linear packing density model of grain
/// mixtures", Powder Technology 48, with the interactions of de Larrard 1999, "Concrete mixture
/// proportioning".
double mixture_fraction(std::span<const TileSize> sizes, double single);

/// How many grains of each size, from large to small, a solid volume [m3] holds: each to half a grain, and
/// what is left over goes to the next smaller size, so that the mass is right.
std::vector<SizeCount> mixture_counts(std::span<const TileSize> sizes, double grain_solid, double volume);

/// The grains of a fill of a wide mixture, of solid volume `request.fraction` x region_volume. Large ones
/// have made room for each other and for walls; the smallest group lies in their voids as it was carved, for
/// the caller to relax. `request.lengths`: those of the periodic axes that the fill spans; 0 for the others.
Carved pack_mixture(const TileRequest& request, const CarveRegion& region, Threads& threads);

}  // namespace repose
