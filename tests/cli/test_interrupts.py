"""Ctrl-C and its like while something other than steps takes long: a set-up, a picture, a surface. What is cut off leaves
nothing half-done behind. No test measures time: what a command says at its end tells where it stopped."""

import fcntl
import json
import signal
import time
import unittest

from command import CommandTest

# Grains by the ten thousand: packing them takes long.
PACKING = ("--set", "solver.spacing=0.003", "--set", 'fill.heap.packing="settled"', "--set", "emitter.spout.rate=0.001")


class Interrupts(CommandTest):
    def start_and_wait_for(self, words, *command):
        """Starts the command and returns once it has printed a line that holds `words`."""
        process = self.start(*command)
        for line in process.stdout:
            if words in line.decode():
                return process
        self.fail(f"never said '{words}': {process.stderr.read().decode()}")

    def end_of(self, process):
        out, err = process.communicate(timeout=120)
        return process.returncode, out.decode(), err.decode()

    def test_a_set_up_says_what_it_does_and_can_be_interrupted(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number.name):
                process = self.start_and_wait_for("set-up    packing the grains of heap", "run", "scene.toml", "-o", "run", *PACKING)
                process.send_signal(number)
                code, _, err = self.end_of(process)
                self.assertEqual(code, 130, err)
                self.assertEqual(err, "repose run: interrupted while it was set up: nothing was written\n")
                self.assertFalse((self.folder / "run").exists())

    def test_the_set_up_of_a_resume_can_be_interrupted(self):
        """And leaves the run as it was."""
        scene = ("run", "scene.toml", "-o", "run", "--no-render", "--set", 'fill.heap.packing="settled"')
        self.succeed(*scene, "--frames", "1")
        before = {path: (self.folder / path).read_bytes() for path in self.files() if (self.folder / path).is_file()}
        process = self.start_and_wait_for("packing", *scene, "--resume")
        process.send_signal(signal.SIGTERM)
        code, _, err = self.end_of(process)
        if "while it was set up" in err:
            self.assertEqual(code, 130)
            after = {path: (self.folder / path).read_bytes() for path in self.files() if (self.folder / path).is_file()}
            self.assertEqual(before, after)

    def test_a_picture_can_be_interrupted(self):
        """A picture that takes hours: neither `render` nor the frame of a run waits for its end."""
        slow = ("--set", "render.samples=65536", "--set", "render.size=[1280, 960]")
        self.succeed("run", "scene.toml", "--no-render", "-o", "run", "--frames", "1")
        process = self.start_and_wait_for("drawing frame 0", "render", "run", *slow)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        code, _, err = self.end_of(process)
        self.assertEqual(code, 130, err)
        self.assertEqual(err, "interrupted; the same command with --missing goes on\n")

        process = self.start("run", "scene.toml", "-o", "drawn", "--frames", "1", *slow)
        while not (self.folder / "drawn/particles/particles.0000.ply").exists():
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        code, out, err = self.end_of(process)
        self.assertEqual(code, 130, err)
        self.assertIn("go on with: repose run scene.toml -o drawn", err)
        self.assertEqual(self.manifest("drawn")["message"],
                         "stopped before frame 0 was complete; the same command with --resume goes on from here")
        # The frame counts as not reached: a resume makes it again, picture and all.
        self.succeed("run", "scene.toml", "-o", "drawn", "--frames", "1", "--resume", "--set", "render.samples=1",
                     "--set", "render.size=[64, 48]")
        self.assertEqual(self.manifest("drawn")["state_hash"], self.manifest("run")["state_hash"])
        self.assertEqual(sorted(path.name for path in (self.folder / "drawn/images").iterdir()),
                         ["image.0000.png", "image.0001.png"])

    def test_a_surface_can_be_interrupted(self):
        self.succeed("run", "scene.toml", "--no-render", "-o", "run")
        process = self.start_and_wait_for("surface of frame 0", "surface", "run", "--set", "surface.spacing=0.0009",
                                          "--set", "surface.radius=0.003")
        process.send_signal(signal.SIGTERM)
        code, _, err = self.end_of(process)
        self.assertEqual(code, 130, err)
        self.assertEqual(err, "interrupted; the files that were written are complete\n")
        self.assertEqual([path.name for path in (self.folder / "run").rglob(".tmp-*")], [])

    def test_a_closed_terminal_writes_a_checkpoint(self):
        run = ("run", "scene.toml", "-o", "run", "--no-render", "--set", "scene.duration=60", "--json")
        process = self.start(*run)
        process.stdout.readline()
        process.send_signal(signal.SIGHUP)
        code, out, err = self.end_of(process)
        self.assertEqual(code, 130, err)
        self.assertEqual(json.loads(out.splitlines()[-1])["outcome"], "interrupted")
        self.assertEqual(self.manifest("run")["status"], "interrupted")

    def test_nohup_is_respected(self):
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # children inherit it
        try:
            process = self.start("run", "scene.toml", "-o", "run", "--no-render", "--json")
        finally:
            signal.signal(signal.SIGHUP, before)
        process.stdout.readline()
        process.send_signal(signal.SIGHUP)
        code, _, err = self.end_of(process)
        self.assertEqual(code, 0, err)

    def test_what_a_killed_verb_left_is_swept(self):
        """A temporary file that nobody holds goes; one that a process still writes stays."""
        self.succeed("run", "scene.toml", "-o", "run", "--frames", "1")
        folders = {"render": "run/images", "export": "run/export/csv", "surface": "run/surface", "measure": "run/measure"}
        words = {"render": ("render", "run", "--frames", "0", "--no-film"), "export": ("export", "run", "--to", "csv"),
                 "surface": ("surface", "run", "--frames", "0"), "measure": ("measure", "run")}
        for verb, folder in folders.items():
            with self.subTest(verb):
                place = self.folder / folder
                place.mkdir(parents=True, exist_ok=True)
                left, held = place / ".tmp-1-left", place / ".tmp-1-held"
                left.write_text("half")
                with open(held, "w") as file:
                    fcntl.flock(file, fcntl.LOCK_EX)
                    self.succeed(*words[verb])
                    self.assertFalse(left.exists())
                    self.assertTrue(held.exists())
                held.unlink()


if __name__ == "__main__":
    unittest.main()
