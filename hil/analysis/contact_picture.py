"""A picture of real contact in the loop: where restitution is right, and which port at which speed."""

from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

from hil.common.arrays import Array
from hil.force.map.contact import Contact
from hil.force.map.fields import MOST_RATIO, Fields, border_wT, fields_of
from hil.force.map.loop_delay import LoopDelay
from hil.force.map.rule import FAR, Advice, Touch, device_stiffness, impedance, peak_factor, slowest

BANDS = (0.0, 0.02, 0.05, 0.2, 1e9)
COLOURS = ("#2a78b8", "#9cc4e4", "#fbe0b0", "#e8905a")
WORDS = (
    "restitution right to 0.02",
    "to 0.05: accurate",
    "to 0.2: visibly wrong",
    "further off",
)
UNKNOWN = "#dfe3e6"
INK, STABILITY, MOCKUP = "#22303c", "#0b6b3a", "#c4123f"
PLATE = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 2.0}  # behind words
PLACES = ((1.1, "left"), (290.0, "right"))  # [mm/s] of words on a line
AROUND = (0.8, 1.0, 1.2)  # of the delay
SPEEDS = (1e-3, 0.3)  # [m/s]
STIFFNESSES = (1e2, 1e7)  # [N/m]


def draw_contact_map(
    contact: Contact, loop: LoopDelay, touch: Touch, advice: Advice, title: str, lines: list[str], path: Path
) -> None:
    """Write the picture.

    Args:
        contact: body and port, marked.
        loop: its delay.
        touch: speed, force stop and sensor.
        advice: what the rule says of them.
        title: of the picture.
        lines: the rule in words, set beside the second picture.
        path: of the file; its end says the kind.
    """
    matplotlib.use("Agg")
    from matplotlib import pyplot

    fields = fields_of(contact, loop, touch)
    with pyplot.rc_context(
        {"font.size": 10, "text.color": INK, "axes.edgecolor": INK, "hatch.linewidth": 0.6}
    ):
        figure = pyplot.figure(figsize=(14.5, 10.2), layout="constrained")
        axes: Any = figure.subplot_mosaic([["bare", "lead", "S"], ["port", "port", "words"]])
        _draw_schemes(axes, fields, contact, loop)
        _draw_port(axes["port"], contact, loop, touch)
        _write(axes["words"], lines)
        _legend(figure)
        figure.suptitle(title, fontsize=14)
        figure.savefig(path, dpi=110)
        pyplot.close(figure)


def _draw_schemes(axes: Any, fields: Fields, contact: Contact, loop: LoopDelay) -> None:
    panels = (
        ("bare", "Without compensation", fields.bare),
        ("lead", "With lead alone", fields.lead),
        ("S", "With scheme S (bound, by the rule)", fields.model),
    )
    for name, text, errors in panels:
        panel = axes[name]
        known = np.where(np.isfinite(errors), np.abs(errors), BANDS[-2] + 1.0)
        panel.contourf(fields.rate_delay, fields.ratio, known, BANDS, colors=COLOURS)
        panel.contour(fields.rate_delay, fields.ratio, known, BANDS[1:-1], colors="white", linewidths=1.0)
        panel.set(xscale="log", xlim=(fields.rate_delay[0], fields.rate_delay[-1]), ylim=(0.0, MOST_RATIO))
        panel.set_xticks([0.05, 0.1, 0.2, 0.5, 1, 2, 4], ["0.05", "0.1", "0.2", "0.5", "1", "2", "4"])
        panel.set_title(text, fontsize=12)
        panel.set_xlabel("w T: rate of the contact times delay")
        _mark(panel, contact, loop)
    axes["bare"].set_ylabel("damping ratio of the port, z")
    _limits(axes, fields)


def _limits(axes: Any, fields: Fields) -> None:
    """Draw where a pressed contact diverges, and where a bounce is faster than its approach."""
    bare, lead = axes["bare"], axes["lead"]
    bare.plot(fields.border, fields.border_ratio, color=STABILITY, linewidth=2.4)
    bare.fill_betweenx(
        fields.border_ratio,
        fields.border,
        fields.rate_delay[-1],
        facecolor="none",
        edgecolor=STABILITY,
        hatch="///",
    )
    faster = fields.bare + fields.ideal[:, None]
    bare.contour(fields.rate_delay, fields.ratio, faster, [1.0], colors=INK, linestyles="--", linewidths=1.6)
    coarse = (fields.coarse_rate_delay, fields.coarse_ratio, fields.lead_growth)
    lead.contour(*coarse, [0.0], colors=STABILITY, linewidths=2.4)
    lead.contourf(*coarse, [0.0, 1e9], colors="none", hatches=["///"]).set_edgecolor(STABILITY)
    axes["S"].axvline(1.0, color=INK, linestyle=":", linewidth=1.4)
    note = "beyond w T = 1 the\nreal force is k v T:\nuse a device"
    axes["S"].text(1.08, MOST_RATIO - 0.02, note, va="top", bbox=PLATE)


def _mark(panel: Any, contact: Contact, loop: LoopDelay) -> None:
    """Mark this mock-up at this port, with the delay and 20 % less and more of it."""
    at = contact.rate * loop.total * np.array(AROUND)
    ratio = np.full(3, min(contact.ratio, MOST_RATIO))
    style = {"color": MOCKUP, "markeredgecolor": "white", "clip_on": False, "zorder": 9}
    panel.plot(at, ratio, "-", color=MOCKUP, linewidth=2.0, clip_on=True, zorder=8)
    for x, y, marker, size in zip(at, ratio, "<o>", (8, 10, 8), strict=True):
        if panel.get_xlim()[0] <= x <= panel.get_xlim()[1]:
            panel.plot(x, y, marker, markersize=size, **style)


