#include "completion.h"

#include <array>

#include <fmt/format.h>

namespace repose::command {
namespace {

/// What may follow an option or stand for an argument.
enum class Kind { nothing, word, choice, folder, scene };

Kind kind_of(std::string_view unit) {
  if (unit.empty()) return Kind::nothing;
  if (unit.find('|') != std::string_view::npos) return Kind::choice;
  if (unit == "DIR" || unit == "RUN") return Kind::folder;
  if (unit == "SCENE" || unit == "FILE") return Kind::scene;
  return Kind::word;
}

/// "vtp|vdb" as "vtp vdb".
std::string choices_of(std::string_view unit) {
  std::string words(unit);
  for (char& c : words)
    if (c == '|') c = ' ';
  return words;
}

/// The first clause of a help text, without what shells take for themselves.
std::string short_help(std::string_view help) {
  std::string text(help.substr(0, help.find_first_of(":;[(")));
  std::string out;
  for (const char c : text)
    if (c != '\'' && c != '"' && c != '`' && c != '$' && c != '\\') out += c;
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string option_names(const VerbDescription& verb) {
  std::string names = "--help";
  for (const OptionDescription& option : verb.options) names += " " + option.name;
  return names;
}

std::string argument_of(const VerbDescription& verb) {
  return verb.positionals.empty() ? std::string() : verb.positionals[0];
}

// --- bash ---

std::string bash_reply(Kind kind, std::string_view unit) {
  switch (kind) {
    case Kind::choice:
      return fmt::format(R"(COMPREPLY=($(compgen -W "{}" -- "$cur")))", choices_of(unit));
    case Kind::folder:
      return R"(COMPREPLY=($(compgen -d -- "$cur")))";
    case Kind::scene:
      return R"(COMPREPLY=($(compgen -f -X '!*.toml' -- "$cur") $(compgen -d -- "$cur")))";
    default:
      return "COMPREPLY=()";
  }
}

std::string bash_script(std::span<const VerbDescription> verbs) {
  std::string names, values, options, arguments;
  for (const VerbDescription& verb : verbs) {
    names += verb.verb + " ";
    for (const OptionDescription& option : verb.options)
      if (!option.unit.empty())
        values += fmt::format("    \"{} {}\") {}; return ;;\n", verb.verb, option.name,
                              bash_reply(kind_of(option.unit), option.unit));
    options += fmt::format("    \"{}\") names=\"{}\" ;;\n", verb.verb, option_names(verb));
    const std::string argument = argument_of(verb);
    arguments += fmt::format("    \"{}\") {} ;;\n", verb.verb, bash_reply(kind_of(argument), argument));
  }
  return fmt::format(R"(# Completion of repose for bash. To use it: source <(repose completion bash)
_repose() {{
  local cur="${{COMP_WORDS[COMP_CWORD]}}" prev="${{COMP_WORDS[COMP_CWORD-1]}}" verb="${{COMP_WORDS[1]}}" names=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{}--help --version" -- "$cur"))
    return
  fi
  case "$verb $prev" in
{}  esac
  case "$verb" in
{}  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$names" -- "$cur")); return ;;
  esac
  case "$verb" in
{}  esac
}}
complete -o filenames -F _repose repose
)",
                     names, values, options, arguments);
}

// --- zsh ---

std::string zsh_action(std::string_view unit) {
  switch (kind_of(unit)) {
    case Kind::choice:
      return fmt::format("({})", choices_of(unit));
    case Kind::folder:
      return "_directories";
    case Kind::scene:
      return "_files -g \"*.toml\"";
    default:
      return " ";
  }
}

std::string zsh_script(std::span<const VerbDescription> verbs) {
  std::string names, cases;
  for (const VerbDescription& verb : verbs) {
    names += fmt::format("    '{}:{}'\n", verb.verb, short_help(verb.purpose));
    cases += fmt::format("    {})\n      _arguments '1: : ' '--help[shows the options]'", verb.verb);
    for (const OptionDescription& option : verb.options) {
      const std::string repeat = option.repeatable ? "*" : "";
      cases += fmt::format(" \\\n        '{}{}[{}]", repeat, option.name, short_help(option.help));
      if (!option.unit.empty())
        cases += fmt::format(":{}:{}", short_help(option.unit), zsh_action(option.unit));
      cases += "'";
    }
    const std::string argument = argument_of(verb);
    if (!argument.empty()) {
      const std::string label = kind_of(argument) == Kind::choice ? std::string("word") : argument;
      cases += fmt::format(" \\\n        '2:{}:{}'", label, zsh_action(argument));
    }
    cases += "\n      ;;\n";
  }
  return fmt::format(R"(#compdef repose
# Completion of repose for zsh. To use it: source <(repose completion zsh), after compinit
_repose() {{
  local -a verbs
  verbs=(
{}  )
  if (( CURRENT == 2 )); then
    _describe 'verb' verbs
    return
  fi
  case "$words[2]" in
{}  esac
}}
compdef _repose repose
)",
                     names, cases);
}

// --- fish ---

std::string fish_values(std::string_view unit) {
  switch (kind_of(unit)) {
    case Kind::nothing:
      return "";
    case Kind::choice:
      return fmt::format(" -x -a '{}'", choices_of(unit));
    case Kind::folder:
      return " -x -a '(__fish_complete_directories)'";
    case Kind::scene:
      return " -x -a '(__fish_complete_suffix .toml)'";
    default:
      return " -x";
  }
}

std::string fish_script(std::span<const VerbDescription> verbs) {
  std::string text =
      "# Completion of repose for fish. To use it: repose completion fish | source\n"
      "complete -c repose -f\n";
  for (const VerbDescription& verb : verbs) {
    text += fmt::format("complete -c repose -n __fish_use_subcommand -a {} -d '{}'\n", verb.verb,
                        short_help(verb.purpose));
    const std::string when = fmt::format("complete -c repose -n '__fish_seen_subcommand_from {}'", verb.verb);
    text += when + " -l help -d 'shows the options'\n";
    for (const OptionDescription& option : verb.options) {
      const bool is_long = option.name.starts_with("--");
      text +=
          fmt::format("{} {} {}{} -d '{}'\n", when, is_long ? "-l" : "-s",
                      option.name.substr(is_long ? 2 : 1), fish_values(option.unit), short_help(option.help));
    }
    const std::string argument = argument_of(verb);
    if (!argument.empty()) text += when + fish_values(argument) + "\n";
  }
  return text;
}

}  // namespace

std::span<const std::string_view> completion_shells() {
  static constexpr std::array<std::string_view, 3> kShells{"bash", "zsh", "fish"};
  return kShells;
}

std::string completion_script(std::string_view shell, std::span<const VerbDescription> verbs) {
  if (shell == "zsh") return zsh_script(verbs);
  if (shell == "fish") return fish_script(verbs);
  return bash_script(verbs);
}

}  // namespace repose::command
