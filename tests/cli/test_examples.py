"""Every scene of examples/ runs for a short while, loses no grain, and what it checks within that time holds.

Whole examples take up to a minute each, which is too long here: each stops early. A check about a later time cannot
be told then; all others must hold. Scenes in the size of a paper (NAME-full.toml) are checked and not run.
"""

import pathlib
import unittest

from command import CommandTest

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
# How each is kept short; the softer grains are, the longer are the time steps. Large fills take a while to be packed.
SHORT = {"first-pile.toml": ("--frames", "3", "--set", "material.sand.young=1e6"), "silo.toml": ("--frames", "4"),
         "hourglass.toml": ("--frames", "1"), "splash.toml": ("--frames", "1"), "avalanche.toml": ("--frames", "1"),
         "bulldozer.toml": ("--frames", "1"), "sand-ball.toml": ("--frames", "1"), "sand-column.toml": ("--frames", "1"),
         "sand-rocket.toml": ("--frames", "1")}
OTHERS = ("--frames", "3")


class Examples(CommandTest):
    def test_each_example_runs(self):
        names = sorted(path.name for path in EXAMPLES.glob("*.toml") if not path.stem.endswith("-full"))
        self.assertLessEqual(set(SHORT), set(names))
        for name in names:
            with self.subTest(name):
                run = pathlib.Path(name).stem
                result = self.repose("run", EXAMPLES / name, "-o", run, "--no-render", "--json",
                                     *SHORT.get(name, OTHERS))
                self.assertIn(result.code, (0, 5), result.err)
                summary = result.objects()[-1]
                self.assertEqual((summary["escaped"], summary["left"]), (0, 0))
                failed = [check for check in summary["checks"] if check["reached"] and not check["passed"]]
                self.assertEqual(failed, [])

    def test_the_scenes_in_full_size_are_sound(self):
        # Grains, as Bell, Yu and Mucha 2005 give them in section 4; 310,149 spheres are no whole number of tetrahedra.
        sizes = {"hourglass-full.toml": 27427, "splash-full.toml": 45494, "avalanche-full.toml": 294820 / 4,
                 "bulldozer-full.toml": 310149 / 4, "rings-full.toml": 1000}
        # Particles, as the figures of Ihmsen, Wahl and Teschner 2013 give them, in thousands.
        thousands = {"sph-piles-full.toml": 45, "sph-spheres-full.toml": 96, "sph-bulldozer-full.toml": 38,
                     "sph-splash-full.toml": 83, "sph-ladder-full.toml": 138}
        names = sorted(path.name for path in EXAMPLES.glob("*-full.toml"))
        self.assertLessEqual(set(sizes) | set(thousands), set(names))
        for name in names:
            with self.subTest(name):
                self.assertTrue((EXAMPLES / name.replace("-full", "")).is_file(), "a small scene beside it")
                result = self.repose("check", EXAMPLES / name, "--json")
                self.assertEqual(result.code, 0, result.err)
                grains = sum(f["particles"] for f in result.objects()[-1]["fills"])
                self.assertAlmostEqual(grains / sizes.get(name, grains), 1, delta=1e-3)
                self.assertAlmostEqual(grains / (1000 * thousands.get(name, grains / 1000)), 1, delta=1e-2)

    def test_the_list_offers_a_scene_that_needs_no_other_file(self):
        result = self.repose("examples")
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("first-pile.toml my.toml", result.out)

    def test_the_silo_has_all_kinds_of_probes_and_checks(self):
        text = (EXAMPLES / "silo.toml").read_text()
        for kind in ("flow", "force", "region", "pile"):
            self.assertIn(f'type = "{kind}"', text)
        self.assertGreaterEqual(text.count("[check."), 4)


if __name__ == "__main__":
    unittest.main()
