"""Wrong scenes and wrong command lines: each with its exact message and exit code, and nothing left behind.

The tables are bad_commands.toml and bad_scenes.toml. A case has

  name    what is wrong
  args    the command line; in bad_scenes.toml `check scene.toml` unless given
  scene   the whole text of scene.toml, where @FF@ stands for the byte FF; or
  add     text that is put after the good scene's (command.py: SMALL_SCENE)
  files   other files that must be there: name = "text"
  code    the exit code
  err     all of stderr; @LAST+n@ stands for the n-th line after the good scene's, @FOLDER@ for the scratch folder,
          @VERSION@ for the version
"""

import pathlib
import re
import shlex
import tomllib
import unittest

from command import SMALL_SCENE, CommandTest

FOLDER = pathlib.Path(__file__).parent
LAST = SMALL_SCENE.count("\n")


def read_table(name):
    return tomllib.loads((FOLDER / name).read_text())["case"]


class BadInput(CommandTest):
    def setUp(self):
        super().setUp()
        self.version = self.succeed("--version").out.strip()

    def check_table(self, name):
        cases = read_table(name)
        for case in cases:
            with self.subTest(case["name"]):
                self.check(case)

    def check(self, case):
        scene = case.get("scene", SMALL_SCENE + case.get("add", ""))
        (self.folder / "scene.toml").write_bytes(scene.encode().replace(b"@FF@", b"\xff"))
        for name, text in case.get("files", {}).items():
            (self.folder / name).write_text(text)
        before = self.files()
        result = self.repose(*shlex.split(case.get("args", "check scene.toml")))
        wanted = re.sub(r"@LAST\+(\d+)@", lambda match: str(LAST + int(match[1])), case["err"])
        said = result.err.replace(str(self.folder), "@FOLDER@").replace(self.version, "repose @VERSION@")
        self.assertEqual(said, wanted)
        # A run says what it sets up before it can know that this fails.
        self.assertEqual([line for line in result.out.splitlines() if not line.startswith("set-up ")], [])
        self.assertEqual(result.code, case["code"])
        self.assertEqual(self.files(), before, "files were left behind")
        for name in case.get("files", {}):
            (self.folder / name).unlink()

    def test_commands(self):
        self.check_table("bad_commands.toml")

    def test_scenes(self):
        self.check_table("bad_scenes.toml")

    def test_the_tables_are_large(self):
        cases = read_table("bad_commands.toml") + read_table("bad_scenes.toml")
        self.assertGreaterEqual(len(cases), 60)
        names = [case["name"] for case in cases]
        self.assertEqual(len(set(names)), len(names), "two cases have the same name")


if __name__ == "__main__":
    unittest.main()
