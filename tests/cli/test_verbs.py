"""Each verb on its good path: what it writes, and what it says."""

import json
import pathlib
import re
import shutil
import struct
import subprocess
import unittest

from command import CommandTest, run_results

RUN = ("run", "scene.toml", "--no-render")
TREE = pathlib.Path(__file__).parents[2]
FRAMES = 6  # of the small scene, after frame 0


class Surface(CommandTest):
    def test_a_run_with_surfaces_has_what_the_verb_makes_afterwards(self):
        self.succeed(*RUN, "-o", "inline", "--frames", "2", "--set", "surface.smoothing=2")
        self.succeed(*RUN, "-o", "later", "--frames", "2")
        self.assertFalse((self.folder / "later/surface").exists())
        out = self.succeed("surface", "later", "--set", "surface.smoothing=2").out
        self.assertRegex(out, r"surfaces +3 frames, .* \([1-9][0-9]* triangles in the last\)")
        for frame in range(3):
            name = f"surface/surface.{frame:04}.ply"
            inline, later = (self.folder / run / name for run in ("inline", "later"))
            self.assertEqual(inline.read_bytes(), later.read_bytes())
            self.assertTrue(later.read_bytes().startswith(b"ply\nformat binary_little_endian 1.0\n"))

    def test_frames_and_folder_can_be_chosen(self):
        self.succeed(*RUN, "-o", "run", "--frames", "2")
        self.succeed("surface", "run", "--frames", "1", "-o", "meshes", "-q")
        self.assertEqual([path.name for path in (self.folder / "meshes").iterdir()], ["surface.0001.ply"])


