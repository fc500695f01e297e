"""Takes a run of Repose into Blender: the whole sequence, grains as points with their channels that Cycles draws as
spheres (compounds as all of theirs), bodies and their copies as meshes with keyframes, and motion blur.

    repose export RUN --to ply
    blender -b -P docs/scripts/blender_import.py -- RUN/export/ply --save run.blend
    blender -b -P docs/scripts/blender_import.py -- RUN/export/ply --render pictures --frames 0-48:2

One point cloud holds all spheres, without a mesh for each: a million grains are a matter of seconds a frame. Frames
are read as Blender comes to them. A .blend file keeps this script for that, as a text that is registered when the
file is opened: allow scripts to run (File, Open, Trusted Source). Blender's z is up, as Repose's is: no turning.

Made for Blender 3.4 (Debian 12: apt install blender python3-numpy). What does not need Blender works without it.
"""

import argparse
import csv
import json
import math
import os
import re
import sys

import numpy

try:
    import bpy
    from mathutils import Vector
except ImportError:  # only the data
    bpy = None

TYPES = {"float": "f4", "uint": "u4", "uint8": "u1", "uint16": "u2", "uchar": "u1", "ushort": "u2", "int": "i4",
         "double": "f8"}
SAND, BODY = (0.62, 0.45, 0.27), (0.55, 0.56, 0.58)  # linear colours where the scene is not at hand


# ---- the data ----------------------------------------------------------------------------------------------------

def read_ply(path):
    """The rows of a particle file as a numpy table with named columns, and its time [s]."""
    with open(path, "rb") as file:
        columns, count, time = [], 0, 0.0
        for line in iter(lambda: file.readline().split(), [b"end_header"]):
            if not line:
                raise ValueError(f"{path}: no PLY file, or a damaged one")
            if line[:2] == [b"element", b"vertex"]:
                count = int(line[2])
            elif line[:3] == [b"comment", b"repose", b"time"]:
                time = float(line[3])
            elif line[0] == b"property":
                columns.append((line[2].decode(), "<" + TYPES[line[1].decode()]))
        rows = numpy.fromfile(file, dtype=columns, count=count)
    if len(rows) != count:
        raise ValueError(f"{path}: {len(rows)} rows, and its header says {count}")
    return rows, time


def find_frames(folder):
    """Numbers of the frames that were exported, rising."""
    found = (re.fullmatch(r"particles\.(\d+)\.ply", name) for name in os.listdir(folder))
    return sorted(int(match[1]) for match in found if match)


def frames_per_second(folder, frames):
    """By the last frame's time; 24 where there is only the first."""
    if not frames or frames[-1] == 0:
        return 24.0
    _, time = read_ply(particle_path(folder, frames[-1]))
    return frames[-1] / time if time > 0 else 24.0


def particle_path(folder, frame):
    return os.path.join(folder, f"particles.{frame:04}.ply")


def read_shapes(folder):
    """Spheres [x, y, z, r] of each grain shape, in units of a grain's bounding radius; none of continuum solvers."""
    path = os.path.join(folder, "grains.json")
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [numpy.array(grain["spheres"], float).reshape(-1, 4) for grain in json.load(file)["grains"]]


def rotated(q, v):
    """Vectors turned by quaternions w x y z, row by row."""
    u, w = q[:, 1:], q[:, :1]
    t = 2 * numpy.cross(u, v)
    return v + w * t + numpy.cross(u, t)


def columns_of(rows, *names):
    return numpy.stack([rows[name] for name in names], 1).astype(float)


def spheres_of(rows, shapes):
    """All spheres of all grains: position [m], velocity [m/s, with the grain's spin], radius [m], id, material."""
    position, velocity = columns_of(rows, "x", "y", "z"), columns_of(rows, "vx", "vy", "vz")
    radius = rows["radius"].astype(float)
    names = rows.dtype.names
    if not shapes or "shape" not in names:
        return {"position": position, "velocity": velocity, "radius": radius, "id": rows["id"],
                "material": rows["material"]}
    if len(rows) and int(rows["shape"].max()) >= len(shapes):
        raise ValueError(f"a grain has shape {int(rows['shape'].max())}, and grains.json has {len(shapes)}")
    parts = {"position": [], "velocity": [], "radius": [], "id": [], "material": []}
    for number, spheres in enumerate(shapes):
        of = numpy.flatnonzero(rows["shape"] == number)
        if not len(of):
            continue
        turn, spin = columns_of(rows[of], "qw", "qx", "qy", "qz"), columns_of(rows[of], "wx", "wy", "wz")
        for x, y, z, r in spheres:
            arm = rotated(turn, radius[of, None] * numpy.array([[x, y, z]]))
            parts["position"].append(position[of] + arm)
            parts["velocity"].append(velocity[of] + numpy.cross(spin, arm))
            parts["radius"].append(radius[of] * r)
            parts["id"].append(rows["id"][of])
            parts["material"].append(rows["material"][of])
    if not parts["id"]:
        return spheres_of(rows, [])
    return {name: numpy.concatenate(values) for name, values in parts.items()}


