// Keys of [solver] and of the tables that are special to a solver.

#include "repose/scene/keys/tables.h"

namespace repose::scene_file {
namespace {

constexpr Choice kSolvers[] = {{"dem"}, {"sph"}, {"flip"}, {"snow"}};
constexpr Choice kIntegrators[] = {{"verlet"}, {"euler"}, {"rkf45"}};
constexpr Choice kNormalLaws[] = {{"hertz"}, {"hertz-viscoelastic"}, {"linear"}, {"general"}};
constexpr Choice kTangentialLaws[] = {{"viscous"}, {"coulomb"}, {"coulomb-viscous"}, {"spring"}, {"mindlin"}};
constexpr Choice kYieldLaws[] = {{"coulomb"}, {"paper"}};
constexpr Choice kSnowYieldLaws[] = {{"coulomb"}, {"paper", true}};
constexpr Choice kFlipYieldLaws[] = {{"coulomb"}, {"paper"}, {"paper-2.3"}};

constexpr KeyInfo kDt{.name = "dt",
                      .unit = "s",
                      .range = kNotNegative,
                      .doc = "fixed time step; 0: chosen from stiffness, speed and cfl"};
constexpr KeyInfo kGridCfl{.name = "cfl",
                           .range = {.min = 0, .max = 2, .above_min = true},
                           .doc = "cells crossed in a step at most"};
constexpr KeyInfo kYield{
    .name = "yield",
    .choices = kYieldLaws,
    .doc = "how sand yields: to Coulomb friction by a global solve, or as the paper prints it"};
constexpr KeyInfo kTolerance{.name = "tolerance",
                             .range = {.min = 0, .max = 1, .above_min = true},
                             .doc = "relative residual at which the solve stops"};

std::vector<Field<DemSettings>> dem_fields() {
  return {
      field(&DemSettings::integrator, {.name = "integrator",
                                       .choices = kIntegrators,
                                       .doc = "velocity Verlet, symplectic Euler, or "
                                              "Runge-Kutta-Fehlberg of order 4 and 5"}),
      field(&DemSettings::tolerance,
            {.name = "tolerance",
             .range = {.min = 0, .max = 1, .above_min = true},
             .doc = "of rkf45: how far a step may be off, as a share of the smallest radius"}),
      field(&DemSettings::dt, kDt),
      field(&DemSettings::cfl, {.name = "cfl",
                                .range = {.min = 0, .max = 1, .above_min = true},
                                .doc = "share of the smallest radius that a grain may move in a step"}),
      field(&DemSettings::normal,
            {.name = "normal",
             .choices = kNormalLaws,
             .doc = "normal force: Hertz with a restitution that does not depend on speed, Hertz with "
                    "viscoelastic "
                    "damping, a damped linear spring, or any alpha and beta (Bell 2005, eq. 7 to 15)"}),
      field(&DemSettings::alpha, {.name = "alpha",
                                  .range = kNotNegative,
                                  .doc = "exponent of the overlap in the damping (Bell 2005, eq. 7)",
                                  .without = "that of the normal law"}),
      field(&DemSettings::beta, {.name = "beta",
                                 .range = kPositive,
                                 .doc = "exponent of the overlap in the repulsion (Bell 2005, eq. 7)",
                                 .without = "that of the normal law"}),
      field(&DemSettings::stiffness, {.name = "stiffness",
                                      .unit = "N/m^beta",
                                      .range = kPositive,
                                      .doc = "k_r of Bell 2005, eq. 7",
                                      .without = "from young and poisson"}),
      field(&DemSettings::damping, {.name = "damping",
                                    .unit = "N s/m^(1+alpha)",
                                    .range = kNotNegative,
                                    .doc = "k_d of Bell 2005, eq. 7",
                                    .without = "from restitution"}),
      field(&DemSettings::contact_time,
            {.name = "contact_time",
             .unit = "s",
             .range = kPositive,
             .doc = "how long a collision lasts under the linear law (Bell 2005, eq. 9 and 10)",
             .without = "from stiffness"}),
      field(&DemSettings::restitution_speed,
            {.name = "restitution_speed",
             .unit = "m/s",
             .range = kPositive,
             .doc = "impact speed at which the viscoelastic law has the restitution of the material",
             .without = "1 m/s"}),
      field(&DemSettings::attraction,
            {.name = "attraction",
             .doc = "contacts may pull while they part, as printed in Bell 2005, eq. 8 to 10"}),
      field(&DemSettings::tangential,
            {.name = "tangential",
             .choices = kTangentialLaws,
             .doc = "friction: Bell 2005, eq. 16, 17, 18, 19, or Mindlin",
             .without = "eq. 19; eq. 18 under integrator = \"rkf45\", which needs forces without memory"}),
      field(&DemSettings::k_t, {.name = "k_t",
                                .unit = "kg/s or N/m",
                                .range = kPositive,
                                .doc = "of the friction force: viscous in Bell 2005, eq. 16 and 18 [kg/s], "
                                       "the spring of eq. 19 [N/m]",
                                .without = "chosen by the solver"}),
      field(&DemSettings::damping_t, {.name = "damping_t",
                                      .unit = "kg/s",
                                      .range = kNotNegative,
                                      .doc = "dashpot beside the tangential spring (eq. 19, Mindlin)",
                                      .without = "chosen by the solver"}),
      field(
          &DemSettings::skin,
          {.name = "skin",
           .range = {.min = 0, .max = 10},
           .doc =
               "how far beyond contact neighbours are listed, as a share of the smallest radius; changes the "
               "speed of a run, never its result"}),
  };
}

std::vector<Field<SphSettings>> sph_fields() {
  return {
      field(&SphSettings::iterations, {.name = "iterations",
                                       .range = {.min = 0, .max = 10000},
                                       .doc = "of pressure and friction in a step; 0: until little is left "
                                              "for them to do"}),
      field(&SphSettings::max_density_error,
            {.name = "max_density_error",
             .range = {.min = 0, .max = 1, .above_min = true},
             .doc = "largest compression in a step at which the iteration stops, as a share of the density"}),
      field(&SphSettings::yield, kYield),
      field(
          &SphSettings::sleep,
          {.name = "sleep",
           .doc = "particles that are slow for a while stay where they are until something moves them; those "
                  "deep among them cost nothing"}),
      field(&SphSettings::sleep_speed, {.name = "sleep_speed",
                                        .unit = "m/s",
                                        .range = kPositive,
                                        .doc = "below this a particle is slow, where `sleep = true`",
                                        .without = "0.02 sqrt(g spacing)"}),
      field(
          &SphSettings::viscosity,
          {.name = "viscosity",
           .range = kNotNegative,
           .doc = "alpha of the artificial viscosity of dry matter: 1.4 alpha spacing sqrt(g spacing) is the "
                  "kinematic one"}),
      field(&SphSettings::wet_viscosity,
            {.name = "wet_viscosity",
             .range = kNotNegative,
             .doc = "the same of matter with a wetness of 0.3 and more; below that it lies in between"}),
      field(&SphSettings::cfl,
            {.name = "cfl", .range = kPositive, .doc = "share of the spacing moved in a step"}),
      field(&SphSettings::dt, kDt),
  };
}

std::vector<Field<FlipSettings>> flip_fields() {
  KeyInfo yield = kYield;
  yield.choices = kFlipYieldLaws;
  yield.doc =
      "how sand yields: to Coulomb friction by a global solve, or as Zhu 2005 prints it, with eq. 2.4 or "
      "with "
      "eq. 2.3";
  return {
      field(&FlipSettings::blend, {.name = "blend",
                                   .range = kZeroToOne,
                                   .doc = "1 is FLIP, 0 is PIC",
                                   .without = "0.95, 0.5 for sand"}),
      field(&FlipSettings::yield, yield),
      field(&FlipSettings::tolerance, kTolerance),
      field(&FlipSettings::cfl, kGridCfl),
      field(&FlipSettings::dt, kDt),
  };
}

std::vector<Field<SnowSettings>> snow_fields() {
  KeyInfo yield = kYield;
  yield.choices = kSnowYieldLaws;
  return {
      field(&SnowSettings::yield, yield),
      field(&SnowSettings::tolerance, kTolerance),
      field(&SnowSettings::cfl, kGridCfl),
      field(&SnowSettings::dt, kDt),
  };
}

}  // namespace

const std::vector<Field<SolverSettings>>& solver_fields() {
  static const std::vector<Field<SolverSettings>> fields = {
      field(
          &SolverSettings::type,
          {.name = "type",
           .choices = kSolvers,
           .doc = "grains as rigid compounds of spheres, smoothed particles, particles on a grid, or snow"}),
      field(
          &SolverSettings::spacing,
          {.name = "spacing",
           .unit = "m",
           .range = kPositive,
           .doc = "mean distance of simulated particles: the bounding diameter of a dem grain, the sph rest "
                  "distance, half a flip cell",
           .required = true}),
      subtable({.name = "dem", .doc = "what is special to dem"}, &SolverSettings::dem, dem_fields()),
      subtable({.name = "sph", .doc = "what is special to sph"}, &SolverSettings::sph, sph_fields()),
      subtable({.name = "flip", .doc = "what is special to flip"}, &SolverSettings::flip, flip_fields()),
      subtable({.name = "snow", .doc = "what is special to snow"}, &SolverSettings::snow, snow_fields()),
  };
  return fields;
}

}  // namespace repose::scene_file