class Run(CommandTest):
    def test_writes_the_run_folder(self):
        self.succeed(*RUN)
        run = self.folder / "out" / "scene"
        names = {path.name for path in run.iterdir()}
        self.assertLessEqual(
            {"manifest.json", "scene.resolved.toml", "stats.csv", "bodies.csv", "particles", "checkpoint"}, names
        )
        self.assertEqual(
            sorted(path.name for path in (run / "particles").iterdir()),
            [f"particles.{frame:04}.ply" for frame in range(FRAMES + 1)],
        )
        stats = (run / "stats.csv").read_text().splitlines()
        self.assertTrue(stats[0].startswith("frame,t,dt,steps,particles,mass,px,py,pz,kinetic,potential,max_speed,"))
        self.assertEqual([line.split(",")[0] for line in stats[1:]], [str(frame) for frame in range(FRAMES + 1)])
        bodies = (run / "bodies.csv").read_text().splitlines()
        self.assertEqual(
            bodies[0], "frame,t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,fx,fy,fz,tx,ty,tz"
        )
        self.assertIn("paddle", {line.split(",")[2] for line in bodies[1:]})
        manifest = self.manifest("out/scene")
        self.assertRegex(manifest["state_hash"], "^[0-9a-f]{16}$")
        self.assertRegex(manifest["scene_hash"], "^[0-9a-f]{16}$")
        self.assertEqual(manifest["solver"], "dem")
        self.assertEqual(manifest["seed"], 7)

    def test_the_emitter_pours_and_the_drain_takes(self):
        self.succeed(*RUN, "-o", "run", "--set", "scene.duration=0.5")
        counts = [int(line.split(",")[4]) for line in (self.folder / "run/stats.csv").read_text().splitlines()[1:]]
        self.assertGreater(max(counts), counts[0])

    def test_particle_files_are_ply(self):
        self.succeed(*RUN, "-o", "run", "--frames", "1")
        header, rows = read_ply(self.folder / "run/particles/particles.0001.ply")
        self.assertEqual(
            [name for name, _ in header],
            "x y z vx vy vz radius id material qw qx qy qz wx wy wz shape".split(),
        )
        ids = [row["id"] for row in rows]
        self.assertEqual(ids, sorted(ids))
        self.assertGreater(len(rows), 50)
        self.assertTrue(all(-0.2 <= row["x"] <= 0.2 and 0 <= row["z"] <= 0.6 for row in rows))

    def test_frames_are_counted_from_the_option(self):
        self.succeed(*RUN, "-o", "run", "--frames", "2")
        self.assertEqual(len(list((self.folder / "run/particles").iterdir())), 3)

    def test_set_is_the_same_as_the_key_in_the_file(self):
        self.succeed(*RUN, "-o", "set", "--frames", "2", "--set", "scene.seed=8", "--set", "scene.gravity=[0, 0, -2]")
        text = (self.folder / "scene.toml").read_text()
        text = text.replace("seed = 7", "seed = 8\ngravity = [0, 0, -2]")
        (self.folder / "other.toml").write_text(text)
        self.succeed("run", "other.toml", "--no-render", "-o", "file", "--frames", "2")
        self.assertEqual(self.manifest("set")["state_hash"], self.manifest("file")["state_hash"])
        self.succeed(*RUN, "-o", "plain", "--frames", "2")
        self.assertNotEqual(self.manifest("set")["state_hash"], self.manifest("plain")["state_hash"])

    def test_the_resolved_scene_runs_as_it_is(self):
        self.succeed(*RUN, "-o", "first")
        self.succeed("run", "first/scene.resolved.toml", "--no-render", "-o", "second")
        self.assertEqual(self.manifest("first")["state_hash"], self.manifest("second")["state_hash"])
        self.assertEqual(run_results(self.folder / "first"), run_results(self.folder / "second"))

    def test_an_occupied_folder_is_refused_unless_forced(self):
        self.succeed(*RUN, "-o", "run", "--frames", "3")
        before = self.manifest("run")["state_hash"]
        refused = self.repose(*RUN, "-o", "run", "--frames", "2", "--set", "scene.seed=8")
        self.assertEqual(refused.code, 2)
        self.assertIn("--force", refused.err)
        self.assertIn("--resume", refused.err)
        self.assertEqual(self.manifest("run")["state_hash"], before)
        self.succeed(*RUN, "-o", "run", "--frames", "2", "--set", "scene.seed=8", "--force")
        self.assertNotEqual(self.manifest("run")["state_hash"], before)
        self.assertEqual(len(list((self.folder / "run/particles").iterdir())), 3)

    def test_force_keeps_what_repose_did_not_write(self):
        self.succeed(*RUN, "-o", "run", "--frames", "1")
        (self.folder / "run/notes.txt").write_text("mine")
        self.succeed(*RUN, "-o", "run", "--frames", "1", "--force")
        self.assertEqual((self.folder / "run/notes.txt").read_text(), "mine")

    def test_resume_of_a_changed_scene_is_refused(self):
        self.succeed(*RUN, "-o", "run", "--frames", "2")
        refused = self.repose(*RUN, "-o", "run", "--resume", "--set", "material.sand.friction=0.1")
        self.assertEqual(refused.code, 2)
        self.assertEqual(len(refused.err.splitlines()), 1, refused.err)

    def test_resume_of_a_finished_run_does_nothing(self):
        self.succeed(*RUN, "-o", "run", "--frames", "2")
        before = run_results(self.folder / "run")
        self.succeed(*RUN, "-o", "run", "--frames", "2", "--resume")
        self.assertEqual(run_results(self.folder / "run"), before)

    def test_resume_without_a_run_is_refused(self):
        refused = self.repose(*RUN, "-o", "nothing", "--resume")
        self.assertEqual(refused.code, 2)
        self.assertIn("nothing", refused.err)
        self.assertEqual(self.files(), ["scene.toml"])


