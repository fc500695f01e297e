#!/usr/bin/env python3
"""Writes a wheel with lugs, such as those of tractors and rovers.

    python3 examples/meshes/wheel.py examples/meshes

An outline around the axis, in the plane of x and z, stretched along y.
"""

import math
import pathlib
import sys


def outline(radius=0.16, lug=0.03, lugs=12, share=0.35, steps=3):
    """Arcs between the lugs and on top of them, from x to z; lugs are wider at their feet."""
    points = []
    for k in range(lugs):
        for r, start, end in ((radius + lug, 0.05, share - 0.05), (radius, share, 1.0)):
            for j in range(steps + 1):
                angle = 2 * math.pi / lugs * (k + start + (end - start) * j / steps)
                points.append((r * math.cos(angle), r * math.sin(angle)))
    return points


def stretched(points, width):
    """OBJ text of the solid between y = -width / 2 and width / 2, with the middle of each side as a corner."""
    count = len(points)
    lines = [f"v {x:.5f} {y:.5f} {z:.5f}" for y in (-width / 2, width / 2) for x, z in points]
    lines += [f"v 0 {-width / 2:.5f} 0", f"v 0 {width / 2:.5f} 0"]
    for k in range(count):
        a, b = k + 1, (k + 1) % count + 1
        lines.append(f"f {a + count} {b + count} {b} {a}")
        lines.append(f"f {2 * count + 1} {a} {b}")
        lines.append(f"f {2 * count + 2} {b + count} {a + count}")
    return "\n".join(lines) + "\n"


folder = pathlib.Path(sys.argv[1])
text = "# A wheel with lugs, in metres: made by wheel.py.\n" + stretched(outline(), 0.14)
(folder / "wheel.obj").write_text(text)
