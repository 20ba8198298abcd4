"""The picture of a capture envelope."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.trials.docking.envelope import EnvelopeMap

OTHERS = {"jammed": "#d9822b", "lost": "#8a8f98", "diverged": "#c0392b"}


def draw_envelope(found: EnvelopeMap, title: str, path: Path) -> None:
    """Draw which offsets and tilts are captured, and how long that takes.

    Args:
        found: the map.
        title: of the picture.
        path: picture to write; its suffix names the format.
    """
    x, y = _edges(1e3 * found.lateral), _edges(np.degrees(found.tilt))
    figure, axes = plt.subplots(figsize=(7.2, 5.4))
    words = np.array(found.word)
    docked = words == "docked"
    legend = []
    for word, colour in OTHERS.items():
        if (words == word).any():
            cells = np.ma.masked_where(words != word, np.ones(words.shape))
            axes.pcolormesh(x, y, cells, cmap=ListedColormap([colour]), edgecolors="white", lw=0.6)
            legend.append(Patch(color=colour, label=word))
    if docked.any():
        cells = np.ma.masked_where(~docked, found.time)
        drawn = axes.pcolormesh(x, y, cells, cmap="viridis_r", edgecolors="white", lw=0.6)
        figure.colorbar(drawn, ax=axes, label="docked: time to dock [s]")
    axes.set_xlabel("lateral offset along the plate's x [mm]")
    axes.set_ylabel("tilt about the plate's y [deg]")
    axes.set_title(title, fontsize=10)
    if legend:
        axes.legend(handles=legend, loc="upper right", bbox_to_anchor=(1.0, -0.09), ncols=3, frameon=False)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def envelope_title(configuration: Configuration) -> str:
    """Return what was tried: pattern, impedance, masses, approach and push."""
    docking = configuration.docking
    assert docking is not None
    kind = "joint" if docking.joint_impedance is not None else "Cartesian"
    base = "fixed" if docking.servicer.base_fixed else f"{docking.servicer.base_mass:g} kg"
    masses = f"base {base}, module {configuration.object.mass:g} kg"
    return (
        f"{docking.interfaces.stem}, {kind} impedance, {masses},\n"
        f"{1e3 * docking.approach.speed:g} mm/s, push {docking.push.force:g} N"
    )


def _edges(values: Array) -> Array:
    """Return the edges of cells whose middles are evenly spaced values, shape (n + 1,)."""
    half = 0.5 * (values[1] - values[0])
    return np.append(values - half, values[-1] + half)
