#pragma once

namespace repose {

/// How fast one core of this machine is, over the one that the costs in solvers/run_cost.cpp were measured
/// on: times a small piece of the kind of work that solvers do, for about 20 ms. What else runs on the
/// machine counts little, since processor time is what is measured.
double processor_speed();

}  // namespace repose
