"""A driven arm: source, limits, inverse kinematics, simulation. Pure: no socket, no clock, no file.

One step is one command: the source says what it wants, the follower moves the commanded pose within limits,
the inverse kinematics finds joints for it, and the simulation takes as many of its own steps as a command
has. The shell paces it, the page draws it, a recorder reads it; all see the same variables and parameters.
"""

import difflib
import math
from collections.abc import Callable
from typing import Protocol

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import DrivingError, SourceLost
from hil.common.geometry import quat_from_matrix, rotvec_from_quat
from hil.workbench.driving.around.surroundings import Surroundings
from hil.workbench.driving.follower import Follower, TwistLimits, capped
from hil.workbench.driving.joint_follower import JointFollower
from hil.workbench.driving.rigid import halves, moved, way
from hil.workbench.driving.smoothing import Smoothing
from hil.workbench.driving.source import FeelingSource, Source, TwistSource
from planner.inverse.inverse_step import InverseStep
from sim.chain.dynamics import mass_matrix
from sim.chain.kinematics import jacobian, tip_pose
from sim.drives.arm_simulation import ArmSimulation

PERIOD = 0.004  # [s] of a command
LEASH = (0.01, 0.05)  # [m, rad] by which a hand's command may run ahead of what the arm can reach
RAMP = "joint_limits.ramp_s"
LIMITS = {  # parameter: attribute of the limits
    "tip_limits.speed_m_s": "linear",
    "tip_limits.turn_rad_s": "angular",
    "tip_limits.acceleration_m_s2": "linear_rate",
    "tip_limits.turn_acceleration_rad_s2": "angular_rate",
}


class Inverse(Protocol):
    """An inverse kinematics (`planner/inverse`)."""

    def reset(self, q: Array) -> None:
        """Begin at joint positions."""

    def step(self, T_base_tip: Array, dt: float) -> InverseStep:
        """Return joints for the next command."""


