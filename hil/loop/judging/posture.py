"""Whether the arm holds the object by the joints for which its stops were certified, not by others.

The same pose can be held by other joints: with A2, A4 or A6 on the other side, or an elbow elsewhere. The
certificate speaks of one choice only (docs/theory.md, section 12): of the branch of the arm's start pose, or,
without branches, of the joints to which the arm settles from there. In plain arrays, for the daemon.
"""

import math
from functools import partial

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.configuration.workspace_stamp import FAMILY, certified_family, family_of
from hil.loop.plain_kinematics import held_frame, turned
from planner.kinematics.arm_model import ArmModel, load_arm_model

ASIDE = math.radians(7.5)  # [rad] of a joint: as far from where the arm settles as the certificate looks
STEP, TURN = 0.06, math.radians(6.0)  # [m, rad] of the pose, from one settling to the next
ROUNDS, SETTLED = 60, 1e-5  # of a settling at most; [rad] of its last step
ALIGNED = 1e-9  # sine between A7's axis and the object's z axis: then twist turns A7 alone
REMEDY = "`zerog approach` brings the arm to its start pose (robot.start_deg)"


class Posture:
    """Judges the joints by which the object is held; not a passive chain, which is certified nowhere."""

    def __init__(self, configuration: Configuration) -> None:
        """Read the arm's model.

        Raises:
            RobotModelError: it cannot be used.
        """
        inverse = configuration.planner.inverse
        self._family = certified_family(configuration) if inverse == "branches" else None
        self._settling = Settling(configuration) if inverse == "lagrange" else None
        self._start = family_of(configuration.robot.start)
        self._told = b"", ""

    def fault(self, q: Array, twist: float) -> str:
        """Return why the certificate does not hold for joints; empty if it does.

        Args:
            q: joint positions [rad], shape (7,).
            twist: of the object that they hold, against the stops' nominal attitude [rad].
        """
        if self._family is not None:
            return self._other_branch(q, self._family)
        if self._settling is None or not np.isfinite(q).all():
            return ""  # what is no number lies outside the stops
        key = q.tobytes()
        if self._told[0] != key:
            self._told = key, _elsewhere(q, self._settling.joints_for(q, twist))
        return self._told[1]

    def _other_branch(self, q: Array, family: tuple[bool, ...]) -> str:
        own = family_of(q)
        across = [f"A{j + 1}" for j, a, b in zip(FAMILY, own, family, strict=True) if a != b]
        if not across:
            return ""
        joints = " and ".join(filter(None, (", ".join(across[:-1]), across[-1])))
        verb = "is" if len(across) == 1 else "are"
        remedy = REMEDY
        if self._start != family:
            remedy = "so is or are some of robot.start_deg: mend it, or certify anew (`zerog workspace`)"
        return f"{joints} {verb} on the other side of zero than the stops are certified for: {remedy}"


class Settling:
    """The joints to which the arm settles on the way from its start pose to where it holds the object.

    Those that hold it and are nearest to the start pose, slow joints weighing more, as the certificate has
    them (`planner.workspace.resting`, against which it is tested): by Gauss and Newton along the way.
    """

    def __init__(self, configuration: Configuration) -> None:
        """Read the arm's model.

        Raises:
            RobotModelError: it cannot be used.
        """
        model: ArmModel = load_arm_model(configuration.robot.model)
        self._flange = partial(held_frame, model, T_flange_held=np.eye(4))
        self._start = np.array(configuration.robot.start)
        self._shares = np.minimum(model.velocity, configuration.limits.velocity) ** 2
        z = Frames.from_configuration(configuration).T_flange_object[:3, 2]
        turns = float(z @ model.chain.T_last_tip[:3, :3].T @ model.chain.axes[-1])
        self._turns = round(turns) if abs(turns) > 1.0 - ALIGNED else 0  # of A7, by a twist

    def joints_for(self, q: Array, twist: float) -> Array | None:
        """Return the joints (7,) [rad] to which the arm settles where `q` holds the object; None: to none.

        Args:
            q: joint positions [rad], shape (7,).
            twist: as for `Posture.fault`; where it turns A7 alone the arm settles without it.
        """
        by_twist = np.zeros(7)
        by_twist[6] = self._turns * twist
        (R, p, _), (R_0, p_0, _) = self._flange(q - by_twist), self._flange(self._start)
        axis = _rotvec(R @ R_0.T)
        count = max(
            1, math.ceil(max(float(np.linalg.norm(p - p_0)) / STEP, float(np.linalg.norm(axis)) / TURN))
        )
        found = self._start
        for k in range(1, count + 1):
            share = k / count
            settled = self._settled(turned(share * axis) @ R_0, p_0 + share * (p - p_0), found)
            if settled is None:
                return None
            found = settled
        return found + by_twist

    def _settled(self, R: Array, p: Array, q: Array) -> Array | None:
        """Return the joints nearest to the start pose that hold the flange there, from `q` on."""
        for _ in range(ROUNDS):
            R_q, p_q, J = self._flange(q)
            missing = np.concatenate([p - p_q, _rotvec(R @ R_q.T)])
            back = q - self._start
            weighed = J * self._shares
            try:
                step = weighed.T @ np.linalg.solve(weighed @ J.T, missing + J @ back) - back
            except np.linalg.LinAlgError:
                return None
            longest = float(np.abs(step).max())
            if not longest < math.pi:
                return None
            q = q + step
            if longest < SETTLED:
                return q
        return None


def _elsewhere(q: Array, settled: Array | None) -> str:
    """Return in words how far joints are from where the arm settles; empty if that was looked at."""
    if settled is None:
        return f"the arm does not come here from its start pose by what the stops are certified for: {REMEDY}"
    aside = np.abs(q - settled)
    if aside.max() <= ASIDE:
        return ""
    joint = int(aside.argmax())
    return (
        f"A{joint + 1} is {math.degrees(aside[joint]):.1f} deg from where the arm settles as the stops are "
        f"certified, {math.degrees(ASIDE):.1f} deg are allowed: {REMEDY}"
    )


def _rotvec(R: Array) -> Array:
    """Return the rotation vector (3,) [rad] of a rotation by less than half a turn."""
    axis = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    sine = float(np.linalg.norm(axis))
    angle = math.atan2(sine, 0.5 * (float(np.trace(R)) - 1.0))
    return axis * (angle / sine) if sine > 0.0 else axis
