"""Pictures of a mating experiment: force over depth with its phases, other courses, a strip of the parts."""

import math
from collections.abc import Sequence
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
from hil.trials.mating.result import Frame, JammingSeen, MatingResult

BAND = (SKY, ORANGE, GREEN, PURPLE, VERMILLION, BLUE, GREY)
LINES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)))
LEFT_OUT = ("t_s", "depth_mm", "force_n")


def pictures_of(result: MatingResult) -> list[Picture]:
    """Return the pictures of an experiment."""
    made = [force_picture(result), courses_picture(result)]
    made += [strip_picture(result.frames)] if result.frames else []
    return [*made, jamming_picture(result.jamming)] if result.jamming else made


def force_picture(result: MatingResult) -> Picture:
    """Draw the mating force over depth, and below it which parts touch."""
    depth = result.series["depth_mm"]
    with drawn(4.6, 2, 1, sharex=True, gridspec_kw={"height_ratios": [5, 1]}) as (_, axes, buffer):
        axes[0].plot(*thin(depth, result.series["force_n"]), color=BLUE, lw=1.4)
        axes[0].axhline(0.0, color=BLACK, lw=0.6)
        axes[0].set_title("mating force [N]")
        _draw_band(axes[1], depth, result.phases)
        axes[1].set_xlabel("depth [mm]")
    caption = "The force that the motion needs, against the depth of the moving part; below, what touches."
    return Picture("force", "Force over depth", caption, buffer.getvalue())


def _draw_band(axes: Any, depth: Any, phases: Sequence[str]) -> None:
    names = list(dict.fromkeys(name for name in phases if name))
    begin = 0
    for k in range(1, len(phases) + 1):
        if k < len(phases) and phases[k] == phases[begin]:
            continue
        if name := phases[begin]:
            low, high = depth[begin], depth[min(k, len(depth) - 1)]
            axes.axvspan(low, high, color=BAND[names.index(name) % len(BAND)], alpha=0.45, lw=0)
            if high - low > 0.05 * (depth[-1] - depth[0]):
                axes.text(0.5 * (low + high), 0.5, name, ha="center", va="center", fontsize=7)
        begin = k
    axes.set_yticks([])
    axes.set_ylim(0.0, 1.0)
    axes.set_title("phase")


def courses_picture(result: MatingResult) -> Picture:
    """Draw all other courses, one diagram a unit."""
    depth, by_unit = result.series["depth_mm"], dict[str, list[str]]()
    for name in result.series:
        if name not in LEFT_OUT and np.ptp(result.series[name]) > 0.0:
            by_unit.setdefault(_unit(name), []).append(name)
    rows = max(1, len(by_unit))
    with drawn(1.9 * rows + 0.4, rows, 1, sharex=True, squeeze=False) as (_, axes, buffer):
        for row, (unit, names) in zip(axes[:, 0], by_unit.items(), strict=False):
            for k, name in enumerate(names):
                label = name.removesuffix(f"_{unit}").replace("_", " ")
                style = (
                    LINES[k // len(BAND) % len(LINES)] if len(names) > len(BAND) else LINES[k % len(LINES)]
                )
                row.plot(
                    *thin(depth, result.series[name]),
                    color=BAND[::-1][k % len(BAND)],
                    ls=style,
                    lw=1.2,
                    label=label,
                )
            row.set_title(f"[{unit.replace('_', ' ')}]" if unit else "")
            row.legend(loc="best", ncols=2)
        axes[-1, 0].set_xlabel("depth [mm]")
    caption = "Side forces, moments and motions of the parts, against the same depth."
    return Picture("courses", "All other courses", caption, buffer.getvalue())


def _unit(name: str) -> str:
    known = ("n_m", "n", "mm_s", "mm", "rad", "deg", "s", "j")
    return next((unit for unit in known if name.endswith(f"_{unit}")), "")


def strip_picture(frames: Sequence[Frame]) -> Picture:
    """Draw the parts at a few instants."""
    columns = min(3, len(frames))
    rows = math.ceil(len(frames) / columns)
    with drawn(2.6 * rows, rows, columns, squeeze=False) as (_, axes, buffer):
        for k, cell in enumerate(axes.ravel()):
            if k >= len(frames):
                cell.set_visible(False)
                continue
            _draw_frame(cell, frames[k])
    caption = (
        "Cuts along the motion [mm]; grey rests, blue moves, arrows are contact forces on the moving part; "
        "contacts beside the cut are seen through it."
    )
    return Picture("strip", "The parts on their way", caption, buffer.getvalue())


def jamming_picture(seen: JammingSeen) -> Picture:
    """Draw the loads of a peg in the boundary within which it goes in."""
    with drawn(3.6, 1, 1) as (_, axes, buffer):
        closed = np.vstack([seen.outline, seen.outline[:1]])
        axes.fill(closed[:, 0], closed[:, 1], color=GREEN, alpha=0.2, lw=0)
        axes.plot(closed[:, 0], closed[:, 1], color=GREEN, lw=1.4, label="goes in inside, jams outside")
        if len(seen.loads):
            axes.plot(
                seen.loads[:, 0], seen.loads[:, 1], ".", color=VERMILLION, ms=3, label="loads of this run"
            )
        axes.set_title(seen.title, fontsize=9)
        axes.set_xlabel("lateral force over insertion force")
        axes.set_ylabel("moment over radius and insertion force")
        axes.legend(loc="best")
    caption = "Loads on the tip's middle under which a peg with two contacts goes in, by the contact solver."
    return Picture("jamming", "Jamming", caption, buffer.getvalue())


def _draw_frame(axes: Any, frame: Frame) -> None:
    for outline in frame.resting:
        axes.fill(outline[:, 0], outline[:, 1], color=GREY, alpha=0.5, lw=0.6, ec=BLACK)
    for outline in frame.moving:
        axes.fill(outline[:, 0], outline[:, 1], color=SKY, alpha=0.6, lw=0.6, ec=BLUE)
    points, forces = frame.forces
    size = np.linalg.norm(forces, axis=1) if len(points) else np.zeros(0)
    if size.size and size.max() > 0.0:
        span = 0.4 * min(np.ptp(np.vstack([*frame.moving, *frame.resting]), axis=0))
        arrows = forces / size.max() * span
        axes.quiver(
            *points.T, *arrows.T, color=VERMILLION, angles="xy", scale_units="xy", scale=1.0, width=0.01
        )
    axes.set_aspect("equal")
    axes.set_title(frame.title, fontsize=8)
    axes.tick_params(labelsize=6)