def _legend(figure: Any) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = [Patch(facecolor=c, label=w) for c, w in zip(COLOURS, WORDS, strict=True)]
    handles += [
        Patch(facecolor="none", edgecolor=STABILITY, hatch="///", label="a pressed contact diverges"),
        Line2D([], [], color=STABILITY, linewidth=2.4, label="critical delay: closed form; with lead: poles"),
        Line2D([], [], color=INK, linestyle="--", label="comes back as fast as it came"),
        Line2D([], [], color=MOCKUP, marker="o", markeredgecolor="white", label="this mock-up, T +- 20 %"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False)


def _draw_port(axes: Any, contact: Contact, loop: LoopDelay, touch: Touch) -> None:
    """Draw over speed and stiffness where the force stop acts, where encoders are too coarse, and between."""
    k = np.geomspace(*STIFFNESSES, 241)
    ports = [_with_stiffness(contact, value) for value in k]
    force = np.array(
        [touch.force_stop / (impedance(c) * peak_factor(c, loop) * touch.hardening) for c in ports]
    )
    low = np.array([min(slowest(c.rate, loop.total, touch), 1e3) for c in ports])
    far = contact.reduced_mass * (FAR / loop.total) ** 2
    x_low, x_high = 1e3 * SPEEDS[0], 1e3 * SPEEDS[1]
    axes.axhspan(far, STIFFNESSES[1], color=UNKNOWN, linewidth=0)
    coarse = np.minimum(low, force)
    axes.fill_betweenx(
        k, x_low, np.maximum(1e3 * coarse, x_low), where=k < far, color=COLOURS[2], linewidth=0
    )
    axes.fill_betweenx(k, 1e3 * force, x_high, where=1e3 * force < x_high, color=COLOURS[3], linewidth=0)
    good = (low < force) & (k < far)
    axes.fill_betweenx(
        k, 1e3 * low, np.minimum(1e3 * force, x_high), where=good, color=COLOURS[1], linewidth=0
    )
    axes.plot(1e3 * force, k, color=INK, linewidth=1.6)
    axes.plot(1e3 * low[good], k[good], color=INK, linewidth=1.6)
    _levels(axes, contact, loop)
    axes.plot(
        1e3 * touch.speed,
        contact.stiffness,
        "o",
        markersize=11,
        color=MOCKUP,
        markeredgecolor="white",
        zorder=9,
    )
    axes.annotate(
        "this port at this speed", (1e3 * touch.speed, contact.stiffness), (12, 10), color=MOCKUP,
        textcoords="offset points", fontweight="bold",
    )  # fmt: skip
    axes.set(xscale="log", yscale="log", xlim=(x_low, x_high), ylim=STIFFNESSES)
    axes.set_xticks([1, 2, 5, 10, 20, 50, 100, 200], ["1", "2", "5", "10", "20", "50", "100", "200"])
    axes.set(xlabel="approach speed [mm/s]", ylabel="stiffness of the port [N/m]")
    axes.set_title(f"Which port at which speed, scheme S, z = {contact.ratio:.2f}", fontsize=12)
    _name_areas(axes, k, low, force, far, touch)


def _levels(axes: Any, contact: Contact, loop: LoopDelay) -> None:
    """Draw the stiffness of a device, and that from which on the bare loop diverges."""
    bare = contact.reduced_mass * (border_wT(contact, loop, min(contact.ratio, MOST_RATIO)) / loop.total) ** 2
    levels = (
        (device_stiffness(contact, loop.total), "--", "a device as soft as this keeps w T at 0.5"),
        (bare, ":", "without compensation a pressed contact diverges from here on"),
    )
    for (value, style, text), (x, side) in zip(levels, PLACES, strict=True):
        if STIFFNESSES[0] < value < STIFFNESSES[1]:
            axes.axhline(value, color=STABILITY, linestyle=style, linewidth=1.6)
            axes.text(x, value, text, ha=side, va="center", color=STABILITY, bbox=PLATE)


def _name_areas(axes: Any, k: Array, low: Array, force: Array, far: float, touch: Touch) -> None:
    """Write into each area what it is, where it is widest."""
    top = 0.9 * STIFFNESSES[1]
    axes.text(
        280.0, top, f"force stop: above {touch.force_stop:.0f} N", ha="right", va="top", fontweight="bold"
    )
    if far < 0.5 * STIFFNESSES[1]:
        axes.text(1.1, 1.3 * far, f"beyond w T = {FAR:g}: not known", fontweight="bold")
    width = np.where(k < far, np.minimum(low, force), 0.0) / SPEEDS[0]
    if width.max() > 3.0:
        noise = 1e6 * touch.position_noise
        text = f"encoder limit:\n{noise:.2g} um are\ntoo coarse"
        axes.text(1.1, 0.8 * k[width.argmax()], text, va="top", fontweight="bold")
    row = len(k) // 5
    left, right = max(low[row], SPEEDS[0]), min(force[row], SPEEDS[1])
    axes.text(
        1e3 * np.sqrt(left * right), k[row], "accurate to 0.05", ha="center", fontsize=12, fontweight="bold"
    )


def _with_stiffness(contact: Contact, stiffness: float) -> Contact:
    rate = float(np.sqrt(stiffness / contact.reduced_mass))
    return Contact.of_ratio(contact.mass, rate, contact.ratio, contact.port_mass)


def _write(axes: Any, lines: list[str]) -> None:
    """Set the rule in words."""
    from textwrap import fill

    axes.axis("off")
    text = "\n\n".join(fill(line[0].upper() + line[1:], 58) for line in lines)
    axes.text(0.02, 0.98, text, va="top", fontsize=10.5, linespacing=1.35, transform=axes.transAxes)
