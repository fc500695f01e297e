#!/usr/bin/env python3
"""Writes the height field of the avalanche: a gully that ends on a plain.

    python3 examples/meshes/slope.py > examples/meshes/slope.asc
"""

import math

LENGTH, WIDTH = 1.28, 1.2   # along x, downhill, and along y [m]
CELL = 0.04                 # [m]
STEEP = math.tan(math.radians(38))
BEND = 0.24                 # how gently the slope meets the plain [m]
FLOOR = 0.20                # half the width of the gully [m]


def height(way, y):
    """Of the ground [m], `way` metres uphill from the plain."""
    # A straight slope that a parabola joins to the plain.
    slope = STEEP * (way - BEND / 2) if way > BEND else STEEP * way * way / (2 * BEND)
    # Flanks rise towards the sides, the more the higher up.
    flank = max(0.0, abs(y) - FLOOR)
    return slope + min(1.0, slope / 0.25) * 1.2 * flank * flank / (flank + 0.12)


columns, rows = round(LENGTH / CELL) + 1, round(WIDTH / CELL) + 1
print(f"ncols {columns}\nnrows {rows}\nxllcorner 0\nyllcorner 0\ncellsize {CELL:g}")
for row in range(rows):
    y = WIDTH / 2 - row * CELL
    print(" ".join(f"{height(LENGTH - column * CELL, y):.4g}" for column in range(columns)))
