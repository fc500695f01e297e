#pragma once
// Round silos for validation: discharge through an orifice (Beverloo) and the load on the bottom (Janssen).

#include <string>
#include <vector>

#include "support/dem_scenes.h"

namespace repose::test {

inline constexpr double kSiloGrain = 0.004;   ///< bounding diameter of a grain [m]
inline constexpr double kSiloDensity = 1500;  ///< of the bed [kg/m3]
inline constexpr double kSiloFriction = 0.5;  ///< of grains and walls [-]

struct Orifice {
  std::string grain = "sphere";
  double diameter = 6;  ///< of the opening, in grain diameters
  double width = 2.5;   ///< of the silo, in openings
  double height = 3;    ///< of the bed, in openings
  std::uint64_t seed = 1;
  double dt_factor = 1;  ///< times the step that the solver would choose
};

struct Discharge {
  std::string failure;
  double bed_density = 0;                  ///< at the start, well inside the bed [kg/m3]
  std::vector<double> time, mass;          ///< that has left [s, kg]
  double rate = 0;                         ///< over the middle half of the discharge, by least squares [kg/s]
  double r_squared = 0;                    ///< of that line
  double first_half = 0, second_half = 0;  ///< rates of the two halves of it [kg/s]
};

/// Opens the silo at t = 0 and lets it run until nothing more comes out, or `most` seconds have passed.
Discharge discharge(const Orifice& orifice, double most);

/// C and k of W = C rho sqrt(g) (D - k d)^2.5 from rates W at openings D, by a line through W^(2/5).
struct BeverlooFit {
  double C = 0, k = 0;
  double largest_deviation = 0;  ///< of W^(2/5) from the line, relative
};
BeverlooFit fit_beverloo(const std::vector<double>& diameters, const std::vector<double>& rates,
                         double density);

/// A round silo with a bottom of its own, filled and at rest, whose bottom was lowered by a tenth of a
/// diameter so that grains have slid along the wall.
struct Filling {
  std::string grain = "sphere";
  double width = 10;      ///< of the silo, in grain diameters
  double height = 4;      ///< of the bed, in widths
  double friction = 0.4;  ///< of the wall [-]
  std::uint64_t seed = 1;
  double dt_factor = 1;
};

struct BottomLoad {
  std::string failure;
  double weight = 0;   ///< of the grains [N]
  double force = 0;    ///< on the bottom, mean over 0.1 s [N]
  double wall = 0;     ///< downwards on the wall, likewise [N]
  double area = 0;     ///< of the bottom [m2]
  double kinetic = 0;  ///< a grain, in m g d
};
BottomLoad bottom_load(const Filling& filling);

/// L of p(H) = w(H) L / H (1 - exp(-H / L)) by least squares, with w = weight / area, from fillings of height
/// H [m].
struct JanssenFit {
  double L = 0;                 ///< [m]
  double largest_residual = 0;  ///< of p, relative to the fit
};
JanssenFit fit_janssen(const std::vector<double>& heights, const std::vector<BottomLoad>& loads);

}  // namespace repose::test
