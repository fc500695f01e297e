"""What `check` says of a scene that can be read: warnings, particles, memory, disk and time, whatever the size.

That each warning comes where it should is tested in tests/unit/scene/scene_warnings_test.cpp.
"""

import json
import pathlib
import resource
import subprocess
import unittest

from command import COMMAND, SMALL_SCENE, CommandTest

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
SOLVERS = ("dem", "sph", "flip")

# Sand in a box. Under flip and sph a domain may be no more than half a million cells wide.
BED = """\
[domain]
min = [-0.2, -0.2, 0]
max = [0.2, 0.2, 0.4]
[solver]
type = "dem"
spacing = 0.02
[material.sand]
preset = "dry sand"
[fill.bed]
material = "sand"
shape = "box"
size = [0.4, 0.4, 0.2]
position = [0, 0, 0.1]
"""


class Check(CommandTest):
    def plan(self, *arguments, code=0):
        result = self.repose("check", "scene.toml", "--json", *arguments)
        self.assertEqual(result.code, code, result.err)
        return json.loads(result.out)

    def write(self, text):
        (self.folder / "scene.toml").write_text(text)

    def test_no_example_is_warned_of(self):
        for path in sorted(EXAMPLES.glob("*.toml")):
            with self.subTest(path.name):
                result = self.repose("check", path, "--json")
                self.assertEqual(result.code, 0, result.err)
                self.assertEqual(json.loads(result.out)["warnings"], [])

    def test_run_prints_the_warnings_of_check(self):
        self.write(SMALL_SCENE + '\n[body.far]\nshape = "sphere"\nradius = 0.1\nposition = [9, 0, 0]\n')
        line = SMALL_SCENE.count("\n") + 5
        said = (f"scene.toml:{line}:12: body 'far' lies outside the domain and meets nothing: move it, or make the "
                "domain larger")
        self.assertIn(f"warning    {said}", self.succeed("check", "scene.toml").out)
        self.assertEqual([w["text"] for w in self.plan()["warnings"]], [said])
        self.assertEqual(self.succeed("run", "scene.toml", "-o", "run", "--no-render", "--frames", "1").err.count(said), 1)
        self.assertNotIn(said, self.succeed("run", "scene.toml", "-o", "run", "--no-render", "--frames", "2",
                                            "--resume").err)

    def test_a_run_without_particles_is_an_error(self):
        self.write(BED.replace("position = [0, 0, 0.1]", "position = [3, 0, 0.1]"))
        said = ("scene.toml:11:9: there is nothing to simulate: no fill makes a particle. A fill needs room in the "
                "domain, outside of bodies, for at least one of solver.spacing\n")
        for solver in SOLVERS:
            for verb in (("check",), ("run", "-o", "run", "--no-render")):
                with self.subTest(solver=solver, verb=verb[0]):
                    result = self.repose(verb[0], "scene.toml", "--set", f"solver.type={solver}", *verb[1:])
                    self.assertEqual((result.code, result.err.splitlines(True)[-1]), (3, said))
                    self.assertEqual(self.files(), ["scene.toml"])
        self.write(BED[:BED.index("[fill")])
        result = self.repose("check", "scene.toml")
        self.assertEqual(result.code, 3)
        self.assertIn("the scene has no [fill.NAME] and no [emitter.NAME]", result.err)

    def test_any_count_is_planned_in_little_memory(self):
        def few():  # [bytes] what would hold a hundredth of the particles
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

        self.write(BED)
        for solver in SOLVERS:
            for spacing, particles in ((0.0003, 1e9), (8e-6, 6e13)):
                if solver == "flip" and spacing < 1e-6:
                    continue
                with self.subTest(solver=solver, spacing=spacing):
                    done = subprocess.run(
                        [COMMAND, "check", "scene.toml", "--json", "--set", f"solver.type={solver}", "--set",
                         f"solver.spacing={spacing}"], cwd=self.folder, capture_output=True, text=True, preexec_fn=few)
                    plan = json.loads(done.stdout)
                    self.assertTrue(plan["estimated"])
                    self.assertGreater(plan["particles"], 0.2 * particles)
                    self.assertLess(plan["particles"], 5 * particles)
                    self.assertGreater(plan["memory_bytes"], 300 * plan["particles"])
                    self.assertGreater(plan["disk_bytes"], 40 * plan["particles"])
                    self.assertGreater(plan["seconds"], 1e4)
                    self.assertEqual([w["name"] for w in plan["warnings"]], ["memory"])
                    many = plan["particles"] >= 2**32 - 1
                    self.assertEqual(done.returncode, 3 if many else 0, done.stderr)
                    self.assertEqual("told apart: raise solver.spacing to" in done.stderr, many)

    def test_a_spacing_of_a_nanometre_is_answered(self):
        self.write(BED)
        result = self.repose("check", "scene.toml", "--set", "solver.spacing=1e-9")
        self.assertEqual(result.code, 3)
        self.assertRegex(result.err, r"^--set solver.spacing=1e-9: the scene has about .*e\+2\d particles, which take ")
        self.assertIn("years", result.out)
        for solver in ("sph", "flip"):
            result = self.repose("check", "scene.toml", "--set", "solver.spacing=1e-9", "--set", f"solver.type={solver}")
            self.assertEqual(result.code, 3)
            self.assertIn("cells of 2 x solver.spacing", result.err)

    def test_a_run_that_memory_cannot_hold_is_refused_first(self):
        def little():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

        self.write(BED)
        done = subprocess.run([COMMAND, "run", "scene.toml", "-o", "run", "--threads", "1", "--set",
                               "solver.type=flip", "--set", "solver.spacing=0.0005"], cwd=self.folder,
                              capture_output=True, text=True, preexec_fn=little)
        self.assertEqual(done.returncode, 4)
        self.assertRegex(done.stderr, r"--set solver.spacing=0.0005: the fills have about 2.56e\+08 particles, which take "
                                      r"about .* of memory, and this machine has 1.0 GiB: raise solver.spacing to ")
        self.assertEqual(self.files(), ["scene.toml"])

    def test_time_is_estimated_with_emitters(self):
        self.write(SMALL_SCENE)
        self.assertRegex(self.succeed("check", "scene.toml").out,
                         r"\ntime       about .* of steps.*; expect half to twice as much\n")
        little, much = (self.plan("--set", f"emitter.spout.rate={rate}") for rate in (0.01, 2))
        self.assertGreater(much["seconds"], little["seconds"])
        self.assertGreater(much["memory_bytes"], little["memory_bytes"])


if __name__ == "__main__":
    unittest.main()