class DriveSession:
    """An arm that is driven.

    Attributes:
        arm: the simulation.
        follower: has the commanded pose.
        limits: of the commanded tip.
        period: of a command [s].
        t: simulated time [s].
        wrench: of the environment on the tip, about it, in base axes [N, N m], shape (6,).
        solved: the last answer of the inverse kinematics.
        lost: why the source has gone; empty while there is one.
        joints: the joints' commands within their limits.
        slowed: commands at which they were behind what the inverse kinematics wanted.
    """

    def __init__(
        self,
        arm: ArmSimulation,
        inverse: Inverse,
        limits: TwistLimits | None = None,
        surroundings: Surroundings | None = None,
        period: float = PERIOD,
    ) -> None:
        """Put an arm, as it stands, under command; at rest until a source is taken.

        Raises:
            DrivingError: the period is no multiple of the simulation's step.
        """
        self.arm, self.inverse, self.surroundings = arm, inverse, surroundings
        self.limits = limits or TwistLimits()
        self._steps = round(period / arm.dt)
        if self._steps < 1 or abs(self._steps * arm.dt - period) > 1e-9:
            raise DrivingError(
                f"a command of {period:g} s is no multiple of the simulation's step {arm.dt:g} s"
            )
        self.period, self._chain = period, arm.manipulator.chain
        self._links = self._chain._replace(armatures=np.zeros_like(self._chain.armatures))
        self._commands = self._taken = 0  # all of them, and those before the source was taken
        self.joints = JointFollower(arm.q, arm.manipulator.speeds)
        self.reference = arm.q, np.zeros_like(arm.q)  # of the drives: position and velocity
        self.follower = Follower(tip_pose(self._chain, arm.q), self.limits)
        shares = (np.arange(self._steps) + 0.5) / self._steps  # of a command, where its steps are
        self._smoothing = Smoothing(arm.q, period, shares)
        self.inverse.reset(arm.q)
        self.solved = InverseStep(arm.q, 0.0, 0.0, True, True, 0)
        self.source: Source | None = None
        self._feel: Callable[[Array], None] | None = None
        self._by_hand = False
        self.wrench = np.zeros(6)
        self.lost, self.slowed = "", 0
        self._events: list[str] = []

    @property
    def t(self) -> float:
        """Simulated time [s]."""
        return self._commands * self.period

    @property
    def source_t(self) -> float:
        """Time since the source was taken [s]: a path begins at its beginning, whenever that is."""
        return (self._commands - self._taken) * self.period

    def warm_up(self) -> None:
        """Run every compiled kernel once, before a clock runs; the arm then stands as at its beginning."""
        self.inverse.step(self.follower.T, self.period)
        self.inverse.reset(self.joints.q)
        self._mobility(self.arm.T_world_base)
        if self.surroundings is None:
            self.arm.run(self.arm.q[np.newaxis], np.zeros((1, len(self.arm.q))))
        else:  # which are not to be moved
            self.arm.step(self.arm.q, np.zeros_like(self.arm.q), np.zeros(6))
        self.arm.reset()

    def take(self, source: Source | None) -> None:
        """Listen to another source from now on; None: come to rest."""
        self.source, self.lost, self._taken = source, "", self._commands
        self._feel = source.feel if isinstance(source, FeelingSource) else None
        self._by_hand = isinstance(source, TwistSource)
        self.follower.forget()

    def step(self) -> list[str]:
        """Go on by one command and return what is to be told, a sentence each."""
        self._events = []
        self._follow()
        self._solve()
        q, dq = self._smoothing.references()
        self._simulate(q, dq)
        self.reference = q[-1], dq[-1]
        self._commands += 1
        if self._feel is not None:
            self._feel(self.wrench)
        return self._events

    def _follow(self) -> None:
        try:
            self.follower.step(self.source, self.source_t, self.period)
        except SourceLost as error:
            self.lost, self.source = str(error), None
            self._events.append(f"{error}; the arm comes to rest")
            self.follower.step(None, self.source_t, self.period)

    def _solve(self) -> None:
        before, late = self.solved.reachable, self.joints.late
        self.solved = self.inverse.step(self.follower.T, self.period)
        q = self.joints.step(self.solved.q, self.period)
        self.slowed += self.joints.late
        if self._by_hand and (self.joints.late or not self.solved.reachable):
            self.follower.T = self._leashed(tip_pose(self._chain, q))
        if before != self.solved.reachable:
            self._events.append(self._reach_in_words())
        if self.joints.late and not late:
            self._events.append("a joint would have been too fast: the arm falls behind its command")
        self._smoothing.push(q)

    def _leashed(self, T: Array) -> Array:
        """Return the commanded pose no farther than the leash from one: pulled back, it answers at once."""
        left = way(T, self.follower.T)
        return moved(T, capped(left, LEASH))

    def _reach_in_words(self) -> str:
        if self.solved.reachable:
            return "the target is within reach again"
        far, turned = 1e3 * self.solved.position_error, math.degrees(self.solved.orientation_error)
        gap = f"{far:.1f} mm and {turned:.1f} deg from it"
        return f"the target is out of reach: the arm takes the closest pose, {gap}"

    def _simulate(self, q: Array, dq: Array) -> None:
        """Take a step of the simulation, and of what is around, for each row of the references (k, n)."""
        if self.surroundings is None:
            self.arm.run(q, dq)  # one compiled call
            return
        for row in range(len(q)):
            self._step_among(self.surroundings, q[row], dq[row])

    def _step_among(self, around: Surroundings, q: Array, dq: Array) -> None:
        base = self.arm.T_world_base
        T, before = base @ self.arm.T_base_tip, self.arm.momentum
        on_tip = around.wrench(T, self.twist_world_tip, self._mobility(base), self.arm.dt)
        self.wrench = np.concatenate([base[:3, :3].T @ on_tip[:3], base[:3, :3].T @ on_tip[3:]])
        self.arm.step(q, dq, self.wrench)
        if self.arm.floats:  # to the last digit: what the one has lost
            impulse = before - self.arm.momentum
        else:
            impulse = -self.arm.dt * np.concatenate([on_tip[:3], on_tip[3:] + np.cross(T[:3, 3], on_tip[:3])])
        around.advance(self.arm.dt, impulse)

    def _mobility(self, base: Array) -> Array:
        """Return the tip's acceleration by a wrench on it in world axes, rotors and base at rest, (6, 6)."""
        J = np.kron(np.eye(2), base[:3, :3]) @ jacobian(self._links, self.arm.q)
        return np.asarray(J @ np.linalg.solve(mass_matrix(self._links, self.arm.q), J.T))

    @property
    def twist_world_base(self) -> Array:
        """Velocity of the base's origin and angular velocity in world axes [m/s, rad/s], shape (6,)."""
        base = self.arm.base
        return np.concatenate([base.twist[:3], base.pose[:3, :3] @ base.twist[3:]])

    @property
    def twist_world_tip(self) -> Array:
        """Velocity of the tip's origin and angular velocity in world axes [m/s, rad/s], shape (6,)."""
        R, base = self.arm.T_world_base[:3, :3], self.twist_world_base
        own = jacobian(self._chain, self.arm.q) @ self.arm.dq
        lever = R @ self.arm.T_base_tip[:3, 3]
        carried = base[:3] + np.cross(base[3:], lever)
        return np.concatenate([carried + R @ own[:3], base[3:] + R @ own[3:]])

    def momentum(self) -> Array:
        """Return the momenta of all that floats, about the world's origin [kg m/s, kg m2/s], shape (6,)."""
        if not self.arm.floats:
            return np.zeros(6)
        around = getattr(self.surroundings, "momentum", None)
        return self.arm.momentum if around is None else self.arm.momentum + around

    def variables(self) -> dict[str, float]:
        """Return all that there is to see, by dotted names with their units."""
        left = halves(way(self.arm.T_base_tip, self.follower.T))
        speed = halves(self.follower.twist)
        found = {
            "time_s": self.t,
            **_pose_in_words("command", self.follower.T),
            "command.speed_m_s": speed[0],
            "command.turn_rad_s": speed[1],
            **_pose_in_words("tip", self.arm.T_base_tip),
            "tip.error_m": left[0],
            "tip.error_rad": left[1],
            **{f"tip.force_{a}_n": float(self.wrench[i]) for i, a in enumerate("xyz")},
            **{f"tip.torque_{a}_n_m": float(self.wrench[3 + i]) for i, a in enumerate("xyz")},
            "inverse.position_error_m": self.solved.position_error,
            "inverse.orientation_error_rad": self.solved.orientation_error,
            "inverse.iterations": float(self.solved.iterations),
            "inverse.reachable": float(self.solved.reachable),
            "inverse.slowed": float(self.slowed),
        }
        around = {} if self.surroundings is None else self.surroundings.variables()
        return found | self.arm.variables() | around

    def parameters(self) -> dict[str, float]:
        """Return all that may be changed while it runs, by dotted names with their units."""
        own = {name: float(getattr(self.limits, attribute)) for name, attribute in LIMITS.items()}
        own[RAMP] = self.joints.ramp
        around = {} if self.surroundings is None else self.surroundings.parameters()
        return own | around | self.arm.parameters()

    def set_parameter(self, name: str, value: float) -> None:
        """Change a parameter of the running model.

        Raises:
            DrivingError: there is none of that name, or it must not have this value; near names are told.
        """
        known = self.parameters()
        if name not in known:
            near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
            hint = f"; near: {', '.join(near)}" if near else f"; there are {', '.join(list(known)[:6])}, …"
            raise DrivingError(f"there is no parameter {name!r}{hint}")
        if not math.isfinite(value):
            raise DrivingError(f"{name} = {value} must be a finite number")
        if name in (*LIMITS, RAMP) and value <= 0.0:
            raise DrivingError(f"{name} = {value:g} must be above 0")
        if name == RAMP:
            self.joints.ramp = value
        elif name in LIMITS:
            setattr(self.limits, LIMITS[name], value)
        elif self.surroundings is not None and name in self.surroundings.parameters():
            self.surroundings.set_parameter(name, value)
        else:
            self.arm.set_parameter(name, value)


def _pose_in_words(of: str, T: Array) -> dict[str, float]:
    turn = rotvec_from_quat(quat_from_matrix(np.ascontiguousarray(T[:3, :3])))
    return {
        **{f"{of}.{a}_m": float(T[i, 3]) for i, a in enumerate("xyz")},
        **{f"{of}.r{a}_rad": float(turn[i]) for i, a in enumerate("xyz")},
    }
