"""The loop of a contact once more, plainly: arm and port by Runge-Kutta steps, no transition, no kernel."""

import numpy as np

from hil.common.arrays import Array
from hil.force.map.contact import Contact
from hil.force.map.loop_delay import LoopDelay

STEPS = 40  # a cycle


def run(
    contact: Contact, loop: LoopDelay, lead: float, cycles: int, pulls: bool, begin: tuple[float, float]
) -> Array:
    """Return body, body's speed, arm, arm's speed, port, port's speed at each sample, shape (cycles, 6).

    `begin`: place [m] and speed [m/s] of the body at the first sample; it and the arm have always flown so.
    """
    h, (x, v) = loop.cycle, begin
    nodes = {j: x + v * ((j + 1) * h + lead) for j in range(-int(loop.dead / h) - 4, 0)}
    state = np.array([x + v * (lead - loop.interface), v, 0.0, 0.0])
    rows = []

    def command(t: float) -> tuple[float, float]:
        at = (t - loop.dead) / h - 1.0  # node j is reached at (j + 1) h, a dead time later
        j = int(np.floor(at + 1e-9))
        share = at - j
        return (1.0 - share) * nodes[j] + share * nodes.get(j + 1, 0.0), (nodes[j + 1] - nodes[j]) / h

    def force(s: Array) -> float:
        told = contact.stiffness * (s[0] - s[2]) + contact.damping * (s[1] - s[3])
        return told if pulls else (max(told, 0.0) if s[0] > s[2] else 0.0)

    def rate(t: float, s: Array) -> Array:
        wd = loop.drive_rate
        pull = wd * wd * (command(t)[0] - s[0]) - 2.0 * loop.damping * wd * s[1]
        return np.array([s[1], pull, s[3], force(s) / contact.port_mass])

    for n in range(cycles):
        rows.append([x, v, *state])
        f = -force(state)
        v_next = v + h * f / contact.mass
        x, v = x + 0.5 * h * (v + v_next), v_next
        nodes[n] = x + lead * v + 0.5 * lead * lead * f / contact.mass
        dt = h / STEPS
        for step in range(STEPS):
            t = n * h + step * dt
            a = rate(t, state)
            b = rate(t + 0.5 * dt, state + 0.5 * dt * a)
            c = rate(t + 0.5 * dt, state + 0.5 * dt * b)
            d = rate(t + dt * (1.0 - 1e-9), state + dt * c)
            state = state + dt / 6.0 * (a + 2.0 * b + 2.0 * c + d)
    return np.array(rows)
