"""Docked, jammed or lost: judged from what was seen, arrays only.

* Docked: for `hold` seconds on end, under the full push, every pin is at least `depth` of the full depth in
  its own hole, the tilt is below `tilt` and the fastest pin's tip slower than `speed`; every seal seals and
  every latch is closed.
* Jammed: for `hold` seconds on end the axial contact force is above `jam_force` while the pins go in slower
  than `jam_speed`, both as means of 0.1 s, and are not all deep and straight. Pins that rock are no jam.
* Lost: neither within the time limit, or the tips are farther away than at the start by more than `reach`.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from hil.common.arrays import Array, BoolArray
from hil.configuration.docking import Outcome

Word = Literal["docked", "jammed", "lost", "under way"]
SMOOTH = 0.1  # [s] over which axial force and insertion are averaged: contacts knock


class History(NamedTuple):
    """What was seen, one row a sample, times rising."""

    time: Array  # (N,) s, from the start
    depth: Array  # (N, P) of each pin in its own hole, share of the full depth
    insertion: Array  # (N,) how far the tips are below the plate's face in the mean [m], negative before
    tilt: Array  # (N,) rad, between the pins and the holes
    speed: Array  # (N,) m/s, of the fastest pin's tip relative to the plate
    axial: Array  # (N,) N, force of contacts, seals and latches that pushes the pins out
    force: Array  # (N,) N, size of that force
    torque: Array  # (N,) N m, size of its moment about the middle of the plate's face
    penetration: Array  # (N,) m, of the deepest contact
    sealed: Array  # (N,) how many seals seal
    closed: Array  # (N,) how many latches are closed
    parts_force: Array  # (N,) N, share of seals and latches in the axial force
    work: Array  # (N,) J, done on seals and latches so far

    def until(self, time: float) -> "History":
        """Return the samples up to a time [s]."""
        kept = self.time <= time + 1e-9
        return History(*(column[kept] for column in self))


@dataclass(frozen=True)
class Verdict:
    """What came of it, and when that was sure [s]; for `under way` the time of the last sample."""

    word: Word
    time: float


def seated(history: History, rules: Outcome, fasteners: tuple[int, int] = (0, 0)) -> BoolArray:
    """Return where all pins are deep and straight, and all seals and latches hold, shape (N,).

    Args:
        history: samples.
        rules: bounds of the configuration.
        fasteners: how many seals and latches there are.
    """
    deep = (history.depth >= rules.depth).all(axis=1) & (history.tilt < rules.tilt)
    held = (history.sealed >= fasteners[0]) & (history.closed >= fasteners[1])
    return np.asarray(deep & held, np.bool_)


def verdict(
    history: History, rules: Outcome, full_push: float, farthest: float, fasteners: tuple[int, int] = (0, 0)
) -> Verdict:
    """Return what the history says so far.

    Args:
        history: at least one sample; of the past at least `hold` and `SMOOTH` before the first that is new.
        rules: bounds of the configuration.
        full_push: time from which the push is whole [s].
        farthest: insertion below which the tips are out of reach [m], negative.
        fasteners: how many seals and latches there are.
    """
    time = history.time
    sits = seated(history, rules, fasteners)
    docked = _lasting(time, sits & (history.speed < rules.speed) & (time >= full_push), rules.hold)
    jammed = _lasting(time, _pressed(history, rules) & _slow(history, rules) & ~sits, rules.hold)
    lost = (time >= rules.time_limit) | (history.insertion < farthest)
    events: list[tuple[Word, BoolArray]] = [("docked", docked), ("jammed", jammed), ("lost", lost)]
    first = [(float(time[np.argmax(flags)]), rank) for rank, (_, flags) in enumerate(events) if flags.any()]
    if not first:
        return Verdict("under way", float(time[-1]))
    when, rank = min(first)
    return Verdict(events[rank][0], when)


def _lasting(time: Array, flags: BoolArray, length: float) -> BoolArray:
    """Return where `flags` has been true for at least `length` [s] on end."""
    index = np.arange(len(time))
    starts = np.maximum.accumulate(np.where(flags & ~np.append(False, flags[:-1]), index, 0))
    return flags & (time - time[starts] >= length - 1e-9)


def _pressed(history: History, rules: Outcome) -> BoolArray:
    """Return where the mean axial force of the last `SMOOTH` seconds is above the jam force."""
    total = np.append(0.0, np.cumsum(history.axial))
    since = np.searchsorted(history.time, history.time - SMOOTH, side="right")
    index = np.arange(len(history.time))
    mean = (total[index + 1] - total[since]) / (index + 1 - since)
    return np.asarray(mean > rules.jam_force, np.bool_)


def _slow(history: History, rules: Outcome) -> BoolArray:
    """Return where the pins went in slower than the jam speed over the last `SMOOTH` seconds."""
    then = np.searchsorted(history.time, history.time - SMOOTH + 1e-9)
    advanced = history.insertion - history.insertion[np.minimum(then, len(history.time) - 1)]
    return np.asarray(advanced < rules.jam_speed * SMOOTH, np.bool_)
