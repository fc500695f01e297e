#!/usr/bin/env python3
"""Writes the parts of the bulldozer that are no simple shapes: its blade and one of its tracks.

    python3 examples/meshes/bulldozer.py examples/meshes

Both are outlines in the plane of x (forwards) and z, stretched along y.
"""

import math
import pathlib
import sys


def stretched(outline, width):
    """OBJ text of the solid between y = -width / 2 and width / 2; the outline turns from x to z."""
    count = len(outline)
    lines = [f"v {x:.4f} {y:.4f} {z:.4f}" for y in (-width / 2, width / 2) for x, z in outline]
    for k in range(count):
        a, b = k + 1, (k + 1) % count + 1
        lines.append(f"f {a + count} {b + count} {b} {a}")
    # The outlines are not convex, but bands from front to back are: the caps are made of quads.
    for k in range(count // 2 - 1):
        a, b, c, d = k + 1, k + 2, count - k - 1, count - k
        lines.append(f"f {a} {b} {c} {d}")
        lines.append(f"f {d + count} {c + count} {b + count} {a + count}")
    return "\n".join(lines) + "\n"


def blade(height=0.17, hollow=0.035, thickness=0.04, steps=8):
    """A hollow front face from its lower edge up, and the same face further back on the way down."""
    face = [(-4 * hollow * t * (1 - t), t * height) for t in (k / steps for k in range(steps + 1))]
    return face + [(x - thickness, z) for x, z in reversed(face)]


def track(length=0.34, radius=0.05, steps=8):
    """Two half circles and the straight runs between them, from the foot of the front one up."""
    half = length / 2 - radius
    angles = [math.pi * k / steps for k in range(steps + 1)]
    front = [(half + radius * math.sin(a), radius - radius * math.cos(a)) for a in angles]
    return front + [(-x, z) for x, z in reversed(front)]


folder = pathlib.Path(sys.argv[1])
(folder / "blade.obj").write_text("# The blade of a bulldozer, in metres: made by bulldozer.py.\n" + stretched(blade(), 0.44))
(folder / "track.obj").write_text("# A track of a bulldozer, in metres: made by bulldozer.py.\n" + stretched(track(), 0.075))
