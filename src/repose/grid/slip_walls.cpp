#include "repose/grid/slip_walls.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace repose {
namespace {

constexpr std::size_t kChunk = 512;
/// Of the largest eigenvalue: tractions and stress act on the same faces, and each gets half of the step.
constexpr float kShared = 2;

}  // namespace

void SlipWalls::set(std::vector<SlipFace> faces, std::vector<WallTraction> tractions,
                    const FaceVelocity& inverse_mass) {
  faces_ = std::move(faces);
  tractions_ = std::move(tractions);
  value_.assign(faces_.size() + 3 * tractions_.size(), 0.0F);
  struct Entry {
    std::uint32_t axis, face, value;
    float weight;
  };
  std::vector<Entry> entries;
  for (std::size_t g = 0; g < faces_.size(); ++g)
    for (const FaceTerm& term : faces_[g].terms)
      entries.push_back({term.axis, term.face, static_cast<std::uint32_t>(g), term.weight});
  for (std::size_t c = 0; c < tractions_.size(); ++c)
    for (const FaceTerm& term : tractions_[c].terms)
      entries.push_back(
          {term.axis, term.face, static_cast<std::uint32_t>(faces_.size() + 3 * c + term.axis), term.weight});
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.axis, a.face, a.value) < std::tie(b.axis, b.face, b.value);
  });
  targets_.clear();
  sources_.clear();
  // Rows of the matrix, by their sum of magnitudes, bound its largest eigenvalue (Gershgorin).
  std::vector<float> row(value_.size());
  for (std::size_t k = 0; k < entries.size();) {
    const Entry& first = entries[k];
    Target target{first.axis, first.face, static_cast<std::uint32_t>(sources_.size()), 0};
    float slips = 0, rubs = 0;
    std::size_t end = k;
    for (; end < entries.size() && entries[end].axis == first.axis && entries[end].face == first.face;
         ++end) {
      sources_.push_back({entries[end].value, entries[end].weight});
      (entries[end].value < faces_.size() ? slips : rubs) += std::abs(entries[end].weight);
    }
    target.count = static_cast<std::uint32_t>(end - k);
    const float inverse = inverse_mass.u[first.axis][first.face];
    for (; k < end; ++k)
      row[entries[k].value] +=
          std::abs(entries[k].weight) * inverse * (entries[k].value < faces_.size() ? slips : rubs);
    targets_.push_back(target);
  }
  stiffening_.assign(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(faces_.size()));
  for (std::size_t c = 0; c < tractions_.size(); ++c) {
    const float* rows = &row[faces_.size() + 3 * c];
    tractions_[c].stiffness = kShared * std::max({rows[0], rows[1], rows[2], 1e-3F});
  }
}

float SlipWalls::solid_speed(const SlipFace& face, std::span<const Vec6> motion) const {
  return face.part == kHeldSolid ? face.solid : static_cast<float>(dot(face.row, motion[face.part]));
}

Vec3f SlipWalls::solid_velocity(const WallTraction& at, std::span<const Vec6> motion) const {
  if (at.part == kHeldSolid) return at.velocity;
  const Vec6& m = motion[at.part];
  return to_float(Vec3d(m[0], m[1], m[2]) + Vec3d(m[3], m[4], m[5]).cross(at.arm));
}

void SlipWalls::set_velocity(std::span<const Vec6> motion, Threads& threads, FaceVelocity& velocity) const {
  threads.for_each(
      faces_.size(),
      [&](std::size_t g) {
        const SlipFace& face = faces_[g];
        float u = solid_speed(face, motion);
        for (const FaceTerm& term : face.terms) u += term.weight * velocity.u[term.axis][term.face];
        velocity.u[face.axis][face.face] = u;
      },
      kChunk);
}

