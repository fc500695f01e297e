#include "arguments.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

#include "wrap.h"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/text.h"

namespace repose::command {
namespace {

struct Option {
  std::string name;  ///< as it is typed: "--frames", "-o"
  std::string unit;  ///< what follows it: "N", "DIR"; empty for a flag
  std::string help;
  bool repeatable = false;
  std::vector<std::string> values;               ///< as given
  std::function<void(const std::string&)> take;  ///< checks one value and keeps it; not for flags
};

struct Group {
  std::string title;
  std::vector<std::unique_ptr<Option>> options;
};

struct Positional {
  std::string name, help;
  std::string* value;
};

struct Example {
  std::string command, meaning;
};

[[noreturn]] void fail(const std::string& text) { throw Error(ExitCode::usage, text); }

/// The whole of `text` as a number; false where anything else stands in it.
template <class T>
bool parse_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

struct Arguments::Parts {
  std::string verb, purpose;
  CLI::App app;
  std::vector<Positional> positionals;
  std::vector<Group> groups;
  std::vector<Example> examples;

  Option& add(const std::string& name, std::string_view unit, std::string_view help) {
    if (groups.empty()) groups.push_back({"Options", {}});
    groups.back().options.push_back(std::make_unique<Option>());
    Option& option = *groups.back().options.back();
    option.name = name;
    option.unit = unit;
    option.help = help;
    return option;
  }
  Option& add_valued(const std::string& name, std::string_view unit, std::string_view help) {
    Option& option = add(name, unit, help);
    CLI::Option* handle = app.add_option(name, option.values)->expected(1)->allow_extra_args(false);
    handle->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    return option;
  }

