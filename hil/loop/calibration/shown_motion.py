"""From the driver's cycles of one motion to what the load data misses. In plain arrays, without kernels."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array, BoolArray, IntArray
from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.configuration.frames import Frames, mockup_centre, pose_of
from hil.configuration.sensor import has_own_sensor
from hil.configuration.whole_mockup import whole_mockup
from hil.loop.calibration.poses import REST
from hil.loop.calibration.shape import DURATION
from hil.loop.plain_kinematics import held_frames
from hil.messaging.messages import CycleBlock
from hil.wrench.load.held import GRAVITY, held_parameters
from hil.wrench.load.identification import FoundLoad, Weighing, even, found_load
from hil.wrench.load.left_over import LeftOver, left_over
from hil.wrench.load.weighing import Rests, Sensed
from planner.kinematics.arm_model import load_arm_model

AFTER = 0.1  # [s] behind the last command that moved: the arm comes to rest
CIRCLES = 0.7 * DURATION  # [s] of motion in one: longer than any leg between poses
RESTED = 0.5 * REST  # [s] of standing, at least, that count


@dataclass(frozen=True, eq=False)
class Stretch:
    """The rows of one motion: begin of its moving, its last moving row."""

    begin: int
    end: int


class Cycles:
    """The driver's cycles in rows."""

    def __init__(self, blocks: Sequence[CycleBlock]) -> None:
        """Join blocks, in order.

        Raises:
            OperatorError: there are none, or nothing moved.
        """
        if not blocks:
            raise OperatorError("calibrate: no cycles of the driver came: does `zerog run` still go on?")
        self.t: IntArray = np.concatenate([block.stamps[:, 0] for block in blocks])
        self.q: Array = np.concatenate([block.q_measured for block in blocks])
        self.wrench: Array = np.concatenate([block.wrench_object for block in blocks])
        commands = np.concatenate([block.q_command for block in blocks])
        self._moved = np.flatnonzero(np.diff(commands, axis=0).any(axis=1))
        if not len(self._moved):
            raise OperatorError("calibrate: nothing moved; hold on until the motion is over")
        finite = np.isfinite(self.wrench).all(axis=1)
        self.known: BoolArray = np.logical_and(finite, np.diff(self.t, prepend=self.t[0] - 1) > 0)

    def stretches(self, step: float) -> list[Stretch]:
        """Return the motions between which the arm stood."""
        moved = self._moved
        cuts = np.flatnonzero(np.diff(moved) > AFTER / step) + 1
        return [Stretch(int(part[0]), int(part[-1])) for part in np.split(moved, cuts)]


def load_shown(blocks: Sequence[CycleBlock], c: Configuration) -> tuple[FoundLoad, LeftOver]:
    """Return what load data misses, and what the wrench showed before and after.

    Args:
        blocks: the driver's cycles, in order, with a motion in them.
        c: the run's; of its mock-up only what the operator knows: mass, edge, inertia.

    Raises:
        OperatorError: too little was measured, or nothing moved.
    """
    cycles, step = Cycles(blocks), c.fri.sample_time
    stretches = cycles.stretches(step)
    circles = [k for k, one in enumerate(stretches) if (one.end - one.begin) * step > CIRCLES]
    first = circles[-1] if circles else len(stretches) - 1
    part = slice(stretches[first].begin, stretches[first].end + 2 + round(AFTER / step))
    known = cycles.known[part]
    t, q, wrench = cycles.t[part][known], cycles.q[part][known], cycles.wrench[part][known]
    q, wrench = even(1e-9 * (t - t[0]), q, wrench, step)
    model, held = load_arm_model(c.robot.model), Frames.from_configuration(c).T_flange_object
    R, p, _ = held_frames(model, q, held)
    rests = _rests(cycles, stretches[first:], c)
    t_rest, q_rest, at_rest = rests
    R_rest, p_rest, _ = held_frames(model, q_rest, held)
    sensed = sensed_by(c)
    weighing = Weighing(
        Rests(t_rest, R_rest, p_rest, _as_unfound(at_rest, R_rest, sensed, c)),
        sensed,
        held_parameters(c, mockup_centre(c)),
    )
    prior = whole_mockup(c.mockup.mass, c.mockup.edge, c.mockup.inertia)
    found = found_load(R, p, wrench, step, prior, weighing)
    return found, left_over(found, sensed, (R, p, wrench, step), weighing.rests)


def sensed_by(c: Configuration) -> Sensed:
    """Return where a configuration's wrench is measured; places count from the start pose."""
    frames, model = Frames.from_configuration(c), load_arm_model(c.robot.model)
    placed = not has_own_sensor(c)
    T_flange = frames.T_flange_tcp if placed else pose_of(c.sensor.rotvec, c.sensor.position)
    _, origin, _ = held_frames(model, np.array(c.robot.start)[None], T_flange)
    gravity = frames.T_world_base[:3, :3].T @ np.array([0.0, 0.0, -GRAVITY])
    return Sensed(np.linalg.inv(frames.T_flange_object) @ T_flange, placed, origin[0], gravity)


def _rests(cycles: Cycles, stretches: list[Stretch], c: Configuration) -> tuple[Array, Array, Array]:
    """Return instants [s] (n,), joints (n, 7) and wrench (n, 6): means of the rests between motions."""
    step = c.fri.sample_time
    found = []
    for before, after in itertools.pairwise(stretches):
        rows = np.arange(before.end + 2 + round(AFTER / step), after.begin)
        rows = rows[cycles.known[rows]]
        if len(rows) * step >= RESTED:
            found.append((1e-9 * (cycles.t[rows] - cycles.t[0]).mean(), *cycles.q[rows].mean(axis=0),
                          *cycles.wrench[rows].mean(axis=0)))  # fmt: skip
    table = np.array(found).reshape(-1, 14)
    return table[:, 0], table[:, 1:8], table[:, 8:]


def _as_unfound(wrench: Array, R: Array, sensed: Sensed, c: Configuration) -> Array:
    """Return what is read without what was found before: of a sensor's reading that weight is out already."""
    if sensed.placed or c.mockup.found is None:
        return wrench
    again: Array = wrench + sensed.weights(R) @ c.mockup.found.parameters
    return again
