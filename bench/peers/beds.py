"""Beds of grains that both programs start from: as LAMMPS reads them (a data file) and as Repose does (a CSV).

A bed is a list of spheres of one radius in a box with walls, its corner in the origin. A grain is one sphere, or
four at the corners of a tetrahedron; the spheres of grain g are the rows 4 g to 4 g + 3, always in the order of
CORNERS.
"""

import csv
import math
import random

RADIUS = 1e-3     # of a sphere [m]
DENSITY = 2500.0  # [kg/m3]
EDGE = 1.6e-3     # between the centres of a tetrahedron's spheres [m]

# Every second corner of a cube about the origin; their distance is EDGE.
_HALF = EDGE / math.sqrt(8)
CORNERS = [(_HALF, _HALF, _HALF), (_HALF, -_HALF, -_HALF), (-_HALF, _HALF, -_HALF), (-_HALF, -_HALF, _HALF)]


class Bed:
    def __init__(self, size, spheres, velocities, grain_spheres):
        self.size = size                    # of the box [m]
        self.spheres = spheres              # centres [m]
        self.velocities = velocities        # [m/s]
        self.grain_spheres = grain_spheres  # 1 or 4


def random_rotation(source):
    """A matrix, evenly among all rotations: from a random unit quaternion."""
    while True:
        q = [source.gauss(0, 1) for _ in range(4)]
        length = math.sqrt(sum(c * c for c in q))
        if length > 1e-3:
            break
    w, x, y, z = (c / length for c in q)
    return ((1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)))


def loose_bed(grain_spheres, cells, count, spacing):
    """`count` grains on a jittered lattice from the floor up, moving a little at random, tetrahedra turned at random."""
    source = random.Random(20051)
    reach = RADIUS if grain_spheres == 1 else RADIUS + EDGE * math.sqrt(3 / 8)
    jitter = max(0.0, 0.5 * spacing - reach)
    spheres, velocities = [], []
    for k in range(count):
        cell = (k % cells[0], k // cells[0] % cells[1], k // (cells[0] * cells[1]))
        centre = [(c + 0.5) * spacing + source.uniform(-jitter, jitter) for c in cell]
        velocity = [source.gauss(0, 0.05) for _ in range(3)]
        if grain_spheres == 1:
            offsets = [(0, 0, 0)]
        else:
            rows = random_rotation(source)
            offsets = [[sum(row[i] * corner[i] for i in range(3)) for row in rows] for corner in CORNERS]
        for offset in offsets:
            spheres.append([centre[i] + offset[i] for i in range(3)])
            velocities.append(velocity)
    height = math.ceil(count / (cells[0] * cells[1])) * spacing
    return Bed([cells[0] * spacing, cells[1] * spacing, 1.02 * height], spheres, velocities, grain_spheres)


def tiled(bed, copies, grains):
    """copies x copies beds side by side, at rest; the first `grains` grains of them."""
    spheres = [[s[0] + i * bed.size[0], s[1] + k * bed.size[1], s[2]]
               for k in range(copies) for i in range(copies) for s in bed.spheres]
    del spheres[grains * bed.grain_spheres:]
    return Bed([copies * bed.size[0], copies * bed.size[1], bed.size[2]], spheres,
               [(0, 0, 0)] * len(spheres), bed.grain_spheres)


def write_lammps(bed, path):
    with open(path, "w") as out:
        out.write(f"a bed of grains\n\n{len(bed.spheres)} atoms\n1 atom types\n\n")
        for axis, size in zip("xyz", bed.size):
            out.write(f"0 {size!r} {axis}lo {axis}hi\n")
        out.write("\nAtoms\n\n")
        for k, (x, y, z) in enumerate(bed.spheres):
            if bed.grain_spheres == 1:  # atom_style sphere
                out.write(f"{k + 1} 1 {2 * RADIUS!r} {DENSITY!r} {x!r} {y!r} {z!r}\n")
            else:  # atom_style hybrid sphere molecular
                out.write(f"{k + 1} 1 {x!r} {y!r} {z!r} {2 * RADIUS!r} {DENSITY!r} {k // bed.grain_spheres + 1}\n")
        out.write("\nVelocities\n\n")
        for k, (x, y, z) in enumerate(bed.velocities):
            out.write(f"{k + 1} {x!r} {y!r} {z!r} 0 0 0\n")


def read_lammps(path, grain_spheres):
    """A bed as LAMMPS' write_data leaves it; rows come in any order."""
    size, spheres, velocities, section = {}, {}, {}, None
    first = 4 if grain_spheres == 1 else 2  # column of x
    with open(path) as lines:
        for line in lines:
            words = line.split("#")[0].split()
            if not words:
                continue
            if words[0] in ("Atoms", "Velocities"):
                section = words[0]
            elif words[0][0].isalpha():
                section = None
            elif len(words) == 4 and words[3].endswith("hi"):
                size["xyz".index(words[3][0])] = float(words[1]) - float(words[0])
            elif section == "Atoms":
                spheres[int(words[0])] = [float(w) for w in words[first:first + 3]]
            elif section == "Velocities":
                velocities[int(words[0])] = [float(w) for w in words[1:4]]
    order = sorted(spheres)
    return Bed([size[i] for i in range(3)], [spheres[k] for k in order], [velocities[k] for k in order],
               grain_spheres)


def quaternion(columns):
    """Unit quaternion (w, x, y, z) of a rotation matrix given by its columns, rounding of it smoothed out."""
    (a, d, g), (b, e, h), (c, f, i) = columns
    # Four times the products of the components; the largest diagonal is far from zero.
    table = [[1 + a + e + i, h - f, c - g, d - b],
             [h - f, 1 + a - e - i, b + d, c + g],
             [c - g, b + d, 1 - a + e - i, f + h],
             [d - b, c + g, f + h, 1 - a - e + i]]
    row = max(range(4), key=lambda k: table[k][k])
    length = math.sqrt(sum(v * v for v in table[row]))
    return [v / length for v in table[row]]


def write_repose(bed, path):
    """A grain a row: centre, and orientation where a grain has one."""
    n = bed.grain_spheres
    with open(path, "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["x", "y", "z"] + ([] if n == 1 else ["qw", "qx", "qy", "qz"]))
        for k in range(0, len(bed.spheres), n):
            parts = bed.spheres[k:k + n]
            centre = [sum(p[i] for p in parts) / n for i in range(3)]
            turn = []
            if n > 1:
                # The corners are even about the centre: sum of corner corner^T = 4 half^2 times the unit matrix.
                scale = 1 / (4 * _HALF * _HALF)
                turn = quaternion([[scale * sum((p[i] - centre[i]) * corner[j] for p, corner in zip(parts, CORNERS))
                                    for i in range(3)] for j in range(3)])
            rows.writerow([repr(v) for v in centre + turn])
