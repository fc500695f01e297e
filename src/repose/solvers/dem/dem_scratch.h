#pragma once
// What a dem step works with and can make again from model and state at any time: the grains' spheres, lists
// of what is near what, forces. Nothing here may change a result.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/exec/spares.h"
#include "repose/math/vec.h"
#include "repose/particles/contact_moment.h"
#include "repose/particles/neighbors.h"
#include "repose/solvers/dem/contact_kernel.h"

namespace repose {

/// All that contacts read of a sphere, in one line of cache.
struct alignas(64) DemSphere : SphereMotion {
  Vec3d position;          ///< of its centre; it and what follows are a row of four [m]
  float inverse_diameter;  ///< 1 / the bounding diameter of its grain [1/m]
  std::uint32_t surface;   ///< material, or body after them (DemModel::law)
};
static_assert(sizeof(DemSphere) == 64);

/// What the contacts with other spheres do to a sphere: exact sums (contact_kernel.h).
struct SphereSum {
  PaddedVec3d force{0, 0, 0};   ///< [N]
  PaddedVec3d torque{0, 0, 0};  ///< about its centre [N m]
};

/// How stiffly a sphere is held by its contacts: exact sums.
struct SphereHold {
  double stiffness = 0;  ///< [N/m]
  double braking = 0;    ///< force by velocity [N s/m]
};

/// Two spheres that may touch.
struct NearPair {
  std::uint32_t sphere, other;
};

/// A stretch of grains, or of the spheres of covered bodies, whose contacts one thread computes. Contacts
/// among its own spheres are computed once; those with others from both sides, alike to the last bit, so that
/// threads share nothing.
struct ContactChunk {
  std::uint32_t first_grain = 0, end_grain = 0;  ///< rows; none for covers
  std::uint32_t begin = 0, end = 0;              ///< their spheres

  /// Candidates that are nearer than the others: no other can touch for a while. By law, then by candidate.
  std::vector<NearPair> near;
  std::vector<std::uint64_t> rank;  ///< of each: its law, and in the lower half where it stands in the lists
  /// Of each, where contacts remember; 0 for those that do not touch.
  std::vector<PaddedVec3f> slip, roll;
  struct LawRange {
    std::size_t law, end;  ///< near pairs up to `end` follow this law
    bool alike;            ///< and all their spheres have the same radius and mass
  };
  std::vector<LawRange> laws;

  /// No sphere is faster, as far as the chunk knows [m/s], and none has moved farther since the lists were
  /// made [m].
  double max_speed = std::numeric_limits<double>::infinity(), travel = 0;
  struct Around {
    std::uint32_t chunk;
    double travel;  ///< when near pairs were found [m]
  };
  std::vector<Around> around;  ///< itself, and those that candidates are in
  double near_margin = 0;      ///< of the near pairs when they were found [m]
};

/// What a thread needs for the contacts of a chunk.
struct ChunkBuffer {
  ContactBatch batch;
  std::vector<SphereSum> sums;  ///< of the chunk's spheres, and a last one for all that are not its own
};

/// A sphere that is near a body, or was when the lists were made.
struct BodyCandidate {
  std::uint32_t sphere;
  std::uint32_t body;
};

/// Candidates of one body, in the order of sums on it.
struct BodyRun {
  std::uint32_t body;
  std::size_t begin, end;  ///< of DemScratch::body_order
};

/// What a place where a sphere touches a body remembers.
struct TouchMemory {
  std::int32_t face;
  Vec3f normal, slip, roll;
};
/// The first of them in a line of cache with their number: there is seldom a second.
struct alignas(64) CandidateMemory {
  std::uint32_t count = 0;
  std::array<TouchMemory, Touches::kMost> touches;
};

/// What a body does to a grain through one candidate.
struct BodyForce {
  Vec3d force{0, 0, 0};   ///< on the grain [N]
  Vec3d torque{0, 0, 0};  ///< about the centre of its sphere [N m]
  BodyImpulse reaction;   ///< on the body, by unit of time
  double stiffness = 0;   ///< [N/m]
  double braking = 0;     ///< force by velocity [N s/m]
  double arm2 = 0;        ///< largest squared distance from a free body's centre of mass [m2]
  bool touches = false;   ///< or all else means nothing
};

/// Largest values over all contacts of a step, and where the worst overlap is.
struct ContactExtremes {
  double frequency2 = 0;            ///< k_r sqrt(overlap) / m_eff [1/s2]
  double overlap_share = 0;         ///< overlap over the smaller grain's diameter [-]
  double sphere_share = 0;          ///< overlap over the smaller sphere's radius [-]
  std::uint32_t worst_id = 0;       ///< grain with the largest sphere_share, the smallest id of equals
  std::uint32_t unused = 0;         ///< keeps the bytes of an archive defined
  std::uint64_t pair_sides = 0;     ///< contacts between grains, counted from each side
  std::uint64_t body_contacts = 0;  ///< contacts with bodies

