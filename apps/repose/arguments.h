#pragma once
// One verb's command line: declared once, used for reading, for the messages when it is wrong, and for the
// help text. CLI11 cuts the words into options and arguments; what people read is written here, since its own
// messages neither name the nearest option nor keep to the exit codes (and it reports a wrong verb as a
// missing one).

#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "repose/pipeline/later/frame_range.h"

namespace repose::command {

struct OptionDescription {
  std::string name, unit, help;  ///< unit: what follows it ("N", "DIR", "z|y"); empty for a flag
  bool repeatable = false;
};

/// What a verb takes. Arguments::read() throws it where the only word is kDescribe: so the verbs' own
/// declarations are the table that shell completion is made from.
struct VerbDescription : std::exception {
  std::string verb, purpose;
  std::vector<std::string> positionals;
  std::vector<OptionDescription> options;
};
inline constexpr std::string_view kDescribe = "--describe-to-the-completion";

class Arguments {
 public:
  Arguments(std::string_view verb, std::string_view purpose);
  ~Arguments();

  /// An argument without a name; `name` is how messages and help call it ("SCENE").
  void positional(std::string_view name, std::string& value, std::string_view help);
  /// Starts a group of options in the help text.
  void group(std::string_view title);
  void flag(const std::string& name, bool& value, std::string_view help);
  void text(const std::string& name, std::string_view unit, std::string& value, std::string_view help);
  void texts(const std::string& name, std::string_view unit, std::vector<std::string>& values,
             std::string_view help);
  void whole_number(const std::string& name, std::string_view unit, std::optional<int>& value, int least,
                    std::string_view help);
  void number(const std::string& name, std::string_view unit, std::optional<double>& value, double least,
              std::string_view help);
  /// `--frames A-B[:STEP]`.
  void frames(FrameRange& value, std::string_view help);
  void example(std::string_view command, std::string_view meaning);

  /// Reads the words after the verb into the variables given above. False: `--help` is among them, and
  /// nothing was read. Throws Error(usage).
  bool read(std::span<const std::string> words);
  std::string help() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace repose::command
