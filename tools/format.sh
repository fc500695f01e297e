#!/bin/sh
# clang-format over all C++ files of the tree. --check only reports, and fails where a file would change.
set -eu
cd "$(dirname "$0")/.."
case ${1:-} in
  --check) action="--dry-run -Werror" ;;
  "") action=-i ;;
  *) echo "usage: tools/format.sh [--check]" >&2; exit 2 ;;
esac
git ls-files -z --cached --others --exclude-standard -- '*.h' '*.cpp' '*.h.in' | xargs -0 -r clang-format $action
