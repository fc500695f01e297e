#include <string>
#include <vector>

#include "console.h"
#include "signals.h"
#include "verbs.h"

int main(int argc, char** argv) {
  repose::command::open_closed_streams();
  repose::command::survive_failed_writes();
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  return repose::command::run_command(words);
}
