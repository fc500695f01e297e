#!/usr/bin/env python3
"""Writes a figure to pour out of water or sand: a bear that stands and looks along -y, one metre high.

    python3 examples/meshes/figure.py examples/meshes

Balls and limbs that melt into one another (a smooth minimum of their distances), wrapped by a surface net.
"""

import itertools
import math
import pathlib
import sys

STEP = 0.026  # of the net [m]
MELT = 0.05   # over which parts melt together [m]
LOW, HIGH = (-0.36, -0.34, -0.05), (0.36, 0.26, 1.05)

# Limbs with round ends: from, to, radius at either end. Those with x > 0 stand on both sides.
LIMBS = [
    ((0, 0, 0.30), (0, 0.01, 0.46), 0.185, 0.15),          # belly and chest
    ((0, -0.02, 0.735), (0, -0.02, 0.76), 0.155, 0.15),    # head
    ((0, -0.15, 0.70), (0, -0.185, 0.695), 0.075, 0.058),  # muzzle
    ((0, 0.19, 0.24), (0, 0.20, 0.25), 0.05, 0.05),        # tail
    ((0.115, 0.0, 0.885), (0.13, 0.005, 0.90), 0.06, 0.06),     # ear
    ((0.105, 0.0, 0.22), (0.125, -0.01, 0.085), 0.095, 0.085),  # leg
    ((0.125, -0.03, 0.07), (0.13, -0.12, 0.065), 0.075, 0.065),  # foot
    ((0.15, 0.0, 0.52), (0.265, -0.10, 0.40), 0.075, 0.062),    # arm
]


def to_limb(p, a, b, ra, rb):
    ab = [y - x for x, y in zip(a, b)]
    ap = [y - x for x, y in zip(a, p)]
    t = min(1, max(0, sum(x * y for x, y in zip(ab, ap)) / sum(x * x for x in ab)))
    return math.dist(p, [x + t * y for x, y in zip(a, ab)]) - (ra + t * (rb - ra))


def distance(p):
    """Smooth minimum: where parts are as near as MELT, what lies between them is filled."""
    p = (abs(p[0]), p[1], p[2])
    return -MELT / 4 * math.log(sum(math.exp(-4 / MELT * max(-0.2, to_limb(p, *limb))) for limb in LIMBS))


def net():
    """Vertices and quads, which turn outwards. The planes of cells are even about x = 0, and so is the figure."""
    counts = [math.ceil((high - low) / STEP) for low, high in zip(LOW, HIGH)]
    first = [round(low / STEP) for low in LOW]
    phi = {c: distance([(f + x) * STEP for f, x in zip(first, c)]) for c in itertools.product(*map(range, counts))}
    corners = list(itertools.product((0, 1), repeat=3))
    edges = [(a, b) for a in corners for b in corners if sum(b) - sum(a) == 1 and sum(map(abs, (y - x for x, y in zip(a, b)))) == 1]
    vertices, number = [], {}
    for cube in itertools.product(*(range(n - 1) for n in counts)):
        at = {k: phi[tuple(x + y for x, y in zip(cube, k))] for k in corners}
        cuts = [[x + (y - x) * at[a] / (at[a] - at[b]) for x, y in zip(a, b)] for a, b in edges if (at[a] < 0) != (at[b] < 0)]
        if cuts:
            mean = [sum(cut[i] for cut in cuts) / len(cuts) for i in range(3)]
            number[cube] = len(vertices) + 1
            vertices.append([(f + x + m) * STEP for f, x, m in zip(first, cube, mean)])
    quads = []
    for cell, axis in itertools.product(phi, range(3)):
        further = tuple(x + (i == axis) for i, x in enumerate(cell))
        if further in phi and (phi[cell] < 0) != (phi[further] < 0):
            p, q = (tuple(int(i == (axis + k) % 3) for i in range(3)) for k in (1, 2))
            around = [tuple(c - u * x - v * y for c, x, y in zip(cell, p, q)) for u, v in ((1, 1), (0, 1), (0, 0), (1, 0))]
            turned = [number[cube] for cube in around]
            quads.append(turned if phi[cell] < 0 else turned[::-1])
    return vertices, quads


vertices, quads = net()
low, high = min(v[2] for v in vertices), max(v[2] for v in vertices)
lines = ["# A bear, one metre high, its feet at z = 0: made by figure.py."]
lines += [f"v {x / (high - low):.4f} {y / (high - low):.4f} {(z - low) / (high - low):.4f}" for x, y, z in vertices]
lines += ["f " + " ".join(map(str, quad)) for quad in quads]
(pathlib.Path(sys.argv[1]) / "figure.obj").write_text("\n".join(lines) + "\n")
