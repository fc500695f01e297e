#include "repose/solvers/sph/sph_contacts.h"

#include <algorithm>
#include <cmath>

#include "repose/solvers/sph/sph_sleep.h"

namespace repose {
namespace {

/// Speed at which particles are moved apart at most, over sqrt(g spacing).
constexpr double kPartingSpeed = 0.05;

/// What a particle gets from the others that it is too close to [m/s].
Vec3d change_of(const SphScratch& scratch, const SphModel& model, const SphState& state, std::uint32_t p,
                std::span<const SphContact> contacts) {
  const auto most = static_cast<float>(kPartingSpeed * std::sqrt(model.pull() * model.spacing));
  const auto own = scratch.quick[p];
  const float share = 1 / static_cast<float>(contacts.size());
  const bool may_part = !is_asleep(model, state, p);
  Row4d sum{};
  for (const SphContact& contact : contacts) {
    const Row4f dv = own - scratch.quick[contact.row];
    const Row4f n{contact.normal.x, contact.normal.y, contact.normal.z, 0};
    const float along = dv[0] * n[0] + dv[1] * n[1] + dv[2] * n[2];
    const float parting = may_part || !is_asleep(model, state, contact.row) ? most * contact.depth : 0.0F;
    const float push = std::max(0.0F, parting - along);
    const Row4f across = dv - along * n;
    const float slip = std::sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
    const auto friction = static_cast<float>(std::min(model.materials[state.material[p]].slope,
                                                      model.materials[state.material[contact.row]].slope));
    const float rub = slip > 0 ? std::min(friction * push / slip, 1.0F) : 0.0F;
    const float weight = 0.5F * std::min(share, 1 / static_cast<float>(scratch.contacts[contact.row]));
    const Row4f change = weight * (push * n - rub * across);
    add_to(sum, change);
  }
  return to_vec(sum);
}

}  // namespace

void part_particles(const SphModel& model, Threads& threads, const SphState& state, SphScratch& scratch) {
  const auto for_each_slab = [&](auto&& f) {
    threads.for_each(
        scratch.slab_count, [&](std::size_t s) { f(scratch.slabs[s]); }, 1);
  };
  scratch.contacts.assign(state.size(), 0);
  scratch.quick.resize(state.size());
  for_each_slab([&](const SphSlab& slab) {
    for (const SphContact& contact : slab.contacts) ++scratch.contacts[contact.of];
  });
  threads.for_each(state.size(), [&](std::size_t p) {
    const Vec3d& v = scratch.start[p];
    scratch.quick[p] = Row4f{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), 0};
  });
  for_each_slab([&](const SphSlab& slab) {
    for (std::size_t k = 0; k < slab.contacts.size();) {
      const std::uint32_t p = slab.contacts[k].of;
      const std::span<const SphContact> contacts = std::span(slab.contacts).subspan(k, scratch.contacts[p]);
      scratch.start[p] += change_of(scratch, model, state, p, contacts);
      k += contacts.size();
    }
  });
}

}  // namespace repose
