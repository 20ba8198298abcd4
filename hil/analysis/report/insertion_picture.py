"""The picture of an insertion past seals and latches: force over depth."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hil.analysis.figures.insertion import Insertion
from hil.analysis.figures.insertion_words import insertion_words
from hil.analysis.report.style import BLUE, GREEN, GREY, VERMILLION, Picture, drawn

ROOM = 1.0  # [mm] beside the curve
CAPTION = (
    "The force with which seals and latches push back, over how deep the pins' tips are below the plate's "
    "face; below zero they pull module and servicer together. Dot: the greatest. "
)


def draw_insertion(course: Insertion, figures: Mapping[str, Any]) -> Picture:
    """Draw the force over the depth, with where seals and latches begin to hold."""
    depth, top = 1e3 * course.depth, int(course.force.argmax())
    marks = [
        (figures["seal_reached_s"], "seal reached", GREEN, "--"),
        (figures["latch_closed_s"], "latches closed", BLUE, ":"),
    ]
    with drawn(3.4, 1, 1) as (_, panel, buffer):
        panel.axhline(0.0, color=GREY, lw=0.8)
        panel.plot(depth, course.force, color=VERMILLION, lw=1.2)
        panel.plot(depth[top], course.force[top], ls="", marker="o", color=VERMILLION, ms=6)
        for since, label, colour, dash in marks:
            if since is not None:
                at = depth[np.searchsorted(course.t, since)]
                panel.axvline(at, color=colour, ls=dash, label=f"{label}, {since:.2f} s")
        panel.set(xlabel="depth of the tips [mm]", ylabel="force of seals\nand latches [N]")
        felt = depth[course.force != 0.0]
        if len(felt):
            panel.set_xlim(float(felt.min()) - ROOM, float(depth.max()) + ROOM)
        if panel.get_legend_handles_labels()[0]:
            panel.legend(loc="upper left")
    return Picture("insertion", "Insertion", CAPTION + _end(figures), buffer.getvalue())


def _end(figures: Mapping[str, Any]) -> str:
    return " ".join(f"{name.capitalize()}: {words}." for name, words in insertion_words(figures)[1:])
