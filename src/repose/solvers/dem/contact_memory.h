#pragma once
// What contacts remember: how far they slid and rolled since they began (contact_law.h). It belongs to the
// state of a run.
//
// While lists of neighbours stand, the memory of a contact lies beside its candidate in them. When lists or
// rows change it is collected by the ids of the grains, and laid beside the new candidates.

#include <cstdint>
#include <vector>

#include "repose/core/archive.h"
#include "repose/math/vec.h"

namespace repose {

/// Two spheres, by rank: a grain's id and the sphere's number in it.
struct KeptPair {
  std::uint64_t a, b;  ///< a < b
  Vec3f slip;          ///< of a over b [m]
  Vec3f roll;          ///< [m]
};

/// A sphere and a place on a body.
struct KeptTouch {
  std::uint64_t sphere;  ///< its rank
  std::uint32_t body;
  std::int32_t face;  ///< see Touch::face
  Vec3d normal;
  Vec3d slip;  ///< of the sphere over the body [m]
  Vec3d roll;  ///< [m]
};

struct ContactMemory {
  std::vector<KeptPair> pairs;     ///< in any order
  std::vector<KeptTouch> touches;  ///< in any order
};

/// Sorted: equal memories give equal bytes.
void save_memory(ContactMemory memory, ArchiveWriter& out);
void load_memory(ContactMemory& memory, ArchiveReader& in);

}  // namespace repose
