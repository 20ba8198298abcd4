"""The joints that the arm is commanded: straight lines of the peg's tip, by inverse kinematics."""

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import ConfigurationError
from hil.configuration.frames import pose_of
from hil.trials.validation.schema import Experiment, Move
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.forward import flange_pose
from planner.kinematics.inverse import arm_angle_and_branch, solve_into


def smooth(u: Array) -> Array:
    """Return the share of the way at share `u` of the time: a quintic that begins and ends at rest."""
    return np.asarray(u**3 * (10.0 - 15.0 * u + 6.0 * u * u))


class Commands:
    """Makes commands from moves, from the start joints on."""

    def __init__(self, experiment: Experiment, model: ArmModel) -> None:
        """Take the place of the arm, the peg on its flange, and the plate in which targets count."""
        self._e, self._model = experiment, model
        self._step = experiment.simulation.step
        start = experiment.arm.start
        _check_start(model, start)
        self._arm_angle, self._branch = arm_angle_and_branch(model.lengths, model.signs, start)
        mount = pose_of(experiment.arm.mount_rotvec, experiment.arm.mount_position)
        plate = pose_of(experiment.plate.rotvec, experiment.plate.position)
        self._T_base_plate = np.linalg.inv(mount) @ plate
        self._T = flange_pose(model.geometry, start)

    def sequence(self, moves: tuple[Move, ...], repetitions: int) -> Array:
        """Return the commands of moves on the simulation's grid [rad], shape (n, 7); row 0 is the start.

        Raises:
            ConfigurationError: a move leads out of reach or beyond a joint's limit, or is too fast for one.
        """
        q = np.asarray(self._e.arm.start)
        rows = [np.tile(q, (1 + round(self._e.sequence.wait / self._step), 1))]
        tip = self._T[:3, 3] + self._e.peg.tip * self._T[:3, 2]
        for _ in range(repetitions):
            for number, move in enumerate(moves):
                goal = self._T_base_plate[:3, :3] @ move.tip + self._T_base_plate[:3, 3]
                line = self._line(number, move, tip, goal - tip, q)
                tip, q = goal, line[-1]
                rows += [line, np.tile(q, (round(move.dwell / self._step), 1))]
        return np.concatenate(rows)

    def _line(self, number: int, move: Move, tip: Array, way: Array, near: Array) -> Array:
        """Return the commands of a line from `tip` on, base axes, without its first point, shape (n, 7)."""
        count = max(1, round(float(np.linalg.norm(way)) / move.speed / self._step))
        lengths, signs = self._model.lengths, self._model.signs
        T, q = self._T.copy(), np.empty((count, 7))
        flange = tip - self._e.peg.tip * T[:3, 2]
        for k, share in enumerate(smooth(np.arange(1, count + 1) / count)):
            T[:3, 3] = flange + share * way
            if not solve_into(q[k], lengths, signs, T, self._arm_angle, self._branch, near):
                raise ConfigurationError(
                    f"sequence.move[{number}].tip_mm = {_millimetres(move.tip)} is out of the arm's reach: "
                    "move the plate or the mount"
                )
            near = q[k]
        self._check(number, move, q)
        return q

    def _check(self, number: int, move: Move, q: Array) -> None:
        """Refuse a line that the arm cannot follow."""
        model, key = self._model, f"sequence.move[{number}].tip_mm = {_millimetres(move.tip)}"
        for joint in range(7):
            low, high = q[:, joint].min(), q[:, joint].max()
            if low < model.lower[joint] or high > model.upper[joint]:
                raise ConfigurationError(
                    f"{key} leads {model.names[joint]} to {np.degrees(max(high, -low)):.1f} deg, beyond its "
                    f"limit of {np.degrees(model.upper[joint]):.1f} deg: choose other start joints"
                )
        fastest = np.abs(np.diff(q, axis=0)).max(axis=0, initial=0.0) / self._step
        if np.any(fastest > model.velocity):
            joint = int(np.argmax(fastest / model.velocity))
            raise ConfigurationError(
                f"{key} needs {np.degrees(fastest[joint]):.0f} deg/s of {model.names[joint]}, whose limit "
                f"is {np.degrees(model.velocity[joint]):.0f} deg/s: "
                f"sequence.move[{number}].speed_mm_s must be less"
            )


def _check_start(model: ArmModel, start: Array) -> None:
    beyond = np.flatnonzero((start < model.lower) | (start > model.upper))
    if len(beyond):
        joint = int(beyond[0])
        raise ConfigurationError(
            f"arm.start_deg: {model.names[joint]} = {np.degrees(start[joint]):.1f} must be within "
            f"{np.degrees(model.lower[joint]):.1f} and {np.degrees(model.upper[joint]):.1f}"
        )


def _millimetres(position: Array) -> str:
    return "[" + ", ".join(f"{1e3 * x:g}" for x in position) + "]"
