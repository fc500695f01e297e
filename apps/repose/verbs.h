#pragma once
// The command `repose`: a scene in, a run folder, pictures and a film out. One file a verb (verb_run.cpp,
// ...); a verb declares its words with Arguments, calls the pipeline, prints through Console and returns the
// exit code. Errors travel as exceptions to command.cpp, which turns them into a message and an exit code.
// Nothing here computes: whatever the command does can be done by calling the pipeline.

#include <span>
#include <string>
#include <string_view>

#include "repose/core/error.h"

namespace repose::command {

using Words = std::span<const std::string>;  ///< what stands after the verb

struct Verb {
  std::string_view name;
  std::string_view argument;  ///< "SCENE", "RUN", "SHELL" or nothing
  std::string_view purpose;   ///< empty: not listed in the help
  ExitCode (*act)(Words);
};

/// All of them, in the order of use.
std::span<const Verb> verbs();

ExitCode run_verb(Words words);
ExitCode check_verb(Words words);
ExitCode render_verb(Words words);
ExitCode export_verb(Words words);
ExitCode info_verb(Words words);
ExitCode materials_verb(Words words);
ExitCode examples_verb(Words words);
ExitCode reference_verb(Words words);
ExitCode refine_verb(Words words);
ExitCode surface_verb(Words words);
ExitCode measure_verb(Words words);
ExitCode completion_verb(Words words);

/// The whole command: finds the verb, does it, and reports what went wrong. Returns the exit code.
int run_command(Words words);

}  // namespace repose::command
