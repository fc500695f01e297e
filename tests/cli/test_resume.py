"""A run that was stopped, by kill -9 at any moment or by Ctrl-C, and resumed gives what the uninterrupted run gives."""

import random
import signal
import time
import unittest

from command import CommandTest, run_results

RUN = ("run", "scene.toml", "--no-render", "--checkpoint", "0.02", "--set", "scene.duration=0.5")
KILLS = 10


class Resume(CommandTest):
    def reference(self):
        """The uninterrupted run, and the wall time it took [s]."""
        before = time.monotonic()
        self.succeed(*RUN, "-o", "whole")
        return time.monotonic() - before

    def stop_after(self, run, number, delay):
        """Starts a run, sends it a signal `delay` seconds after its first checkpoint; its exit code."""
        process = self.start(*RUN, "-o", run)
        checkpoints = self.folder / run / "checkpoint"
        while process.poll() is None and not list(checkpoints.glob("checkpoint.*")):
            time.sleep(0.005)
        time.sleep(delay)
        process.send_signal(number)
        self.errors = process.communicate()[1].decode()
        return process.returncode

    def assert_same_as_whole(self, run):
        self.assertEqual(self.manifest(run)["state_hash"], self.manifest("whole")["state_hash"])
        mine, whole = run_results(self.folder / run), run_results(self.folder / "whole")
        self.assertEqual(mine.keys(), whole.keys())
        for name in whole:
            self.assertEqual(mine[name], whole[name], f"{name} of {run} differs")

    def test_the_scene_has_all_that_a_checkpoint_carries(self):
        """Matter comes and goes, and the moving body is touched; else the other tests would prove little."""
        self.reference()
        whole = self.folder / "whole"
        counts = [int(row[4]) for row in table_rows(whole / "stats.csv")]
        self.assertTrue(any(after > before for before, after in zip(counts, counts[1:])))
        self.assertTrue(any(after < before for before, after in zip(counts, counts[1:])))
        paddle = [row for row in table_rows(whole / "bodies.csv") if row[2] == "paddle"]
        self.assertGreater(len({row[4] for row in paddle}), 3)
        self.assertGreater(len({row[16] for row in paddle}), 3)

    def test_killed_runs_go_on_to_the_same_end(self):
        wall = self.reference()
        moments = random.Random(20)
        killed = 0
        for attempt in range(5 * KILLS):
            if killed == KILLS:
                break
            run = f"killed{attempt}"
            code = self.stop_after(run, signal.SIGKILL, moments.uniform(0, 0.8 * wall))
            if code == 0:
                continue  # it was faster than the whole run and had ended: no kill, so it does not count
            self.assertEqual(code, -signal.SIGKILL, self.errors)
            self.succeed(*RUN, "-o", run, "--resume")
            self.assert_same_as_whole(run)
            killed += 1
        self.assertEqual(killed, KILLS)

    def test_a_run_may_be_killed_twice(self):
        wall = self.reference()
        self.stop_after("twice", signal.SIGKILL, 0.1 * wall)
        process = self.start(*RUN, "-o", "twice", "--resume")
        time.sleep(0.3 * wall)
        process.kill()
        process.communicate()
        self.succeed(*RUN, "-o", "twice", "--resume")
        self.assert_same_as_whole("twice")

    def test_ctrl_c_writes_a_checkpoint_and_says_how_to_go_on(self):
        wall = self.reference()
        for number in (signal.SIGINT, signal.SIGTERM):
            run = number.name
            with self.subTest(run):
                self.assertEqual(self.stop_after(run, number, 0.2 * wall), 130, self.errors)
                self.assertEqual(
                    self.errors,
                    f"interrupted; go on with: repose run scene.toml -o {run} --set scene.duration=0.5 --no-render --resume\n",
                )
                self.assertEqual(self.manifest(run)["status"], "interrupted")
                self.succeed(*RUN, "-o", run, "--resume")
                self.assert_same_as_whole(run)

    def test_resume_may_change_the_number_of_threads_and_frames(self):
        self.succeed(*RUN, "-o", "whole")
        self.succeed(*RUN, "-o", "longer", "--frames", "5", "--threads", "1")
        self.succeed(*RUN, "-o", "longer", "--threads", "4", "--resume")
        self.assert_same_as_whole("longer")


def table_rows(path):
    """The rows of a CSV file below its header, as lists of text."""
    return [line.split(",") for line in path.read_text().splitlines()[1:]]


if __name__ == "__main__":
    unittest.main()
