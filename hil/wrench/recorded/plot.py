"""A picture of a recorded wrench with the pushes found in it."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from hil.common.arrays import Array
from hil.messaging.messages import ImpulseSlice
from hil.wrench.recorded.reading import Recording

COLOURS = ("#c0392b", "#27803b", "#2456a6")
SHADE = "#f2b233"


def draw_detection(
    path: Path, title: str, data: Recording, rate: Array, threshold: float, found: list[ImpulseSlice]
) -> None:
    """Draw forces, torques and the derivative's norm, with each push shaded and numbered.

    Args:
        path: picture to write; its suffix names the format.
        title: of the picture.
        data: the recording.
        rate: norm of the filtered wrench's derivative, torques divided by the filter's length [N/s], (N,).
        threshold: that it must pass [N/s].
        found: the pushes.
    """
    torques = bool(np.any(data.wrench[:, 3:]))
    heights = [3, 2, 2] if torques else [3, 2]
    figure, axes = plt.subplots(
        len(heights), 1, sharex=True, figsize=(11, 2.2 + 2.2 * len(heights)), height_ratios=heights
    )
    for i, (label, colour) in enumerate(zip("xyz", COLOURS, strict=True)):
        axes[0].plot(data.t, data.wrench[:, i], color=colour, lw=0.9, label=f"$f_{label}$")
        if torques:
            axes[1].plot(data.t, data.wrench[:, 3 + i], color=colour, lw=0.9, label=f"$\\tau_{label}$")
    axes[0].set_ylabel("force [N]")
    if torques:
        axes[1].set_ylabel("torque [N m]")
        axes[1].legend(loc="upper right", ncols=3, framealpha=0.85)
    axes[0].legend(loc="upper right", ncols=3, framealpha=0.85)
    axes[-1].semilogy(data.t, np.maximum(rate, 1e-3 * threshold), color="#444444", lw=0.8)
    axes[-1].axhline(threshold, color="#c0392b", lw=1.0, ls="--", label=f"threshold {threshold:.0f} N/s")
    axes[-1].set_ylabel("|dw*/dt| [N/s]")
    axes[-1].set_ylim(bottom=max(threshold * 1e-2, 0.1))
    axes[-1].legend(loc="lower right", framealpha=0.85)
    axes[-1].set_xlabel("time [s]")
    for number, push in enumerate(found, start=1):
        _shade(axes, number, push)
    for panel in axes:
        panel.grid(alpha=0.25)
        panel.margins(x=0.01)
    axes[0].set_title(f"{title}: {len(found)} impulse{'' if len(found) == 1 else 's'}", loc="left")
    figure.tight_layout()
    figure.savefig(path, dpi=130)
    plt.close(figure)


def _shade(axes: Array, number: int, push: ImpulseSlice) -> None:
    """Shade a push in all panels; its number and size stand in the first."""
    start, stop = push.t_start_ns * 1e-9, push.t_end_ns * 1e-9
    for panel in axes:
        panel.axvspan(start, stop, color=SHADE, alpha=0.3, lw=0)
    axes[0].axvline(push.t_centroid_ns * 1e-9, color=SHADE, lw=0.8)
    axes[0].annotate(
        f"{number}\n{np.linalg.norm(push.impulse_object[:3]):.2f} N s",
        (0.5 * (start + stop), 0.02),
        xycoords=("data", "axes fraction"),
        ha="center",
        va="bottom",
        fontsize=7,
    )
