#include <string>
#include <vector>

#include "signals.h"
#include "verbs.h"

#include "repose/core/huge_pages.h"

int main(int argc, char** argv) {
  repose::restart_on_huge_pages(argv);
  repose::command::survive_failed_writes();
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  return repose::command::run_command(words);
}
