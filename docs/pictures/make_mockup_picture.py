"""Draw the arm with a mock-up of one's own, from the same shapes as page, recording and report.

python -m docs.pictures.make_mockup_picture
"""

from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

from hil.analysis.report.solid_mesh import faces_of, shaded
from hil.configuration import load_configuration
from hil.loop.solids import ArmPicture

matplotlib.use("Agg")
from matplotlib import pyplot
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

ROOT = Path(__file__).parents[2]
PICTURE = Path(__file__).parent / "mockup.png"
SETTING = 'mockup.shape="scenes/satellite.xml"'
LOW, HIGH = np.array([-0.2, -0.55, -0.15]), np.array([1.1, 0.55, 0.85])  # of what is shown [m]


def main() -> None:
    """Write the picture."""
    c = load_configuration(ROOT / "configs/cube.toml", [SETTING])
    arm = ArmPicture(c)
    poses = dict(zip(arm.names, zip(*arm.poses(c.robot.start), strict=True), strict=True))
    still = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
    faces, colours = [], []
    for solid in arm.solids:
        made = faces_of(solid, *poses.get(solid.frame, still))
        faces += made
        colours += list(shaded(made, solid.rgba[:3]))
    figure = pyplot.figure(figsize=(6.4, 4.2))
    panel: Any = figure.add_axes((0.0, 0.0, 1.0, 1.0), projection="3d")
    panel.add_collection3d(Poly3DCollection(faces, facecolors=colours, edgecolors="none"), autolim=False)
    panel.set(xlim=(LOW[0], HIGH[0]), ylim=(LOW[1], HIGH[1]), zlim=(LOW[2], HIGH[2]))
    panel.set_box_aspect(HIGH - LOW, zoom=2.1)
    panel.view_init(elev=18.0, azim=-62.0)
    panel.set_axis_off()
    figure.savefig(PICTURE, dpi=110)


if __name__ == "__main__":
    main()