class OnARun(CommandTest):
    def setUp(self):
        super().setUp()
        self.succeed(*RUN, "-o", "run", "--frames", "4")

    def test_render_makes_pictures_of_a_range(self):
        result = self.succeed("render", "run", "--frames", "0-4:2")
        images = sorted(path.name for path in (self.folder / "run/images").iterdir())
        self.assertEqual(images, ["image.0000.png", "image.0002.png", "image.0004.png"])
        self.assertEqual(png_size(self.folder / "run/images/image.0002.png"), (64, 48))
        self.assertIn("3 made", result.out)

    def test_render_takes_other_settings(self):
        self.succeed("render", "run", "--frames", "3", "--no-film", "--set", "render.size=[32, 16]")
        self.assertEqual(png_size(self.folder / "run/images/image.0003.png"), (32, 16))

    def test_render_keeps_what_is_there(self):
        self.succeed("render", "run", "--frames", "0-1", "--no-film")
        result = self.succeed("render", "run", "--frames", "0-2", "--no-film", "--missing")
        self.assertIn("1 made, 2 kept", result.out)

    def test_render_into_another_folder(self):
        result = self.succeed("render", "run", "--frames", "1-2", "-o", "other/place")
        names = sorted(path.name for path in (self.folder / "other/place/images").iterdir())
        self.assertEqual(names, ["image.0001.png", "image.0002.png"])
        self.assertFalse((self.folder / "run/images").exists())
        self.assertIn("other/place/images", result.out)
        self.assertEqual((self.folder / "other/place/place.mp4").exists(), shutil.which("ffmpeg") is not None)
        self.assertIn("2 kept", self.succeed("render", "run", "--frames", "1-2", "-o", "other/place", "--missing").out)
        self.succeed("render", "run", "--sheet", "2x1", "-o", "other/place")
        self.assertTrue((self.folder / "other/place/sheet.png").exists())
        self.succeed(*RUN, "-o", "second", "--frames", "1")
        refused = self.repose("render", "run", "-o", "second", "--no-film")
        self.assertEqual(refused.code, 2)
        self.assertIn("second holds another run", refused.err)

    def test_render_draws_the_surface_that_was_made_later(self):
        def picture():
            self.succeed("render", "run", "--frames", "4", "--no-film")
            return (self.folder / "run/images/image.0004.png").read_bytes()
        grains = picture()
        self.succeed("surface", "run", "--frames", "4")
        surface = picture()
        self.assertNotEqual(grains, surface)
        # Turned files are turned back.
        self.succeed("surface", "run", "--frames", "4", "--up", "y")
        self.assertEqual(picture(), surface)
        (self.folder / "run/surface/surface.0004.ply").write_bytes(b"ply\n")
        refused = self.repose("render", "run", "--frames", "4", "--no-film")
        self.assertEqual(refused.code, 4)
        self.assertIn("surface.0004.ply: is no surface of repose, or damaged", refused.err)
        (self.folder / "run/surface/surface.0004.ply").unlink()
        self.assertEqual(picture(), grains)

    def test_walls_can_be_drawn(self):
        def picture(*words):
            self.succeed("render", "run", "--frames", "4", "--no-film", *words, "--set",
                         "render.camera={position=[1, -2, 1], target=[0, 0, 0.2]}")
            return (self.folder / "run/images/image.0004.png").read_bytes()
        self.assertNotEqual(picture(), picture("--set", "render.walls=true"))

    def test_a_sheet_of_frames(self):
        self.succeed("render", "run", "--sheet", "3x2", "--set", 'render.color_by="speed"', "--threads", "2")
        width, height = png_size(self.folder / "run/sheet.png")
        self.assertEqual(width, 4 + 3 * (634 + 4))
        self.assertEqual(height, 4 + 2 * (475 + 4))
        self.assertFalse((self.folder / "run/images").exists())

    @unittest.skipUnless(shutil.which("ffmpeg"), "no ffmpeg here")
    def test_a_sheet_shows_the_first_and_the_last_frame(self):
        self.succeed("render", "run", "--sheet", "2x1", "--set", "render.size=[48, 32]")
        self.succeed("render", "run", "--frames", "0-4:4", "--no-film", "--set", "render.size=[954, 636]")
        width, height = png_size(self.folder / "run/sheet.png")
        self.assertEqual((width, height), (4 + 2 * (954 + 4), 4 + 636 + 4))
        sheet = png_rows(self.folder / "run/sheet.png", width)
        for place, frame in enumerate((0, 4)):
            picture = png_rows(self.folder / f"run/images/image.{frame:04}.png", 954)
            left = 3 * (4 + place * (954 + 4))
            for y in range(0, 560):  # below it stands the label
                self.assertEqual(sheet[4 + y][left:left + 3 * 954], picture[y], f"frame {frame}, row {y}")
            self.assertNotEqual(sheet[4 + 600][left:left + 3 * 954], picture[600], "no label")
        self.assertEqual(sheet[1], sheet[0])
        self.assertEqual(sheet[300][:12], sheet[0][:12])

    def test_exr_pictures(self):
        self.succeed("render", "run", "--frames", "1", "--set", 'render.formats=["exr"]')
        names = sorted(path.name for path in (self.folder / "run/images").iterdir())
        self.assertEqual(names, ["image.0001.exr"])
        self.assertEqual((self.folder / "run/images/image.0001.exr").read_bytes()[:4], b"\x76\x2f\x31\x01")
        self.assertFalse((self.folder / "run/run.mp4").exists())
        self.succeed("render", "run", "--frames", "1", "--missing", "--set", 'render.formats=["exr", "png"]', "--no-film")
        self.assertTrue((self.folder / "run/images/image.0001.png").exists())

    def test_export_csv(self):
        self.succeed("export", "run", "--to", "csv", "--frames", "1-3:2")
        folder = self.folder / "run/export/csv"
        self.assertEqual(
            sorted(path.name for path in folder.iterdir()),
            ["bodies", "bodies.csv", "grains.json", "particles.0001.csv", "particles.0003.csv"],
        )
        table = (folder / "particles.0003.csv").read_text().splitlines()
        columns = table[0].split(",")
        self.assertEqual(columns[:9], "x y z vx vy vz radius id material".split())
        _, rows = read_ply(self.folder / "run/particles/particles.0003.ply")
        self.assertEqual(len(table) - 1, len(rows))
        first = dict(zip(columns, table[1].split(",")))
        self.assertEqual(int(first["id"]), rows[0]["id"])
        self.assertAlmostEqual(float(first["x"]), rows[0]["x"], places=6)

    def test_export_ply_to_a_folder(self):
        self.succeed("export", "run", "--to", "ply", "-o", "grains", "--frames", "2")
        self.assertEqual([path.name for path in (self.folder / "grains").glob("*.ply")], ["particles.0002.ply"])
        _, mine = read_ply(self.folder / "grains/particles.0002.ply")
        _, theirs = read_ply(self.folder / "run/particles/particles.0002.ply")
        self.assertEqual(mine, theirs)

    def test_info(self):
        text = self.succeed("info", "run").out
        self.assertIn("A small heap", text)
        self.assertIn(self.manifest("run")["state_hash"], text)
        self.assertIn("4 of 4 done", text)
        info = self.succeed("info", "run", "--json").objects()
        self.assertEqual(len(info), 1)
        self.assertEqual(info[0]["status"], "done")
        self.assertEqual(info[0]["state_hash"], self.manifest("run")["state_hash"])


