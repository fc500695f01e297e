"""Opens an export of Repose in ParaView, colours the grains by speed and saves a picture.

    repose export RUN --to vtp
    xvfb-run -a -s "-screen 0 1280x1024x24 -noreset" pvbatch docs/scripts/paraview_view.py RUN/export/vtp picture.png [TIME]

TIME [s] is the last one unless given. Debian: apt install paraview python3-paraview xvfb xauth libgl1-mesa-dri. Without -noreset, the X server starts
anew between two windows of ParaView and is gone when the second one opens. On a desktop, pvpython alone will do.
"""

import os
import sys

from paraview.simple import (Calculator, ColorBy, GetAnimationScene, GetActiveViewOrCreate, GetScalarBar,
                             GetColorTransferFunction, PVDReader, SaveScreenshot, Show)

folder, picture = sys.argv[1], sys.argv[2]
grains = PVDReader(FileName=os.path.join(folder, "particles.pvd"))
grains.UpdatePipeline()
times = list(grains.TimestepValues)
time = float(sys.argv[3]) if len(sys.argv) > 3 else times[-1]
print(f"{len(times)} frames from {times[0]} s to {times[-1]} s, shown: {time} s")
print("point arrays:", ", ".join(grains.PointData.keys()))

view = GetActiveViewOrCreate("RenderView")
view.ViewSize = [800, 450]
view.Background = [1, 1, 1]
view.UseColorPaletteForBackground = 0
view.OrientationAxesLabelColor = [0, 0, 0]
scene = GetAnimationScene()
scene.UpdateAnimationUsingDataTimeSteps()
scene.AnimationTime = time

speed = Calculator(Input=grains, Function="mag(velocity)", ResultArrayName="speed")
shown = Show(speed, view)
shown.SetRepresentationType("Point Gaussian")  # spheres of the grains' own radius
shown.ShaderPreset = "Sphere"
shown.ScaleByArray = 1
shown.SetScaleArray = ["POINTS", "radius"]
shown.UseScaleFunction = 0
shown.GaussianRadius = 1
ColorBy(shown, ("POINTS", "speed"))
shown.RescaleTransferFunctionToDataRange(True)
bar = GetScalarBar(GetColorTransferFunction("speed"), view)
bar.Title, bar.ComponentTitle = "speed [m/s]", ""
bar.TitleColor = bar.LabelColor = [0, 0, 0]
shown.SetScalarBarVisibility(view, True)

if os.path.exists(os.path.join(folder, "bodies.pvd")):
    bodies = Show(PVDReader(FileName=os.path.join(folder, "bodies.pvd")), view)
    bodies.ColorArrayName = [None, ""]
    bodies.DiffuseColor = [0.6, 0.62, 0.65]
    bodies.Opacity = 0.25

view.CameraViewUp = [0, 0, 1]
view.CameraPosition = [1.0, -2.0, 1.1]
view.CameraFocalPoint = [0, 0, 0]
view.ResetCamera()
SaveScreenshot(picture, view)
print("wrote", picture)
