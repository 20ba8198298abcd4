"""How arm, simulation and ideal body moved: the whole run, a push near by, and the path in space."""

from typing import Any

import numpy as np

from hil.analysis.figures.tracking import distances
from hil.analysis.figures.windows import fitted_twists
from hil.analysis.recorded.run import RecordedRun
from hil.analysis.report.chosen_push import ChosenPush
from hil.analysis.report.style import (
    ARM,
    BLACK,
    GREEN,
    GREY,
    IDEAL,
    ORANGE,
    SIM,
    VERMILLION,
    Picture,
    drawn,
    shade_pushes,
    thin,
)
from hil.common.arrays import Array
from hil.configuration.base_rules import object_room
from hil.loop.judging.state_machine import State
from hil.loop.trace.fields import Trace

BEFORE, AFTER = 0.05, 0.5  # [s] about a push
PATH_POINTS = 4000
PUSH_STAR = {"ls": "", "marker": "*", "color": ORANGE, "mec": BLACK, "mew": 0.4, "ms": 9, "label": "push"}
OVERVIEW_HEIGHT, OVERVIEW_SHAPE = 6.0, (4, 1)
OVERVIEW_PANELS: dict[str, Any] = {"sharex": True, "height_ratios": (2, 2, 2, 1.6)}
BOX_EDGES = [(a, b) for a in range(8) for b in range(a + 1, 8) if (a ^ b) in (1, 2, 4)]


def fill_overview(panels: Any, trace: Trace) -> None:
    """Fill the four panels of a run's overview."""
    t = trace.t - trace.t[0]
    distance = 1e3 * distances(trace)[0]
    for axis, panel in enumerate(panels[:3]):
        panel.plot(*thin(t, 1e3 * trace.p_world_object_sim[:, axis]), **SIM)
        panel.plot(*thin(t, 1e3 * trace.p_world_object_arm[:, axis]), **ARM)
        panel.set_ylabel(f"{'xyz'[axis]} [mm]")
    panels[3].plot(*thin(t, distance), color=BLACK, lw=0.8)
    panels[3].set(ylabel="arm to\nsimulation [mm]", xlabel="time from floating on [s]")
    panels[3].set_ylim(bottom=0.0)
    for panel in panels:
        shade_pushes(panel, trace.push_t_start - trace.t[0], trace.push_t_end - trace.t[0])
        _mark_not_floating(panel, trace)
    _mark_contacts(panels[0], trace)
    panels[0].set_title("centre of mass in the world")
    panels[0].legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2)
    panels[0].set_xlim(t[0], t[-1])


def draw_overview(run: RecordedRun) -> Picture:
    """Draw the whole run: the object's place, the arm's distance from it, pushes, contacts, states."""
    with drawn(OVERVIEW_HEIGHT, *OVERVIEW_SHAPE, **OVERVIEW_PANELS) as (_, panels, buffer):
        fill_overview(panels, run.trace)
    caption = (
        "Where the simulation had the object (solid) and where the arm held it (dashed); the two lie on one "
        "another unless something went wrong. Orange: a push. Triangles at the lower edge: contacts with a "
        "stop or wall. Hatched grey: not floating. Below, the distance between the two; after a push it is "
        "what the arm could not know yet."
    )
    return Picture("overview", "The run", caption, buffer.getvalue())


def draw_push(run: RecordedRun, push: ChosenPush) -> Picture:
    """Draw the velocity along a push: ideal body, simulation, arm; and their places."""
    trace = run.trace
    first, last = np.searchsorted(trace.t, [push.start - BEFORE, push.end + AFTER]).tolist()
    ms = 1e3 * (trace.t[first:last] - push.start)
    arm = fitted_twists(trace.t, trace.p_world_object_arm, trace.quat_world_object_arm, first, last)
    rows = slice(first, last)
    speeds = [
        (trace.twist_world_object_ideal[rows, :3] * trace.rate[rows, None], IDEAL),
        (trace.twist_world_object_sim[rows, :3] * trace.rate[rows, None], SIM),
        (arm[:, :3], ARM),
    ]
    places = [(getattr(trace, f"p_world_object_{who}")[rows], style)
              for who, style in (("ideal", IDEAL), ("sim", SIM), ("arm", ARM))]  # fmt: skip
    start = trace.p_world_object_arm[first]
    with drawn(3.6, 1, 2) as (_, (left, right), buffer):
        for (speed, style), (place, _) in zip(speeds, places, strict=True):
            if style is IDEAL and not push.true:
                continue  # nobody knows what an ideal body would have done
            left.plot(ms, 1e3 * speed @ push.direction, **style)
            right.plot(ms, 1e3 * (place - start) @ push.direction, **style)
        for axes in (left, right):
            shade_pushes(axes, np.zeros(1), np.array([1e3 * (push.end - push.start)]))
            axes.set_xlabel("time from the push's start [ms]")
        left.set(title="velocity along the push", ylabel="[mm/s]")
        right.set(title="way along the push", ylabel="[mm]")
        left.legend(loc="lower right")
    around = "nothing else happens around it" if push.free else "other things happen around it"
    caption = (
        f"The hardest push: {push.size:.2f} N s in {1e3 * (push.end - push.start):.0f} ms; {around}. "
        + ("Thick grey: what a body in free flight would do under the true force. " if push.true else "")
        + "The arm follows a little later, takes the new velocity, and closes what is left of the gap slowly."
    )
    return Picture("push", "A push near by", caption, buffer.getvalue())


