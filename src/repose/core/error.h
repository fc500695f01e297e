#pragma once
// Errors and exit codes.
//
// Bad input (a scene, a mesh, a command line) and failures of the outside world (a full disk) are reported by
// throwing `Error`: the only exception type that Repose throws. Its text says where and what to do; its code
// is what the command exits with. Inside a time step nothing throws: a `StepReport` (solvers/solver.h)
// carries what went wrong. A caller's bug is an assertion. Library code never ends the process.

#include <stdexcept>
#include <string>

namespace repose {

/// What the command exits with. Part of the contract with people's scripts.
enum class ExitCode : int {
  done = 0,
  usage = 2,         ///< wrong flags, a missing file, an occupied folder, a refused resume
  bad_scene = 3,     ///< the scene file is wrong, or asks for what its solver cannot do
  run_failed = 4,    ///< the simulation or the disk failed
  check_failed = 5,  ///< a [check] of the scene did not hold
  interrupted = 130  ///< stopped by the user; a checkpoint was written
};

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& text) : std::runtime_error(text), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

}  // namespace repose
