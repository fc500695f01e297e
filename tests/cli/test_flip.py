"""Water through the whole pipeline: the scene of all other tests, with another material and another solver."""

import unittest

from command import CommandTest, run_results

WATER = ("--set", "solver.type=flip", "--set", "material.sand.preset=water")
RUN = ("run", "scene.toml", "--no-render", "--frames", "4", *WATER)


class Flip(CommandTest):
    def assert_equal_runs(self, one, other):
        self.assertEqual(self.manifest(one)["state_hash"], self.manifest(other)["state_hash"])
        mine, reference = run_results(self.folder / one), run_results(self.folder / other)
        self.assertEqual(mine.keys(), reference.keys())
        for file in reference:
            self.assertEqual(mine[file], reference[file], file)

    def test_same_bits_for_any_threads_and_across_a_resume(self):
        self.succeed(*RUN, "-o", "one", "--threads", 1)
        self.succeed(*RUN, "-o", "four", "--threads", 4)
        self.assert_equal_runs("one", "four")
        self.succeed("run", "scene.toml", "--no-render", "--frames", "2", *WATER, "-o", "two")
        self.succeed(*RUN, "-o", "two", "--resume")
        self.assert_equal_runs("one", "two")

    def test_check_run_info_surface_measure_export_and_render(self):
        plan = self.succeed("check", "scene.toml", *WATER, "--json").objects()[-1]
        # 0.12^3 m3 of water; the same fill under dem has its own mass, within 2 % of density times volume too.
        self.assertAlmostEqual(plan["fills"][0]["mass"], 998.2 * 0.12**3, delta=0.02 * 998.2 * 0.12**3)
        self.succeed(*RUN, "-o", "run")
        rows = [line.split(",") for line in (self.folder / "run/stats.csv").read_text().splitlines()]
        last = dict(zip(rows[0], rows[-1]))
        for name in ("divergence", "density_error", "iterations", "residual", "wall_pressure"):
            self.assertIn(name, last)
        self.assertLess(float(last["residual"]), 1e-6)
        self.assertGreater(int(last["iterations"]), 0)
        self.assertIn("flip", self.succeed("info", "run").out)
        header = (self.folder / "run/particles/particles.0004.ply").read_bytes().split(b"end_header")[0].decode()
        names = [line.split()[-1] for line in header.splitlines() if line.startswith("property")]
        self.assertEqual(names, "x y z vx vy vz radius id material density pressure".split())
        self.succeed("surface", "run", "--frames", "4")
        self.assertTrue((self.folder / "run/surface/surface.0004.ply").is_file())
        self.succeed("measure", "run")
        self.succeed("export", "run", "--to", "vtp")
        self.succeed("render", "run", "--frames", "4")
        self.assertTrue((self.folder / "run/images/image.0004.png").is_file())


if __name__ == "__main__":
    unittest.main()
