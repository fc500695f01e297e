#!/bin/sh
# Installs the Debian packages that Repose is built with: only those that are missing, and it says which.
# This file is the one list of them.
#
#   tools/setup.sh [GROUP ...]         install what the groups need (default: build)
#   tools/setup.sh --list [GROUP ...]  only print the packages
#
# Groups: build (compile), test (independent readers of Repose's files), film (make mp4 files), bench, peers (programs that
# Repose is timed against), lint (format, lint, fuzz), all (but peers).
# REPOSE_SETUP=skip leaves the system alone: for systems where the packages have other names.
set -eu

packages() {
  case $1 in
    build) echo g++ cmake ninja-build make ccache python3 \
      libtbb-dev libimath-dev libfmt-dev libtomlplusplus-dev libcli11-dev nlohmann-json3-dev libpng-dev \
      libembree-dev libassimp-dev libopenexr-dev libopenvdb-dev libboost-iostreams-dev zlib1g-dev libgtest-dev ;;
    test) echo python3-numpy python3-meshio python3-vtk9 ;;
    film) echo ffmpeg ;;
    bench) echo libbenchmark-dev ;;
    peers) echo lammps openmpi-bin ;;
    # The rt package holds the runtimes of libFuzzer and the sanitizers; clang only recommends it.
    lint) echo git clang libclang-rt-14-dev clang-format clang-tidy ;;
    all) packages build; packages test; packages film; packages bench; packages lint ;;
    *) echo "setup: unknown group '$1' (build, test, film, bench, peers, lint, all)" >&2; exit 2 ;;
  esac
}

list_only=no
if [ "${1:-}" = --list ]; then
  list_only=yes
  shift
fi
[ $# -gt 0 ] || set -- build
wanted=
for group in "$@"; do
  names=$(packages "$group")
  wanted="$wanted $(echo $names)"
done
if [ $list_only = yes ]; then
  printf '%s\n' $wanted
  exit 0
fi
[ "${REPOSE_SETUP:-}" != skip ] || exit 0

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  cat >&2 <<END
setup: this system has no apt-get, so nothing was installed. Repose needs what these Debian 12 packages hold:
   $wanted
Install them under the names they have here, then run the same command again with REPOSE_SETUP=skip in front.
END
  exit 1
fi

installed=$(dpkg-query -W -f '${db:Status-Abbrev}|${Package}|\n' $wanted 2>/dev/null || true)
missing=
for name in $wanted; do
  case "$installed" in
    *"ii |$name|"*) ;;
    *) missing="$missing $name" ;;
  esac
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "setup: packages are missing, and there is no sudo to install them with. As root, run:" >&2
    echo "   apt-get install --no-install-recommends$missing" >&2
    exit 1
  fi
  as_root=sudo
fi
echo "setup: installing (this can take some minutes)$missing"
# The lists of a fresh machine are empty, and those of an old one point at versions that are gone.
$as_root apt-get update -qq || echo "setup: could not refresh the package lists, going on with those at hand" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing \
    >"$log" 2>&1; then
  cat "$log" >&2
  echo "setup: apt-get failed (see above). Repose is tested on Debian 12, where all of these packages exist." >&2
  exit 1
fi
echo "setup: done"
