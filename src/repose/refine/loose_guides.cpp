#include "repose/refine/loose_guides.h"

#include <algorithm>
#include <cmath>

#include "repose/core/random.h"
#include "repose/physics/upsampling.h"

namespace repose {
namespace {

/// Sum of the weights of those around it from which on a guide is one of a bed, over what a bed has.
constexpr double kBedShare = 1.0 / 3;
/// Radius within which loose guides tell about the gradient, in radii of a guide: some hundred guides would
/// fill it, of a thin jet some ten do.
constexpr double kReach = 12;
/// As many guides weigh as much as the guess that flight spreads alike in all directions: two or three do not
/// tell a gradient.
constexpr double kGuess = 4;
/// Scatter of the velocities of a guide's grains over that of the guides around it.
constexpr double kScatter = 0.5;
/// A gradient that moves grains by more of their distance in one step is cut [-].
constexpr double kMostPerStep = 0.5;

Vec3i cell_at(const GridPlace& place, const Vec3d& x) {
  const Vec3d c = place.to_cells(x);
  return {static_cast<int>(std::floor(c.x)), static_cast<int>(std::floor(c.y)),
          static_cast<int>(std::floor(c.z))};
}

/// Calls f(row) for the particles in a box of cells, in an order that does not depend on the box.
template <class F>
void for_each_in(const ParticleCells& cells, const Vec3i& low, const Vec3i& high, F&& f) {
  for (int tz = low.z >> 3; tz <= high.z >> 3; ++tz)
    for (int ty = low.y >> 3; ty <= high.y >> 3; ++ty)
      for (int tx = low.x >> 3; tx <= high.x >> 3; ++tx) {
        const std::uint32_t tile = cells.tiles.find({tx, ty, tz});
        if (tile == kNoTile) continue;
        const int x0 = std::max(low.x - 8 * tx, 0), x1 = std::min(high.x - 8 * tx, 7);
        for (int z = std::max(low.z - 8 * tz, 0); z <= std::min(high.z - 8 * tz, 7); ++z)
          for (int y = std::max(low.y - 8 * ty, 0); y <= std::min(high.y - 8 * ty, 7); ++y) {
            const std::size_t row = tile * kTileCells + cell_in_tile(0, y, z);
            const std::uint32_t end = cells.cell_first[row + static_cast<std::size_t>(x1) + 1];
            for (std::uint32_t i = cells.cell_first[row + static_cast<std::size_t>(x0)]; i < end; ++i) f(i);
          }
      }
}

/// 1 for a guide alone, 0 for one that has a third of a bed's guides around it [-].
double looseness_of(const RefineModel& model, const GuideStep& step, std::uint32_t guide, double enough) {
  const double h = kCompanyRadii * model.guide_radius, units = model.place.unit / h;
  const Vec3d at = model.place.to_world(step.x[guide], step.y[guide], step.z[guide]);
  double sum = 0;
  for_each_in(step.cells, cell_at(step.place, at - Vec3d(h)), cell_at(step.place, at + Vec3d(h)),
              [&](std::uint32_t j) {
                if (j == guide) return;
                const double dx = units * (static_cast<double>(step.x[j]) - step.x[guide]),
                             dy = units * (static_cast<double>(step.y[j]) - step.y[guide]),
                             dz = units * (static_cast<double>(step.z[j]) - step.z[guide]);
                sum += ihmsen2013_weight((dx * dx + dy * dy) + dz * dz);
              });
  return std::max(0.0, 1 - sum / enough);
}

/// Of a grain, with mean 0 and variance 1 along each axis: sums of two uniform numbers. Grains come in pairs
/// with opposite ones, so that the mean over a guide is zero.
Vec3d scatter_of(const RefineModel& model, std::uint32_t grain) {
  const std::uint32_t guide = grain / model.ratio, number = grain % model.ratio;
  if (number + 1 == model.ratio && number % 2 == 0) return Vec3d(0);
  Random random(model.seed, Stream::fine_spread, number / 2, guide);
  Vec3d out;
  for (int axis = 0; axis < 3; ++axis) out[axis] = random.uniform(-1, 1) + random.uniform(-1, 1);
  return (number % 2 == 0 ? 1.0 : -1.0) * std::sqrt(1.5) * out;
}

/// A loose guide while gradients are looked for.
struct Sample {
  Vec3d position;
  Vec3d velocity;
  double looseness;
};

/// Sums over the loose guides around one.
struct Around {
  double weight = 0, squares = 0;     ///< of weights, of their squares
  double stretch = 0, distances = 0;  ///< weighted dv . dx, dx . dx
  double speeds = 0;                  ///< weighted dv . dv
  std::array<Vec3d, 3> dvdx{Vec3d(0), Vec3d(0), Vec3d(0)}, dxdx{dvdx};
};

/// The gradient C that fits dv = C dx best, by weighted least squares with the guess that C is one number in
/// all directions: dv dx^T + k s I = C (dx dx^T + k I). Exact for a cloud that opens alike in all directions.
void fit_gradient(const Around& a, double most, LooseGuide& guide) {
  guide.trust = static_cast<float>(a.weight / (a.weight + 1));
  if (!(a.distances > 0)) return;
  const double s = std::max(0.0, a.stretch / a.distances);
  const double k = kGuess * a.squares / (a.weight * a.weight) * a.distances / 3;
  std::array<Vec3d, 3> m = a.dxdx, c = a.dvdx;
  for (int i = 0; i < 3; ++i) {
    m[static_cast<std::size_t>(i)][i] += k;
    c[static_cast<std::size_t>(i)][i] += k * s;
  }
  const std::array<Vec3d, 3> adjugate{m[1].cross(m[2]), m[2].cross(m[0]), m[0].cross(m[1])};
  const double det = m[0].dot(adjugate[0]);
  double square = 0;
  std::array<Vec3d, 3> gradient;
  for (std::size_t j = 0; j < 3; ++j) {
    gradient[j] = (adjugate[j].x * c[0] + adjugate[j].y * c[1] + adjugate[j].z * c[2]) / det;
    square += gradient[j].dot(gradient[j]);
  }
  // What the gradient leaves of dv . dv: |dv - C dx|^2 = dv.dv - 2 C : dv dx^T + C dx dx^T : C.
  double rest = a.speeds;
  for (std::size_t j = 0; j < 3; ++j) {
    rest -= 2 * gradient[j].dot(a.dvdx[j]);
    for (std::size_t l = 0; l < 3; ++l) rest += a.dxdx[j][static_cast<int>(l)] * gradient[j].dot(gradient[l]);
  }
  guide.scatter = static_cast<float>(kScatter * std::sqrt(std::max(0.0, rest) / (3 * a.weight)));
  const double cut = std::min(1.0, most / std::max(std::sqrt(square / 3), 1e-30));
  for (std::size_t j = 0; j < 3; ++j) guide.gradient[j] = to_float(cut * gradient[j]);
}

double weight_of(RefineMethod method, double s_squared) {
  switch (method) {
    case RefineMethod::ihmsen2013:
      return ihmsen2013_weight(s_squared);
    case RefineMethod::alduan2009:
      return alduan2009_weight(std::sqrt(s_squared));
    case RefineMethod::takahashi2014:
      return takahashi2014_sharp(s_squared);
  }
  return 0;
}

}  // namespace

LooseGuides find_loose_guides(const RefineModel& model, const GuideStep& step, double dt, Threads& threads) {
  const double h = kCompanyRadii * model.guide_radius, reach = kReach * model.guide_radius;
  // The integral of (1 - d^2 / h^2)^3 over the ball is 64 pi / 315 h^3; less the guide itself.
  const double bed = 64 * kPi / 315 * std::pow(h / model.guide_spacing, 3) - 1;
  std::vector<float> looseness(step.x.size(), 0.0F);
  threads.for_each(looseness.size(), [&](std::size_t i) {
    if (step.in_flight[i] == 0) return;
    looseness[i] =
        static_cast<float>(looseness_of(model, step, static_cast<std::uint32_t>(i), kBedShare * bed));
  });
  std::vector<std::uint32_t> rows;
  select_indices(
      threads, looseness.size(), [&](std::size_t i) { return looseness[i] > 0; }, rows);

  LooseGuides loose;
  loose.place = {.cell = reach / 2, .origin = model.place.origin};
  std::vector<Vec3d> positions(rows.size());
  std::vector<std::uint32_t> order;
  for (std::size_t k = 0; k < rows.size(); ++k)
    positions[k] = model.place.to_world(step.x[rows[k]], step.y[rows[k]], step.z[rows[k]]);
  loose.cells = find_cells(positions, rows, loose.place, 0, threads, order);
  std::vector<Sample> samples(rows.size());
  loose.guides.resize(rows.size());
  threads.for_each(rows.size(), [&](std::size_t k) {
    const std::uint32_t g = rows[order[k]];
    samples[k] = {positions[order[k]], Vec3d(step.vx[g], step.vy[g], step.vz[g]),
                  static_cast<double>(looseness[g])};
    loose.guides[k] = {.x = step.x[g], .y = step.y[g], .z = step.z[g], .looseness = looseness[g]};
  });
  threads.for_each(rows.size(), [&](std::size_t k) {
    const Sample& own = samples[k];
    Around around;
    for_each_in(loose.cells, cell_at(loose.place, own.position - Vec3d(reach)),
                cell_at(loose.place, own.position + Vec3d(reach)), [&](std::uint32_t j) {
                  const Vec3d dx = samples[j].position - own.position,
                              dv = samples[j].velocity - own.velocity;
                  const double square = dx.dot(dx), q = 1 - square / (reach * reach);
                  if (j == k || q <= 0) return;
                  const double w = samples[j].looseness * q * q;
                  around.weight += w;
                  around.squares += w * w;
                  around.stretch += w * dv.dot(dx);
                  around.distances += w * square;
                  around.speeds += w * dv.dot(dv);
                  for (int i = 0; i < 3; ++i) {
                    around.dvdx[static_cast<std::size_t>(i)] += (w * dx[i]) * dv;
                    around.dxdx[static_cast<std::size_t>(i)] += (w * dx[i]) * dx;
                  }
                });
    fit_gradient(around, kMostPerStep / dt, loose.guides[k]);
  });
  return loose;
}

void LooseGuides::find_near(const Box3d& box, double distance, std::vector<std::uint32_t>& rows) const {
  rows.clear();
  for_each_in(cells, cell_at(place, box.min - Vec3d(distance)), cell_at(place, box.max + Vec3d(distance)),
              [&](std::uint32_t row) { rows.push_back(row); });
}

void LooseGuides::spread(const RefineModel& model, std::span<const std::uint32_t> rows,
                         const FineGrains& grains, std::uint32_t first, const LedGrains& led) const {
  const double h = model.influence, unit = model.place.unit, per_square = (unit / h) * (unit / h);
  for (std::size_t l = 0; l < led.x.size(); ++l) {
    if (!(led.weights[l] > 0)) continue;
    const std::size_t i = first + l;
    Vec3d velocity(0);
    double free = 0, scatter = 0;
    for (const std::uint32_t row : rows) {
      const LooseGuide& guide = guides[row];
      const Vec3d apart(static_cast<double>(grains.x[i]) - guide.x,
                        static_cast<double>(grains.y[i]) - guide.y,
                        static_cast<double>(grains.z[i]) - guide.z);
      const double s = per_square * apart.dot(apart);
      if (s >= 1) continue;
      const double w = weight_of(model.method, s) * static_cast<double>(guide.looseness);
      velocity += (w * unit) * (apart.x * Vec3d(guide.gradient[0]) + apart.y * Vec3d(guide.gradient[1]) +
                                apart.z * Vec3d(guide.gradient[2]));
      scatter += w * static_cast<double>(guide.scatter);
      free += w * (1 - static_cast<double>(guide.trust));
    }
    if (scatter > 0) velocity += scatter * scatter_of(model, grains.id[i]);
    const double sum = static_cast<double>(led.weights[l]);
    led.x[l] += static_cast<float>(velocity.x / sum);
    led.y[l] += static_cast<float>(velocity.y / sum);
    led.z[l] += static_cast<float>(velocity.z / sum);
    led.own_share[l] += (1 - led.own_share[l]) * static_cast<float>(std::min(1.0, free / sum));
  }
}

}  // namespace repose
