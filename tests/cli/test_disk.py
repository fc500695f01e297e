"""A disk that is full and a folder that cannot be written: exit 4, a message that says where, no half file."""

import os
import resource
import subprocess
import unittest

from command import COMMAND, CommandTest

RUN = ("run", "scene.toml", "--no-render", "--checkpoint", "0.02")


class Disk(CommandTest):
    def mount(self, options):
        """A small file system of its own in memory, or None where this user may not mount one."""
        place = self.folder / "disk"
        place.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", options, "repose-test", str(place)]
        if os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode != 0:
            return None
        self.addCleanup(subprocess.run, ["umount", str(place)], capture_output=True)
        return place

    def assert_failed_at(self, result, place):
        self.assertEqual(result.code, 4, result.err)
        *warnings, error = result.err.splitlines()
        self.assertTrue(error.startswith("repose "), result.err)
        self.assertIn(place, error)
        self.assertTrue(all(line.startswith("warning: ") for line in warnings), result.err)

    def assert_no_half_file(self, run):
        for path in (self.folder / run).rglob("*.ply"):
            header, _, rows = path.read_bytes().partition(b"end_header\n")
            self.assertEqual(len(rows), row_count(header) * row_size(header), f"{path} is not complete")
        for path in (self.folder / run).rglob("manifest.json"):
            self.manifest(path.parent)
        for path in (self.folder / run).rglob("*.csv"):
            text = path.read_text()
            self.assertTrue(text.endswith("\n"), f"{path} ends in the middle of a line")

    def test_full_disk(self):
        whole = self.succeed(*RUN, "-o", "whole", "--json").objects()[-1]
        place = self.mount("size=96k")
        if place is None:
            self.skipTest("mounting a small tmpfs needs root; test_file_size_limit stands in for it")
        result = self.repose(*RUN, "-o", "disk/run")
        self.assert_failed_at(result, "disk/run")
        self.assertIn("No space left on device", result.err)
        self.assert_no_half_file("disk/run")
        # With room again the run goes on to the same end.
        subprocess.run(["mount", "-o", "remount,size=64m", str(place)], check=True)
        resumed = self.succeed(*RUN, "-o", "disk/run", "--resume", "--json").objects()[-1]
        self.assertEqual(resumed["state_hash"], whole["state_hash"])

    def test_file_size_limit(self):
        """What a quota does: a write fails in the middle of a file. Needs no rights."""
        limit = 8192  # [bytes] a file; a frame is larger
        result = self.repose(
            *RUN, "-o", "run", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        )
        self.assert_failed_at(result, "run")
        self.assertIn("File too large", result.err)
        self.assert_no_half_file("run")

    def test_read_only_disk(self):
        if self.mount("size=256k,ro") is None:
            self.skipTest("mounting a read-only tmpfs needs root; test_folder_below_a_file stands in for it")
        result = self.repose(*RUN, "-o", "disk/run")
        self.assert_failed_at(result, "disk/run")
        self.assertIn("Read-only file system", result.err)

    def test_folder_below_a_file(self):
        result = self.repose(*RUN, "-o", "scene.toml/run")
        self.assert_failed_at(result, "scene.toml/run")
        self.assertEqual(self.files(), ["scene.toml"])

    def test_export_to_a_full_disk(self):
        self.succeed(*RUN, "-o", "run")
        if self.mount("size=16k") is None:
            self.skipTest("mounting a small tmpfs needs root")
        result = self.repose("export", "run", "--to", "ply", "-o", "disk")
        self.assert_failed_at(result, "disk")
        self.assert_no_half_file("disk")

    def test_standard_output_on_a_full_device(self):
        with open("/dev/full", "w") as full:
            finished = subprocess.run([COMMAND, "materials"], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(finished.returncode, 4)
        self.assertEqual(finished.stderr, b"repose materials: cannot write to standard output\n")


def row_count(header):
    return int(next(line for line in header.splitlines() if line.startswith(b"element vertex")).split()[2])


def row_size(header):
    sizes = {b"double": 8, b"float": 4, b"int": 4, b"uint": 4, b"short": 2, b"uint16": 2, b"char": 1, b"uint8": 1}
    return sum(sizes[line.split()[1]] for line in header.splitlines() if line.startswith(b"property"))


if __name__ == "__main__":
    unittest.main()
