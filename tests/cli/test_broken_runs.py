"""Runs that fail, folders that are damaged, folders that another process works in: a clear message, nothing lost."""

import resource
import unittest

from command import CommandTest

RUN = ("run", "scene.toml", "--no-render")


class Broken(CommandTest):
    def refuse(self, code, message, *words, **options):
        """Runs a command that must end with this code and an error that begins so; all of stderr."""
        result = self.repose(*words, **options)
        self.assertEqual(result.code, code, result.err)
        self.assertTrue(result.err.splitlines()[-1].startswith(message), result.err)
        return result.err

    def cut(self, path, size=300):
        """Cuts a file short, as a broken disk or copy would."""
        whole = self.folder / path
        whole.write_bytes(whole.read_bytes()[:size])

    def test_a_time_step_that_is_too_long(self):
        err = self.refuse(4, "repose run: the run failed at t = ", *RUN, "-o", "run", "--set", "solver.dem.dt=0.01")
        self.assertIn("lower solver.dem.dt", err)
        self.assertEqual(self.manifest("run")["status"], "failed")
        self.assertIn("failed: the run failed at t = ", self.succeed("info", "run").out)

    def test_not_enough_memory(self):
        """Exit 4 and one line, whoever runs out of memory: never a stack trace."""
        limit = 600 << 20  # [bytes]
        few = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))}
        if self.repose("--version", **few).code != 0:
            self.skipTest("the command of this build needs more address space (a sanitizer does)")
        much = ("--set", "solver.spacing=0.0011")
        self.refuse(4, "repose run: there is not enough memory", *RUN, "-o", "run", *much, **few)
        # Far too much is seen before anything is made, and told before it is run.
        far = ("--set", "solver.spacing=0.0004")
        self.refuse(4, "repose run: --set solver.spacing=0.0004: the fills have about 2", *RUN, "-o", "run", *far, **few)
        checked = self.repose("check", "scene.toml", *far, **few)
        self.assertEqual(checked.code, 0, checked.err)
        self.assertIn("and this machine has 600.0 MiB: raise solver.spacing", checked.out)
        self.assertEqual(self.files(), ["scene.toml"])

    def test_a_folder_is_not_shared(self):
        first = self.start(*RUN, "-o", "run", "--set", "scene.duration=60", "--json")
        first.stdout.readline()
        for option in ("--force", "--resume"):
            self.refuse(2, "repose run: another repose is at work in run", *RUN, "-o", "run", option)
        self.assertIn("status     running", self.succeed("info", "run").out)

    def test_a_folder_with_other_files_is_refused(self):
        (self.folder / "mine").mkdir()
        (self.folder / "mine/thesis.txt").write_text("years of work")
        for option in ((), ("--force",)):
            self.refuse(2, "repose run: mine is not empty and holds no run", *RUN, "-o", "mine", *option)
        self.assertEqual((self.folder / "mine/thesis.txt").read_text(), "years of work")

    def test_frames_that_are_not_there(self):
        self.succeed(*RUN, "-o", "run", "--frames", "2")
        for words in (("render", "run"), ("export", "run", "--to", "csv")):
            self.refuse(2, f"repose {words[0]}: none of these frames is in run: it holds frames 0 to 2",
                      *words, "--frames", "10-20")

    def test_a_damaged_manifest(self):
        self.succeed(*RUN, "-o", "run", "--frames", "1")
        self.cut("run/manifest.json", 100)
        self.refuse(4, "repose info: run/manifest.json: is damaged", "info", "run")
        self.succeed(*RUN, "-o", "run", "--frames", "1", "--force")

    def test_a_particle_file_that_was_cut_short(self):
        self.succeed(*RUN, "-o", "run", "--frames", "1")
        self.cut("run/particles/particles.0001.ply", 5000)
        for words in (("render", "run"), ("export", "run", "--to", "csv")):
            self.refuse(4, f"repose {words[0]}: run/particles/particles.0001.ply: is cut short", *words)

    def test_particles_that_the_run_does_not_have(self):
        """Every verb that reads frames names the file, the row and what is wrong, and nothing crashes."""
        self.succeed(*RUN, "-o", "run", "--frames", "1")
        path = self.folder / "run/particles/particles.0001.ply"
        good = path.read_bytes()
        head = good.index(b"end_header\n") + len(b"end_header\n")
        row = 7 * 4 + 4 + 1 + 7 * 4 + 2  # x ... radius, id, material, q and w, shape
        last = len(good) - row
        for offset, bytes_, what in ((row - 2, b"\xff\xff", "has grain shape 65535, but the run has 1"),
                                     (32, b"\x07", "has material 7, but the scene has 1"),
                                     (28, b"\0\0\0\0", "has id 0 after id "),
                                     (0, b"\0\0\xc0\x7f", "has a position that is not a number"),
                                     (24, b"\0\0\x80\x7f", "has a radius that is not a number"),
                                     (33, b"\0\0\xc0\x7f", "has an orientation that is no quaternion")):
            bad = bytearray(good)
            bad[last + offset:last + offset + len(bytes_)] = bytes_
            path.write_bytes(bad)
            verbs = [("export", "run", "--to", "csv")]
            if "shape" in what:
                verbs += [("render", "run", "--set", "render.size=[32, 18]"), ("render", "run", "--sheet", "1x2"),
                          ("measure", "run"), ("surface", "run")]
            for words in verbs:
                err = self.refuse(4, f"repose {words[0]}: run/particles/particles.0001.ply: particle ", *words)
                self.assertIn(what, err)
        self.assertGreater(last, head)

    def test_an_older_checkpoint_stands_in_for_a_damaged_one(self):
        self.succeed(*RUN, "-o", "whole")
        self.succeed(*RUN, "-o", "run", "--frames", "3")
        newest = max((self.folder / "run/checkpoint").iterdir(), key=lambda path: path.stat().st_mtime_ns)
        self.cut(newest.relative_to(self.folder))
        self.succeed(*RUN, "-o", "run", "--resume")
        self.assertEqual(self.manifest("run")["state_hash"], self.manifest("whole")["state_hash"])

    def test_no_good_checkpoint(self):
        self.succeed(*RUN, "-o", "run", "--frames", "1")
        for path in (self.folder / "run/checkpoint").iterdir():
            self.cut(path.relative_to(self.folder))
        self.refuse(2, "repose run: cannot resume run: it holds no good checkpoint", *RUN, "-o", "run", "--resume")


if __name__ == "__main__":
    unittest.main()
