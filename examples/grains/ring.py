#!/usr/bin/env python3
"""Writes a ring of spheres, as [grain.NAME] reads it: a line x y z r for each.

    python3 examples/grains/ring.py > examples/grains/ring.txt
"""

import math

COUNT = 110    # as many as a ring has in Bell, Yu and Mucha 2005, figure 9
MIDDLE = 1.0   # radius of the circle that the centres lie on
TUBE = 0.2     # radius of a sphere; 0.057 apart they make a tube that is smooth to half a hundredth of it

print(f"# A ring of {COUNT} spheres: x y z r in units of the radius of its middle line.")
for k in range(COUNT):
    angle = 2 * math.pi * k / COUNT
    print(f"{MIDDLE * math.cos(angle):.5f} {MIDDLE * math.sin(angle):.5f} 0 {TUBE:g}")