def read_bodies(folder):
    """Rows of bodies.csv by body, in the order of the frames: {"frame", "location", "rotation" (w x y z)}. Signs of
    quaternions are such that Blender turns the short way between two of them."""
    path = os.path.join(folder, "bodies.csv")
    bodies = {}
    if not os.path.exists(path):
        return bodies
    with open(path) as file:
        for row in csv.DictReader(file):
            rotation = numpy.array([float(row["q" + c]) for c in "wxyz"])
            keys = bodies.setdefault(row["body"], [])
            if keys and numpy.dot(keys[-1]["rotation"], rotation) < 0:
                rotation = -rotation
            keys.append({"frame": int(row["frame"]), "location": [float(row[c]) for c in "xyz"],
                         "rotation": rotation})
    return bodies


def mesh_file(folder, body):
    """The OBJ file of a body; copies NAME.0, NAME.1, ... share that of NAME. None for walls of the domain."""
    for name in (body, re.sub(r"\.\d+$", "", body)):
        path = os.path.join(folder, "bodies", re.sub(r"[^A-Za-z0-9._-]", "_", name) + ".obj")
        if os.path.exists(path):
            return path
    return None


def read_obj(path):
    """Vertices and triangles."""
    vertices, triangles = [], []
    with open(path) as file:
        for words in map(str.split, file):
            if words[:1] == ["v"]:
                vertices.append([float(x) for x in words[1:4]])
            elif words[:1] == ["f"]:
                triangles.append([int(word.split("/")[0]) - 1 for word in words[1:]])
    return vertices, triangles


def read_looks(folder):
    """Colours and opacities by the run's scene, where the export stands in its run: materials in order, bodies by
    name."""
    path = os.path.join(folder, "..", "..", "scene.resolved.toml")
    try:
        import tomllib
        with open(path, "rb") as file:
            scene = tomllib.load(file)
    except (ImportError, OSError, ValueError):
        return [], {}
    materials = [tuple(table.get("color", SAND)) for table in scene.get("material", {}).values()]
    bodies = {name: {"color": tuple(table.get("color", BODY)), "opacity": table.get("opacity", 1.0),
                     "visible": table.get("visible", True)} for name, table in scene.get("body", {}).items()}
    return materials, bodies


def look_of(body, looks):
    return looks.get(body) or looks.get(re.sub(r"\.\d+$", "", body)) or {"color": BODY, "opacity": 1.0, "visible": True}


