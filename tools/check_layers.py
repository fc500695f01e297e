#!/usr/bin/python3
"""Checks what each file of the tree may include, how long it may be, and that no two headers name a type alike.

usage: tools/check_layers.py [ROOT]

The rooms of src/repose/ stand in an order, and a file includes from its own room and from those before it only. The
stages after the solver (refine, surface, measure, render) see frames, never solvers. Some libraries, and threads, have
one place each, so that they can be exchanged there: LIBRARIES says which. Two types of one name in one namespace are
one to the linker, whatever they hold, though no file sees both. Exits with 1 when anything is amiss, one line
a finding.
"""

import pathlib
import re
import sys

# From the ground up. A room may include from itself and from every room before it ...
ROOMS = ["core", "math", "exec", "physics", "geometry", "scene", "particles", "grid", "bodies", "solvers",
         "refine", "surface", "measure", "render", "io", "pipeline"]
# ... but the stages after the solver read frames only, so that each runs again on a finished cache.
FORBIDDEN = {"refine": ["solvers"], "surface": ["solvers"], "measure": ["solvers"], "render": ["solvers"]}

# Headers of a library, and where they may be included: paths by how they begin; with "*.cpp" at the end, sources only.
LIBRARIES = [
    ("TBB", r"tbb/|oneapi/", ["src/repose/exec/*.cpp"]),
    ("Embree", r"embree\d*/", ["src/repose/render/*.cpp", "bench/"]),
    ("Assimp", r"assimp/", ["src/repose/geometry/mesh/*.cpp", "tests/unit/geometry/"]),
    ("OpenVDB", r"openvdb/", ["src/repose/io/*.cpp", "src/repose/io/vdb_archive.h",
                              "src/repose/io/particles/vdb_values.h", "tests/", "bench/"]),
    ("OpenEXR", r"OpenEXR/|Imf", ["src/repose/io/*.cpp", "tests/"]),
    ("toml++", r"toml\+\+|toml\.h", ["src/repose/scene/*.cpp"]),
    ("CLI11", r"CLI/", ["apps/repose/"]),
    ("nlohmann-json", r"nlohmann/", ["src/*.cpp", "apps/*.cpp", "tests/", "bench/"]),
    ("libpng", r"png\.h|libpng", ["src/repose/io/*.cpp", "tests/unit/io/"]),
    ("GoogleTest", r"gtest/|gmock/", ["tests/"]),
    ("Google Benchmark", r"benchmark/", ["bench/"]),
    ("threads of the standard library",
     r"(thread|mutex|shared_mutex|atomic|condition_variable|future|barrier|latch|semaphore|stop_token)$",
     ["src/repose/exec/", "tests/unit/exec/"]),
]
# Files outside exec/ that may include <atomic>, and what for.
ATOMICS = {
    "src/repose/pipeline/run/run.h": "the flag that Ctrl-C sets",
    "src/repose/pipeline/later/export_run.h": "the flag that Ctrl-C sets",
    "src/repose/pipeline/later/measure_run.h": "the flag that Ctrl-C sets",
    "src/repose/pipeline/later/render_run.h": "the flag that Ctrl-C sets",
    "src/repose/pipeline/later/refine_run.h": "the flag that Ctrl-C sets",
    "src/repose/pipeline/later/sheet.h": "the flag that Ctrl-C sets",
    "src/repose/pipeline/later/surface_run.h": "the flag that Ctrl-C sets",
    "apps/repose/signals.h": "the flag that Ctrl-C sets",
    "src/repose/particles/neighbors.cpp": "claiming the places of a hash table that is filled in parallel",
}
# Of these, one file of src/ at most knows the library.
ONE_FILE = ["Embree", "Assimp"]

MAX_LINES = 600
SOURCE_FOLDERS = ["src", "apps", "tests", "bench"]
INCLUDE = re.compile(r'^\s*#\s*include\s*(<|")([^>"]+)[>"]')
# Of namespace repose itself: nested types and those of inner namespaces are indented or rare enough to look at.
TYPE = re.compile(r"^(?:struct|class|enum class) (?:alignas\([^)]*\) )?([A-Z]\w*)(?: final)?(?: : [^;]*)? \{")
OPENMP = re.compile(r"^\s*#\s*pragma\s+omp\b")


