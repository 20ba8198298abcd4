"""Pictures of a drive: tracking, torques and speeds against limits, power, temperature, base, contact."""

from typing import Any

import numpy as np

from hil.analysis.report.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    VERMILLION,
    Picture,
    drawn,
    thin,
)
from hil.common.arrays import Array
from hil.workbench.driving.report.recorded_drive import RecordedDrive

COLOURS = (BLUE, VERMILLION, GREEN, ORANGE, PURPLE, SKY, BLACK)
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1)), "-.")
LIMIT = {"color": GREY, "lw": 1.0, "ls": (0, (1, 2))}


def look(k: int, of: int) -> dict[str, Any]:
    """Return how the k-th of some curves looks: colours first, then dashes too."""
    dash = DASHES[(k // len(COLOURS) + k) % len(DASHES)] if of > 1 else "-"
    return {"color": COLOURS[k % len(COLOURS)], "ls": dash, "lw": 1.2}


def draw_tracking(drive: RecordedDrive) -> Picture:
    """Return how the tip followed its command: places, and what was left."""
    with drawn(6.2, 3, 1, sharex=True) as (_, (place, far, turned), buffer):
        start = drive.tip["command"][0, :3]
        for k, axis in enumerate("xyz"):
            command, tip = (1e3 * (drive.tip[name][:, k] - start[k]) for name in ("command", "tip"))
            place.plot(*thin(drive.t, command), color=GREY, lw=3.0, label="command" if k == 0 else None)
            place.plot(*thin(drive.t, tip), label=f"tip, {axis}", **look(k, 3))
        place.set(ylabel="from the start [mm]", title="where the tip was, base axes")
        place.legend(loc="upper right", ncols=4)
        far.plot(*thin(drive.t, 1e3 * drive.tip["position_error"]), label="tip", **look(0, 2))
        left = 1e3 * drive.tip["inverse_position_error"]
        far.plot(*thin(drive.t, left), label="inverse kinematics alone", **look(1, 2))
        far.set(ylabel="off the command [mm]")
        far.legend(loc="upper right")
        angle = np.degrees(drive.tip["orientation_error"])
        turned.plot(*thin(drive.t, angle), **look(0, 1))
        turned.set(ylabel="off the command [deg]", xlabel="time [s]")
        for axes in (far, turned):
            _shade(axes, drive.t, ~drive.tip["reachable"].astype(bool))
    caption = (
        "The tip beside its command; what is left between them, of all and of the inverse kinematics alone. "
        "Shaded: the command was out of reach, and the arm at the closest pose."
    )
    return Picture("tracking", "Tracking", caption, buffer.getvalue())


def draw_joints(drive: RecordedDrive) -> Picture:
    """Return torques and speeds over their limits, all joints."""
    with drawn(5.4, 2, 1, sharex=True) as (_, panels, buffer):
        for panel, field, limit in zip(panels, ("torque", "dq"), ("effort", "speed"), strict=True):
            for k, fact in enumerate(drive.facts):
                share = 100.0 * drive.joint[field][:, k] / getattr(fact, limit)
                panel.plot(*thin(drive.t, share), label=fact.name, **look(k, len(drive.facts)))
            for bound in (-100.0, 100.0):
                panel.axhline(bound, **LIMIT)
            panel.set(ylabel=f"{'torque' if field == 'torque' else 'speed'} [% of its limit]")
        panels[0].legend(loc="upper right", ncols=4)
        panels[1].set(xlabel="time [s]")
    caption = "Torque behind the gear and joint speed, each as a share of the joint's own limit (dotted)."
    return Picture("joints", "Torques and speeds against their limits", caption, buffer.getvalue())


def draw_power(drive: RecordedDrive) -> Picture:
    """Return electrical power and the energy taken."""
    with drawn(3.4, 2, 1, sharex=True) as (_, (power, energy), buffer):
        power.plot(*thin(drive.t, drive.base["power"]), **look(0, 1))
        power.set(ylabel="power [W]")
        step = np.diff(drive.t, prepend=drive.t[:1])
        energy.plot(*thin(drive.t, np.cumsum(drive.base["power"] * step)), **look(1, 1))
        energy.set(ylabel="energy [J]", xlabel="time [s]")
    caption = (
        "Electrical power of all drives together, and what it adds up to; below zero the drives give back."
    )
    return Picture("power", "Power", caption, buffer.getvalue())


def draw_heat(drive: RecordedDrive) -> Picture:
    """Return the windings' and housings' temperatures above ambient."""
    with drawn(4.6, 2, 1, sharex=True) as (_, panels, buffer):
        for panel, field in zip(panels, ("winding", "housing"), strict=True):
            for k, fact in enumerate(drive.facts):
                panel.plot(
                    *thin(drive.t, drive.joint[field][:, k]), label=fact.name, **look(k, len(drive.facts))
                )
            panel.set(ylabel=f"{field} [K above ambient]")
        panels[0].legend(loc="upper left", ncols=4)
        panels[1].set(xlabel="time [s]")
        lowest = min(fact.winding_limit for fact in drive.facts)
        panels[0].set_title(f"lowest limit of a winding: {lowest:g} K above ambient")
    caption = "Temperatures of windings and housings above ambient, by each motor's two thermal nodes."
    return Picture("heat", "Temperature", caption, buffer.getvalue())


def draw_base(drive: RecordedDrive) -> Picture:
    """Return force and moment at the base; of a floating one its motion too."""
    rows = 4 if drive.free else 2
    with drawn(1.8 * rows + 1.0, rows, 1, sharex=True) as (_, panels, buffer):
        _three(panels[0], drive.t, drive.base["wrench"][:, :3], "force [N]")
        _three(panels[1], drive.t, drive.base["wrench"][:, 3:], "moment [N m]")
        if drive.free:
            shift = 1e3 * (drive.base["pose"][:, :3] - drive.base["pose"][0, :3])
            _three(panels[2], drive.t, shift, "base moved [mm]")
            drift = np.abs(drive.base["momentum"] - drive.base["momentum"][0]).max(axis=1)
            panels[3].semilogy(*thin(drive.t, np.maximum(drift, 1e-18)), **look(0, 1))
            panels[3].set(ylabel="momentum's drift")
        panels[-1].set(xlabel="time [s]")
    what = (
        "the satellite that carries the arm gives to it" if drive.free else "what holds the base gives to it"
    )
    more = (
        " Below, how far the floating base was moved by that, and by how much the momenta of all that floats "
        "differ from those at the beginning (N s, N m s)." if drive.free else ""
    )  # fmt: skip
    caption = (
        f"Force and moment that {what}, about its origin, in its axes: the reaction is the opposite.{more}"
    )
    return Picture("base", "Base wrench", caption, buffer.getvalue())


def draw_around(drive: RecordedDrive) -> Picture:
    """Return what the tip felt, and the variables of what it met."""
    names = list(drive.around)
    with drawn(2.2 + 1.5 * len(names), 1 + len(names), 1, sharex=True) as (_, panels, buffer):
        panels = np.atleast_1d(panels)
        _three(panels[0], drive.t, drive.tip["wrench"][:, :3], "force on the tip [N]")
        for panel, name in zip(panels[1:], names, strict=True):
            panel.plot(*thin(drive.t, drive.around[name]), **look(0, 1))
            panel.set(ylabel=name.split(".")[-1])
        panels[-1].set(xlabel="time [s]")
    return Picture(
        "contact", "What the tip met", "Force on the tip, base axes, and the variables of what is around it.",
        buffer.getvalue(),
    )  # fmt: skip


def _three(panel: Any, t: Array, values: Array, label: str) -> None:
    for k, axis in enumerate("xyz"):
        panel.plot(*thin(t, values[:, k]), label=axis, **look(k, 3))
    panel.set(ylabel=label)
    panel.legend(loc="upper right", ncols=3)


def _shade(panel: Any, t: Array, where: Array) -> None:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], where.astype(np.int64), [0]])))
    for first, last in edges.reshape(-1, 2):
        panel.axvspan(t[first], t[min(last, len(t) - 1)], color=ORANGE, alpha=0.25, lw=0)
