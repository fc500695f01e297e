"""The command where the system or other people do not play along: limits on processes, closed streams, pipes and links in
place of files, text that would drive a terminal, programs that are missing."""

import json
import os
import pathlib
import resource
import shutil
import subprocess
import unittest

from command import COMMAND, CommandTest

RUN = ("run", "scene.toml", "--no-render", "--frames", "1")
NOBODY = 65534


class HostilePlaces(CommandTest):
    def test_starts_through_the_loader(self):
        loader = next((path for path in ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1")
                       if os.path.exists(path)), None)
        if loader is None:
            self.skipTest("no loader where it is looked for")
        finished = subprocess.run([loader, COMMAND, "--version"], stdout=subprocess.PIPE, timeout=100)
        self.assertEqual(finished.returncode, 0)
        self.assertRegex(finished.stdout.decode(), r"^repose \d")

    def test_the_process_is_called_repose_and_asks_for_huge_pages(self):
        process = self.start("run", "scene.toml", "--no-render", "-o", "run", "--json", "--set", "scene.duration=60",
                             "--set", "solver.spacing=0.006")
        process.stdout.readline()
        place = pathlib.Path(f"/proc/{process.pid}")
        self.assertEqual((place / "comm").read_text(), "repose\n")
        self.assertNotIn(b"GLIBC_TUNABLES", (place / "environ").read_bytes())
        if os.path.exists("/sys/kernel/mm/transparent_hugepage"):
            self.assertRegex((place / "smaps").read_text(), r"VmFlags:.* hg\b")

    def test_no_thread_that_nobody_asked_for(self):
        process = self.start("run", "scene.toml", "--no-render", "-o", "run", "--json", "--threads", "1",
                             "--set", "scene.duration=60")
        process.stdout.readline()
        self.assertEqual(len(os.listdir(f"/proc/{process.pid}/task")), 1)

    def limited(self, *words):
        """Runs the command as a user who may start no further process or thread."""
        os.chmod(self.folder, 0o777)

        def limit():
            if os.getuid() == 0:  # limits do not hold root
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))

        return self.repose(*words, preexec_fn=limit)

    def test_a_limit_on_processes(self):
        if os.getuid() == 0 and subprocess.run(
                [COMMAND, "--version"], preexec_fn=lambda: os.setuid(NOBODY), stdout=subprocess.DEVNULL).returncode != 0:
            self.skipTest("another user may not run the command here")
        self.assertEqual(self.limited("--version").code, 0)
        result = self.limited(*RUN, "-o", "run")
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("1 thread,", result.out)
        result = self.limited(*RUN, "-o", "other", "--threads", "8")
        self.assertEqual(result.code, 4)
        self.assertRegex(result.err, r"^repose run: cannot start 8 threads: the system allows \d here; use fewer")

    def test_more_threads_than_anybody_has(self):
        result = self.repose(*RUN, "-o", "run", "--threads", "100000")
        self.assertEqual(result.code, 2)
        self.assertEqual(result.err, "repose run: at most 1024 threads can be used, not 100000\n")
        limit = 2 << 30  # [bytes]
        result = self.repose(*RUN, "-o", "run", "--threads", "1000",
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.assertEqual(result.code, 4)
        self.assertIn("repose run: cannot start 1000 threads", result.err)

    def test_closed_standard_streams(self):
        """What is printed does not run into the first files that are opened."""
        open_run = self.succeed(*RUN, "-o", "open", "--json")
        self.assertGreater(len(open_run.out), 0)
        script = 'exec "$0" "$@" <&- >&- 2>&-'
        finished = subprocess.run(["sh", "-c", script, COMMAND, *RUN, "-o", "closed", "--json"], cwd=self.folder,
                                  timeout=100)
        self.assertEqual(finished.returncode, 0)
        for table in sorted((self.folder / "open/probes").iterdir()):
            self.assertEqual((self.folder / "closed/probes" / table.name).read_bytes(), table.read_bytes())

    def test_control_characters_are_shown_and_not_obeyed(self):
        title = "\\u001b]0;owned\\u0007\\u009b31m"
        scene = (self.folder / "scene.toml").read_text()
        (self.folder / "scene.toml").write_text(scene.replace('"A small heap"', f'"{title}"'))
        outputs = [self.succeed("check", "scene.toml"), self.succeed(*RUN, "-o", "run"), self.succeed("info", "run"),
                   self.repose("measure", "run", "--set", 'probe.push.body=["\\u001b[2J"]'),
                   self.repose("check", "\033[2J.toml"), self.succeed(*RUN, "-o", "\033[2J")]
        for result in outputs:
            text = result.out + result.err
            for character in text:
                self.assertFalse((ord(character) < 32 and character not in "\n\t") or 127 <= ord(character) < 160,
                                 repr(text))
        self.assertIn("\\x1b]0;owned\\x07\\xc2\\x9b31m", outputs[0].out)
        self.assertIn("\\x1b[2J.toml", outputs[4].err)

    def test_a_pipe_in_place_of_a_file_is_refused(self):
        self.succeed(*RUN, "-o", "run")
        for name in ("manifest.json", "grains.json", "bodies.csv", "particles/particles.0000.ply", "scene.resolved.toml"):
            with self.subTest(name):
                path = self.folder / "run" / name
                kept = path.read_bytes()
                path.unlink()
                os.mkfifo(path)
                result = self.repose("render", "run", "--frames", "0", "--no-film")
                self.assertIn(result.code, (2, 3), result.err)
                self.assertIn("not a", result.err)
                path.unlink()
                path.write_bytes(kept)
        os.makedirs(self.folder / "run/export/ply/bodies")
        os.mkfifo(self.folder / "run/export/ply/bodies/a.obj")
        self.succeed(*RUN, "-o", "run", "--force")

    def test_force_removes_nothing_behind_a_link(self):
        self.succeed(*RUN, "-o", "mine")
        self.succeed(*RUN, "-o", "other")
        shutil.rmtree(self.folder / "mine/particles")
        os.symlink("../other/particles", self.folder / "mine/particles")
        before = sorted(path.name for path in (self.folder / "other/particles").iterdir())
        result = self.repose(*RUN, "-o", "mine", "--force")
        self.assertEqual(result.code, 2)
        self.assertEqual(result.err, "repose run: mine/particles is a symbolic link, and --force removes nothing behind "
                                     "links: remove the link, or choose another folder with -o\n")
        self.assertEqual(sorted(path.name for path in (self.folder / "other/particles").iterdir()), before)
        self.assertTrue((self.folder / "mine/manifest.json").exists())

    def test_without_ffmpeg_a_run_keeps_its_checks(self):
        result = self.repose("run", "scene.toml", "-o", "run", "--frames", "1", "--set", 'check.a.stat="particles"',
                             "--set", "check.a.min=1", env={"PATH": "/nowhere"})
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("there is no film of run: ffmpeg was not found: install it", result.err)
        self.assertEqual([check["passed"] for check in self.manifest("run")["checks"]], [True])
        self.assertEqual(self.manifest("run")["status"], "done")
        self.assertTrue((self.folder / "run/images/image.0001.png").exists())
        result = self.repose("run", "scene.toml", "-o", "bad", "--frames", "1", "--set", 'check.a.stat="particles"',
                             "--set", "check.a.max=0", env={"PATH": "/nowhere"})
        self.assertEqual(result.code, 5)

    def test_a_complete_run_is_resumed_without_setting_up_again(self):
        self.succeed(*RUN, "-o", "run")
        result = self.succeed(*RUN, "-o", "run", "--resume")
        self.assertIn("nothing to do: the run is complete to frame 1", result.out)
        self.assertNotIn("placing", result.out)

    def test_a_resume_notices_missing_frames(self):
        self.succeed(*RUN, "-o", "run")
        (self.folder / "run/particles/particles.0000.ply").unlink()
        for more in ((), ("--frames", "2")):
            result = self.succeed("run", "scene.toml", "--no-render", *(more or ("--frames", "1")), "-o", "run", "--resume")
            if not more:
                self.assertEqual(result.err, "warning: run has no particle files of frame 0 any more: --resume does not "
                                             "make them again, a run with --force does\n")
        self.assertEqual(self.manifest("run")["frames"]["written"], [1, 2])

    def test_remedies_name_resume_only_where_it_helps(self):
        limit = 8192  # [bytes] a file; a frame is larger
        sized = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))}
        result = self.repose(*RUN, "-o", "never", **sized)
        self.assertEqual(result.code, 4)
        self.assertNotIn("--resume", result.err)  # there is no checkpoint yet
        self.succeed(*RUN, "-o", "run")
        result = self.repose("export", "run", "--to", "csv", **sized)
        self.assertEqual(result.code, 4)
        self.assertNotIn("--resume", result.err)
        result = self.repose("run", "scene.toml", "--no-render", "-o", "run", "--frames", "3", "--resume", **sized)
        self.assertEqual(result.code, 4)
        self.assertIn("--resume goes on from the last checkpoint", result.err)
        # A killed run that has no checkpoint cannot be resumed, and info does not say so.
        shutil.rmtree(self.folder / "run/checkpoint")
        manifest = self.manifest("run")
        manifest["status"] = "running"
        (self.folder / "run/manifest.json").write_text(json.dumps(manifest))
        self.assertIn("--force starts anew", self.succeed("info", "run").out)


if __name__ == "__main__":
    unittest.main()
