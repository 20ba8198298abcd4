"""The picture of contact handling: friction against load, restitution against what was asked."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def draw(
    path: Path, loads: Sequence[float], accelerations: Any, limit: float, asked: Sequence[float], found: Any
) -> None:
    """Draw both tables.

    Args:
        path: of the PNG.
        loads: over the limit of friction.
        accelerations: of the pulled body with 1, 2 and 4 contacts [m/s2], shape (loads, 3).
        limit: of friction over the body's mass [m/s2].
        asked: restitutions.
        found: of a hit without and with sliding, shape (restitutions, 2).
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.0, 3.6), layout="constrained")
    line = np.linspace(loads[0], loads[-1], 200)
    left.plot(line, np.maximum(0.0, line - 1.0) * limit, color="0.6", label="Coulomb")
    names = {"o": "1 contact", "+": "2 contacts", "x": "4 contacts"}
    for column, marker in zip(np.asarray(accelerations).T, names, strict=True):
        left.plot(loads, column, marker, label=names[marker], fillstyle="none")
    left.set(xlabel="pull over limit of friction", ylabel="acceleration [m/s$^2$]", title="Friction")
    left.legend(frameon=False)
    right.plot([0, 1], [0, 1], color="0.6", label="asked")
    right.plot(asked, np.asarray(found)[:, 0], "o", label="straight hit", fillstyle="none")
    right.plot(asked, np.asarray(found)[:, 1], "x", label="sliding at 0.5 m/s")
    right.set(xlabel="restitution asked", ylabel="restitution of the hit", title="Restitution")
    right.legend(frameon=False)
    for axes in (left, right):
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, dpi=110)
    plt.close(figure)