  std::uint64_t contacts() const { return pair_sides / 2 + body_contacts; }
};

/// The larger of each; joins of any order give the same.
inline ContactExtremes join(const ContactExtremes& a, const ContactExtremes& b) {
  ContactExtremes out;
  out.frequency2 = std::max(a.frequency2, b.frequency2);
  out.overlap_share = std::max(a.overlap_share, b.overlap_share);
  out.sphere_share = std::max(a.sphere_share, b.sphere_share);
  out.worst_id = a.sphere_share > b.sphere_share   ? a.worst_id
                 : b.sphere_share > a.sphere_share ? b.worst_id
                                                   : std::min(a.worst_id, b.worst_id);
  out.pair_sides = a.pair_sides + b.pair_sides;
  out.body_contacts = a.body_contacts + b.body_contacts;
  return out;
}

/// What a cover's spheres were placed with.
struct CoverState {
  bool placed = false, present = false, is_free = false;
  Vec3d belt{0, 0, 0};  ///< [m/s]
};

struct DemScratch {
  // By grain.
  std::vector<double> inverse_mass;         ///< [1/kg]
  std::vector<double> spin_factor;          ///< spin over angular momentum of isotropic grains [1/(kg m2)]
  std::vector<std::uint32_t> first_sphere;  ///< one more entry than grains
  std::vector<Quatd> placed_orientation;    ///< where spheres are placed; of compounds alone
  bool watches_contacts = false;            ///< whether moments are wanted

  // By sphere: those of a grain stand together, in the order of its shape.
  std::vector<DemSphere> spheres;
  double ahead = 0;                           ///< how long after the state they are placed [s]
  std::vector<DemSphere> next_spheres;        ///< likewise after the step, while it is computed
  std::vector<std::uint32_t> grain;           ///< its row in the state
  std::vector<Vec3d> listed_position;         ///< where it was when the lists were made [m]
  std::vector<std::uint64_t> rank;            ///< grain's id and number within the grain
  std::uint32_t first_cover_sphere = 0;       ///< spheres of covered bodies come last
  std::vector<CoverState> cover_states;       ///< by cover
  std::vector<SphereSum> sums;                ///< where they are asked for (accumulate_contact_forces)
  std::vector<SphereSum> cover_sums;          ///< of the spheres of covered bodies
  std::vector<SphereHold> holds;              ///< where grains have many spheres, else empty
  std::vector<ContactMoment> sphere_moments;  ///< about sphere centres; empty unless wanted
  std::vector<ContactMoment> grain_moments;   ///< of all contacts of a grain; likewise
  Spares<ChunkBuffer> buffers;

  // Neighbour lists.
  bool lists_are_valid = false;
  bool keep_rows = false;          ///< grains may not change their places in memory
  bool must_list = false;          ///< what may touch has changed
  double margin = 0;               ///< of the lists: what spheres may move before others are due [m]
  double travel = 0;               ///< no sphere has moved farther since they were made [m]
  std::vector<Pose> listed_poses;  ///< of the bodies
  std::uint64_t list_count = 0;
  NeighborSearch search;
  NeighborLists neighbors;  ///< of a sphere: those after it in its chunk, and all of other chunks
  std::vector<ContactChunk> chunks;
  unsigned grain_shift = 0;                          ///< chunks of grains have 2^grain_shift rows
  std::uint32_t grain_chunks = 0;                    ///< then those of covers
  std::vector<BodyCandidate> body_candidates;        ///< by sphere, then by body: the order of sums on grains
  std::vector<std::uint32_t> grain_candidate_first;  ///< one more entry than grains
  std::vector<std::uint32_t> body_order;     ///< of candidates by body, then by rank: of sums on bodies
  std::vector<BodyRun> body_runs;            ///< by body
  std::vector<BodyForce> body_forces;        ///< by candidate
  std::vector<ContactMoment> body_moments;   ///< about sphere centres, by candidate, where wanted
  std::vector<CandidateMemory> body_memory;  ///< by candidate, where contacts remember
  std::vector<Vec3d> search_positions;
  std::vector<double> search_radii;