def robust_bounds(folder, frames):
    """Where the grains are over the whole run, without the outermost hundredth along each axis."""
    chosen = sorted({frames[round(k * (len(frames) - 1) / 7)] for k in range(8)})
    points = []
    for frame in chosen:
        rows, _ = read_ply(particle_path(folder, frame))
        points.append(columns_of(rows[::max(1, len(rows) // 20000)], "x", "y", "z"))
    points = numpy.concatenate(points)
    if not len(points):
        return numpy.full(3, -1.0), numpy.full(3, 1.0)
    return numpy.percentile(points, 1, axis=0), numpy.percentile(points, 99, axis=0)


def frame_at(frames, number):
    """The exported frame that Blender shows at this number: the last one up to it."""
    return max((frame for frame in frames if frame <= number), default=frames[0])


def parse_frames(text, frames):
    """A-B or A-B:STEP, as repose takes them."""
    match = re.fullmatch(r"(\d+)(?:-(\d+))?(?::(\d+))?", text)
    if not match:
        raise ValueError(f"--frames takes A, A-B or A-B:STEP, not '{text}'")
    first, last, step = int(match[1]), int(match[2] or match[1]), int(match[3] or 1)
    return [frame for frame in frames if first <= frame <= last and (frame - first) % step == 0]


# ---- in Blender --------------------------------------------------------------------------------------------------

def fill_points(mesh, spheres):
    """Gives a mesh these points, and their channels as attributes. Cycles blurs by the one called velocity [m/s]."""
    mesh.clear_geometry()
    count = len(spheres["radius"])
    mesh.vertices.add(count)
    mesh.vertices.foreach_set("co", spheres["position"].astype("f4").ravel())
    velocity = mesh.attributes.new("velocity", "FLOAT_VECTOR", "POINT")
    velocity.data.foreach_set("vector", spheres["velocity"].astype("f4").ravel())
    for name, kind, dtype in (("radius", "FLOAT", "f4"), ("id", "INT", "i4"), ("material", "INT", "i4")):
        mesh.attributes.new(name, kind, "POINT").data.foreach_set("value", spheres[name].astype(dtype))
    mesh.update()


def load_frame(scene, _=None):
    """Before each frame: the grains of that frame."""
    folder, grains = scene.get("repose_folder"), bpy.data.objects.get("grains")
    if not folder or grains is None:
        return
    folder = bpy.path.abspath(folder)
    frame = frame_at(find_frames(folder), scene.frame_current)
    if grains.get("repose_frame") == frame:
        return
    rows, _ = read_ply(particle_path(folder, frame))
    fill_points(grains.data, spheres_of(rows, read_shapes(folder)))
    grains["repose_frame"] = frame


def register():
    """Reads frames as Blender comes to them; also what a .blend file runs when it is opened."""
    handlers = bpy.app.handlers.frame_change_pre
    for old in [handler for handler in handlers if handler.__name__ == "load_frame"]:
        handlers.remove(old)
    handlers.append(bpy.app.handlers.persistent(load_frame))


def make_material(name, color, opacity=1.0):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*color, 1)
    shader.inputs["Roughness"].default_value = 0.9 if opacity >= 1 else 0.05
    if opacity < 1:
        shader.inputs["Alpha"].default_value = max(0.05, opacity)
    return material


def make_sand(colors):
    """Colours by the attribute material, where there are several."""
    sand = make_material("sand", colors[0] if colors else SAND)
    if len(colors) < 2:
        return sand
    nodes, links = sand.node_tree.nodes, sand.node_tree.links
    which = nodes.new("ShaderNodeAttribute")
    which.attribute_name = "material"
    share = nodes.new("ShaderNodeMath")
    share.operation = "MULTIPLY_ADD"  # to the middle of its part of the ramp
    share.inputs[1].default_value, share.inputs[2].default_value = 1 / len(colors), 0.5 / len(colors)
    ramp = nodes.new("ShaderNodeValToRGB")
    ramp.color_ramp.interpolation = "CONSTANT"
    elements = ramp.color_ramp.elements
    while len(elements) < min(len(colors), 32):
        elements.new(1.0)
    for number, color in enumerate(colors[:32]):
        elements[number].position = number / len(colors)
        elements[number].color = (*color, 1)
    links.new(which.outputs["Fac"], share.inputs[0])
    links.new(share.outputs[0], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    return sand


def add_grains(material):
    """A mesh of points; geometry nodes make a point cloud of it with the radius of each sphere."""
    grains = bpy.data.objects.new("grains", bpy.data.meshes.new("grains"))
    bpy.context.scene.collection.objects.link(grains)
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
    links.new(next(output for output in radius.outputs if output.enabled), points.inputs["Radius"])
    links.new(points.outputs[0], paint.inputs["Geometry"])
    links.new(paint.outputs[0], end.inputs[0])
    grains.modifiers.new("spheres", "NODES").node_group = tree
    return grains


def add_bodies(folder, frames, looks):
    """Each body with a keyframe for every frame; copies share one mesh. Gone where it has no more rows."""
    meshes, added = {}, []
    for name, keys in read_bodies(folder).items():
        path, look = mesh_file(folder, name), look_of(name, looks)
        if path is None or not look["visible"]:
            continue
        if path not in meshes:
            mesh = meshes[path] = bpy.data.meshes.new(os.path.basename(path)[:-4])
            vertices, triangles = read_obj(path)
            mesh.from_pydata(vertices, [], triangles)
            mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
            mesh.use_auto_smooth, mesh.auto_smooth_angle = True, math.radians(35)
            mesh.materials.append(make_material(mesh.name, look["color"], look["opacity"]))
        body = bpy.data.objects.new(name, meshes[path])
        bpy.context.scene.collection.objects.link(body)
        body.rotation_mode = "QUATERNION"
        for key in keys:
            body.location, body.rotation_quaternion = key["location"], key["rotation"]
            body.keyframe_insert("location", frame=key["frame"])
            body.keyframe_insert("rotation_quaternion", frame=key["frame"])
        last = keys[-1]["frame"]
        if last < frames[-1]:
            for frame, hidden in ((frames[0], False), (min(f for f in frames if f > last), True)):
                body.hide_render = body.hide_viewport = hidden
                body.keyframe_insert("hide_render", frame=frame)
                body.keyframe_insert("hide_viewport", frame=frame)
        for curve in body.animation_data.action.fcurves:
            for point in curve.keyframe_points:
                point.interpolation = "CONSTANT" if "hide" in curve.data_path else "LINEAR"
        added.append(body)
    return added


def set_up_picture(folder, frames, options):
    """A camera that sees the grains over the whole run, a sun and a ground."""
    scene = bpy.context.scene
    low, high = (Vector(corner) for corner in robust_bounds(folder, frames))
    middle, size = (low + high) / 2, max((high - low).length, 1e-6)
    bpy.ops.mesh.primitive_plane_add(size=40 * size, location=(middle.x, middle.y, low.z))
    ground = bpy.context.object
    ground.name = "ground"
    ground.data.materials.append(make_material("ground", (0.25, 0.25, 0.25)))
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location = middle + Vector((0.52, -1.0, 0.56)).normalized() * 2.2 * size
    camera.rotation_euler = (middle - camera.location).to_track_quat("-Z", "Y").to_euler()
    camera.data.clip_start, camera.data.clip_end = 0.01 * size, 100 * size
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy, sun.rotation_euler = 3, (math.radians(40), 0, math.radians(-40))
    for thing in (camera, sun):
        scene.collection.objects.link(thing)
    scene.camera = camera
    scene.world = scene.world or bpy.data.worlds.new("sky")
    scene.world.color = (0.3, 0.35, 0.45)
    scene.render.engine = "CYCLES"
    scene.cycles.samples = options.samples
    scene.cycles.use_denoising = False
    scene.render.resolution_x, scene.render.resolution_y = (int(n) for n in options.size.split("x"))
    scene.render.use_motion_blur = options.shutter > 0
    scene.render.motion_blur_shutter = options.shutter


def keep_script():
    """This file as a text of the .blend, registered when that is opened."""
    text = bpy.data.texts.new("repose_frames.py")
    with open(os.path.realpath(__file__)) as file:
        text.write(file.read())
    text.use_module = True


def import_run(options):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    folder = os.path.abspath(options.folder)
    frames = find_frames(folder)
    if not frames:
        raise SystemExit(f"no particles.NNNN.ply in {folder}: repose export RUN --to ply writes them")
    scene = bpy.context.scene
    fps = frames_per_second(folder, frames)
    scene.render.fps, scene.render.fps_base = max(1, round(fps)), max(1, round(fps)) / fps
    scene.frame_start, scene.frame_end = frames[0], frames[-1]
    scene["repose_folder"] = folder
    materials, looks = read_looks(folder)
    grains = add_grains(make_sand(materials))
    bodies = add_bodies(folder, frames, looks)
    set_up_picture(folder, frames, options)
    register()
    keep_script()
    chosen = parse_frames(options.frames, frames) if options.frames else frames
    scene.frame_set(chosen[0] if chosen else frames[0])
    print(f"frames {frames[0]} to {frames[-1]}, {len(grains.data.vertices)} spheres in frame {scene.frame_current}, "
          f"{len(bodies)} bodies with {len({body.data for body in bodies})} meshes, attributes: "
          f"{', '.join(sorted(grains.data.attributes.keys()))}")
    if options.save:
        bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(options.save))
    for frame in chosen if options.render else []:
        scene.frame_set(frame)
        scene.render.filepath = os.path.join(os.path.abspath(options.render), f"blender.{frame:04}.png")
        bpy.ops.render.render(write_still=True)


def read_options(words):
    parser = argparse.ArgumentParser(prog="blender -b -P blender_import.py --", description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", help="what `repose export RUN --to ply` wrote: RUN/export/ply")
    parser.add_argument("--save", help="a .blend file to write")
    parser.add_argument("--render", metavar="DIR", help="where pictures go, one a frame")
    parser.add_argument("--frames", metavar="A-B[:STEP]", help="of which frames [all]")
    parser.add_argument("--samples", type=int, default=32, help="rays a pixel [32]")
    parser.add_argument("--size", default="960x540", help="of pictures [960x540]")
    parser.add_argument("--shutter", type=float, default=0.5, help="share of a frame that is blurred; 0: none [0.5]")
    return parser.parse_args(words)


if __name__ == "__main__" and bpy is not None:
    if os.path.isfile(__file__):
        import_run(read_options(sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []))
    else:
        register()  # as a text of a .blend file
