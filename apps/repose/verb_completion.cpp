// repose completion SHELL

#include <algorithm>
#include <cstdio>
#include <vector>

#include "arguments.h"
#include "completion.h"
#include "verbs.h"
#include <fmt/format.h>

namespace repose::command {
namespace {

std::vector<VerbDescription> describe_verbs() {
  const std::vector<std::string> words{std::string(kDescribe)};
  std::vector<VerbDescription> descriptions;
  for (const Verb& verb : verbs()) {
    if (verb.purpose.empty()) continue;
    try {
      verb.act(words);
    } catch (const VerbDescription& description) {
      descriptions.push_back(description);
    }
  }
  return descriptions;
}

}  // namespace

ExitCode completion_verb(Words line) {
  std::string shell;
  Arguments arguments("completion", "Prints a script with which a shell completes verbs, options and files.");
  arguments.positional("bash|zsh|fish", shell, "the shell");
  arguments.example("source <(repose completion bash)", "for this shell; in ~/.bashrc for all");
  arguments.example("source <(repose completion zsh)", "in ~/.zshrc, after compinit");
  arguments.example("repose completion fish | source", "in ~/.config/fish/config.fish");
  if (!arguments.read(line)) {
    std::fputs(arguments.help().c_str(), stdout);
    return ExitCode::done;
  }
  const auto known = completion_shells();
  if (std::find(known.begin(), known.end(), shell) == known.end())
    throw Error(ExitCode::usage,
                fmt::format("there is no completion for '{}'; shells: {}", shell, fmt::join(known, ", ")));
  std::fputs(completion_script(shell, describe_verbs()).c_str(), stdout);
  return ExitCode::done;
}

}  // namespace repose::command
