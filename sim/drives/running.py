"""Many steps in one call, with what is wanted of each written down. Compiled."""

from typing import Any

from numba import njit

from hil.common.arrays import Array
from sim.chain.serial_chain import SerialChain
from sim.drives.arm_step import DIVERGED, arm_step
from sim.drives.base import Base


@njit(cache=True)
def run_steps(
    chain: SerialChain,
    drives: Any,
    states: Any,
    base: Base,
    floats: bool,
    spins: bool,
    arm: SerialChain,
    q_ref: Array,
    dq_ref: Array,
    gravity: Array,
    wrench_tip: Array,
    h: float,
    q_out: Array,
    current_out: Array,
    theta_out: Array,
) -> int:
    """Carry an arm on by a step for each row of the references, shape (k, n).

    Rows of positions [rad, m], currents [A] and motor angles [rad] behind each step are written.

    Returns:
        The steps done; fewer than k if one diverged.
    """
    n = q_ref.shape[1]
    for row in range(q_ref.shape[0]):
        rounds = arm_step(
            chain, drives, states, base, floats, spins, arm, q_ref[row], dq_ref[row], gravity, wrench_tip, h
        )
        if rounds == DIVERGED:
            return row
        for i in range(n):
            q_out[row, i], current_out[row, i] = states[i].q, states[i].current
            theta_out[row, i] = states[i].theta
    return q_ref.shape[0]