void SlipWalls::hand_on_forces(Threads& threads, FaceVelocity& force) {
  for (std::size_t g = 0; g < faces_.size(); ++g)
    value_[g] = std::exchange(force.u[faces_[g].axis][faces_[g].face], 0.0F);
  for (std::size_t c = 0; c < tractions_.size(); ++c)
    for (int axis = 0; axis < 3; ++axis)
      value_[faces_.size() + 3 * c + static_cast<std::size_t>(axis)] = tractions_[c].now[axis];
  threads.for_each(
      targets_.size(),
      [&](std::size_t k) {
        const Target& target = targets_[k];
        float sum = 0;
        for (std::uint32_t s = target.first; s < target.first + target.count; ++s)
          sum += sources_[s].weight * value_[sources_[s].value];
        force.u[target.axis][target.face] += sum;
      },
      kChunk);
}

std::vector<double> SlipWalls::stress_loads() const {
  std::vector<double> loads(tractions_.size());
  for (std::size_t g = 0; g < faces_.size(); ++g) {
    // The component along the outward normal of what the solid gets.
    const SlipFace& face = faces_[g];
    const double pull = static_cast<double>(value_[g]) * static_cast<double>(face.normal);
    for (const TractionShare& to : face.bears) loads[to.traction] -= static_cast<double>(to.share) * pull;
  }
  return loads;
}

Vec6 SlipWalls::impulse_on(std::uint32_t part) const {
  Vec6 sum{};
  for (std::size_t g = 0; g < faces_.size(); ++g)
    if (faces_[g].part == part)
      for (std::size_t i = 0; i < 6; ++i) sum[i] += faces_[g].row[i] * static_cast<double>(value_[g]);
  for (const WallTraction& at : tractions_) {
    if (at.part != part) continue;
    const Vec3d q(at.now), turn = at.arm.cross(q);
    for (int i = 0; i < 3; ++i) {
      sum[static_cast<std::size_t>(i)] -= q[i];
      sum[static_cast<std::size_t>(3 + i)] -= turn[i];
    }
  }
  return sum;
}

SlipWalls::Sums SlipWalls::improve(std::span<const Vec6> motion, const FaceVelocity& velocity, float ahead,
                                   Threads& threads) {
  return threads.reduce(
      tractions_.size(), Sums{},
      [&](std::size_t begin, std::size_t end) {
        Sums sums;
        for (std::size_t c = begin; c < end; ++c) {
          WallTraction& at = tractions_[c];
          Vec3f slip = -solid_velocity(at, motion);
          for (const FaceTerm& term : at.terms)
            slip[static_cast<int>(term.axis)] += term.weight * velocity.u[term.axis][term.face];
          const Vec3f from = at.now + ahead * (at.now - at.last);
          Vec3f to = from - slip / at.stiffness;
          to -= at.normal.dot(to) * at.normal;
          const float size = to.length();
          if (size > at.limit) to *= at.limit / size;
          const Vec3f change = to - from;
          sums.against += static_cast<double>(at.stiffness * change.dot(at.now - to));
          sums.squares += static_cast<double>(at.stiffness * at.stiffness * change.dot(change));
          at.last = at.now;
          at.now = to;
        }
        return sums;
      },
      [](const Sums& a, const Sums& b) {
        return Sums{a.against + b.against, a.squares + b.squares};
      },
      kChunk);
}

double SlipWalls::work_on_solids(std::span<const Vec6> motion) const {
  double sum = 0;
  for (std::size_t g = 0; g < faces_.size(); ++g)
    sum += static_cast<double>(value_[g]) * static_cast<double>(solid_speed(faces_[g], motion));
  for (const WallTraction& at : tractions_)
    sum -= static_cast<double>(at.now.dot(solid_velocity(at, motion)));
  return sum;
}

void SlipWalls::scale_tractions(float factor) {
  for (WallTraction& at : tractions_) at.now *= factor;
}

void SlipWalls::start_afresh() {
  for (WallTraction& at : tractions_) at.last = at.now;
}

}  // namespace repose
