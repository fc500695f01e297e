#include "repose/solvers/dem/contact_memory.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace repose {
namespace {

struct PlainPair {
  std::uint64_t a, b;
  std::array<float, 6> values;
};
struct PlainTouch {
  std::uint64_t sphere;
  std::uint32_t body;
  std::int32_t face;
  std::array<double, 9> values;
};

}  // namespace

void save_memory(ContactMemory memory, ArchiveWriter& out) {
  std::sort(memory.pairs.begin(), memory.pairs.end(),
            [](const KeptPair& p, const KeptPair& q) { return std::tie(p.a, p.b) < std::tie(q.a, q.b); });
  std::sort(memory.touches.begin(), memory.touches.end(), [](const KeptTouch& p, const KeptTouch& q) {
    return std::tie(p.sphere, p.body, p.face) < std::tie(q.sphere, q.body, q.face);
  });
  std::vector<PlainPair> pairs;
  for (const KeptPair& p : memory.pairs)
    pairs.push_back({p.a, p.b, {p.slip.x, p.slip.y, p.slip.z, p.roll.x, p.roll.y, p.roll.z}});
  std::vector<PlainTouch> touches;
  for (const KeptTouch& t : memory.touches)
    touches.push_back(
        {t.sphere,
         t.body,
         t.face,
         {t.normal.x, t.normal.y, t.normal.z, t.slip.x, t.slip.y, t.slip.z, t.roll.x, t.roll.y, t.roll.z}});
  out.put("dem.contact_pairs", pairs);
  out.put("dem.contact_touches", touches);
}

void load_memory(ContactMemory& memory, ArchiveReader& in) {
  std::vector<PlainPair> pairs;
  std::vector<PlainTouch> touches;
  in.get("dem.contact_pairs", pairs);
  in.get("dem.contact_touches", touches);
  memory = {};
  for (const PlainPair& p : pairs)
    memory.pairs.push_back({p.a, p.b, Vec3f(p.values[0], p.values[1], p.values[2]),
                            Vec3f(p.values[3], p.values[4], p.values[5])});
  for (const PlainTouch& t : touches)
    memory.touches.push_back({t.sphere, t.body, t.face, Vec3d(t.values[0], t.values[1], t.values[2]),
                              Vec3d(t.values[3], t.values[4], t.values[5]),
                              Vec3d(t.values[6], t.values[7], t.values[8])});
}

}  // namespace repose
