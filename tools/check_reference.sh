#!/bin/sh
# Fails where docs/scene-reference.md is not what the table of scene keys says now.
# usage: tools/check_reference.sh build/repose
set -eu
command=$1
page=$(dirname "$0")/../docs/scene-reference.md
now=$(mktemp)
trap 'rm -f "$now"' EXIT
"$command" reference >"$now"
if ! diff -u "$page" "$now"; then
  echo "docs/scene-reference.md is out of date: run 'make docs' and commit the result" >&2
  exit 1
fi
