#!/usr/bin/env python3
"""Compares the time that `repose check` states with the time that runs take.

    tools/measure_check.py [--repose build/repose] [--out out/check] [SCENE ...]

Each scene (default: all examples but those that are `-full`) runs once, on one thread, without pictures; then
three of its pictures are made, and their time is multiplied by the number of all. What counts is processor
time, so that other work on the machine matters little, and `check` is asked for one core. Rows are added to
OUT/rows.jsonl as they come; scenes that are in it already are not run again. At the end the table is printed
as docs/command.md has it: seconds of one core, stated by check and measured, and stated over measured.
With --stated only `check` is asked again and compared with the measurements in that file.
"""

import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def call(command, log):
    """Exit code, and the processor time of a command and of what it starts [s]."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(log, "ab") as out:
        code = subprocess.run([str(word) for word in command], stdout=out, stderr=out, check=False).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return code, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def stated(repose, scene):
    """What `check` says for one core."""
    one_core = {min(os.sched_getaffinity(0))}
    text = subprocess.run([str(repose), "check", "--json", str(scene)], capture_output=True, check=True,
                          preexec_fn=lambda: os.sched_setaffinity(0, one_core)).stdout
    return json.loads(text)


def column_sum(table, name):
    rows = [row.split(",") for row in table.read_text().splitlines()]
    column = rows[0].index(name)
    return sum(float(row[column]) for row in rows[1:])


def measure(repose, scene, out):
    """One row of measurements; the run folder stays for a look at its checks and pictures."""
    folder, log = out / scene.stem, out / (scene.stem + ".log")
    shutil.rmtree(folder, ignore_errors=True)
    code, run = call([repose, "run", scene, "-o", folder, "--no-render", "--threads", "1", "--checkpoint", "1e9"],
                     log)
    if code not in (0, 5):  # 5: a [check] of the scene failed, and the run is whole
        return {"scene": scene.stem, "exit": code}
    images = len(list((folder / "particles").glob("particles.*.ply")))
    last = int(max((folder / "particles").glob("particles.*.ply")).name.split(".")[1])
    half = max(1, last // 2)
    code_images, three = call([repose, "render", folder, "--no-film", "--threads", "1", "--frames",
                               f"0-{2 * half}:{half}"], log)
    return {"scene": scene.stem, "exit": code, "run": run, "steps": column_sum(folder / "stats.csv", "steps"),
            "pictures": three / 3 * images if code_images == 0 else None}


def print_table(rows, repose, scenes):
    print("| scene | steps stated | taken | run stated | taken | pictures stated | taken | all: stated over taken |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    within = count = 0
    for scene in scenes:
        row = rows.get(scene.stem)
        if row is None or row.get("pictures") is None:
            continue
        said = stated(repose, scene)
        run = said["set_up_seconds"] + said["step_seconds"]
        ratio = said["seconds"] / (row["run"] + row["pictures"])
        count += 1
        within += 0.5 <= ratio <= 2
        print(f"| {scene.stem} | {said['steps']:.0f} | {row['steps']:.0f} | {run:.0f} s | {row['run']:.0f} s | "
              f"{said['picture_seconds']:.0f} s | {row['pictures']:.0f} s | {ratio:.2f} |", flush=True)
    print(f"\nwithin a factor of two: {within} of {count}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repose", default=ROOT / "build/repose", type=pathlib.Path)
    parser.add_argument("--out", default=ROOT / "out/check", type=pathlib.Path)
    parser.add_argument("--stated", action="store_true", help="ask check again, run nothing")
    parser.add_argument("scenes", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    scenes = args.scenes or sorted(s for s in (ROOT / "examples").glob("*.toml") if not s.stem.endswith("-full"))
    file = args.out / "rows.jsonl"
    rows = {}
    if file.exists():
        rows = {row["scene"]: row for row in map(json.loads, file.read_text().splitlines())}
    for scene in scenes:
        if args.stated or scene.stem in rows:
            continue
        rows[scene.stem] = measure(args.repose, scene, args.out)
        with open(file, "a", encoding="utf-8") as out:
            out.write(json.dumps(rows[scene.stem]) + "\n")
    print_table(rows, args.repose, scenes)


if __name__ == "__main__":
    main()
