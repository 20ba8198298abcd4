"""The sampled loop of a lasting contact as one matrix a cycle: does it come to rest, and how fast?

Independent of the closed forms: its poles are those of the loop as it runs, cycle by cycle.
"""

import math
from dataclasses import replace

import numpy as np
from scipy.optimize import brentq

from hil.common.arrays import Array
from hil.force.map.contact import Contact
from hil.force.map.loop_delay import LoopDelay
from hil.force.map.sampled_plant import sampled_plant

DRIFT = 1e-5  # a pole as near to 1 is the drift of body and port together, which is no swinging
COARSE = 60  # cycles of the delay at most, where many poles are looked for
RATIOS = np.arange(0.01, 1.0, 0.01)  # that are looked at


def pressed_loop(contact: Contact, loop: LoopDelay, lead: float = 0.0) -> Array:
    """Return the map of the loop's state over a cycle, body and port never apart, shape (8 + n, 8 + n).

    theory: the force `f` of the sample acts for a cycle on the body, `v += h f / M`, `x += h (v + v+) / 2`,
    and the answer is `u = x + lead v + lead^2 f / (2 M)`: where the body will be if the force stays.

    Args:
        contact: body and port.
        loop: its delay; n whole cycles of dead time.
        lead: by which answers run ahead of the body [s]; 0: nothing is compensated.
    """
    plant = sampled_plant(contact, loop)
    n, h = plant.late, loop.cycle
    size = 8 + n
    state = np.eye(size)  # x, v, x_a, v_a, x_e, v_e, then the answers, the newest first
    x, v, arm, sent = state[0], state[1], state[2:6], state[6:]
    f = -contact.stiffness * (arm[0] - arm[2]) - contact.damping * (arm[1] - arm[3])
    v_next = v + h / contact.mass * f
    x_next = x + 0.5 * h * (v + v_next)
    u = x_next + lead * v_next + 0.5 * lead * lead / contact.mass * f
    nodes = np.vstack((u[None], sent))[n : n + 3]  # u_{j+1}, u_j, u_{j-1} of the cycle that is heard now
    ends = [
        plant.share * nodes[2] + (1.0 - plant.share) * nodes[1],
        nodes[1],
        plant.share * nodes[1] + (1.0 - plant.share) * nodes[0],
    ]
    for piece in range(2):
        arm = plant.touching[piece] @ np.vstack((arm, ends[piece], ends[piece + 1]))
    return np.vstack((x_next, v_next, arm, u, sent))[:size]


def growth(contact: Contact, loop: LoopDelay, lead: float = 0.0) -> float:
    """Return the rate at which a pressed contact swings up [1/s]; negative: it comes to rest."""
    poles = np.linalg.eigvals(pressed_loop(contact, loop, lead))
    swinging = poles[np.abs(poles - 1.0) > DRIFT]
    return math.log(max(float(np.abs(swinging).max()), 1e-300)) / loop.cycle


def least_ratio(contact: Contact, loop: LoopDelay, lead: float = 0.0) -> float:
    """Return the least damping ratio at which this stiffness does not swing up, in hundredths; inf: none."""
    coarse = loop.coarsened(COARSE)
    for ratio in RATIOS:
        damped = Contact.of_ratio(contact.mass, contact.rate, ratio, contact.port_mass)
        if growth(damped, coarse, lead) <= 0.0:
            return float(ratio)
    return math.inf


def onset(contact: Contact, loop: LoopDelay, longest: float) -> float:
    """Return the whole delay T [s] from which on the uncompensated loop swings up, by its poles.

    0: it does without dead time; inf: not up to a dead time of `longest` [s].
    """

    def rate(dead: float) -> float:
        return growth(contact, replace(loop, dead=dead))

    if rate(0.0) > 0.0:
        return 0.0
    if rate(longest) < 0.0:
        return math.inf
    dead = brentq(rate, 0.0, longest, xtol=1e-6)
    return replace(loop, dead=dead).total
