"""Probes, checks and `repose measure`, as people use them."""

import csv
import json
import unittest

from command import CommandTest

RUN = ("run", "scene.toml", "-o", "run", "--no-render", "--frames", "6")
GOOD = ("--set", 'check.mass={stat="mass", min=0.1, max=10}',
        "--set", 'check.filled={probe="middle", column="count", over=[0, 0.2], min=1}')
BAD = ("--set", 'check.still={stat="max_speed", max=1e-6}')
LATE = ("--set", 'check.late={probe="level", column="rate", at=7, min=0}')


class Probes(CommandTest):
    def table(self, name, folder="run/probes"):
        """The rows of a probe's table by column, as numbers."""
        with (self.folder / folder / f"{name}.csv").open() as file:
            return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]

    def test_each_probe_has_its_table(self):
        self.succeed(*RUN)
        headers = {path.stem: path.read_text().splitlines()[0] for path in (self.folder / "run/probes").glob("*.csv")}
        self.assertEqual(headers, {
            "level": "t,rate,mass,count,mass_in,mass_out",
            "push": "t,fx,fy,fz,tx,ty,tz,peak",
            "middle": "t,count,mass,solid_fraction,vx,vy,vz,temperature,coordination,pressure,"
                      "sxx,syy,szz,sxy,syz,szx",
            "heap": "t,count,angle,height,foot,front",
        })
        self.assertEqual([row["t"] for row in self.table("level")][:3], [0.013, 0.026, 0.039])
        self.assertEqual([row["t"] for row in self.table("middle")][:3], [0.02, 0.05, 0.08])
        self.assertEqual(len(self.table("push")), self.manifest("run")["steps"])
        self.assertTrue(any(row["count"] != 0 for row in self.table("level")))

    def test_checks_that_hold(self):
        result = self.succeed(*RUN, *GOOD, "--json")
        checks = result.objects()[-1]["checks"]
        self.assertEqual([(check["name"], check["passed"]) for check in checks], [("mass", True), ("filled", True)])
        self.assertEqual(self.manifest("run")["checks"], checks)
        self.assertEqual(self.succeed("info", "run", "--json").objects()[0]["checks"], checks)
        mean = [row["count"] for row in self.table("middle") if 0 < row["t"] <= 0.2]
        self.assertGreater(checks[1]["value"], min(mean))
        self.assertLess(checks[1]["value"], max(mean) + 1)

    def test_a_check_that_fails_gives_5(self):
        result = self.repose(*RUN, *GOOD, *BAD)
        self.assertEqual(result.code, 5)
        self.assertEqual(result.err, "checks that failed: still\n")
        lines = [line for line in result.out.splitlines() if "stat max_speed" in line]
        self.assertEqual(len(lines), 1)
        self.assertIn("FAILED", lines[0])
        self.assertIn("at most 1e-06", lines[0])
        self.assertEqual(self.manifest("run")["status"], "done")
        # A run that is complete says it again.
        self.assertEqual(self.repose(*RUN, *GOOD, *BAD, "--resume").code, 5)

    def test_a_time_that_never_came_fails(self):
        result = self.repose(*RUN, *LATE)
        self.assertEqual(result.code, 5)
        self.assertIn("that time never came: the run ended at t = 0.25 s", result.out)

    def test_measuring_agrees_with_the_run(self):
        every = [word for name in ("level", "push", "middle", "heap")
                 for word in ("--set", f"probe.{name}.interval=0.05", "--set", f"probe.{name}.start=0")]
        self.succeed(*RUN, *every, "--set", "scene.fps=20")
        result = self.succeed("measure", "run", "--json")
        events = result.objects()
        self.assertEqual([event["event"] for event in events], ["probe"] * 4 + ["summary"])
        for event in events[:-1]:
            inline = self.table(event["name"])
            self.assertEqual(self.table(event["name"], "run/measure")[0].keys(), inline[0].keys())
            self.assertEqual(len(event["rows"]), len(inline), event["name"])
            for row, wanted in zip(event["rows"], inline):
                for column, value in zip(event["columns"], row):
                    # Drained grains pass unseen between frames; contacts and peaks are of steps.
                    if value is None or event["name"] == "level" and column != "t":
                        continue
                    # The paddle moves, and so does the arm of its force about the world's origin.
                    if event["name"] == "push" and column in ("tx", "ty", "tz"):
                        continue
                    # A grain more or less in contact, or on a column's top, is what 24 bits may change.
                    tolerance = 0.05 if column in ("coordination", "angle", "foot") else 1e-4
                    self.assertAlmostEqual(value, wanted[column], delta=tolerance * (1 + abs(wanted[column])),
                                           msg=f"{event['name']} {column} at {row[0]}")

    def test_measuring_something_new(self):
        self.succeed(*RUN)
        new = 'probe.all={type="region", shape="box", size=[0.5, 0.5, 1.2]}'
        result = self.succeed("measure", "run", "--set", new, "--probe", "all", "--frames", "2-6:2", "-o", "tables")
        self.assertIn("stress is not in a cache", result.out)
        rows = self.table("all", "tables")
        self.assertEqual(len(rows), 3)
        with (self.folder / "run/stats.csv").open() as file:
            stats = list(csv.DictReader(file))
        for row, frame in zip(rows, (2, 4, 6)):
            self.assertEqual(row["count"], float(stats[frame]["particles"]))
            self.assertAlmostEqual(row["mass"], float(stats[frame]["mass"]), delta=1e-6)
        self.assertFalse((self.folder / "run/measure").exists())

    def test_measuring_evaluates_checks(self):
        self.succeed(*RUN, *GOOD)
        self.assertIn("ok      mass", self.succeed("measure", "run").out)
        result = self.repose("measure", "run", *BAD)
        self.assertEqual(result.code, 5)
        self.assertIn("checks that failed: still\n", result.err)

    def test_checks_on_a_changed_probe_go_by_what_is_measured_now(self):
        self.succeed(*RUN, *GOOD)
        changed = ("--set", "probe.middle.position=[0.19, 0.19, 0.55]", "--set", "probe.middle.radius=0.005")
        result = self.repose("measure", "run", *changed)
        self.assertEqual(sum(row["count"] for row in self.table("middle", "run/measure")), 0)
        self.assertEqual((result.code, result.err), (5, "checks that failed: filled\n"))
        # Limits from below count as well as those from above.
        self.assertEqual(self.repose("measure", "run", "--set", "check.mass.min=5").code, 5)

    def test_rows_out_of_order_are_an_error(self):
        self.succeed(*RUN)
        path = self.folder / "run/particles/particles.0003.ply"
        data = path.read_bytes()
        start = data.index(b"end_header\n") + len(b"end_header\n")
        count = int(data[:start].split(b"element vertex ")[1].split()[0])
        row = (len(data) - start) // count
        first, second, rest = data[start:start + row], data[start + row:start + 2 * row], data[start + 2 * row:]
        path.write_bytes(data[:start] + second + first + rest)
        result = self.repose("measure", "run")
        self.assertEqual(result.code, 4)
        self.assertIn("particles.0003.ply: particle 1 (counted from 0) has id 0 after id 1: rows go by id", result.err)

    def test_measuring_what_is_not_there(self):
        self.succeed(*RUN)
        result = self.repose("measure", "run", "--probe", "levl")
        self.assertEqual((result.code, result.err),
                         (2, "repose measure: there is no probe 'levl': did you mean 'level'?\n"))
        result = self.repose("measure", "run", "--set", 'probe.push.body="domain.z+"')
        self.assertEqual(result.code, 3)
        self.assertIn("there is no body or wall 'domain.z+'", result.err)
        scene = (self.folder / "scene.toml").read_text()
        (self.folder / "other.toml").write_text(scene + '\n[body.post]\nshape = "sphere"\nradius = 0.01\n'
                                                '[probe.post]\ntype = "force"\nbody = "post"\n')
        result = self.repose("measure", "run", "--scene", "other.toml")
        self.assertEqual((result.code, result.err),
                         (2, "repose measure: probe 'post': the run run has no body 'post'\n"))

    def test_a_damaged_table_is_an_error(self):
        self.succeed(*RUN, *GOOD)
        path = self.folder / "run/probes/middle.csv"
        path.write_text(path.read_text().replace("0.05,", "fifty,"))
        result = self.repose("measure", "run")
        self.assertEqual(result.code, 4)
        self.assertIn("is no number: the file is damaged", result.err)


if __name__ == "__main__":
    unittest.main()
