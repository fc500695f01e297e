#!/usr/bin/python3
"""clang-tidy (rules: .clang-tidy) over all source files that the build folder knows, on all cores.

usage: tools/lint.py [--seconds N] [--files PATTERN] BUILD

The files changed last come first. With --seconds, no further file is started after that time, and the files left out
are counted: what was touched is looked at even where there is no time for everything. Exits with 1 on any finding.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def last_changes():
    """Commit time by path; files with uncommitted changes are newest."""
    log = subprocess.run(["git", "-C", ROOT, "log", "--format=@%ct", "--name-only", "--no-renames"],
                         capture_output=True, text=True, check=False).stdout
    times, when = {}, 0
    for line in log.splitlines():
        if line.startswith("@"):
            when = int(line[1:])
        elif line:
            times.setdefault(line, when)
    status = subprocess.run(["git", "-C", ROOT, "status", "--porcelain"], capture_output=True, text=True,
                            check=False).stdout
    for line in status.splitlines():
        times[line[3:]] = time.time()
    return times


def sources(build, pattern):
    commands = json.loads((build / "compile_commands.json").read_text())
    paths = {pathlib.Path(entry["directory"], entry["file"]).resolve() for entry in commands}
    inside = sorted(str(path.relative_to(ROOT)) for path in paths if path.is_relative_to(ROOT))
    times = last_changes()
    chosen = [path for path in inside if re.search(pattern, path) and not path.startswith("build")]
    return sorted(chosen, key=lambda path: -times.get(path, 0))


def tidy(build, path, deadline):
    """What clang-tidy finds in one file: "" when all is well, None when there was no time left."""
    if time.monotonic() > deadline:
        return None
    result = subprocess.run(["clang-tidy", "--quiet", "--warnings-as-errors=*", "-p", build, ROOT / path],
                            capture_output=True, text=True, check=False)
    return result.stdout + (result.stderr if not result.stdout else "") if result.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--files", default="", metavar="PATTERN", help="only paths that match this expression")
    options = parser.parse_args()

    files = sources(options.build, options.files)
    if not files:
        print("lint: no file to look at")
        return 1
    start = time.monotonic()
    bad = left_out = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for text in pool.map(lambda path: tidy(options.build, path, start + options.seconds), files):
            left_out += text is None
            if text:
                bad += 1
                print(text, flush=True)
    print(f"lint: {len(files) - left_out} files in {time.monotonic() - start:.0f} s, {bad} with findings"
          + (f", {left_out} left out for want of time" if left_out else ""))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
