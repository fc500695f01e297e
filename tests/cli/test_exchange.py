"""Files for other programs, read back by readers that share no code with the writers: PLY with meshio, VTP with VTK,
VDB with programs over OpenVDB (tests/readers). Positions, velocities, radii and ids come back as they were."""

import csv
import io
import itertools
import os
import pathlib
import subprocess
import unittest
import xml.etree.ElementTree

import meshio
import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

from command import CommandTest

READ_VDB = os.environ.get(
    "REPOSE_READ_VDB", str(pathlib.Path(__file__).parents[2] / "build/tests/readers/read_vdb_points"))
READ_SURFACE = os.environ.get(
    "REPOSE_READ_VDB_SURFACE", str(pathlib.Path(__file__).parents[2] / "build/tests/readers/read_vdb_surface"))
RUN = ("run", "scene.toml", "--no-render", "-o", "run", "--frames", "3")
ALL = ("--set", 'output.formats=["ply", "vtp", "vdb", "csv"]')
SPACING = 0.02  # of the scene [m]
TURN = [[1, 0, 0], [0, 0, 1], [0, -1, 0]]  # (x, y, z) becomes (x, z, -y)


def read_ply(path):
    """Columns by name."""
    mesh = meshio.read(path)
    columns = dict(mesh.point_data, x=mesh.points[:, 0], y=mesh.points[:, 1], z=mesh.points[:, 2])
    return {name: numpy.asarray(values) for name, values in columns.items()}


def vtk_data(path):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    data = reader.GetOutput()
    assert reader.GetErrorCode() == 0, path
    return data


def vtk_arrays(data):
    return {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i)) for i in range(data.GetNumberOfArrays())}


def read_vdb(path):
    """Columns by name, rows by id, and the line about the frame."""
    text = subprocess.run([READ_VDB, str(path)], check=True, stdout=subprocess.PIPE).stdout.decode()
    lines = text.splitlines()
    rows = list(csv.reader(io.StringIO("\n".join(lines[1:-1]))))
    columns = dict(zip(lines[0].split(","), numpy.array(rows, float).T))
    order = numpy.argsort(columns["id"])
    return {name: values[order] for name, values in columns.items()}, lines[-1]


def read_level_set(path):
    """What the file says of its grids, and the voxels' columns by name."""
    text = subprocess.run([READ_SURFACE, str(path)], check=True, stdout=subprocess.PIPE).stdout.decode()
    lines = text.splitlines()
    notes = [line for line in lines if line.startswith("#")]
    rows = [line for line in lines if not line.startswith("#")]
    values = numpy.array([row.split(",") for row in rows[1:]], float)
    return notes, dict(zip(rows[0].split(","), values.T))


def sample(level_set, name, spacing, points):
    """A column at these points, trilinear between the middles of voxels; those whose eight voxels are all there."""
    index = stack(level_set, "i", "j", "k").astype(int)
    low = index.min(axis=0)
    dense = numpy.full(index.max(axis=0) - low + 2, numpy.nan)
    dense[tuple((index - low).T)] = level_set[name]
    at = points / spacing - 0.5 - low
    cell = numpy.floor(at).astype(int)
    share = at - cell
    value = numpy.zeros(len(points))
    for corner in itertools.product((0, 1), repeat=3):
        weight = numpy.prod(numpy.where(corner, share, 1 - share), axis=1)
        value += weight * dense[tuple((cell + corner).T)]
    return value


def stack(columns, *names):
    return numpy.stack([columns[name] for name in names], axis=1)


