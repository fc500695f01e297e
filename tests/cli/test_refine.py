"""Fine grains: inline and later the same, after a kill too; a full disk; parts; pictures of them."""

import signal
import subprocess
import time
import unittest

import test_disk
from command import CommandTest, run_results

REFINED = ("--set", "refine.ratio=40")
RUN = ("run", "scene.toml", "--no-render", "--checkpoint", "0.02", "--set", "scene.duration=0.5", *REFINED)


class Refine(CommandTest):
    mount = test_disk.Disk.mount

    def fine(self, folder):
        return {path.name: path.read_bytes() for path in (self.folder / folder).glob("fine.*.vdb")}

    def test_inline_and_later_are_the_same(self):
        self.succeed(*RUN, "-o", "whole")
        later = self.succeed("refine", "whole", "-o", "later", "--threads", "1")
        self.assertIn(self.manifest("whole")["fine_hash"], later.out)
        self.assertEqual(self.fine("later"), self.fine("whole/fine"))
        self.assertGreater(self.manifest("whole")["fine_grains"], 0)

    def test_killed_and_resumed(self):
        before = time.monotonic()
        self.succeed(*RUN, "-o", "whole")
        wall = time.monotonic() - before
        killed = 0
        for attempt in range(12):
            run = f"killed{attempt}"
            process = self.start(*RUN, "-o", run)
            while process.poll() is None and not list((self.folder / run / "checkpoint").glob("checkpoint.*")):
                time.sleep(0.005)
            time.sleep(attempt / 12 * 0.8 * wall)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            if process.returncode == 0:
                continue
            killed += 1
            self.succeed(*RUN, "-o", run, "--resume")
            self.assertEqual(self.manifest(run)["fine_hash"], self.manifest("whole")["fine_hash"])
            self.assertEqual(run_results(self.folder / run), run_results(self.folder / "whole"))
        self.assertGreater(killed, 3)

    def test_full_disk(self):
        self.succeed(*RUN, "-o", "whole")
        place = self.mount("size=1m")
        if place is None:
            self.skipTest("mounting a small tmpfs needs root")
        result = self.repose("refine", "whole", "-o", "disk/fine")
        self.assertEqual(result.code, 4, result.err)
        self.assertIn("No space left on device", result.err)
        whole = self.fine("whole/fine")
        written = self.fine("disk/fine")
        self.assertGreater(len(written), 0)
        for name, content in written.items():
            self.assertEqual(content, whole[name])
        subprocess.run(["mount", "-o", "remount,size=64m", str(place)], check=True)
        self.succeed("refine", "whole", "-o", "disk/fine")
        self.assertEqual(self.fine("disk/fine"), whole)

    def test_run_on_a_full_disk_can_be_resumed(self):
        self.succeed(*RUN, "-o", "whole")
        place = self.mount("size=1m")
        if place is None:
            self.skipTest("mounting a small tmpfs needs root")
        result = self.repose(*RUN, "-o", "disk/run")
        self.assertEqual(result.code, 4, result.err)
        self.assertIn("--resume", result.err)
        subprocess.run(["mount", "-o", "remount,size=64m", str(place)], check=True)
        self.succeed(*RUN, "-o", "disk/run", "--resume")
        self.assertEqual(self.fine("disk/run/fine"), self.fine("whole/fine"))

    def test_parts_and_pictures(self):
        self.succeed(*RUN, "-o", "run", "--set", "refine.density_limit=false")
        whole = self.fine("run/fine")
        for path in (self.folder / "run/fine").glob("fine.*.vdb"):
            path.unlink()
        for part in ("1/2", "2/2"):
            self.succeed("refine", "run", "--part", part)
        self.assertEqual(len(self.fine("run/fine")), 2 * len(whole))
        self.succeed("render", "run", "--frames", "4", "--no-film", "-o", "parts")
        self.succeed("refine", "run")
        self.succeed("render", "run", "--frames", "4", "--no-film", "-o", "one")
        parts, one = (self.folder / name / "images/image.0004.png" for name in ("parts", "one"))
        self.assertEqual(parts.read_bytes(), one.read_bytes())

    def test_exported_and_wrapped(self):
        self.succeed(*RUN, "-o", "run")
        self.succeed("export", "run", "--to", "csv", "--fine", "--frames", "5")
        rows = (self.folder / "run/export/csv/fine.0005.csv").read_text().splitlines()
        whole = self.succeed("refine", "run", "--frames", "0-5", "-o", "again").out
        self.assertIn(f" {len(rows) - 1} fine grains", whole)
        self.succeed("surface", "run", "--frames", "5", "--set", "surface.fine=true")
        self.assertTrue((self.folder / "run/surface/surface.0005.ply").exists())
        for path in (self.folder / "run/fine").glob("fine.*.vdb"):
            path.unlink()
        for words in (("export", "run", "--to", "csv", "--fine"), ("surface", "run", "--set", "surface.fine=true")):
            result = self.repose(*words)
            self.assertEqual(result.code, 2, result.err)
            self.assertIn("repose refine", result.err)


if __name__ == "__main__":
    unittest.main()
