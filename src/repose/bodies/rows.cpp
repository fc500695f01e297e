#include "repose/bodies/rows.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace repose {
namespace {

/// Added to the diagonal, as a share of it.
constexpr double kTrace = 1e-8;

bool is_moved(std::uint32_t body, std::span<const Mover> movers) {
  return body != Row::kWorld && movers[body].inverse_mass > 0;
}

/// Angular impulse on a body of a unit impulse along the row.
Vec3d lever(const Row& row, const Mover& mover) {
  return row.turns ? row.direction : (row.place - mover.center).cross(row.direction);
}

/// What rows know of one of their bodies.
struct Side {
  std::uint32_t body;
  double sign;
  Vec3d push, turn;  ///< velocity and spin that a unit impulse gives it
  Vec3d lever;
};

}  // namespace

double row_velocity(const Row& row, std::span<const Mover> movers) {
  double velocity = 0;
  const auto add = [&](std::uint32_t body, double sign) {
    if (body == Row::kWorld) return;
    const Mover& m = movers[body];
    velocity += sign * row.direction.dot(row.turns ? m.spin : m.velocity_at(row.place));
  };
  add(row.a, 1);
  add(row.b, -1);
  return velocity;
}

void push_row(const Row& row, double impulse, std::span<Mover> movers) {
  const auto give = [&](std::uint32_t body, double amount) {
    if (body == Row::kWorld) return;
    if (row.turns)
      movers[body].twist(amount * row.direction);
    else
      movers[body].push(amount * row.direction, row.place);
  };
  give(row.a, impulse);
  give(row.b, -impulse);
}

void RowSystem::order(std::span<const Mover> movers) {
  std::erase_if(rows_, [&](const Row& row) { return !is_moved(row.a, movers) && !is_moved(row.b, movers); });
  // Number the bodies breadth first along the rows, from one with few neighbours. What nothing moves ties
  // nothing together.
  const auto n = static_cast<std::uint32_t>(movers.size());
  std::vector<std::vector<std::uint32_t>> neighbors(n);
  for (const Row& row : rows_)
    if (is_moved(row.a, movers) && is_moved(row.b, movers))
      if (auto& known = neighbors[row.a]; std::find(known.begin(), known.end(), row.b) == known.end()) {
        known.push_back(row.b);
        neighbors[row.b].push_back(row.a);
      }
  for (auto& list : neighbors) std::sort(list.begin(), list.end());
  std::vector<std::uint32_t> by_degree;
  for (std::uint32_t i = 0; i < n; ++i)
    if (is_moved(i, movers)) by_degree.push_back(i);
  std::stable_sort(by_degree.begin(), by_degree.end(), [&](std::uint32_t p, std::uint32_t q) {
    return neighbors[p].size() < neighbors[q].size();
  });
  std::vector<std::uint32_t> number(n, 0), queue;
  std::uint32_t next = 0;
  for (const std::uint32_t start : by_degree) {
    if (number[start] != 0) continue;
    queue.assign(1, start);
    number[start] = ++next;
    for (std::size_t at = 0; at < queue.size(); ++at)
      for (const std::uint32_t k : neighbors[queue[at]])
        if (number[k] == 0) number[k] = ++next, queue.push_back(k);
  }
  const auto key = [&](const Row& row) {
    const std::uint32_t p = row.a == Row::kWorld ? 0U : number[row.a],
                        q = row.b == Row::kWorld ? 0U : number[row.b];
    return std::array<std::uint32_t, 2>{std::max(p, q), std::min(p, q)};
  };
  std::stable_sort(rows_.begin(), rows_.end(), [&](const Row& p, const Row& q) { return key(p) < key(q); });
}

void RowSystem::find_envelope(std::span<const Mover> movers) {
  std::vector<std::size_t> first_row(movers.size(), rows_.size());
  first_.resize(rows_.size());
  offset_.assign(1, 0);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    first_[i] = i;
    for (const std::uint32_t body : {rows_[i].a, rows_[i].b}) {
      if (!is_moved(body, movers)) continue;
      first_row[body] = std::min(first_row[body], i);
      first_[i] = std::min(first_[i], first_row[body]);
    }
    offset_.push_back(offset_.back() + i - first_[i] + 1);
  }
}

bool RowSystem::set(std::vector<Row> rows, std::span<const Mover> movers, double most_work) {
  rows_ = std::move(rows);
  order(movers);
  find_envelope(movers);
  double work = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto width = static_cast<double>(i - first_[i] + 1);
    work += 0.5 * width * width;
  }
  if (work > most_work) {
    rows_.clear();
    return false;
  }
  factorise(movers);
  return true;
}

void RowSystem::factorise(std::span<const Mover> movers) {
  std::vector<std::array<Side, 2>> sides(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i)
    for (const unsigned s : {0U, 1U}) {
      const std::uint32_t body = s == 0 ? rows_[i].a : rows_[i].b;
      if (!is_moved(body, movers)) {
        sides[i][s] = {Row::kWorld, 0, Vec3d(0), Vec3d(0), Vec3d(0)};
        continue;
      }
      const Vec3d arm = lever(rows_[i], movers[body]);
      sides[i][s] = {body, s == 0 ? 1.0 : -1.0,
                     rows_[i].turns ? Vec3d(0) : movers[body].inverse_mass * rows_[i].direction,
                     apply(movers[body].inverse_inertia, arm), arm};
    }
  factor_.assign(offset_.back(), 0.0);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    double* row = &factor_[offset_[i]];
    for (std::size_t k = first_[i]; k <= i; ++k)
      for (const Side& p : sides[i])
        for (const Side& q : sides[k])
          if (p.body == q.body && p.body != Row::kWorld)
            row[k - first_[i]] +=
                p.sign * q.sign *
                (rows_[i].direction.dot(q.push) * (rows_[i].turns ? 0.0 : 1.0) + p.lever.dot(q.turn));
    const double diagonal = row[i - first_[i]];
    row[i - first_[i]] *= 1 + kTrace;

    // Cholesky's rows: L_ik = (A_ik - sum_m L_im L_km) / L_kk.
    for (std::size_t k = first_[i]; k <= i; ++k) {
      const double* other = &factor_[offset_[k]];
      double sum = row[k - first_[i]];
      for (std::size_t m = std::max(first_[i], first_[k]); m < k; ++m)
        sum -= row[m - first_[i]] * other[m - first_[k]];
      row[k - first_[i]] = k < i ? sum / other[k - first_[k]] : std::sqrt(std::max(sum, kTrace * diagonal));
    }
  }
}

std::vector<double> RowSystem::impulses_for(std::span<const double> changes) const {
  std::vector<double> x(changes.begin(), changes.end());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double* row = &factor_[offset_[i]];
    for (std::size_t k = first_[i]; k < i; ++k) x[i] -= row[k - first_[i]] * x[k];
    x[i] /= row[i - first_[i]];
  }
  for (std::size_t i = x.size(); i-- > 0;) {
    const double* row = &factor_[offset_[i]];
    x[i] /= row[i - first_[i]];
    for (std::size_t k = first_[i]; k < i; ++k) x[k] -= row[k - first_[i]] * x[i];
  }
  return x;
}

}  // namespace repose