def room_of(path):
    """The room that a file belongs to: src/repose/ROOM/...; None for apps, tests and bench, which may see all."""
    parts = path.split("/")
    return parts[2] if path.startswith("src/repose/") and len(parts) > 3 else None


def room_finding(path, header):
    """Why a file may not include "repose/ROOM/...", or None."""
    parts = header.split("/")
    if parts[0] != "repose" or len(parts) < 3:
        return None
    target, room = parts[1], room_of(path)
    if target not in ROOMS:
        return f"'{header}': there is no room '{target}' (tools/check_layers.py lists the rooms)"
    if room is None or target == room:
        return None
    if ROOMS.index(target) > ROOMS.index(room):
        return f"'{header}': {room} stands below {target} and may not include from it"
    if target in FORBIDDEN.get(room, []):
        return f"'{header}': {room} may not include from {target}"
    return None


def allowed(path, places):
    for place in places:
        if place.endswith("*.cpp"):
            if path.startswith(place[: -len("*.cpp")]) and path.endswith(".cpp"):
                return True
        elif path.startswith(place):
            return True
    return False


def library_finding(path, header):
    """Why a file may not include this header of a library, or None."""
    if header == "atomic" and path in ATOMICS:
        return None
    for name, pattern, places in LIBRARIES:
        if re.match(pattern, header) and not allowed(path, places):
            return f"<{header}>: {name} may be included by {' '.join(places)} only"
    return None


def check_file(path, text):
    """All findings about one file, as "path:line: what"."""
    lines = text.splitlines()
    findings = []
    room = room_of(path)
    if room is not None and room not in ROOMS:
        findings.append(f"{path}:1: '{room}' is no room that tools/check_layers.py knows")
        return findings
    for number, line in enumerate(lines, 1):
        if OPENMP.match(line):
            findings.append(f"{path}:{number}: OpenMP: work in parallel through repose/exec/threads.h")
        match = INCLUDE.match(line)
        if not match:
            continue
        for finding in (room_finding(path, match[2]), library_finding(path, match[2])):
            if finding:
                findings.append(f"{path}:{number}: {finding}")
        if match[1] == '"' and not match[2].startswith("repose/") and path.startswith("src/"):
            findings.append(f"{path}:{number}: '{match[2]}': write the path from the root, \"repose/ROOM/...\"")
    if len(lines) > MAX_LINES:
        findings.append(f"{path}:{MAX_LINES + 1}: {len(lines)} lines; a file has at most {MAX_LINES}")
    return findings


def check_single_files(texts):
    """Findings about libraries that only one file of src/ may know."""
    findings = []
    for name, pattern, _ in LIBRARIES:
        if name not in ONE_FILE:
            continue
        users = [path for path, text in texts.items() if path.startswith("src/")
                 and any(m and re.match(pattern, m[2]) for m in map(INCLUDE.match, text.splitlines()))]
        findings += [f"{path}:1: {name} is known to {users[0]} already; one file only" for path in users[1:]]
    return findings


def check_type_names(texts):
    """Findings about types that two headers of src/ define by the same name."""
    findings, first = [], {}
    for path, text in texts.items():
        if not (path.startswith("src/") and path.endswith(".h")):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            match = TYPE.match(line)
            if match and first.setdefault(match[1], path) != path:
                findings.append(f"{path}:{number}: {first[match[1]]} has a type {match[1]} already; rename one")
    return findings


def read_tree(root):
    """The text of every C++ file, by its path from the root."""
    return {file.relative_to(root).as_posix(): file.read_text(encoding="utf-8")
            for folder in SOURCE_FOLDERS for file in sorted((root / folder).rglob("*"))
            if file.name.endswith((".h", ".cpp", ".h.in"))}


def check_texts(texts):
    return [finding for path, text in texts.items() for finding in check_file(path, text)] + \
        check_single_files(texts) + check_type_names(texts)


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    texts = read_tree(root)
    findings = check_texts(texts)
    for finding in findings:
        print(finding)
    if not texts:
        print(f"layers: no source file under {root}")
        return 1
    print(f"layers: {len(texts)} files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
