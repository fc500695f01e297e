"""The library as others use it: installed into a folder of its own, found by CMake, linked by examples/library."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

TREE = pathlib.Path(__file__).parents[2]
BUILD = pathlib.Path(os.environ.get("REPOSE_BUILD", TREE / "build"))


def run(*words):
    finished = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert finished.returncode == 0, f"{' '.join(map(str, words))}\n{finished.stdout.decode()}"
    return finished.stdout.decode()


def cached(name):
    """A value of the build's own configuration."""
    found = re.search(f"^{name}:[A-Z]+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE)
    return found[1] if found else ""


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="repose-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.prefix = cls.folder / "prefix"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)

    def test_a_program_over_the_library(self):
        build = self.folder / "settle"
        options = [f"-D{name}={cached(name)}" for name in ("CMAKE_CXX_COMPILER", "CMAKE_BUILD_TYPE")]
        if shutil.which("ccache"):
            options.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        run("cmake", "-G", "Ninja", "-S", self.prefix / "share/repose/examples/library", "-B", build,
            f"-DCMAKE_PREFIX_PATH={self.prefix}", *options)
        run("cmake", "--build", build)
        lines = run(build / "settle").splitlines()
        heights = [float(re.search(r"mean height ([\d.]+) m", line)[1]) for line in lines if "mean height" in line]
        self.assertEqual(len(heights), 6)
        self.assertAlmostEqual(heights[0], 0.2, delta=0.01)
        self.assertLess(heights[-1], 0.1)  # they fell, and
        self.assertGreater(heights[-1], 0.015)  # lie on each other: one layer would be at 0.01
        self.assertRegex(lines[-1], r"^Repose \d+\.\d+\.\d+$")

    def test_the_command_and_what_comes_with_it(self):
        command = self.prefix / "bin/repose"
        self.assertRegex(run(command, "--version"), r"^repose \d")
        self.assertIn(str(self.prefix / "share/repose/examples"), run(command, "examples"))
        self.assertEqual((self.prefix / "share/bash-completion/completions/repose").read_text(),
                         run(command, "completion", "bash"))
        self.assertTrue((self.prefix / "include/repose/solvers/solver.h").is_file())
        self.assertTrue((self.prefix / "include/repose/core/version.h").is_file())


if __name__ == "__main__":
    unittest.main()
