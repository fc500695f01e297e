"""What the command prints, and where: for people at a terminal, for logs, for programs."""

import array
import fcntl
import json
import os
import pty
import re
import select
import signal
import subprocess
import termios
import time
import unittest

from command import COMMAND, CommandTest

RUN = ("run", "scene.toml", "--no-render")
ESCAPE = "\033"


class Manners(CommandTest):
    def run_on_terminal(self, *words, env=None, interrupt=False):
        """What the command prints on a terminal; `interrupt` types Ctrl-C once the live line moves."""
        master, terminal = pty.openpty()
        process = subprocess.Popen(
            [COMMAND, *words],
            cwd=self.folder,
            env=dict(os.environ, TERM="xterm", **(env or {})),
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
        )
        os.close(terminal)
        self.addCleanup(self.finish, process)
        text, sent = b"", False
        end = time.monotonic() + 100
        while time.monotonic() < end:
            if select.select([master], [], [], 0.05)[0]:
                try:
                    part = os.read(master, 65536)
                except OSError:
                    break
                if not part:
                    break
                text += part
            if interrupt and not sent and text.count(b"\r") > text.count(b"\r\n") + 2:
                process.send_signal(signal.SIGINT)
                sent = True
        os.close(master)
        return process.wait(), text.decode()

    def test_plain_lines_without_a_terminal(self):
        result = self.succeed(*RUN, "-o", "run")
        self.assertNotIn(ESCAPE, result.out)
        self.assertNotIn("\r", result.out)
        self.assertEqual(result.err, "")
        self.assertLess(len(result.out.splitlines()), 60)
        titles = [line.split()[0] for line in result.out.splitlines() if line[:1].isalpha()]
        for title in ("scene", "solver", "matter", "frames", "folder", "done", "time", "dt", "escaped", "hash", "files"):
            self.assertIn(title, titles)
        self.assertIn(self.manifest("run")["state_hash"], result.out)

    def test_one_live_line_on_a_terminal(self):
        code, text = self.run_on_terminal(*RUN, "-o", "run")
        self.assertEqual(code, 0, text)
        lives = re.findall(r"\r(frame [^\r\n\033]*)", text)
        self.assertGreaterEqual(len(lives), 6)
        self.assertRegex(lives[-1], r"^frame \d+/6  t [\d.]+ s  left [\d?][^(]*  dt [\d.]+ [um]?s \([a-z ]+\)  [\d,.]+")
        self.assertTrue(all(len(line) < 80 for line in lives))
        self.assertIn(ESCAPE + "[1m", text)

    def test_no_color(self):
        code, text = self.run_on_terminal(*RUN, "-o", "run", env={"NO_COLOR": "1"})
        self.assertEqual(code, 0, text)
        self.assertNotRegex(text, "\033\\[[0-9;]*m")

    def test_ctrl_c_on_a_terminal(self):
        code, text = self.run_on_terminal(*RUN, "-o", "run", "--set", "scene.duration=60", interrupt=True)
        self.assertEqual(code, 130, text)
        self.assertIn("go on with: repose run scene.toml -o run --set scene.duration=60 --no-render --resume", text)

    def test_quiet_says_nothing_but_errors(self):
        result = self.succeed(*RUN, "-o", "run", "-q")
        self.assertEqual((result.out, result.err), ("", ""))
        result = self.repose(*RUN, "-o", "run", "-q")
        self.assertEqual(result.code, 2)
        self.assertEqual(result.out, "")
        self.assertIn("run", result.err)

    def test_json_lines(self):
        result = self.succeed(*RUN, "-o", "run", "--json")
        objects = result.objects()
        self.assertEqual([item["event"] for item in objects], ["frame"] * 7 + ["summary"])
        self.assertEqual([item["frame"] for item in objects[:-1]], list(range(7)))
        for item in objects[:-1]:
            self.assertLessEqual({"time", "dt", "limit", "steps", "particles", "escaped", "left", "eta"}, item.keys())
        summary = objects[-1]
        self.assertEqual(summary["outcome"], "done")
        self.assertEqual(summary["state_hash"], self.manifest("run")["state_hash"])
        self.assertEqual(summary["escaped"], 0)
        self.assertAlmostEqual(sum(summary["limits"].values()), 1, places=6)
        self.assertIn("hash", result.err)

    def test_json_and_quiet(self):
        result = self.succeed(*RUN, "-o", "run", "--json", "-q")
        self.assertEqual(result.objects()[-1]["event"], "summary")
        self.assertEqual(result.err, "")

    def test_a_closed_pipe_does_not_end_the_run(self):
        process = self.start(*RUN, "-o", "run", "--json")
        process.stdout.readline()
        process.stdout.close()
        process.stdout = None
        self.assertEqual(process.wait(), 0, process.stderr.read())
        self.assertEqual(self.manifest("run")["status"], "done")

    def test_the_time_left_is_seen_at_any_width(self):
        """And the time before frame 0 is no negative nothing."""
        code, text = self.run_on_terminal(*RUN, "-o", "run", "--set", "scene.settle=0.02")
        self.assertEqual(code, 0, text)
        lives = re.findall(r"\r((?:frame|settling) [^\r\n\033]*)", text)
        self.assertTrue(all(re.search(r"  left ", line[:60]) for line in lives), lives)
        self.assertNotIn("-0.000", text)
        self.assertTrue(all(re.match(r"settling  \d\.\d{3} s before frame 0", line) for line in lives
                            if line.startswith("settling")), lives)

    def test_a_second_ctrl_c_ends_at_once(self):
        """The first one is not looked at here: the process waits for somebody to read its lines."""
        process = self.start(*RUN, "-o", "run", "--json", "--set", "scene.fps=100000", "--set", "output.every=1000000")
        waiting, before = array.array("i", [0]), -1
        while waiting[0] < 4096 or waiting[0] != before:
            before = waiting[0]
            time.sleep(0.3)
            fcntl.ioctl(process.stdout, termios.FIONREAD, waiting)
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), -signal.SIGINT)

    def test_the_way_on_is_quoted_for_the_shell(self):
        process = self.start(*RUN, "-o", "my run", "--set", "scene.title='it is'", "--set", "scene.duration=60", "--json")
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate()
        self.assertEqual(process.returncode, 130)
        self.assertIn("-o 'my run' --set 'scene.title='\\''it is'\\''' --set scene.duration=60", err.decode())
        self.assertEqual(json.loads(out.splitlines()[-1])["outcome"], "interrupted")


if __name__ == "__main__":
    unittest.main()
