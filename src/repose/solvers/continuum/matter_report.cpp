#include "repose/solvers/continuum/matter_report.h"

#include <fmt/format.h>

namespace repose {
namespace {

/// A speed beyond this is no speed [m/s].
constexpr double kMostSpeed = 1e6;

}  // namespace

std::string failure_of(const std::string& solver, double time, double max_speed, const Bodies& bodies) {
  if (!(max_speed < kMostSpeed))
    return fmt::format(
        "at t = {:.6g} s a particle has a position or velocity that is not a number, or a speed beyond all "
        "measure: lower solver.{}.cfl or the speeds of bodies",
        time, solver);
  if (const auto body = bodies.broken())
    return fmt::format("body '{}' has a position or velocity that is not a number: make it heavier", *body);
  return {};
}

}  // namespace repose
