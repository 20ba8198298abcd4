"""The least damping of a second arm: by the roots of the delayed loop, and by the emulated pads and tip.

In one dimension, with the pads' K and c, the tip's m, K_2, D_2, and a force that is T late,

    1 + (K + c s) (L(s) exp(-s T) / (M s^2) + 1 / (m s^2 + D_2 s + K_2)) = 0,

L = 1 where nothing is done about it, (s + k (1 + s T)) / (s + k) of `closing`, and of `full`, which carries
force and slope on with shares p and q and closes at a rate of its own,

    L = (s (1 + s T + q (s T)^2 / 2) + k (1 + s T + p (s T)^2 / 2 + q (s T)^3 / 6)) / (s + k).

On the border s = j w, and the second term says both w and D_2; or w and how much stiffer the pads may be.
"""

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy.optimize import brentq

from drivers.emulation.grasp.law import POINTS, GraspLaw, law_of
from drivers.emulation.grasp.pads import untouched
from drivers.emulation.grasp.tip import Aim, Tip, tip_step
from hil.configuration import load_configuration
from hil.loop.driver.carried_force import CLOSING_RATE, shares

GRID, CYCLE = 1e-3, 2e-3  # [s]; no command swings faster than within two cycles
LONG = 12.0  # [s] of a trial
TWO_ARMS = Path("configs/two_arms.toml")


def closing_rate(T: float) -> float:
    """Return the rate with which the interpolator closes gaps [1/s], by its defaults."""
    return min(5.0, 0.15 / T)


def carried(s: complex, M: float, T: float, law: str, K: float) -> complex:
    """Return L(s), see above."""
    d = s * T
    if law == "none":
        return 1.0
    if law == "closing":
        k = closing_rate(T)
        return (s + k * (1.0 + d)) / (s + k)
    whole, part = shares(K * T * T / M)
    speed = s * (1.0 + d + part * d * d / 2.0)
    place = 1.0 + d + whole * d * d / 2.0 + part * d**3 / 6.0
    return (speed + CLOSING_RATE * place) / (s + CLOSING_RATE)


def margin(M: float, T: float, law: str, m: float, K: float, c: float, K2: float, D2: float) -> float:
    """Return how many times as stiff and damped the pads may be before they swing against the delay."""

    def times(w: float) -> complex:
        s = 1j * w
        body = carried(s, M, T, law, K) * np.exp(-s * T) / (M * s * s)
        return complex(-1.0 / ((K + c * s) * (body + 1.0 / (m * s * s + D2 * s + K2))))

    grid = np.geomspace(math.sqrt(K / m), math.pi / CYCLE, 2000)
    borders = [math.inf]
    for low, high in pairwise(grid):
        if times(low).imag * times(high).imag <= 0.0:
            borders.append(times(float(brentq(lambda w: times(w).imag, low, high))).real)
    return min(times for times in borders if times > 0.0)


def border(M: float, K2: float, T: float, law: str, m: float, K: float, c: float) -> float:
    """Return the damping D_2 of the slow oscillation's border [N s/m]; nan: none is needed."""

    def impedance(w: float) -> complex:
        s = 1j * w
        late = carried(s, M, T, law, K) * np.exp(-s * T)
        return complex(1.0 / (-1.0 / (K + c * s) - late / (M * s * s)))

    def off(w: float) -> float:
        return impedance(w).real - (K2 - m * w * w)

    middle = math.sqrt(K2 / (M + m))
    grid = np.linspace(0.5, 1.6, 200) * middle
    for low, high in pairwise(grid):
        if off(low) * off(high) <= 0.0:
            w = float(brentq(off, low, high))
            return impedance(w).imag / w
    return math.nan


def cell_law(path: Path) -> GraspLaw:
    """Return the constants of a configuration's pads and tip."""
    c = load_configuration(path)
    assert c.grasp is not None and c.partner is not None
    return law_of(c.grasp, c.partner)


def found(M: float, K2: float, T: float, law: str) -> tuple[float, float]:
    """Return the same as the emulated pads and tip show it, and by the roots [N s/m].

    The body moves along the pads' normal alone, and its motion follows the force by the law, T late.
    """
    law_0 = cell_law(TWO_ARMS)
    low, high = 2e-3 * K2, 0.2 * K2
    for _ in range(10):
        D = math.sqrt(low * high)
        constants = law_0._replace(K=np.array([K2, 500.0]), D=np.array([D, 20.0]))
        low, high = (D, high) if grows(constants, M, T, law) else (low, D)
    pads = 2.0 * POINTS * law_0.stiffness, 2.0 * POINTS * law_0.damping
    return math.sqrt(low * high), border(M, K2, T, law, law_0.mass, *pads)


def grows(constants: GraspLaw, M: float, T: float, law: str) -> bool:
    """Return whether an oscillation of body and tip grows."""
    tip = Tip(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6), np.array([0.00875, 0.0]))
    aim = Aim(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6))
    pads, T_object, twist = untouched(), np.eye(4), np.zeros(6)
    T_object[:3, :3] = np.diag([-1.0, 1.0, -1.0])
    T_object[:3, 3] = 0.0, 0.0, 0.21
    # what is laid down at the end of a step, of the place there, acts at the beginning of the next one at the
    # earliest: one more makes it T late (a place and the force that moves it on belong to one instant)
    late, k = [0.0] * (round(T / GRID) + 1), closing_rate(T)
    y, v, x, felt = 0.0, 0.004, 0.0, 0.0
    whole, part = shares(2.0 * POINTS * constants.stiffness * T * T / M)
    half, seen = round(0.5 * LONG / GRID), []
    for n in range(round(LONG / GRID)):
        force = late.pop(0)
        v += force / M * GRID
        y += v * GRID
        if law == "none":
            x_1 = y
        elif law == "full":
            slope, felt = (force - felt) / GRID, force
            goal = y + T * v + (whole * force / 2.0 + part * slope * T / 6.0) * T * T / M
            speed = v + (force + part * slope * T / 2.0) * T / M
            x_1 = x + GRID * (speed - CLOSING_RATE * (x - goal))
        else:
            x_1 = x + GRID * (v - k * (x - (y - GRID * v + T * v)))  # both places are those before the step
        twist[1], x = (x_1 - x) / GRID, x_1
        T_object[1, 3] = x
        tip_step(tip, pads, constants, aim, T_object, twist, GRID, True)
        late.append(float(pads.on_object[1]))
        if n % half > half // 2:
            seen.append(abs(late[-1]))
        if abs(y) > 0.05:
            return True
    middle = len(seen) // 2
    return max(seen[middle:]) > max(seen[:middle])


def missed(M: float, K2: float, T: float, law: str) -> float:
    """Return by what share the emulated cell's bound is off the roots' one."""
    shown, told = found(M, K2, T, law)
    return shown / told - 1.0


def borne(M: float, T: float) -> float:
    """Return what share the shipped pads' stiffness is of what `full` bears, by the roots."""
    return 1.0 / margin(M, T, "full", 3.0, 4e4, 240.0, 500.0, 54.0)


def formula_missed(M: float, K2: float, T: float) -> float:
    """Return by what share `T M / (M + m)` is off the roots' bound, where nothing is done about the delay."""
    m = 3.0
    return T * M / (M + m) / (border(M, K2, T, "none", m, 4e4, 240.0) / K2) - 1.0
