#pragma once
// What an sph step works in, and can make again.

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "repose/exec/fetch.h"
#include "repose/grid/particle_cells.h"
#include "repose/math/padded_vec.h"
#include "repose/math/vec.h"
#include "repose/solvers/continuum/free_bodies.h"
#include "repose/solvers/sph/sph_state.h"

namespace repose {

/// A neighbour: the gradient of the kernel there times a particle's volume [1/m], and its row.
struct SphPair {
  float x, y, z;
  std::uint32_t row;
};

/// And zero.
inline Row4f gradient_of(const SphPair& pair) {
  Row4f row;
  std::memcpy(&row, &pair, sizeof row);
  row[3] = 0;
  return row;
}

/// Two particles that are too close (sph_contacts.h).
struct SphContact {
  std::uint32_t of, row;  ///< rows of the particle and of the other
  Vec3f normal;           ///< from the other to the particle
  float depth;            ///< how much too close, as a share of the least distance
};

/// What a solid is to a particle near it.
struct SphWall {
  std::uint16_t body;
  Vec3f gradient;      ///< of what it adds to the density, by the particle's place [1/m]
  Vec3f normal;        ///< of its surface, towards the particle
  Vec3f force;         ///< friction on the particle, by volume [N/m3]
  Vec3f at;            ///< where it acts, from BodyVelocity::center [m]
  float distance = 0;  ///< of the layer of particles that it stands for [spacings]
  float density = 0;   ///< what it adds to that of the particle, over that at rest
  float shared = 0;    ///< what other solids add that face other ways
};

/// Rows that are worked on together: those in one layer of a tile's cells.
struct SphSlab {
  std::uint32_t tile;
  int z;
  std::uint32_t first, end;           ///< rows
  std::vector<SphPair> pairs;         ///< of its rows, one after the other
  std::vector<std::uint32_t> offset;  ///< where those of a row begin, and one more
  std::vector<SphContact> contacts;   ///< of its rows, one after the other
  std::vector<SphWall> walls;         ///< likewise
  std::vector<std::uint32_t> wall_offset;
  std::vector<std::uint16_t> met;  ///< bodies in `walls`, each once
  std::vector<BodyImpulse> given;  ///< to each of these in the step so far, about its centre

  std::span<const SphPair> pairs_of(std::uint32_t row) const {
    return std::span(pairs).subspan(offset[row - first], offset[row - first + 1] - offset[row - first]);
  }
  /// Asks for pairs that come soon after those of a row, about as many as it has.
  void fetch_ahead_of(std::uint32_t row) const {
    constexpr std::size_t kAhead = 128, kCount = 36;
    const std::size_t from = std::min<std::size_t>(offset[row - first] + kAhead, pairs.size());
    fetch(pairs.data() + from, kCount);
  }
  std::span<SphWall> walls_of(std::uint32_t row) {
    const std::uint32_t begin = wall_offset[row - first];
    return std::span(walls).subspan(begin, wall_offset[row - first + 1] - begin);
  }
};

/// A symmetric matrix by columns.
struct alignas(16) SphTensor {
  Row4f column[3];
};

struct SphScratch {
  ParticleCells cells;
  std::vector<std::uint32_t> order;
  std::vector<SphSlab> slabs;  ///< the first slab_count are in use; the others keep their memory
  std::size_t slab_count = 0;

  // By particle.
  std::vector<Row4d> place;             ///< [m]
  std::vector<float> x, y, z;           ///< from the corner of its tile [m]
  std::vector<std::uint8_t> is_deep;    ///< left out of this step (sph_sleep.h)
  std::vector<float> squares;           ///< of the gradients of its pairs, summed [1/m2]
  std::vector<Vec3f> gradients;         ///< of its pairs and walls, summed [1/m]
  std::vector<float> bearing;           ///< pressure that limits friction in this step [Pa]
  std::vector<float> cohesion;          ///< as it is wet and dense [Pa]
  std::vector<float> viscosity;         ///< alpha, as it is wet [-]
  std::vector<float> allowed;           ///< rate of compression up to which nothing resists [1/s]
  std::vector<std::uint32_t> meetings;  ///< how many others a dispersed particle would come too close to
  std::vector<std::uint32_t> contacts;  ///< how many others it is too close to
  std::vector<Vec3d> start;             ///< velocity without stress [m/s]
  std::vector<Vec3d> velocity;          ///< with the stress as it is [m/s]
  std::vector<Row4f> quick;             ///< the same in float
  std::vector<SphTensor> tensor;        ///< -pressure and friction [Pa]
  std::vector<SphStress> before;        ///< stress of the last iteration

  std::vector<BodyVelocity> body_velocity;  ///< by body: with what matter does so far
};

}  // namespace repose