class Exchange(CommandTest):
    def assert_close(self, a, b, tolerance):
        self.assertEqual(numpy.shape(a), numpy.shape(b))
        self.assertLessEqual(float(numpy.max(numpy.abs(numpy.asarray(a, float) - numpy.asarray(b, float)))), tolerance)

    def assert_same(self, a, b):
        self.assert_close(a, b, 0)

    def table(self, path):
        """A particle CSV file of repose, columns by name."""
        with open(path) as file:
            rows = list(csv.reader(file))
        return dict(zip(rows[0], numpy.array(rows[1:], float).T))

    def test_ply_in_meshio(self):
        self.succeed(*RUN, *ALL)
        ply = read_ply(self.folder / "run/particles/particles.0003.ply")
        table = self.table(self.folder / "run/particles/particles.0003.csv")
        self.assertEqual(set(ply), set(table))
        self.assertGreater(len(ply["id"]), 50)
        for name in table:
            # Nine digits in the text tell every float apart.
            self.assert_same(numpy.asarray(ply[name], numpy.float32), numpy.asarray(table[name], numpy.float32))

    def test_surface_in_meshio(self):
        self.succeed(*RUN, "--set", "surface.smoothing=1")
        mesh = meshio.read(self.folder / "run/surface/surface.0003.ply")
        self.assertGreater(len(mesh.cells_dict["triangle"]), 100)
        self.assertLessEqual({"nx", "vx", "vy", "vz", "red", "green", "blue"}, set(mesh.point_data))
        # The surface goes around the particles, one spacing outside of the outermost ones.
        particles = meshio.read(self.folder / "run/particles/particles.0003.ply").points
        reach = particles.max(axis=0) - mesh.points.max(axis=0)
        self.assertTrue((reach < -0.5 * SPACING).all() and (reach > -1.5 * SPACING).all(), reach)

    def test_surface_as_a_level_set(self):
        """Velocity and colour are smooth over the mesh, and within a voxel of it the level set has what it has."""
        self.succeed(*RUN, "--set", 'surface.formats=["ply", "vdb"]')
        mesh = meshio.read(self.folder / "run/surface/surface.0003.ply")
        notes, voxels = read_level_set(self.folder / "run/surface/surface.0003.vdb")
        h = SPACING / 2
        self.assertEqual(notes, [f"# surface float level set, voxels of {h:g} m",
                                 f"# vel vec3s contravariant relative, voxels of {h:g} m",
                                 f"# Cd vec3s invariant, voxels of {h:g} m",
                                 "# frame 3 time 0.125"])
        self.assertGreater(len(voxels["surface"]), 1000)
        self.assertLessEqual(numpy.abs(voxels["surface"]).max(), 3 * h * (1 + 1e-6))
        distance = sample(voxels, "surface", h, mesh.points)
        self.assertLess(numpy.abs(distance).max(), 0.5 * h)
        self.assertLess(numpy.abs(distance).mean(), 0.1 * h)
        # Along the normal it grows as a distance does.
        normals = stack(mesh.point_data, "nx", "ny", "nz")
        self.assertAlmostEqual((sample(voxels, "surface", h, mesh.points + h * normals)).mean() / h, 1, delta=0.1)
        self.assertAlmostEqual((sample(voxels, "surface", h, mesh.points - h * normals)).mean() / h, -1, delta=0.2)
        speed = numpy.abs(stack(mesh.point_data, "vx", "vy", "vz")).max()
        self.assertGreater(speed, 0.1)
        for axis in "xyz":
            off = sample(voxels, "vel." + axis, h, mesh.points) - mesh.point_data["v" + axis]
            self.assertLess(numpy.abs(off).mean(), 0.02 * speed)
        red = numpy.mean(numpy.asarray(mesh.point_data["red"]).astype(numpy.uint8)) / 255
        self.assertAlmostEqual(voxels["Cd.x"].mean(), ((red + 0.055) / 1.055) ** 2.4, delta=0.01)

    def test_surface_of_a_finished_run_with_y_up(self):
        self.succeed(*RUN)
        formats = ("--set", 'surface.formats=["ply", "vdb"]', "--frames", "2")
        self.succeed("surface", "run", *formats)
        self.succeed("surface", "run", *formats, "--up", "y", "-o", "turned", "--threads", "1")
        z_up, y_up = (meshio.read(self.folder / folder / "surface.0002.ply") for folder in ("run/surface", "turned"))
        self.assert_same(y_up.points, z_up.points @ numpy.transpose(TURN))
        self.assert_same(stack(y_up.point_data, "vx", "vy", "vz"),
                         stack(z_up.point_data, "vx", "vy", "vz") @ numpy.transpose(TURN))
        _, voxels = read_level_set(self.folder / "turned/surface.0002.vdb")
        self.assertLess(numpy.abs(sample(voxels, "surface", SPACING / 2, y_up.points)).mean(), 0.1 * SPACING / 2)
        # The run may write them so itself.
        self.succeed(*RUN, "--force", *formats[:2], "--set", 'output.up="y"')
        for name in ("surface.0002.ply", "surface.0002.vdb"):
            self.assertEqual((self.folder / "run/surface" / name).read_bytes(),
                             (self.folder / "turned" / name).read_bytes())

    def test_vtp_in_vtk(self):
        self.succeed(*RUN, *ALL)
        folder = self.folder / "run/particles"
        ply = read_ply(folder / "particles.0003.ply")
        data = vtk_data(folder / "particles.0003.vtp")
        arrays = vtk_arrays(data.GetPointData())
        self.assert_same(vtk_to_numpy(data.GetPoints().GetData()), stack(ply, "x", "y", "z"))
        self.assert_same(arrays["velocity"], stack(ply, "vx", "vy", "vz"))
        self.assert_same(arrays["angular_velocity"], stack(ply, "wx", "wy", "wz"))
        self.assert_same(arrays["orientation"], stack(ply, "qw", "qx", "qy", "qz"))
        for name in ("radius", "id", "material", "shape"):
            self.assert_same(arrays[name], ply[name])
        self.assertEqual(data.GetNumberOfVerts(), len(ply["id"]))
        self.assertEqual(vtk_arrays(data.GetFieldData())["TimeValue"][0], 3 / 24)

    def test_the_sequence_has_real_times(self):
        self.succeed(*RUN[:-1], "4", *ALL, "--set", "output.every=2")
        sets = xml.etree.ElementTree.parse(self.folder / "run/particles/particles.pvd").findall(".//DataSet")
        self.assertEqual([float(s.get("timestep")) for s in sets], [0, 2 / 24, 4 / 24])
        for s in sets:
            self.assertTrue((self.folder / "run/particles" / s.get("file")).is_file())

    def test_vdb_points(self):
        self.succeed(*RUN, *ALL)
        folder = self.folder / "run/particles"
        ply = read_ply(folder / "particles.0003.ply")
        vdb, note = read_vdb(folder / "particles.0003.vdb")
        self.assertEqual(note, "# frame 3 time 0.125")
        # The run writes VDB from double precision and PLY from single: half a digit of a float lies between.
        self.assert_close(stack(vdb, "P.x", "P.y", "P.z"), stack(ply, "x", "y", "z"), 1e-6 * SPACING + 0.6 * 2**-24)
        self.assert_same(stack(vdb, "v.x", "v.y", "v.z"), stack(ply, "vx", "vy", "vz"))
        self.assert_same(stack(vdb, "w.x", "w.y", "w.z"), stack(ply, "wx", "wy", "wz"))
        self.assert_same(stack(vdb, "orient.w", "orient.x", "orient.y", "orient.z"),
                         stack(ply, "qw", "qx", "qy", "qz"))
        self.assert_same(vdb["pscale"], ply["radius"])
        for name in ("id", "material", "shape"):
            self.assert_same(vdb[name], ply[name])

    def test_exported_vdb_is_exact_to_a_millionth_of_the_spacing(self):
        self.succeed(*RUN)
        self.succeed("export", "run", "--to", "vdb", "--threads", "2")
        for frame in range(4):
            ply = read_ply(self.folder / f"run/particles/particles.{frame:04}.ply")
            vdb, _ = read_vdb(self.folder / f"run/export/vdb/particles.{frame:04}.vdb")
            self.assert_close(stack(vdb, "P.x", "P.y", "P.z"), stack(ply, "x", "y", "z"), 1e-6 * SPACING)
            self.assert_same(vdb["id"], ply["id"])

    def test_y_up(self):
        self.succeed(*RUN)
        z_up = read_ply(self.folder / "run/particles/particles.0002.ply")
        self.succeed("export", "run", "--to", "ply", "--up", "y", "-o", "turned")
        y_up = read_ply(self.folder / "turned/particles.0002.ply")
        for names in (("x", "y", "z"), ("vx", "vy", "vz"), ("wx", "wy", "wz"), ("qx", "qy", "qz")):
            self.assert_same(stack(y_up, *names), stack(z_up, *names) @ numpy.transpose(TURN))
        self.assert_same(y_up["qw"], z_up["qw"])
        vdb_folder = self.folder / "vdb"
        self.succeed("export", "run", "--to", "vdb", "--up", "y", "-o", vdb_folder)
        vdb, _ = read_vdb(vdb_folder / "particles.0002.vdb")
        self.assert_close(stack(vdb, "P.x", "P.y", "P.z"), stack(y_up, "x", "y", "z"), 1e-6 * SPACING)

    def test_the_run_turns_files_for_others_and_keeps_its_own(self):
        self.succeed(*RUN, *ALL, "--set", 'output.up="y"')
        folder = self.folder / "run/particles"
        ply, table = read_ply(folder / "particles.0001.ply"), self.table(folder / "particles.0001.csv")
        self.assert_same(table["y"].astype(numpy.float32), ply["z"])
        points = vtk_to_numpy(vtk_data(folder / "particles.0001.vtp").GetPoints().GetData())
        self.assert_same(points, stack(ply, "x", "y", "z") @ numpy.transpose(TURN))

    def test_bodies_go_along(self):
        self.succeed(*RUN)
        self.succeed("export", "run", "--to", "vtp", "--frames", "1-3:2", "--up", "y")
        folder = self.folder / "run/export/vtp"
        with open(folder / "bodies.csv") as file:
            rows = [row for row in csv.DictReader(file) if row["body"] == "paddle"]
        self.assertEqual([row["frame"] for row in rows], ["1", "3"])
        corners = read_obj(folder / "bodies/paddle.obj")
        self.assert_close(numpy.max(corners, axis=0), [0.1, 0.02, 0.01], 1e-7)  # 0.2 x 0.02 x 0.04, turned
        row = {name: float(value) for name, value in rows[1].items() if name != "body"}
        placed = rotate([row[n] for n in ("qw", "qx", "qy", "qz")], corners) + [row["x"], row["y"], row["z"]]
        data = vtk_data(folder / "bodies.0003.vtp")
        self.assert_close(vtk_to_numpy(data.GetPoints().GetData()), placed, 1e-6)
        self.assert_same(vtk_arrays(data.GetCellData())["body"], numpy.zeros(12))
        self.assertGreater(abs(row["qy"]), 0.1)  # it turns about what is up
        self.assertTrue((folder / "bodies.pvd").is_file())

    def test_force_removes_what_was_exported_and_nothing_else(self):
        self.succeed(*RUN, *ALL)
        for kind in ("vtp", "vdb", "csv", "ply"):
            self.succeed("export", "run", "--to", kind)
        (self.folder / "run/export/vtp/bodies/mine.obj").write_text("# mine\n")
        self.succeed(*RUN, "--force")
        left = [path for path in self.files() if path.startswith("run/export") and "." in path]
        self.assertEqual(left, ["run/export/vtp/bodies/mine.obj"])
        self.assertEqual(len(list((self.folder / "run/particles").iterdir())), 4)


def read_obj(path):
    return numpy.array([line.split()[1:] for line in path.read_text().splitlines() if line.startswith("v ")], float)


def rotate(q, points):
    w, u = q[0], numpy.array(q[1:])
    t = 2 * numpy.cross(u, points)
    return points + w * t + numpy.cross(u, t)


if __name__ == "__main__":
    unittest.main()
