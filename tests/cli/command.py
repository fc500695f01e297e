"""Drives the command as people do: a scratch folder, a scene in it, a command line, and what came back."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

COMMAND = os.environ.get("REPOSE_COMMAND", str(pathlib.Path(__file__).parents[2] / "build" / "repose"))
TIME_LIMIT = 300  # [s] a command; sanitizer builds are slow

# A heap that falls, a spout that pours on it, a drain that takes away and a paddle that turns: all that a
# checkpoint has to carry, in a few hundred grains.
SMALL_SCENE = """\
[scene]
version = 1
title = "A small heap"
duration = 0.25
fps = 24
seed = 7

[domain]
min = [-0.2, -0.2, 0]
max = [0.2, 0.2, 0.6]
x = "wall"
y = "wall"

[solver]
type = "dem"
spacing = 0.02

[material.sand]
preset = "dry sand"
young = 2e7

[fill.heap]
material = "sand"
shape = "box"
size = [0.12, 0.12, 0.12]
position = [0, 0, 0.1]
packing = "jittered"
[emitter.spout]
material = "sand"
shape = "cylinder"
radius = 0.04
height = 0.04
position = [0, 0, 0.4]
rate = 0.4
velocity = [0, 0, -1]

[sink.drain]
shape = "box"
size = [0.06, 0.4, 0.1]
position = [0.17, 0, 0.05]

[body.paddle]
shape = "box"
size = [0.2, 0.02, 0.04]
motion = "keyframed"
keyframes = [
  { t = 0, position = [0, 0.1, 0.03], rotation = [0, 0, 0] },
  { t = 0.25, position = [0.02, -0.05, 0.03], rotation = [0, 0, 90] },
  { t = 0.5, position = [-0.05, 0.1, 0.03], rotation = [0, 0, 180] },
]

[probe.level]
type = "flow"
shape = "plane"
position = [0, 0, 0.1]
interval = 0.013

[probe.push]
type = "force"
body = ["paddle", "domain.z-"]

[probe.middle]
type = "region"
shape = "sphere"
radius = 0.08
position = [0, 0, 0.05]
interval = 0.03
start = 0.02

[probe.heap]
type = "pile"
shape = "box"
size = [0.4, 0.4, 0.4]
interval = 0.05

[render]
size = [64, 48]
samples = 1
"""


class Result:
    def __init__(self, finished):
        self.code = finished.returncode
        self.out = finished.stdout.decode("utf-8", "replace")
        self.err = finished.stderr.decode("utf-8", "replace")

    def objects(self):
        """The JSON objects on stdout, one a line."""
        return [json.loads(line) for line in self.out.splitlines()]


class CommandTest(unittest.TestCase):
    """A test with a scratch folder of its own, which holds scene.toml (SMALL_SCENE)."""

    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="repose-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "scene.toml").write_text(SMALL_SCENE)

    def repose(self, *words, env=None, **options):
        """Runs the command in the scratch folder and waits for its end."""
        return Result(
            subprocess.run(
                [COMMAND, *map(str, words)],
                cwd=self.folder,
                env=dict(os.environ, **(env or {})),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                timeout=TIME_LIMIT,
                **options,
            )
        )

    def start(self, *words):
        """Starts the command and does not wait."""
        process = subprocess.Popen(
            [COMMAND, *map(str, words)],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.addCleanup(self.finish, process)
        return process

    @staticmethod
    def finish(process):
        """Ends a process if it still runs, and closes its pipes."""
        if process.poll() is None:
            process.kill()
        process.communicate()

    def succeed(self, *words, **options):
        result = self.repose(*words, **options)
        self.assertEqual(result.code, 0, f"repose {' '.join(map(str, words))}\n{result.out}\n{result.err}")
        return result

    def manifest(self, run):
        return json.loads((self.folder / run / "manifest.json").read_text())

    def files(self):
        """Every file and folder below the scratch folder, as relative paths."""
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))


def run_results(run):
    """What two equal runs share to the bit: particle files, probes, and the tables without wall times, by name."""
    results = {path.name: path.read_bytes() for path in sorted((run / "particles").glob("*.ply"))}
    for name in ("stats.csv", "bodies.csv"):
        results[name] = without_wall_times((run / name).read_text())
    for path in sorted((run / "probes").glob("*.csv")):
        results[f"probes/{path.name}"] = path.read_bytes()
    return results


def without_wall_times(table):
    """The rows of a CSV text without the columns that start with wall_."""
    rows = [line.split(",") for line in table.splitlines()]
    kept = [i for i, name in enumerate(rows[0]) if not name.startswith("wall_")]
    return [[row[i] for i in kept] for row in rows]
