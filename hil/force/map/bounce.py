"""A touch in the sampled loop: a body flies at a port through delay, drives and samples, and comes back.

Independent of the closed forms, for any contact and loop; many at a time.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from hil.force.map.contact import Contact
from hil.force.map.loop_delay import LoopDelay
from hil.force.map.sampled_plant import sampled_plant

STEPS = 6  # of either piece of a cycle, at which arm and port may meet or part
LONGEST = 40.0  # periods of the contact and delays, until a touch has ended or never will
BEFORE = 3  # cycles that begin before the touch
QUIET = 8  # cycles without a force that end a touch, besides the delay


@dataclass(frozen=True)
class Bounces:
    """What touches came to, shapes (n,).

    Attributes:
        restitution: relative speed after over that before; nan: the touch did not end.
        peak: largest real force over `v sqrt(k mass)`.
        given: work of the held forces on the body over its energy before; at a fixed port `e^2 - 1`.
    """

    restitution: Array
    peak: Array
    given: Array


def bounces(
    contacts: Sequence[Contact], loops: Sequence[LoopDelay], leads: Sequence[float], phase: float = 0.5
) -> Bounces:
    """Let bodies fly at ports at unit speed, in their loops.

    Args:
        contacts: bodies and ports.
        loops: of each.
        leads: by which the answers of each run ahead [s]; 0: nothing is compensated.
        phase: of a cycle, which the touch comes after a sample by.
    """
    plants = [sampled_plant(c, loop, STEPS) for c, loop in zip(contacts, loops, strict=True)]
    found = np.zeros((len(plants), 3))
    _bounce_all(
        found,
        np.array([(c.mass, c.stiffness, c.damping, c.rate) for c in contacts]),
        np.array([(loop.cycle, loop.total) for loop in loops]),
        np.array(leads, dtype=np.float64),
        phase,
        np.array([plant.late for plant in plants], dtype=np.int64),
        np.array([plant.share for plant in plants]),
        np.array([plant.touching for plant in plants]),
        np.array([plant.apart for plant in plants]),
    )
    impedance = np.array([math.sqrt(c.stiffness * c.reduced_mass) for c in contacts])
    return Bounces(found[:, 0], found[:, 1] / impedance, found[:, 2])


@njit(cache=True)
def _bounce_all(
    found: Array, bodies: Array, times: Array, leads: Array, phase: float,
    late: IntArray, share: Array, touching: Array, apart: Array,
) -> None:  # fmt: skip
    """Fill restitution, peak force [N at 1 m/s] and work given of each touch, shape (n, 3)."""
    for i in range(found.shape[0]):
        _bounce(
            found[i], bodies[i], times[i], leads[i], phase, late[i], share[i], touching[i], apart[i]
        )  # fmt: skip


@njit(cache=True)
def _bounce(
    found: Array, body: Array, times: Array, lead: float, phase: float,
    late: int, share: float, touching: Array, apart: Array,
) -> None:  # fmt: skip
    """Fill the row of one touch, at 1 m/s."""
    M, k, d, rate = body[0], body[1], body[2], body[3]
    h, total = times[0], times[1]
    longest = int(LONGEST * (2.0 * math.pi / rate + total) / h)
    arm = np.array([-(BEFORE + phase) * h, 1.0, 0.0, 0.0])
    x, v = arm[0] + total - 0.5 * h - lead, 1.0  # all have flown since ever
    head = late + 2
    sent = x + lead + h * np.arange(-head, 1.0)  # answers, a ring; the newest at `head`
    work, peak, quiet, touched = 0.0, 0.0, 0, False
    for _ in range(longest):
        depth, speed = arm[0] - arm[2], arm[1] - arm[3]
        f = -max(0.0, k * depth + d * speed) if depth > 0.0 else 0.0
        peak = max(peak, -f)
        if f < 0.0:
            quiet, touched = 0, True
        elif touched:
            quiet += 1
            if quiet > late + QUIET:
                break
        x_next, v_next = x + h * v + 0.5 * h * h * f / M, v + h * f / M
        work += f * (x_next - x)
        x, v = x_next, v_next
        head = (head + 1) % sent.shape[0]
        sent[head] = x + lead * v + 0.5 * lead * lead * f / M
        _follow(arm, sent, head, late, share, touching, apart, k, d)
    found[0] = arm[3] - v if quiet > late + QUIET else math.nan
    found[1] = peak
    found[2] = 2.0 * work / M


@njit(cache=True)
def _follow(
    arm: Array, sent: Array, head: int, late: int, share: float, touching: Array, apart: Array,
    k: float, d: float,
) -> None:  # fmt: skip
    """Move arm and port `[x_a, v_a, x_e, v_e]` over a cycle, to the answers of `late` cycles ago."""
    n, steps = sent.shape[0], STEPS
    new, old, older = sent[(head - late) % n], sent[(head - late - 1) % n], sent[(head - late - 2) % n]
    ends = (share * older + (1.0 - share) * old, old, share * old + (1.0 - share) * new)
    for piece in range(2):
        if piece == 0 and share == 0.0:
            continue
        begin, rise = ends[piece], (ends[piece + 1] - ends[piece]) / steps
        for step in range(steps):
            u_0 = begin + step * rise
            u_1 = u_0 + rise
            depth = arm[0] - arm[2]
            meets = depth > 0.0 and k * depth + d * (arm[1] - arm[3]) > 0.0
            T = touching[piece] if meets else apart[piece]
            a, b, c, e = arm[0], arm[1], arm[2], arm[3]
            for row in range(4):
                arm[row] = (
                    T[row, 0] * a + T[row, 1] * b + T[row, 2] * c + T[row, 3] * e
                    + T[row, 4] * u_0 + T[row, 5] * u_1
                )  # fmt: skip
