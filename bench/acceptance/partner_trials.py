"""Trials of a second arm in lock-step: beside a free body without delay, and when things fail."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.acceptance.partner_oracle import free_flight
from hil.common.arrays import Array
from hil.configuration import Configuration, load_configuration
from hil.loop.judging.state_machine import State
from hil.loop.lockstep import LockStep
from hil.loop.partner.lockstep_grasp import LockStepGrasp

TWO_ARMS = Path("configs/two_arms.toml")
LAG, OTHERS = 7.0, 5.0  # [ms] of the drives; of two cycles and the sensor
RELEASED, SETTLED, END = 10.65, 11.3, 12.3  # [s]: just before the gripper opens, all is quiet, the end
GRIPPED = 5.6  # [s]: both pads have hit the bar
SWIFT = "limits.jerk_rad_s3=[1600,1600,2000,2000,2400,3000,3000]"  # as in the shipped file of two arms
GENTLE = "limits.jerk_rad_s3=[160,160,200,200,240,300,300]"  # as in all others


class Grasped(NamedTuple):
    """A grasp beside the free body's.

    Attributes:
        place: farthest from it until the release [mm].
        velocity: off its velocity after the release [mm/s].
        peak: of the force, over the free body's, less 1.
        momentum: off the true impulse, over the net one.
        gain: of energy that was seen [mJ].
        force: greatest [N].
        fault: why it was not done; empty if it was.
    """

    place: float
    velocity: float
    peak: float
    momentum: float
    gain: float
    force: float
    fault: str = ""


@cache
def two_arms(delay_ms: float, settings: tuple[str, ...] = ()) -> Configuration:
    """Return the shipped configuration with so much from force to motion [ms]."""
    own = (
        f"emulator.lag_ms={LAG}", f"emulator.delay_ms={delay_ms - LAG - OTHERS}",
        f"interpolation.lead_time_ms={delay_ms - 3.0}",
    )  # fmt: skip
    return load_configuration(TWO_ARMS, [*own, *settings])


@cache
def reference(settings: tuple[str, ...]) -> Array:
    """Return the free body's flight with these settings, see `free_flight`."""
    c = two_arms(12.0, settings)
    return free_flight(c, LockStep(c)._controller.arm.T_world_object.copy(), END)


class Flown(NamedTuple):
    """What a run showed, a row a cycle afloat: time, place, wrench; where it began, and its grasp."""

    rows: Array
    start: Array
    grasp: LockStepGrasp
    state: State
    fault: str


def flown(
    c: Configuration, duration: float, meddle: Callable[[float, LockStep], None] | None = None
) -> Flown:
    """Run a configuration for a time afloat [s]; `meddle` is called in every cycle, with the time."""
    loop, rows = LockStep(c), []
    start = loop._controller.arm.T_world_object.copy()
    while not loop.floated_for(duration):
        if meddle is not None and loop.floated_s:
            meddle(loop.floated_s, loop)
        loop.turn()
        if loop.floated_s:
            assert loop.port is not None
            p = loop._controller.arm.T_world_object[:3, 3]
            rows.append([loop.floated_s, *p, *loop.port.wrench_world])
    assert loop.grasp is not None
    return Flown(np.array(rows), start, loop.grasp, loop.judge.machine.state, loop.fault)


def grasped(delay_ms: float, settings: tuple[str, ...] = ()) -> Grasped:
    """Let the second arm grasp, drag and release, and compare with a free body."""
    c = two_arms(delay_ms, settings)
    free, run = reference(settings), flown(c, END)
    t = run.rows[:, 0]
    place = np.array([np.interp(t, free[:, 0], free[:, 1 + k]) for k in range(3)]).T
    off = run.rows[:, 1:4] - place
    begun = (t > 1.0) & (t < 2.0)
    off = np.linalg.norm(off - off[begun].mean(axis=0), axis=1)  # the arm sets off some ms after the order
    after = t > SETTLED
    span = t[after][-1] - t[after][0]
    v = (run.rows[after, 1:4][-1] - run.rows[after, 1:4][0]) / span
    v_free = (place[after][-1] - place[after][0]) / span
    force = np.linalg.norm(run.rows[:, 4:7], axis=1)
    ideal = float(np.linalg.norm(free[:, 10:13], axis=1).max())
    impulse = sum(touch.impulse_world[:3] for touch in run.grasp.partner.touches.records)
    gained = c.object.mass * (v - np.array(c.object.initial_velocity))
    s = run.grasp.watch.supervision
    return Grasped(
        1e3 * float(off[(t > 1.0) & (t < RELEASED)].max()),
        1e3 * float(np.linalg.norm(v - v_free)),
        float(force.max()) / ideal - 1.0,
        float(np.linalg.norm(gained - impulse) / np.linalg.norm(impulse)),
        1e3 * s.gain,
        float(force.max()),
        run.fault or s.opened,
    )


def late_at_best(delay_ms: float) -> float:
    """Return by how much harder the pads press on a body that answers so late, and then at once by all."""
    c = two_arms(12.0)
    begin = LockStep(c)._controller.arm.T_world_object.copy()
    free, late = (free_flight(c, begin, GRIPPED, 1e-3 * delay) for delay in (0.0, delay_ms))
    most, ideal = (float(np.linalg.norm(rows[:, 10:13], axis=1).max()) for rows in (late, free))
    return most / ideal - 1.0


def held(loop: LockStep) -> None:
    """An operator holds."""
    if loop.judge.machine.state is State.FLOATING:
        loop.judge.order("hold")


def silent(loop: LockStep) -> None:
    """The partner says nothing any more."""
    assert loop.grasp is not None
    loop.grasp.speaks = False


def gripless(loop: LockStep) -> None:
    """The gripper presses with nothing any more."""
    assert loop.grasp is not None
    loop.grasp.partner.grips = False


def second_down(loop: LockStep) -> None:
    """The second arm's controller hears nothing any more."""
    assert loop.grasp is not None
    loop.grasp.linked = False


def first_down(loop: LockStep) -> None:
    """The first arm's drives go off: its controller falls back."""
    loop._controller.power_on = False


FAILURES: dict[str, Callable[[LockStep], None]] = {
    "object time held": held,
    "the partner silent": silent,
    "the gripper lost": gripless,
    "the second arm's link down": second_down,
    "the first arm's link down": first_down,
}
FAILS = (6.2, 9.2)  # [s]: just grasped, and in the fastest of the drag


def failed(failure: str, stiffness: float) -> float:
    """Return the greatest force on the mock-up when something fails while it is grasped [N].

    Args:
        failure: a key of `FAILURES`.
        stiffness: of the partner [N/m]; its damping goes with its root.
    """
    share = stiffness / 500.0
    settings = (
        f"partner.stiffness_n_per_m={stiffness}", f"partner.damping_n_s_per_m={54.0 * share**0.5}",
    )  # fmt: skip
    most = 0.0
    for begins in FAILS:

        def meddle(t: float, loop: LockStep, begins: float = begins) -> None:
            if t >= begins:
                FAILURES[failure](loop)

        run = flown(two_arms(12.0, settings), begins + 2.0, meddle)
        most = max(most, float(np.linalg.norm(run.rows[:, 4:7], axis=1).max()))
    return most
