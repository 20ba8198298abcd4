"""The picture of a campaign: what the peg did at each shift of the plate."""

import numpy as np

from hil.analysis.report.style import BLUE, GREEN, ORANGE, VERMILLION, drawn
from hil.trials.validation.campaign import FACE, FREE, INSERTED, RIM, Trial

MARKS = {INSERTED: ("o", GREEN), RIM: ("s", ORANGE), FACE: ("X", VERMILLION), FREE: ("x", "#767676")}
AXES = ("x_mm", "y_mm", "z_mm")


def campaign_picture(trials: list[Trial]) -> bytes:
    """Return the PNG: a map over the two axes that vary, or curves over the only one."""
    varied = [name for name in AXES if len({getattr(trial, name) for trial in trials}) > 1]
    return _map(trials, *varied[:2]) if len(varied) >= 2 else _curves(trials, (varied or ["x_mm"])[0])


def _map(trials: list[Trial], across: str, up: str) -> bytes:
    x, y = (np.array([getattr(trial, name) for trial in trials]) for name in (across, up))
    with drawn(4.2, 1, 2) as (figure, axes, buffer):
        for outcome, (marker, colour) in MARKS.items():
            rows = np.array([trial.outcome == outcome for trial in trials])
            if rows.any():
                axes[0].scatter(x[rows], y[rows], marker=marker, c=colour, s=70, label=outcome)
        axes[0].set_title("what the peg did")
        axes[0].legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2)
        force = axes[1].scatter(
            x, y, c=[trial.max_force_n for trial in trials], s=110, marker="s", cmap="cividis"
        )
        axes[1].set_title("largest force [N]")
        figure.colorbar(force, ax=axes[1])
        for panel in axes:
            panel.set_aspect("equal")
            panel.set_xlabel(f"shift of the plate along {across[0]} [mm]")
            panel.set_ylabel(f"along {up[0]} [mm]")
    return buffer.getvalue()


def _curves(trials: list[Trial], along: str) -> bytes:
    x = [getattr(trial, along) for trial in trials]
    courses = (
        ("largest force [N]", [trial.max_force_n for trial in trials]),
        ("largest torque on a joint [N m]", [trial.max_torque_n_m for trial in trials]),
        ("farthest from the command [rad]", [trial.max_deviation_rad for trial in trials]),
    )
    with drawn(3.2, 1, 3) as (_, axes, buffer):
        for panel, (title, values) in zip(axes, courses, strict=True):
            panel.plot(x, values, "o-", color=BLUE)
            panel.set_title(title)
            panel.set_ylim(bottom=0.0)
            panel.set_xlabel(f"shift of the plate along {along[0]} [mm]")
    return buffer.getvalue()
