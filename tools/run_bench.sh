#!/bin/sh
# Runs every benchmark program of a folder and keeps the results as JSON. A program that exits with an error
# (a gate that does not hold) fails the whole run, after all others have run.
# usage: tools/run_bench.sh build/bench bench/out
set -eu
programs=$1
results=$2
mkdir -p "$results"
ran=0
failed=
for program in "$programs"/bench_*; do
  [ -x "$program" ] || continue
  name=$(basename "$program")
  echo "== $name"
  "$program" --benchmark_out="$results/$name.json" --benchmark_out_format=json || failed="$failed $name"
  ran=$((ran + 1))
done
if [ $ran -eq 0 ]; then
  echo "bench: no program bench_* in $programs" >&2
  exit 1
fi
if [ -n "$failed" ]; then
  echo "bench: failed:$failed" >&2
  exit 1
fi