def draw_path(run: RecordedRun) -> Picture:
    """Draw the path of the centre of mass in space and from two sides, within the stops' box."""
    trace, c = run.trace, run.configuration
    stops = c.stops
    centre, half = (stops.centre, stops.half_extent) if c.base.kind == "none" else object_room(c)
    step = max(1, len(trace.t) // PATH_POINTS)
    sim, arm = 1e3 * trace.p_world_object_sim[::step], 1e3 * trace.p_world_object_arm[::step]
    pushed = np.searchsorted(trace.t, trace.push_t_start)
    pushes = 1e3 * trace.p_world_object_arm[pushed[pushed < len(trace.t)]]
    with drawn(3.9) as (figure, _, buffer):
        grid = figure.add_gridspec(1, 3, width_ratios=(1.9, 1.0, 1.0))
        space = figure.add_subplot(grid[0], projection="3d")
        top, side = figure.add_subplot(grid[1]), figure.add_subplot(grid[2])
        for axes, indices in ((space, (0, 1, 2)), (top, (0, 1)), (side, (0, 2))):
            for path, style in ((sim, SIM), (arm, ARM)):
                axes.plot(*path[:, indices].T, **{**style, "lw": 0.9})
            for row, marker, colour, label in ((0, "o", GREEN, "start"), (-1, "s", BLACK, "end")):
                axes.plot(*sim[row, indices, None], ls="", marker=marker, color=colour, ms=6, label=label)
            axes.plot(*pushes[:, indices].T, **PUSH_STAR)
            if stops.enabled and np.isfinite(half).all():
                _draw_box(axes, 1e3 * centre, 1e3 * half, indices)
        if run.base is not None:
            top.plot(*1e3 * run.base.pose[:, :2].T, color=GREY, lw=1.2, label=c.base.kind)
        space.set(xlabel="x [mm]", ylabel="y [mm]", zlabel="z [mm]")
        space.locator_params(nbins=4)
        space.set_box_aspect([np.ptp(lim) for lim in (space.get_xlim(), space.get_ylim(), space.get_zlim())],
                             zoom=1.0)  # fmt: skip
        top.set(title="from above", xlabel="x [mm]", ylabel="y [mm]")
        side.set(title="from the side", xlabel="x [mm]", ylabel="z [mm]")
        for axes in (top, side):
            axes.set_aspect("equal", adjustable="datalim")
        figure.legend(*top.get_legend_handles_labels(), loc="outside lower left", ncols=5)
    caption = (
        "The way of the object's centre of mass: as simulated (solid) and as the arm held it (dashed). "
        + ("Thin grey: the box of the stops, from which it bounces." if stops.enabled else "")
        + ("" if run.base is None else f" Thick grey: the way of the {c.base.kind}.")
    )
    return Picture("path", "Path in space", caption, buffer.getvalue())


def _draw_box(axes: Any, centre: Array, half: Array, indices: tuple[int, ...]) -> None:
    corners = [centre + half * (np.array([n & 1, n >> 1 & 1, n >> 2]) * 2.0 - 1.0) for n in range(8)]
    for a, b in BOX_EDGES:
        ends = np.array([corners[a], corners[b]])[:, indices]
        axes.plot(*ends.T, color=GREY, lw=0.7)


def _mark_contacts(panel: Any, trace: Trace) -> None:
    edges = np.flatnonzero(np.diff(trace.contact_sim.astype(np.int8)) == 1)
    if not len(edges):
        return  # the layout would make room for no marks at all, wherever they are
    panel.plot(trace.t[edges] - trace.t[0], np.full(len(edges), 0.03), ls="", marker="^", ms=4,
               color=VERMILLION, transform=panel.get_xaxis_transform(), clip_on=False)  # fmt: skip


def _mark_not_floating(panel: Any, trace: Trace) -> None:
    away = (trace.state != State.FLOATING).astype(np.int8)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], away, [0]])))
    for first, end in edges.reshape(-1, 2):
        panel.axvspan(trace.t[first] - trace.t[0], trace.t[min(end, len(trace.t) - 1)] - trace.t[0],
                      facecolor="none", edgecolor=GREY, hatch="///", alpha=0.5, lw=0)  # fmt: skip
