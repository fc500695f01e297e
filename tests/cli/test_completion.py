"""Shell completion: the bash script is sourced and asked; those of other shells are parsed where the shell is there."""

import shutil
import subprocess
import unittest

from command import COMMAND, CommandTest

ASK = """
source <("{command}" completion bash)
COMP_WORDS=({words})
COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))
_repose
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


class Completion(CommandTest):
    def ask(self, *words):
        """What bash would offer for the last of the words."""
        text = ASK.format(command=COMMAND, words=" ".join(f"'{word}'" for word in words))
        finished = subprocess.run(["bash", "--norc", "-c", text], cwd=self.folder, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, check=True)
        self.assertEqual(finished.stderr, b"")
        return sorted(finished.stdout.decode().split())

    def test_verbs(self):
        self.assertEqual(self.ask("repose", "re"), ["refine", "render"])
        self.assertIn("completion", self.ask("repose", ""))
        self.assertNotIn("reference", self.ask("repose", ""))

    def test_options_are_those_of_the_verb(self):
        self.assertEqual(self.ask("repose", "run", "--re"), ["--resume"])
        self.assertEqual(self.ask("repose", "export", "--t"), ["--threads", "--to"])
        for verb in ("run", "check", "render", "export", "info", "measure"):
            text = self.succeed(verb, "--help").out
            for name in self.ask("repose", verb, "--"):
                self.assertTrue(name == "--help" or f"  {name} " in text or f"  {name}\n" in text, (verb, name))

    def test_values(self):
        self.assertEqual(self.ask("repose", "export", "out", "--to", "v"), ["vdb", "vtp"])
        self.assertEqual(self.ask("repose", "export", "out", "--up", ""), ["y", "z"])
        self.assertEqual(self.ask("repose", "completion", ""), ["bash", "fish", "zsh"])
        self.assertEqual(self.ask("repose", "run", "--frames", ""), [])

    def test_files(self):
        (self.folder / "out").mkdir()
        (self.folder / "notes.txt").write_text("")
        self.assertEqual(self.ask("repose", "run", ""), ["out", "scene.toml"])
        self.assertEqual(self.ask("repose", "render", ""), ["out"])

    def test_other_shells_parse_theirs(self):
        for shell in ("bash", "zsh", "fish"):
            script = self.succeed("completion", shell).out
            self.assertIn("--to" if shell != "fish" else "-l to", script)
            if shutil.which(shell) is None:
                continue
            (self.folder / "script").write_text(script)
            finished = subprocess.run([shell, "-n", "script"], cwd=self.folder, stderr=subprocess.PIPE)
            self.assertEqual((finished.returncode, finished.stderr), (0, b""), shell)


if __name__ == "__main__":
    unittest.main()