  ContactExtremes extremes;  ///< of the last step

  static constexpr unsigned kCoverShift = 11;  ///< chunks of covers have 2^kCoverShift spheres

  std::uint32_t chunk_of(std::uint32_t sphere) const {
    return sphere < first_cover_sphere ? grain[sphere] >> grain_shift
                                       : grain_chunks + ((sphere - first_cover_sphere) >> kCoverShift);
  }

  /// All moved for a time h [s]; spheres of covered bodies were no faster than cover_speed [m/s], grains than
  /// max_speed, and those of a chunk than it says.
  void add_travel(double max_speed, double cover_speed, double h) {
    const double longer = (1 + 1e-9) * h;  // a hair for rounding
    travel += longer * std::max(max_speed, cover_speed);
    for (std::size_t c = 0; c < chunks.size(); ++c)
      chunks[c].travel +=
          longer * (c < grain_chunks ? std::min(chunks[c].max_speed, max_speed) : cover_speed);
  }
  /// All may have moved anywhere.
  void lose_travel() {
    travel = std::numeric_limits<double>::infinity();
    for (ContactChunk& chunk : chunks) chunk.travel = travel;
  }
};

/// What acts on a grain, but for gravity.
struct GrainLoad {
  Vec3d force;   ///< [N]
  Vec3d torque;  ///< about its centre of mass [N m]
};

/// Adds what bodies do to grain g, in the order of its spheres. For `center` see load_of().
inline void add_body_loads(const DemScratch& scratch, std::size_t g, const Vec3d& center, GrainLoad& load) {
  for (std::uint32_t k = scratch.grain_candidate_first[g]; k < scratch.grain_candidate_first[g + 1]; ++k) {
    const BodyForce& f = scratch.body_forces[k];
    if (!f.touches) continue;
    const Vec3d arm = scratch.spheres[scratch.body_candidates[k].sphere].position - center;
    load.force += f.force;
    load.torque += f.torque + arm.cross(f.force);
  }
}

/// The sum over the contacts of grain g, whose centre of mass is at `center` where its spheres are placed, in
/// the order of its spheres, and of the bodies after that. `sums` are those of its spheres.
inline GrainLoad load_of(const DemScratch& scratch, std::size_t g, const Vec3d& center,
                         const SphereSum* sums) {
  Row4d middle, force{}, torque{};
  to_row(center, middle);
  for (std::uint32_t s = scratch.first_sphere[g]; s < scratch.first_sphere[g + 1]; ++s, ++sums) {
    Row4d at, f, t, moment;
    to_row(scratch.spheres[s].position, at);
    to_row(sums->force, f);
    to_row(sums->torque, t);
    cross_rows(at - middle, f, moment);
    force += f;
    torque += t + moment;
  }
  GrainLoad load{to_vec(force), to_vec(torque)};
  if (scratch.grain_candidate_first[g] != scratch.grain_candidate_first[g + 1])
    add_body_loads(scratch, g, center, load);
  return load;
}

/// Arm times force of all contacts of a grain, those with bodies too. For a scratch that watches contacts.
inline ContactMoment moment_of(const DemScratch& scratch, std::size_t g, const Vec3d& center,
                               const SphereSum* sums) {
  ContactMoment moment;
  for (std::uint32_t s = scratch.first_sphere[g]; s < scratch.first_sphere[g + 1]; ++s, ++sums) {
    moment += scratch.sphere_moments[s];
    moment.add(scratch.spheres[s].position - center, sums->force.vec());
  }
  for (std::uint32_t k = scratch.grain_candidate_first[g]; k < scratch.grain_candidate_first[g + 1]; ++k)
    if (const BodyForce& f = scratch.body_forces[k]; f.touches) {
      moment += scratch.body_moments[k];
      moment.add(scratch.spheres[scratch.body_candidates[k].sphere].position - center, f.force);
    }
  return moment;
}

}  // namespace repose
