#pragma once
// How solvers of a continuum choose the length of a step.

#include "repose/bodies/bodies.h"

namespace repose {

/// A time step and what limits it.
struct TimeStep {
  double dt = 0;  ///< [s]
  const char* limit = "";

  /// Makes it no longer than `most` [s].
  void limit_to(double most, const char* what) {
    if (most < dt) *this = {most, what};
  }
};

/// The fastest of particles that have this speed at most, and of bodies with all their surface [m/s].
double fastest_of(double particles, const Bodies& bodies);

/// In which matter of this speed goes no further than `way` [m], though it picks up speed as it falls [s].
double time_over(double way, double speed, double gravity);

/// The longest part of max_dt that is no longer than the step, where all parts are alike: a short step at the
/// end of a frame costs as much as any.
double even_part(double max_dt, double dt);

}  // namespace repose
