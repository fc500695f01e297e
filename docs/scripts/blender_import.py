"""Takes a frame of a Repose run into Blender: grains as points with their channels, drawn as spheres of their radius,
and the bodies as meshes with their motion keyframed. Saves a picture, and a .blend file where asked.

    repose export RUN --to ply
    blender -b -P docs/scripts/blender_import.py -- RUN/export/ply FRAME picture.png [scene.blend]

Without -b and the picture it can be run from Blender's text editor. Blender's z is up, as Repose's is: no turning.
Made for Blender 3.4 (Debian 12: apt install blender python3-numpy).
"""

import csv
import math
import os
import sys

import bpy
import numpy
from mathutils import Quaternion, Vector

BODY_COLORS = [(0.10, 0.22, 0.35), (0.16, 0.20, 0.12), (0.45, 0.12, 0.05), (0.30, 0.30, 0.32)]
TYPES = {"float": "f4", "uint": "u4", "uint8": "u1", "uint16": "u2", "int": "i4", "double": "f8"}


def read_ply(path):
    """The rows of a particle file as a numpy table with named columns."""
    with open(path, "rb") as file:
        columns, count = [], 0
        for line in iter(lambda: file.readline().split(), [b"end_header"]):
            if line[:2] == [b"element", b"vertex"]:
                count = int(line[2])
            elif line[0] == b"property":
                columns.append((line[2].decode(), "<" + TYPES[line[1].decode()]))
        return numpy.fromfile(file, dtype=columns, count=count)


def add_grains(rows):
    """A mesh of points with the attributes velocity, radius, id and material, and spheres on them."""
    mesh = bpy.data.meshes.new("grains")
    mesh.vertices.add(len(rows))
    mesh.vertices.foreach_set("co", numpy.stack([rows[c] for c in "xyz"], 1).ravel())
    velocity = mesh.attributes.new("velocity", "FLOAT_VECTOR", "POINT")
    velocity.data.foreach_set("vector", numpy.stack([rows["v" + c] for c in "xyz"], 1).ravel())
    for name, kind in (("radius", "FLOAT"), ("id", "INT"), ("material", "INT")):
        mesh.attributes.new(name, kind, "POINT").data.foreach_set("value", rows[name].astype(
            "f4" if kind == "FLOAT" else "i4"))
    grains = bpy.data.objects.new("grains", mesh)
    bpy.context.collection.objects.link(grains)
    draw_as_spheres(grains, make_material("sand", (0.55, 0.36, 0.18)))
    return grains


def make_material(name, color):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    material.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*color, 1)
    material.node_tree.nodes["Principled BSDF"].inputs["Roughness"].default_value = 0.9
    return material


def draw_as_spheres(grains, material):
    """Geometry nodes: mesh points -> point cloud with the radius of each grain, which Cycles draws as spheres."""
    tree = bpy.data.node_groups.new("grains as spheres", "GeometryNodeTree")
    tree.inputs.new("NodeSocketGeometry", "Geometry")
    tree.outputs.new("NodeSocketGeometry", "Geometry")
    nodes, links = tree.nodes, tree.links
    start, end = nodes.new("NodeGroupInput"), nodes.new("NodeGroupOutput")
    radius = nodes.new("GeometryNodeInputNamedAttribute")
    radius.data_type = "FLOAT"
    radius.inputs["Name"].default_value = "radius"
    points = nodes.new("GeometryNodeMeshToPoints")
    paint = nodes.new("GeometryNodeSetMaterial")
    paint.inputs["Material"].default_value = material
    links.new(start.outputs[0], points.inputs["Mesh"])
    links.new(next(o for o in radius.outputs if o.enabled), points.inputs["Radius"])
    links.new(points.outputs[0], paint.inputs["Geometry"])
    links.new(paint.outputs[0], end.inputs[0])
    grains.modifiers.new("spheres", "NODES").node_group = tree


def add_bodies(folder):
    """Each body's mesh, with a keyframe for every frame that was exported."""
    with open(os.path.join(folder, "bodies.csv")) as file:
        rows = list(csv.DictReader(file))
    for number, name in enumerate(sorted({row["body"] for row in rows})):
        path = os.path.join(folder, "bodies", name + ".obj")
        if not os.path.exists(path):
            continue  # the faces of the domain are bodies without a mesh
        bpy.ops.wm.obj_import(filepath=path, forward_axis="Y", up_axis="Z")
        body = bpy.context.selected_objects[0]
        body.rotation_mode = "QUATERNION"
        body.data.materials.clear()
        body.data.materials.append(make_material(name, BODY_COLORS[number % len(BODY_COLORS)]))
        for row in (row for row in rows if row["body"] == name):
            body.location = Vector([float(row[c]) for c in "xyz"])
            body.rotation_quaternion = Quaternion([float(row["q" + c]) for c in "wxyz"])
            for channel in ("location", "rotation_quaternion"):
                body.keyframe_insert(channel, frame=int(row["frame"]))


def set_up_picture(rows, frame):
    """A camera that sees the grains, a sun and a ground."""
    scene = bpy.context.scene
    scene.frame_set(frame)
    low = Vector([float(rows[c].min()) for c in "xyz"])
    high = Vector([float(rows[c].max()) for c in "xyz"])
    middle, size = (low + high) / 2, (high - low).length
    bpy.ops.mesh.primitive_plane_add(size=20 * size, location=(0, 0, 0))
    bpy.context.object.data.materials.append(make_material("ground", (0.25, 0.25, 0.25)))
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location = middle + Vector((0.52, -1.0, 0.56)).normalized() * 2.6 * size
    camera.rotation_euler = (middle - camera.location).to_track_quat("-Z", "Y").to_euler()
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy, sun.rotation_euler = 3, (math.radians(40), 0, math.radians(-40))
    for thing in (camera, sun):
        scene.collection.objects.link(thing)
    scene.camera = camera
    scene.world = scene.world or bpy.data.worlds.new("sky")
    scene.world.color = (0.3, 0.35, 0.45)
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 24
    scene.cycles.use_denoising = False
    scene.render.resolution_x, scene.render.resolution_y = 640, 360


def main(folder, frame, picture=None, blend=None):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    rows = read_ply(os.path.join(folder, f"particles.{frame:04}.ply"))
    grains = add_grains(rows)
    add_bodies(folder)
    set_up_picture(rows, frame)
    print(f"{len(rows)} grains, attributes: {', '.join(grains.data.attributes.keys())}")
    if blend:
        bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(blend))
    if picture:
        bpy.context.scene.render.filepath = os.path.abspath(picture)
        bpy.ops.render.render(write_still=True)


words = sys.argv[sys.argv.index("--") + 1:]
main(words[0], int(words[1]), *words[2:])
