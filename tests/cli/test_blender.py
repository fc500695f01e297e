"""The data that docs/scripts/blender_import.py gives to Blender, without Blender: a run with compounds, copies of a body
and one that is removed, exported, and read by the script's own functions."""

import importlib.util
import pathlib
import py_compile
import unittest

import numpy

from command import CommandTest

SCRIPT = pathlib.Path(__file__).parents[2] / "docs/scripts/blender_import.py"

SCENE = """
[scene]
version = 1
duration = 0.25
fps = 20

[domain]
min = [-0.2, -0.2, 0]
max = [0.2, 0.2, 0.5]

[solver]
type = "dem"
spacing = 0.02

[material.sand]
friction = 0.5
young = 1e6
color = [0.5, 0.25, 0.125]

[material.balls]
grain = "sphere"
young = 1e6

[fill.sand]
material = "sand"
shape = "box"
size = [0.06, 0.06, 0.06]
position = [0, 0, 0.3]
packing = "jittered"
angular_velocity = [3, 0, 5]

[fill.balls]
material = "balls"
points = [[0.1, 0, 0.3], [-0.1, 0, 0.3]]

[body.pins]
shape = "cylinder"
radius = 0.01
height = 0.2
rotation = [90, 0, 0]
position = [-0.06, 0, 0.1]
copies = [3, 1, 1]
step = [0.06, 0, 0]
color = [0.1, 0.2, 0.3]

[body.lid]
shape = "box"
size = [0.05, 0.05, 0.01]
position = [0, 0, 0.15]
remove = 0.12

[body.wheel]
shape = "box"
size = [0.05, 0.02, 0.02]
position = [0.15, 0.15, 0.1]
motion = "moving"
angular_velocity = [0, 0, 40]
"""


class Blender(CommandTest):
    @classmethod
    def setUpClass(cls):
        spec = importlib.util.spec_from_file_location("blender_import", SCRIPT)
        cls.script = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(cls.script)

    def export(self):
        (self.folder / "scene.toml").write_text(SCENE)
        self.succeed("run", "scene.toml", "--no-render", "-o", "run")
        self.succeed("export", "run", "--to", "ply")
        return str(self.folder / "run/export/ply")

    def test_it_compiles(self):
        py_compile.compile(str(SCRIPT), cfile=str(self.folder / "script.pyc"), doraise=True)

    def test_the_whole_sequence(self):
        folder = self.export()
        frames = self.script.find_frames(folder)
        self.assertEqual(frames, list(range(6)))
        self.assertAlmostEqual(self.script.frames_per_second(folder, frames), 20)
        self.assertEqual(self.script.parse_frames("1-5:2", frames), [1, 3, 5])
        self.assertEqual([self.script.frame_at([0, 2, 4], n) for n in (0, 1, 2, 5)], [0, 0, 2, 4])
        low, high = self.script.robust_bounds(folder, frames)
        self.assertTrue((low < high).all())

    def test_compounds_are_their_spheres(self):
        folder = self.export()
        rows, time = self.script.read_ply(self.script.particle_path(folder, 4))
        self.assertAlmostEqual(time, 0.2)
        shapes = self.script.read_shapes(folder)
        spheres = self.script.spheres_of(rows, shapes)
        counts = numpy.array([len(shape) for shape in shapes])[rows["shape"]]
        self.assertEqual(len(spheres["radius"]), counts.sum())
        self.assertGreater(counts.max(), 1)
        self.assertEqual(counts.min(), 1)
        for row, count in zip(rows, counts):
            of = spheres["id"] == row["id"]
            self.assertEqual(of.sum(), count)
            centre = numpy.array([row["x"], row["y"], row["z"]], float)
            arms = spheres["position"][of] - centre
            # Within the grain, and turned with it: the spheres of the shape, by a rotation matrix.
            w, x, y, z = (float(row["q" + c]) for c in "wxyz")
            turn = numpy.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
            shape = shapes[row["shape"]]
            expected = float(row["radius"]) * shape[:, :3] @ turn.T
            numpy.testing.assert_allclose(arms, expected, atol=1e-7)
            numpy.testing.assert_allclose(spheres["radius"][of], float(row["radius"]) * shape[:, 3], rtol=1e-6)
            spin = numpy.array([row["wx"], row["wy"], row["wz"]], float)
            velocity = numpy.array([row["vx"], row["vy"], row["vz"]], float)
            numpy.testing.assert_allclose(spheres["velocity"][of], velocity + numpy.cross(spin, arms), atol=1e-6)

    def test_copies_have_the_mesh_of_their_table(self):
        folder = self.export()
        bodies = self.script.read_bodies(folder)
        self.assertLessEqual({"pins.0", "pins.1", "pins.2", "lid", "wheel", "domain.z-"}, set(bodies))
        meshes = {name: self.script.mesh_file(folder, name) for name in bodies}
        self.assertEqual(len({meshes[f"pins.{k}"] for k in range(3)}), 1)
        self.assertIsNotNone(meshes["pins.0"])
        self.assertIsNone(meshes["domain.z-"])
        vertices, triangles = self.script.read_obj(meshes["wheel"])
        self.assertEqual(len({index for triangle in triangles for index in triangle}), len(vertices))
        self.assertAlmostEqual(max(v[0] for v in vertices), 0.025)
        self.assertEqual([key["location"][0] for key in (bodies["pins.0"][0], bodies["pins.2"][0])], [-0.06, 0.06])
        # The lid is gone at 0.12 s; the wheel turns on without a quaternion that jumps.
        self.assertEqual([key["frame"] for key in bodies["lid"]], [0, 1, 2])
        turns = [key["rotation"] for key in bodies["wheel"]]
        for a, b in zip(turns, turns[1:]):
            self.assertGreater(numpy.dot(a, b), 0)
        materials, looks = self.script.read_looks(folder)
        self.assertEqual(materials[0], (0.5, 0.25, 0.125))
        self.assertEqual(self.script.look_of("pins.1", looks)["color"], (0.1, 0.2, 0.3))

    def test_a_million_grains_are_quick_to_expand(self):
        rows = numpy.zeros(1000000, dtype=[(name, "<f4") for name in
                                           "x y z vx vy vz radius qw qx qy qz wx wy wz".split()] +
                           [("id", "<u4"), ("material", "u1"), ("shape", "<u2")])
        rows["qw"], rows["radius"], rows["id"] = 1, 0.001, numpy.arange(len(rows))
        spheres = self.script.spheres_of(rows, [numpy.array([[0.5, 0, 0, 0.5], [-0.5, 0, 0, 0.5]])])
        self.assertEqual(spheres["position"].shape, (2000000, 3))

    def test_what_is_damaged_is_said(self):
        folder = self.export()
        path = pathlib.Path(folder) / "particles.0001.ply"
        path.write_bytes(path.read_bytes()[:-5])
        with self.assertRaisesRegex(ValueError, "rows"):
            self.script.read_ply(path)
        path.write_bytes(b"")
        with self.assertRaisesRegex(ValueError, "no PLY"):
            self.script.read_ply(path)


if __name__ == "__main__":
    unittest.main()