  VerbDescription describe() const;
  void refuse_flag_values(std::span<const std::string> words) const;
  void check_unknown(const std::vector<std::string>& left) const;
  void take_positionals(const std::vector<std::string>& words) const;
};

/// CLI11 reports a flag with a value (--resume=yes) as a missing value.
void Arguments::Parts::refuse_flag_values(std::span<const std::string> words) const {
  for (const Group& group : groups)
    for (const auto& option : group.options)
      for (const std::string& word : words)
        if (!option->take && word.starts_with(option->name + "="))
          fail(fmt::format("{} takes no value, found '{}'", option->name, word));
}

/// Says which word is no option of this verb, and which one is nearest.
void Arguments::Parts::check_unknown(const std::vector<std::string>& left) const {
  std::vector<std::string_view> known{"--help"};
  for (const Group& group : groups)
    for (const auto& option : group.options) known.push_back(option->name);
  for (const std::string& word : left) {
    if (word == "--") return;  // what follows it are arguments, whatever they begin with
    if (word.size() < 2 || word[0] != '-') continue;
    const std::string name = word.substr(0, word.find('='));
    const std::string nearest = name.starts_with("--") ? nearest_word(name, known) : std::string();
    fail(nearest.empty() ? fmt::format("unknown option '{}'; repose {} --help lists the options", name, verb)
                         : fmt::format("unknown option '{}': did you mean '{}'?", name, nearest));
  }
}

void Arguments::Parts::take_positionals(const std::vector<std::string>& words) const {
  for (std::size_t i = 0; i < positionals.size(); ++i) {
    if (i >= words.size() || words[i].empty())
      fail(fmt::format("{} is missing: {}", positionals[i].name, positionals[i].help));
    *positionals[i].value = words[i];
  }
  if (words.size() > positionals.size())
    fail(fmt::format("one argument too many: '{}'; repose {} --help shows the usage",
                     words[positionals.size()], verb));
}

Arguments::Arguments(std::string_view verb, std::string_view purpose) : parts_(std::make_unique<Parts>()) {
  parts_->verb = verb;
  parts_->purpose = purpose;
  parts_->app.set_help_flag();
  parts_->app.allow_extras();
}

Arguments::~Arguments() = default;

void Arguments::positional(std::string_view name, std::string& value, std::string_view help) {
  parts_->positionals.push_back({std::string(name), std::string(help), &value});
}

void Arguments::group(std::string_view title) { parts_->groups.push_back({std::string(title), {}}); }

void Arguments::flag(const std::string& name, bool& value, std::string_view help) {
  parts_->add(name, "", help);
  parts_->app.add_flag(name, value)->disable_flag_override();
}

void Arguments::text(const std::string& name, std::string_view unit, std::string& value,
                     std::string_view help) {
  parts_->add_valued(name, unit, help).take = [name, &value,
                                               unit = std::string(unit)](const std::string& given) {
    if (given.empty() || given[0] == '-') fail(fmt::format("{} needs {}, found '{}'", name, unit, given));
    value = given;
  };
}

void Arguments::texts(const std::string& name, std::string_view unit, std::vector<std::string>& values,
                      std::string_view help) {
  Option& option = parts_->add_valued(name, unit, help);
  option.repeatable = true;
  option.take = [&values](const std::string& given) { values.push_back(given); };
}

void Arguments::whole_number(const std::string& name, std::string_view unit, std::optional<int>& value,
                             int least, std::string_view help) {
  parts_->add_valued(name, unit, help).take = [name, &value, least](const std::string& given) {
    int number = 0;
    if (!parse_number(given, number) || number < least)
      fail(fmt::format("{} needs a whole number of at least {}, found '{}'", name, least, given));
    value = number;
  };
}

void Arguments::number(const std::string& name, std::string_view unit, std::optional<double>& value,
                       double least, std::string_view help) {
  parts_->add_valued(name, unit, help).take = [name, &value, least](const std::string& given) {
    double number = 0;
    if (!parse_number(given, number) || !std::isfinite(number) || number < least)
      fail(fmt::format("{} needs a number of at least {}, found '{}'", name, least, given));
    value = number;
  };
}

void Arguments::frames(FrameRange& value, std::string_view help) {
  parts_->add_valued("--frames", "A-B[:STEP]", help).take = [&value](const std::string& given) {
    value = parse_frame_range(given);
  };
}

void Arguments::example(std::string_view command, std::string_view meaning) {
  parts_->examples.push_back({std::string(command), std::string(meaning)});
}

VerbDescription Arguments::Parts::describe() const {
  VerbDescription description;
  description.verb = verb;
  description.purpose = purpose;
  for (const Positional& positional : positionals) description.positionals.push_back(positional.name);
  for (const Group& group : groups)
    for (const auto& option : group.options)
      description.options.push_back({option->name, option->unit, option->help, option->repeatable});
  return description;
}

bool Arguments::read(std::span<const std::string> words) {
  if (words.size() == 1 && words[0] == kDescribe) throw parts_->describe();
  for (const std::string& word : words) {
    if (word == "--") break;
    if (word == "--help" || word == "-h") return false;
  }
  parts_->refuse_flag_values(words);
  // CLI11 hands an option the next word, whatever it is; only at the end of the line none may be left.
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  try {
    parts_->app.parse(reversed);
  } catch (const CLI::ArgumentMismatch&) {
    fail(fmt::format("{} needs a value; repose {} --help shows which", words.back(), parts_->verb));
  } catch (const CLI::ParseError& error) {
    fail(fmt::format("{}; repose {} --help shows the options", error.what(), parts_->verb));
  }
  std::vector<std::string> left = parts_->app.remaining();
  parts_->check_unknown(left);
  if (const auto mark = std::find(left.begin(), left.end(), "--"); mark != left.end()) left.erase(mark);
  for (const Group& group : parts_->groups)
    for (const auto& option : group.options) {
      if (option->take && !option->repeatable && option->values.size() > 1)
        fail(fmt::format("{} is given more than once", option->name));
      for (const std::string& value : option->values) option->take(value);
    }
  parts_->take_positionals(left);
  return true;
}

std::string Arguments::help() const {
  constexpr std::size_t kTextColumn = 24, kMeaningColumn = 56;
  std::string usage = fmt::format("repose {}", parts_->verb);
  for (const Positional& positional : parts_->positionals) usage += " " + positional.name;
  std::string out = fmt::format("{}\n\nUsage: {} [options]\n", parts_->purpose, usage);
  if (!parts_->positionals.empty()) out += '\n';
  for (const Positional& positional : parts_->positionals)
    out += wrapped("  " + positional.name, kTextColumn, positional.help);
  for (const Group& group : parts_->groups) {
    out += fmt::format("\n{}\n", group.title);
    for (const auto& option : group.options)
      out += wrapped(fmt::format("  {} {}", option->name, option->unit), kTextColumn, option->help);
  }
  if (!parts_->examples.empty()) out += "\nExamples\n";
  for (const Example& example : parts_->examples)
    out += example.meaning.empty() ? fmt::format("  {}\n", example.command)
                                   : wrapped("  " + example.command, kMeaningColumn, "# " + example.meaning);
  return out;
}

}  // namespace repose::command