class Film(CommandTest):
    def test_a_run_ends_with_its_film(self):
        result = self.succeed("run", "scene.toml", "--frames", "2", "-o", "out/mine")
        self.assertEqual(result.out.splitlines()[-1], "film: out/mine/mine.mp4")
        self.assertGreater((self.folder / "out/mine/mine.mp4").stat().st_size, 500)
        self.assertEqual(len(list((self.folder / "out/mine/images").iterdir())), 3)
        self.assertEqual(self.succeed("info", "out/mine").out.splitlines()[-1], "film: out/mine/mine.mp4")


class WithoutARun(CommandTest):
    def test_check(self):
        text = self.succeed("check", "scene.toml").out
        for word in ("A small heap", "heap", "spout", "paddle", "keyframed", "time step", "memory", "disk"):
            self.assertIn(word, text)
        self.assertEqual(self.files(), ["scene.toml"])

    def test_check_audits_meshes(self):
        tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 4 3\nf 1 2 4\nf 2 3 4\n"
        (self.folder / "part.obj").write_text(tetrahedron + "f 2 3 4\n")
        scene = (self.folder / "scene.toml").read_text()
        (self.folder / "scene.toml").write_text(
            scene + '\n[body.part]\nshape = "mesh"\nfile = "part.obj"\nscale = 0.1\nposition = [0, 0, 5]\n')
        said = self.succeed("check", "scene.toml").out
        self.assertIn("mesh       [body.part] part.obj: 4 triangles in 1 part, 0.1 x 0.1 x 0.1 m", said)
        self.assertIn("warning    [body.part] part.obj: 1 triangle stands where another is (triangle 4 at ", said)
        found = json.loads(self.succeed("check", "scene.toml", "--json").out)["meshes"]
        self.assertEqual([f["name"] for f in found if f["level"] == "warning"], ["duplicate_triangles"])
        self.assertEqual(found[0]["triangle"], 4)
        self.assertIn("part.obj: 1 triangle stands", self.succeed(*RUN).err)

    def test_the_scenes_of_the_pages_are_good(self):
        """The TOML blocks of a page are one scene, written in pieces."""
        for page in ("README.md", "docs/first-scene.md"):
            text, scene = (TREE / page).read_text(), ""
            for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL):
                scene += block + "\n"
                (self.folder / "page.toml").write_text(scene)
                self.succeed("check", "page.toml")
            self.assertTrue(scene, f"{page} has no scene")

    def test_check_json_agrees_with_the_run(self):
        plan = self.succeed("check", "scene.toml", "--json", "--set", "emitter.spout.stop=0").objects()[0]
        self.succeed(*RUN, "-o", "run", "--frames", "1", "--set", "emitter.spout.stop=0")
        stats = (self.folder / "run/stats.csv").read_text().splitlines()
        row = dict(zip(stats[0].split(","), stats[1].split(",")))
        self.assertEqual(plan["particles"], int(row["particles"]))
        self.assertAlmostEqual(plan["mass"], float(row["mass"]), delta=0.02 * plan["mass"])
        self.assertLess(plan["dt"], 1e-2)

    def test_materials(self):
        text = self.succeed("materials").out
        for name in ("dry sand", "wet sand", "gravel", "soil", "rice", "popcorn", "fresh snow", "settled snow", "wet snow", "coarse snow", "packed snow", "water"):
            self.assertIn(name, text)
        self.assertNotIn("not available yet", text)

    def test_examples(self):
        text = self.succeed("examples").out
        self.assertIn(".toml  ", text)
        self.assertNotIn("does not load", text)
        self.assertIn("cp ", text)

    def test_version(self):
        self.assertRegex(self.succeed("--version").out, r"^repose \d+\.\d+\.\d+\n$")

    def test_help_fits_one_screen(self):
        text = self.succeed("--help").out
        self.assertLessEqual(len(text.splitlines()), 24)
        self.assertEqual(text, self.succeed("-h").out)
        examples = [line for line in text.splitlines() if line.startswith("  repose ")]
        self.assertEqual(len(examples), 3)

    def test_each_verb_has_help(self):
        verbs = "run check render export info materials examples refine surface measure completion".split()
        for verb in verbs:
            with self.subTest(verb):
                text = self.succeed(verb, "--help").out
                self.assertIn(f"Usage: repose {verb}", text)
                self.assertIn("Examples", text)
                self.assertLessEqual(max(map(len, text.splitlines())), 100)
                self.assertIn(f"  {verb} ", self.succeed("--help").out)

    def test_the_reference_page_names_every_table(self):
        text = self.succeed("reference").out
        for table in "scene domain solver material grain contact fill emitter sink zone body joint probe check".split():
            self.assertIn(f"[{table}", text)


def read_ply(path):
    """Columns as (name, type) and rows as dictionaries, of a binary little-endian PLY file."""
    codes = {"double": "d", "float": "f", "int": "i", "uint": "I", "short": "h", "uint16": "H", "uint8": "B"}
    header, _, body = path.read_bytes().partition(b"end_header\n")
    lines = header.decode().splitlines()
    assert lines[:2] == ["ply", "format binary_little_endian 1.0"], lines
    columns = [(line.split()[2], line.split()[1]) for line in lines if line.startswith("property")]
    layout = "<" + "".join(codes[kind] for _, kind in columns)
    return columns, [dict(zip([name for name, _ in columns], row)) for row in struct.iter_unpack(layout, body)]


def png_rows(path, width):
    """The rows of a picture, three bytes a pixel."""
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
                         check=True, capture_output=True).stdout
    return [raw[start:start + 3 * width] for start in range(0, len(raw), 3 * width)]


def png_size(path):
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", data[16:24])


if __name__ == "__main__":
    unittest.main()
