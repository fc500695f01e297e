"""The same bits for any number of threads, and for any neighbour-list skin."""

import unittest

from command import CommandTest, run_results

# Enough grains that each loop is cut into several chunks; soft ones, for few steps; a heap that touches the floor.
RUN = ("run", "scene.toml", "--no-render", "--frames", "2", "--set", "solver.spacing=0.008",
       "--set", "material.sand.young=1e6", "--set", "fill.heap.position=[0, 0, 0.062]")


class Threads(CommandTest):
    def assert_equal_runs(self, names):
        first = names[0]
        for name in names[1:]:
            self.assertEqual(self.manifest(name)["state_hash"], self.manifest(first)["state_hash"], f"{first}, {name}")
            mine, reference = run_results(self.folder / name), run_results(self.folder / first)
            for file in reference:
                self.assertEqual(mine[file], reference[file], f"{file} of {name} and {first} differ")

    def test_one_two_and_four_threads(self):
        for threads in (1, 2, 4):
            self.succeed(*RUN, "-o", f"threads{threads}", "--threads", threads)
        self.assert_equal_runs(["threads1", "threads2", "threads4"])
        last = (self.folder / "threads1/stats.csv").read_text().splitlines()[-1].split(",")
        self.assertGreater(int(last[4]), 2048)  # particles: at least three chunks

    def test_no_skin_and_the_default_skin(self):
        self.succeed(*RUN, "-o", "default")
        self.succeed(*RUN, "-o", "none", "--set", "solver.dem.skin=0")
        # The settings are part of the scene, so only what was computed may be compared.
        self.assert_equal_runs(["default", "none"])


if __name__ == "__main__":
    unittest.main()
