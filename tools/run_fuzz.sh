#!/bin/sh
# Runs every fuzz target of a folder. Each stops after FUZZ_SECONDS (60), or after FUZZ_RUNS inputs if that is
# set; FUZZ_SEED=N draws the same inputs again. A crash, a leak or an input that takes longer than 10 s fails,
# and the input is kept.
# A target that takes long for an input (one that starts processes, or steps a solver) runs a share of FUZZ_RUNS:
# tests/fuzz/TARGET.share holds what it is divided by.
# Seeds come from tests/fuzz/seeds/TARGET/ and, for the scene reader, from the examples.
# usage: tools/run_fuzz.sh build-fuzz/fuzz
set -eu
folder=$1
root=$(dirname "$0")/..
seed="-seed=${FUZZ_SEED:-0}"  # 0: by the clock
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1

ran=0
for target in "$folder"/*_fuzz; do
  [ -x "$target" ] || continue
  name=$(basename "$target")
  corpus=$folder/corpus/$name
  mkdir -p "$corpus" "$folder/found"
  share=1
  [ ! -f "$root/tests/fuzz/$name.share" ] || share=$(cat "$root/tests/fuzz/$name.share")
  limit="-max_total_time=${FUZZ_SECONDS:-60}"
  [ -z "${FUZZ_RUNS:-}" ] || limit="-runs=$((FUZZ_RUNS / share))"
  seeds=
  [ ! -d "$root/tests/fuzz/seeds/$name" ] || seeds=$root/tests/fuzz/seeds/$name
  [ "$name" != scene_fuzz ] || [ ! -d "$root/examples" ] || seeds="$seeds $root/examples"
  dictionary=
  [ ! -f "$root/tests/fuzz/$name.dict" ] || dictionary=-dict=$root/tests/fuzz/$name.dict
  echo "fuzz: $name, $limit $seed"
  log=$folder/$name.log
  if ! "$target" "$limit" "$seed" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=1 $dictionary \
      -artifact_prefix="$folder/found/$name-" "$corpus" $seeds >"$log" 2>&1; then
    tail -n 60 "$log"
    echo "fuzz: $name failed; the input is under $folder/found/, the whole log in $log" >&2
    exit 1
  fi
  grep -E '^stat::number_of_executed_units|^stat::average_exec_per_sec|^stat::slowest_unit' "$log" | sed 's/^stat::/  /'
  ran=$((ran + 1))
done
if [ $ran -eq 0 ]; then
  echo "fuzz: no target NAME_fuzz in $folder" >&2
  exit 1
fi
