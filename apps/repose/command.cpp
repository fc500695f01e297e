#include <array>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

#include "console.h"
#include "verbs.h"
#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/text.h"
#include "repose/core/version.h"

namespace repose::command {
namespace {

constexpr std::array kVerbs{
    Verb{"check", "SCENE", "reads a scene and says what would run: particles, time step, memory, disk",
         check_verb},
    Verb{"run", "SCENE", "simulates a scene: caches, pictures and a film", run_verb},
    Verb{"info", "RUN", "says what a run folder holds", info_verb},
    Verb{"render", "RUN", "makes pictures and a film of a finished run", render_verb},
    Verb{"export", "RUN", "writes particles and bodies for other programs", export_verb},
    Verb{"refine", "RUN", "adds fine grains to the frames of a run", refine_verb},
    Verb{"surface", "RUN", "makes surface meshes", surface_verb},
    Verb{"measure", "RUN", "measures flow, forces, regions and piles in a finished run", measure_verb},
    Verb{"materials", "", "lists the material presets", materials_verb},
    Verb{"examples", "", "lists the example scenes", examples_verb},
    Verb{"completion", "SHELL", "prints a script for bash, zsh or fish that completes words",
         completion_verb},
    Verb{"reference", "", "", reference_verb},
};

std::string help() {
  std::string out =
      "Repose simulates sand, gravel, soil and liquids, for pictures and for numbers.\n\n"
      "Usage: repose VERB [arguments] [options]\n\nVerbs, in the order of use\n";
  for (const Verb& verb : kVerbs)
    if (!verb.purpose.empty())
      out += fmt::format("  {:<10} {:<6} {}\n", verb.name, verb.argument, verb.purpose);
  out +=
      "\nExamples\n"
      "  repose check examples/demo.toml\n"
      "  repose run examples/demo.toml -o out/demo\n"
      "  repose render out/demo --frames 0-24\n\n"
      "repose VERB --help shows a verb's options with units and defaults; repose --version the version.\n"
      "docs/first-scene.md leads through a first scene, docs/command.md has the exit codes and the run "
      "folder.\n";
  return out;
}

const Verb& find_verb(const std::string& name) {
  std::vector<std::string_view> known;
  for (const Verb& verb : kVerbs) {
    if (verb.name == name) return verb;
    if (!verb.purpose.empty()) known.push_back(verb.name);
  }
  if (name.starts_with("-")) {
    known = {"--help", "--version"};
    const std::string nearest = nearest_word(name, known);
    throw Error(ExitCode::usage, nearest.empty()
                                     ? fmt::format("a verb comes before '{}'; repose --help lists them", name)
                                     : fmt::format("unknown option '{}': did you mean '{}'?", name, nearest));
  }
  const std::string nearest = nearest_word(name, known);
  throw Error(ExitCode::usage, nearest.empty()
                                   ? fmt::format("unknown verb '{}'; repose --help lists the verbs", name)
                                   : fmt::format("unknown verb '{}': did you mean '{}'?", name, nearest));
}

ExitCode dispatch(Words words, std::string& who) {
  if (words.empty()) {
    std::fputs(help().c_str(), stderr);
    return ExitCode::usage;
  }
  const std::string& first = words[0];
  if (first == "--help" || first == "-h") {
    std::fputs(help().c_str(), stdout);
    return ExitCode::done;
  }
  if (first == "--version") {
    std::fputs(fmt::format("repose {}\n", kVersion).c_str(), stdout);
    return ExitCode::done;
  }
  const Verb& verb = find_verb(first);
  who = fmt::format("repose {}", verb.name);
  return verb.act(words.subspan(1));
}

void report(const std::string& text) { std::fputs((printable_text(text) + "\n").c_str(), stderr); }

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }

int run_command(Words words) {
  std::string who = "repose";
  ExitCode code = ExitCode::run_failed;
  try {
    code = dispatch(words, who);
    if (!flush_output()) throw Error(ExitCode::run_failed, "cannot write to standard output");
  } catch (const Error& error) {
    code = error.code();
    // A bad scene's lines open with file:line:col, so that editors find the place.
    report(code == ExitCode::bad_scene ? error.what() : fmt::format("{}: {}", who, error.what()));
  } catch (const std::bad_alloc&) {
    report(fmt::format("{}: out of memory: use fewer particles (a larger solver.spacing)", who));
    code = ExitCode::run_failed;
  } catch (const std::exception& error) {
    report(fmt::format("{}: unexpected failure: {}", who, error.what()));
    code = ExitCode::run_failed;
  }
  return static_cast<int>(code);
}

}  // namespace repose::command
