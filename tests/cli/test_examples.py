"""Every scene of examples/ runs for a short while, loses no grain, and what it checks within that time holds.

Whole examples take up to half a minute each, which is too long here: each stops early. A check about a later time cannot
be told then; all others must hold.
"""

import pathlib
import unittest

from command import CommandTest

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
# How each is kept short; the softer grains are, the longer are the time steps.
SHORT = {"first-pile.toml": ("--frames", "3", "--set", "material.sand.young=1e6"), "silo.toml": ("--frames", "4")}
OTHERS = ("--frames", "3")


class Examples(CommandTest):
    def test_each_example_runs(self):
        names = sorted(path.name for path in EXAMPLES.glob("*.toml"))
        self.assertLessEqual(set(SHORT), set(names))
        for name in names:
            with self.subTest(name):
                run = pathlib.Path(name).stem
                result = self.repose("run", EXAMPLES / name, "-o", run, "--no-render", "--json",
                                     *SHORT.get(name, OTHERS))
                self.assertIn(result.code, (0, 5), result.err)
                summary = result.objects()[-1]
                self.assertEqual(summary["escaped"], 0)
                failed = [check for check in summary["checks"] if check["reached"] and not check["passed"]]
                self.assertEqual(failed, [])

    def test_the_silo_has_all_kinds_of_probes_and_checks(self):
        text = (EXAMPLES / "silo.toml").read_text()
        for kind in ("flow", "force", "region", "pile"):
            self.assertIn(f'type = "{kind}"', text)
        self.assertGreaterEqual(text.count("[check."), 4)


if __name__ == "__main__":
    unittest.main()
