#!/usr/bin/python3
"""tools/setup.sh on systems that are made up: a PATH that holds nothing but a few stand-ins."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

SETUP = pathlib.Path(__file__).resolve().parents[3] / "tools" / "setup.sh"
ALL = subprocess.run([SETUP, "--list", "all"], capture_output=True, text=True, check=True).stdout.split()


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.calls = self.folder / "calls"
        self.calls.touch()
        for tool in ("sh", "env", "cat", "mktemp", "rm"):
            (self.folder / tool).symlink_to(shutil.which(tool))

    def stand_in(self, name, *lines):
        """A program that notes how it was called."""
        file = self.folder / name
        file.write_text("\n".join(["#!/bin/sh", f'echo "{name} $*" >> {self.calls}', *lines]) + "\n")
        file.chmod(0o755)

    def system(self, installed, uid=0, apt_get=("exit 0",), sudo=False):
        self.stand_in("id", f"echo {uid}")
        known = " ".join(installed)
        self.stand_in("dpkg-query", "status=0", 'for name in "$@"; do case $name in -*|*"{"*) continue;; esac',
                      f'case " {known} " in *" $name "*) echo "ii |$name|";; *) status=1;; esac; done',
                      "exit $status")
        if apt_get:
            self.stand_in("apt-get", *apt_get)
        if sudo:
            self.stand_in("sudo", '"$@"')

    def run_setup(self, *arguments, **environment):
        result = subprocess.run([SETUP, *arguments], capture_output=True, text=True, check=False,
                                env={"PATH": str(self.folder), "TMPDIR": str(self.folder), **environment})
        calls = [line for line in self.calls.read_text().splitlines() if line.startswith(("apt-get", "sudo"))]
        return result, calls

    def test_is_silent_and_calls_nothing_when_all_is_there(self):
        self.system(installed=ALL)
        result, calls = self.run_setup("all")
        self.assertEqual((0, "", ""), (result.returncode, result.stdout, result.stderr))
        self.assertEqual([], calls)

    def test_installs_only_what_is_missing_and_says_so(self):
        self.system(installed=[name for name in ALL if name not in ("ffmpeg", "libfmt-dev")])
        result, calls = self.run_setup("build", "film")
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertIn("libfmt-dev ffmpeg\n", result.stdout)
        self.assertNotIn("g++", result.stdout)
        self.assertEqual(["apt-get update -qq",
                          "apt-get install -y -qq --no-install-recommends libfmt-dev ffmpeg"], calls)

    def test_takes_no_package_for_another_whose_name_contains_it(self):
        self.system(installed=[name for name in ALL if name != "clang"])  # clang-format and clang-tidy are there
        _, calls = self.run_setup("lint")
        self.assertEqual("apt-get install -y -qq --no-install-recommends clang", calls[-1])

    def test_uses_sudo_where_not_root(self):
        self.system(installed=[], uid=1000, sudo=True)
        result, calls = self.run_setup("film")
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertEqual("sudo apt-get update -qq", calls[0])
        self.assertIn("sudo env DEBIAN_FRONTEND=noninteractive apt-get install", calls[2])

    def test_says_what_root_must_type_where_there_is_no_sudo(self):
        self.system(installed=[], uid=1000)
        result, calls = self.run_setup("film")
        self.assertEqual(1, result.returncode)
        self.assertIn("apt-get install --no-install-recommends ffmpeg", result.stderr)
        self.assertEqual([], calls)

    def test_names_the_packages_and_stops_on_another_system(self):
        self.system(installed=[], apt_get=None)
        result, _ = self.run_setup("all")
        self.assertEqual(1, result.returncode)
        for name in ALL:
            self.assertIn(f" {name}", result.stderr)
        self.assertIn("REPOSE_SETUP=skip", result.stderr)
        self.assertEqual(0, self.run_setup("all", REPOSE_SETUP="skip")[0].returncode)

    def test_shows_why_apt_get_failed(self):
        self.system(installed=[], apt_get=('[ "$1" = update ] || { echo "no room on the disk"; exit 100; }',))
        result, _ = self.run_setup("film")
        self.assertEqual(1, result.returncode)
        self.assertIn("no room on the disk", result.stderr)

    def test_goes_on_with_the_lists_at_hand_when_they_cannot_be_refreshed(self):
        self.system(installed=[], apt_get=('[ "$1" != update ]',))
        result, calls = self.run_setup("film")
        self.assertEqual((0, 2), (result.returncode, len(calls)), result.stderr)

    def test_knows_its_groups(self):
        self.system(installed=ALL)
        result, _ = self.run_setup("bild")
        self.assertEqual(2, result.returncode)
        self.assertIn("bild", result.stderr)


if __name__ == "__main__":
    unittest.main()
