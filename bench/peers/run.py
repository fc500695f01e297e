#!/usr/bin/python3
"""Times Repose against LAMMPS on the same settled beds; `make bench-peers` builds what it needs and calls it.

   run.py [--beds spheres,tetrahedra] [--repeats N] [--steps N] [--processes N]

Makes the beds on the first run (some minutes) and keeps them in bench/out/peers/. Programs take turns, round by round,
so that what else the machine does meets all of them; the best round counts. The table goes to the terminal and to
bench/out/peers/results.json. Exits with 1 where the programs do not see the same contacts, or where Repose as built for
this machine misses its goal. README.md tells what is compared.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

import beds

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OUT = ROOT / "bench" / "out" / "peers"

WARM = 100                 # steps before the clock starts
SAME_CONTACTS = 0.02       # how far the numbers of contacts may be apart, as a share
# Builds of Repose: name in the table, folder.
BUILDS = [("native", ROOT / "build"), ("portable", ROOT / "build-portable")]
# Laws of Repose, with what they change in bed.toml; README.md tells where the numbers come from. In braces: of the bed.
LAWS = {
    "Mindlin": ["solver.dem.normal='hertz-viscoelastic'", "solver.dem.attraction=true", "solver.dem.damping={damping}",
                "solver.dem.tangential='mindlin'", "solver.dem.damping_t={damping_t}"],
    "eq. 18": ["solver.dem.tangential='coulomb-viscous'"],
}
BUSY = 0.95                # share of its cores that a program must have had, or the table says that the machine was busy
BEDS = {
    "spheres": {
        "grain": 1, "loose": ((40, 40, 32), 50000, 2.08e-3), "settling": (11000, 1000), "grains": 200000, "goal": 3,
        "damping": 4.0978, "damping_t": 4.31e-3, "scene": [],
    },
    "tetrahedra": {
        "grain": 4, "loose": ((22, 22, 24), 11374, 4.0e-3), "settling": (14000, 1000), "grains": 45494, "goal": 6,
        "damping": 16.391, "damping_t": 2.065e-2,
        "scene": ["material.glass.grain='clump'", "solver.spacing=3.95959179422654e-3"],
    },
}


def lammps(grain, data, warm, steps, processes, save=None):
    """Runs bed.lmp; the seconds of the timed part, spheres, and contacts at its begin and end."""
    command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "core", "-np", str(processes),
               "lmp", "-in", HERE / "bed.lmp", "-log", "none", "-var", "grain", str(grain), "-var", "data", data,
               "-var", "warm", str(warm), "-var", "steps", str(steps)]
    if save:
        command += ["-var", "save", "1", "-var", "to", save]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=OUT)
    if done.returncode != 0:
        sys.exit(f"run.py: LAMMPS failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    # Step, spheres, energy, contacts of a sphere, height; at the begin and end of both runs. The count at the begin of
    # the second run is made before the lists of neighbours are, so that at the end of the first one is taken.
    rows = [line.split() for line in done.stdout.splitlines() if re.fullmatch(r"\s*\d+\s+\d+(\s+\S+){3}\s*", line)]
    seconds = float(re.findall(r"Loop time of (\S+)", done.stdout)[-1])
    spheres = int(rows[-1][1])
    use = float(re.findall(r"([0-9.]+)% CPU use", done.stdout)[-1])
    return {"seconds": seconds, "cpu_use": 0.01 * use, "spheres": spheres, "contacts_before": 0.5 * spheres * float(rows[1][3]),
            "contacts_after": 0.5 * spheres * float(rows[3][3])}


def repose(build, bed, name, law, steps, threads):
    size = ", ".join(repr(length) for length in bed["size"])
    command = [build / "bench" / "peers_step_scene", HERE / "bed.toml", threads, WARM, steps,
               f"fill.bed.file='{OUT / name}.csv'", f"domain.max=[{size}]", *bed["scene"],
               *(change.format(**bed) for change in LAWS[law])]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"run.py: Repose failed:\n{done.stderr}")
    result = json.loads(done.stdout)
    result["cpu_use"] = result["cpu_seconds"] / (result["seconds"] * threads)
    return result


def make_bed(name, bed, processes):
    """The settled, tiled bed: NAME.data for LAMMPS, NAME.csv for Repose."""
    data, table = OUT / f"{name}.data", OUT / f"{name}.csv"
    if not (data.exists() and table.exists()):
        OUT.mkdir(parents=True, exist_ok=True)
        settled = OUT / f"{name}.settled"
        if not settled.exists():
            print(f"{name}: LAMMPS settles {bed['loose'][1]} grains (some minutes, once)", flush=True)
            loose = OUT / f"{name}.loose"
            beds.write_lammps(beds.loose_bed(bed["grain"], *bed["loose"]), loose)
            lammps(bed["grain"], loose, *bed["settling"], processes, save=f"{settled}.part")
            os.replace(f"{settled}.part", settled)
        tiled = beds.tiled(beds.read_lammps(settled, bed["grain"]), 2, bed["grains"])
        for write, path in ((beds.write_repose, table), (beds.write_lammps, data)):
            write(tiled, f"{path}.part")
            os.replace(f"{path}.part", path)
    bed["size"] = read_size(data)


def read_size(data):
    size = []
    with open(data) as lines:
        for line in lines:
            if line.rstrip().endswith("hi"):
                size.append(float(line.split()[1]))
            if len(size) == 3:
                return size
    sys.exit(f"run.py: {data} has no box; remove it and run again")


def best(rounds):
    return min(rounds, key=lambda one: one["seconds"])


def compare(name, bed, options):
    """All rounds of a bed; rows of the table, LAMMPS first."""
    steps, rounds = options.steps, {}
    for _ in range(options.repeats):
        rounds.setdefault(("LAMMPS", "", "Mindlin"), []).append(
            lammps(bed["grain"], OUT / f"{name}.data", WARM, steps, options.processes))
        for build, folder in BUILDS:
            for law in LAWS:
                rounds.setdefault(("Repose", build, law), []).append(
                    repose(folder, bed, name, law, steps, options.processes))
    rows = []
    for (program, build, law), results in rounds.items():
        result = best(results)
        rate = result["spheres"] * steps / result["seconds"]
        rows.append({"bed": name, "program": program, "build": build, "law": law, "rate": rate, **result,
                     "all_seconds": [one["seconds"] for one in results]})
    for row in rows:
        row["ratio"] = row["rate"] / rows[0]["rate"]
    return rows


def complaints(rows, goal):
    """What the comparison may not hide."""
    found = []
    if min(row["cpu_use"] for row in rows) < BUSY:
        found.append(f"{rows[0]['bed']}: the machine was busy with other work; ratios say little")
    for row in rows[1:]:
        for when in ("contacts_before", "contacts_after"):
            if abs(row[when] / rows[0][when] - 1) > SAME_CONTACTS:
                found.append(f"{row['bed']}, {row['law']}: {when.replace('_', ' ')} are {row[when]:.0f}, in LAMMPS "
                             f"{rows[0][when]:.0f}")
        if row["build"] == BUILDS[0][0] and row["ratio"] < goal:
            found.append(f"{row['bed']}, {row['law']}: {row['ratio']:.2f} times LAMMPS; the goal is {goal}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beds", default=",".join(BEDS), help="which beds, divided by commas")
    parser.add_argument("--repeats", type=int, default=5, help="rounds (default 5)")
    parser.add_argument("--steps", type=int, default=200, help="timed steps of a round (default 200)")
    parser.add_argument("--processes", type=int, default=2, help="ranks of LAMMPS, threads of Repose (default 2)")
    options = parser.parse_args()
    all_rows, wrong = [], []
    print(f"{'bed':11s} {'program':7s} {'build':9s} {'friction':9s} {'sphere-steps/s':>14s} {'times':>6s} "
          f"{'spheres':>8s} {'contacts before':>15s} {'after':>8s} {'CPU use':>8s}", flush=True)
    for name in options.beds.split(","):
        bed = BEDS[name]
        make_bed(name, bed, options.processes)
        rows = compare(name, bed, options)
        for row in rows:
            print(f"{row['bed']:11s} {row['program']:7s} {row['build']:9s} {row['law']:9s} {row['rate']:14.3e} "
                  f"{row['ratio']:6.2f} {row['spheres']:8d} {row['contacts_before']:15.0f} "
                  f"{row['contacts_after']:8.0f} {100 * row['cpu_use']:7.0f}%", flush=True)
        wrong += complaints(rows, bed["goal"])
        all_rows += rows
    (OUT / "results.json").write_text(json.dumps(all_rows, indent=1) + "\n")
    for text in wrong:
        print("run.py:", text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
