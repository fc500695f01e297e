#!/usr/bin/env python3
"""Writes the bed of a dumper truck: its floor with the front wall, and one of its sides.

    python3 examples/meshes/truck.py examples/meshes

Both are outlines in the plane of x (forwards) and z, stretched along y. The hinge that the bed tips about is at the
origin. The floor rises towards its open rear, so that it needs no tailgate.
"""

import pathlib
import sys

# From the rear forwards: the upper side of the floor and of the front wall, and what lies below and before it.
TOP = [(-0.10, 0.085), (0.06, 0.03), (0.56, 0.03), (0.60, 0.23)]
BELOW = [(-0.10, 0.055), (0.05, 0.0), (0.585, 0.0), (0.63, 0.23)]
# The upper edge of a side above the same places.
RIM = [(-0.10, 0.16), (0.06, 0.185), (0.565, 0.185), (0.591, 0.185)]


def stretched(low, high, width):
    """OBJ text of the solid between two lines of equally many points, y from -width / 2 to width / 2."""
    outline = low + high[::-1]
    count = len(outline)
    lines = [f"v {x:.4f} {y:.4f} {z:.4f}" for y in (-width / 2, width / 2) for x, z in outline]
    for k in range(count):
        a, b = k + 1, (k + 1) % count + 1
        lines.append(f"f {a + count} {b + count} {b} {a}")
    for k in range(len(low) - 1):
        a, b, c, d = k + 1, k + 2, count - k - 1, count - k
        lines.append(f"f {a} {b} {c} {d}")
        lines.append(f"f {d + count} {c + count} {b + count} {a + count}")
    return "\n".join(lines) + "\n"


folder = pathlib.Path(sys.argv[1])
(folder / "bed.obj").write_text("# Floor and front of a truck's bed, in metres: made by truck.py.\n" + stretched(BELOW, TOP, 0.40))
(folder / "bed_side.obj").write_text("# A side of a truck's bed, in metres: made by truck.py.\n" + stretched(BELOW[:3] + [(0.62, 0.185)], RIM, 0.03))
