"""Writes knot.obj: a trefoil knot carved like a rope, with grooves finer than the particles that flow over it. [m]

    python3 examples/meshes/knot.py > examples/meshes/knot.obj
"""

import math

ALONG, AROUND = 256, 36     # points along the knot and around its section
RING, SWING = 0.17, 0.075   # of the knot's curve [m]
RADIUS, GROOVE = 0.050, 0.009   # of its section, and the depth of its grooves [m]
STRANDS, TURNS = 6, 24      # ridges around a section, and how often they wind around on the way


def curve(t):
    r = RING + SWING * math.cos(3 * t)
    return (r * math.cos(2 * t), r * math.sin(2 * t), 1.15 * SWING * math.sin(3 * t))


def unit(v):
    length = math.sqrt(sum(c * c for c in v))
    return tuple(c / length for c in v)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def point(i, j):
    t, angle = 2 * math.pi * i / ALONG, 2 * math.pi * j / AROUND
    here, ahead = curve(t), curve(t + 1e-4)
    tangent = unit(tuple(b - a for a, b in zip(here, ahead)))
    # A frame that closes on itself: seen from the axis of the torus on which the knot winds.
    axis = (RING * math.cos(2 * t), RING * math.sin(2 * t), 0)
    out = unit(tuple(h - a for h, a in zip(here, axis)))
    side = unit(cross(tangent, out))
    up = cross(side, tangent)
    r = RADIUS - GROOVE * 0.5 * (1 - math.cos(STRANDS * angle + TURNS * t))
    return tuple(h + r * (math.cos(angle) * u + math.sin(angle) * s) for h, u, s in zip(here, up, side))


for i in range(ALONG):
    for j in range(AROUND):
        print("v %.4f %.4f %.4f" % point(i, j))
for i in range(ALONG):
    for j in range(AROUND):
        a, b = i * AROUND, (i + 1) % ALONG * AROUND
        k = (j + 1) % AROUND
        print("f %d %d %d %d" % (a + j + 1, a + k + 1, b + k + 1, b + j + 1))
