"""The interpolator: each cycle one joint command that follows the newest plan or brakes to rest.

The law is in `planner.following`. Everything that cannot be followed ends in the same branch: brake
along the present motion, within limits, to exact rest.
"""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.common.freshness import is_fresh
from hil.configuration.schema import Interpolation, Limits
from hil.messaging.messages import Plan
from planner.following.closing import Closing
from planner.following.law import follow_into, settle_into, stop_into
from planner.following.lead import Lead
from planner.following.limiter import Limiter, LimiterError
from planner.following.limits import MotionLimits
from planner.following.reference import BEFORE_START, INSIDE, Reference
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.pseudo_inverse import joint_velocity_for

START_DIFFERENCE = 0.05  # [rad] from command to plan, at most, where following may begin ...
START_SPEED = 0.5  # [rad/s] ... and so much more for each second of look-ahead: the object moves on
FOLLOW_DIFFERENCE = 0.5  # [rad] at most while following
POSITION_RESERVE = 1e-3  # [rad] kept inside the position limits that the guard watches,
RESERVE_CYCLES = 0.25  # and so many cycles at full speed: the guard brakes on the grid of the cycles
REST_VELOCITY, REST_ACCELERATION = 1e-9, 1e-6  # [rad/s], [rad/s2]; below both a joint stands


@dataclass(frozen=True, slots=True, eq=False)
class JointCommand:
    """What to send, for the instant that `step` was called with; arrays are (7,)."""

    q: Array
    dq: Array
    ddq: Array
    elapsed: float  # since the command before [s]
    planned: Array  # the plan's position [rad] and velocity [rad/s], looked ahead, (2, 7)
    wanted: Array  # velocity that the law asks for, which the limits may not allow at once [rad/s]
    following: bool  # else the arm brakes or stands
    reason: str  # why it does not follow; empty while nothing is wrong
    fault: str  # the limiter failed: needs `reset`; empty otherwise
    certified: bool = False  # it does not follow, and is judged by the certificate all the same


class Interpolator:
    """Follows plans with the lead, the short cut and gentle closing of gaps, within limits."""

    def __init__(
        self, model: ArmModel, limits: Limits, configuration: Interpolation, dt: float, closing: Closing
    ) -> None:
        """Set up at rest at zero; call `reset` before the first step.

        Args:
            model: for its position limits and speeds.
            limits: the guard watches the same; commands keep `command_fraction` of them.
            configuration: how plans are followed.
            dt: the cycle [s].
            closing: how fast gaps are closed at most.
        """
        full = MotionLimits.from_configuration(model, limits)
        reserve = POSITION_RESERVE + RESERVE_CYCLES * dt * float(full.velocity.max())
        self._limits = full.scaled(limits.command_fraction, reserve)
        self._bounds = self._limits.bounds
        self._configuration = configuration
        self._dt = dt
        self._closing = closing
        self._timeout_ns = round(configuration.plan_timeout * 1e9)
        self._limiter = Limiter(self._limits)
        joints = self._bounds.shape[1]
        self._velocity = np.array(self._limits.velocity)
        self._planned = np.zeros((3, joints))
        self._target = np.zeros((2, joints))
        self._rest = np.zeros((2, joints))
        self._gap = np.zeros(joints)
        self._pending = np.zeros(joints, dtype=np.bool_)
        self._look = np.zeros(4)
        self.reset(np.zeros(joints))

    def reset(self, q: Array) -> None:
        """Stand at `q` [rad], shape (7,); forget plan, faults and reasons."""
        self._state = np.zeros((3, len(q)))
        self._state[0] = q
        self._reference: Reference | None = None
        self._path = np.zeros(2)
        self._push = np.zeros((3, len(q)))
        self._pushed = False  # whether that is anything
        self._lead = Lead(self._configuration.lead_time)
        self._swift = 0.0  # rate at which gaps are closed, if it is not the configured one [1/s]
        self._following = False
        self._latched = False  # brakes and stands until `reset`
        self._fault = ""
        self._cause, self._reason = "", ""

    @property
    def q(self) -> Array:
        """The last command [rad], shape (7,)."""
        return self._state[0].copy()

    @property
    def dq(self) -> Array:
        """Its velocity [rad/s], shape (7,)."""
        return self._state[1].copy()

    @property
    def at_rest(self) -> bool:
        """Whether the commands stand still, exactly."""
        return not self._moving()

    @property
    def gap(self) -> Array:
        """Distance of the command before from the plan [rad], shape (7,): what is still to be closed."""
        return self._gap.copy()

    @property
    def latched(self) -> bool:
        """Whether it brakes and stands until `reset`: a fault that an operator must look at."""
        return self._latched

    @property
    def lead(self) -> float:
        """The look-ahead in use [s]; follows the one asked for at `lead.LEAD_RATE` at most."""
        return self._lead.value

    def planned_velocity(self, t_ns: int) -> Array:
        """Return the joint velocity that the plan in use has at `t_ns` and the lead [rad/s], shape (7,)."""
        if self._reference is None:
            return np.zeros(self._state.shape[1])
        nodes, where = self._reference.at(t_ns + round(self._lead.value * 1e9))
        velocity: Array = nodes[1] if where == INSIDE else np.zeros(self._state.shape[1])
        return velocity

    def pace(self, t_ns: int) -> float:
        """Return how fast object time runs at `t_ns` by the plan in use; 1 where there is none."""
        return 1.0 if self._reference is None else self._reference.pace(t_ns)

    def planned(self, t_ns: int) -> Array | None:
        """Return the plan's joints and their velocity at `t_ns`, shape (2, 7); None where it says nothing."""
        if self._reference is None:
            return None
        nodes, where = self._reference.at(t_ns)
        return nodes[:2] if where == INSIDE else None

    def accept(self, plan: Plan) -> str:
        """Follow `plan` from the next step on; return what is wrong with it (then it is not taken)."""
        reference = Reference(plan)
        if fault := reference.fault:
            return fault
        if reference.nodes.shape[2] != self._state.shape[1]:
            return f"plan {plan.number} is for {reference.nodes.shape[2]} joints"
        self._reference = reference
        self._path = np.array([reference.s_0, reference.step])
        return ""

    def step(
        self,
        t_ns: int,
        lead: float,
        missing: Array | None = None,
        J: Array | None = None,
        follow: bool = True,
        cycles: int = 1,
        now_ns: int | None = None,
        closing_rate: float = 0.0,
    ) -> JointCommand:
        """Return the command for the instant `t_ns`: the plan at `t_ns + lead`, plus the gap.

        Args:
            t_ns: this cycle's instant.
            lead: look-ahead that is wanted [s]: the robot's interface delay.
            missing: twist of the object by pushes that the plan does not contain [m/s, rad/s], the
                displacement by them at the instant looked at [m, rad], and the acceleration of what still
                pushes [m/s2, rad/s2], shape (3, 6); None for none.
            J: Jacobian of the object's centre in the same axes, shape (6, 7); needed with it.
            follow: False brakes to rest and holds.
            cycles: that have passed since the step before, all of which this step covers. The controller
                has moved on meanwhile: a shorter step would be a jump back.
            now_ns: the host's time, by which a plan is fresh or not: `t_ns` may lag. None: it is `t_ns`.
            closing_rate: at which the gap is closed [1/s]; 0: gently, as configured.
        """
        self._swift = closing_rate
        h = cycles * self._dt
        self._update_push(missing, J)
        out = np.empty_like(self._state)
        if follow and not self._latched:
            self._following = self._follow(out, t_ns, lead, h, t_ns if now_ns is None else now_ns)
        else:
            self._following = False
            self._say("asked", "")
        if not self._following:
            self._lead.set(lead)
            self._brake(out, h)
        self._state = out
        asked = self._planned[:2].copy(), self._target[0].copy()
        return JointCommand(out[0], out[1], out[2], h, *asked, self._following, self._reason, self._fault)

    def carried(self, state: Array, cycles: int, certified: bool = False) -> JointCommand:
        """Return the command for a step that somebody else lays out; from it on the arm can be braked here.

        Args:
            state: the joints' positions, velocities and accelerations, shape (3, 7).
            cycles: that have passed since the step before.
            certified: the certificate shall judge it, as if it followed a plan.
        """
        self._state, self._following = state, False
        self._say("carried", "an operator's hand moves the arm")
        elapsed = self._dt * cycles
        q, dq, ddq = state
        return JointCommand(q, dq, ddq, elapsed, state[:2], dq, False, self._reason, self._fault, certified)

    def warm(self) -> None:
        """Compile everything that a step can need, then stand where it stood."""
        q = self._state[0].copy()
        joints = len(q)
        for sign in (1.0, -1.0):  # a reversal calls the limiter
            dq = np.full((3, joints), 0.1 * sign)
            s = np.arange(3.0)[:, None] - 1.0
            plan = Plan(
                t_ns=0, epoch=0, number=0, object_time_0=-1.0, step=1.0,
                time_map=np.array([0.0, 0.0, 1.0, 1.0]), q=q + s * dq, dq=dq, ddq=np.zeros_like(dq),
                arm_angle=np.zeros(3), branch=0,
                slices=np.zeros((0, 3), np.int64), policy="RUN", reason="", time_rate=1.0, depth=2.0,
            )  # fmt: skip
            self.accept(plan)
            self.step(int(self._dt * 1e9), 0.0, np.ones((3, 6)), np.eye(6, joints))
            self.planned_velocity(0)
        stop_into(np.empty_like(self._state), self._state, self._bounds, self._dt)
        self.reset(q)

    def _moving(self) -> bool:
        return bool(self._state[1:].any())

    def _update_push(self, missing: Array | None, J: Array | None) -> None:
        """Turn what the plan lacks into joint velocity, displacement and acceleration."""
        if missing is None or J is None:
            if self._pushed:
                self._push[:] = 0.0
                self._pushed = False
            return
        self._pushed = True
        for row in range(3):
            self._push[row] = joint_velocity_for(J, missing[row], self._velocity)

    def _follow(self, out: Array, t_ns: int, lead: float, h: float, now_ns: int) -> bool:
        """Write the step that follows the plan; return False, with the reason said, if there is none."""
        reference = self._reference
        if reference is None:
            return self._say("none", "no plan has come yet")
        old_ns = now_ns - reference.t_ns
        if not is_fresh(now_ns, reference.t_ns, self._timeout_ns):
            if old_ns < 0:
                return self._say("to come", "plan is of {:.0f} ms from now: a clock stepped", -1e-6 * old_ns)
            return self._say(
                "stale", "plan is {:.0f} ms old, {:.0f} allowed", 1e-6 * old_ns, 1e-6 * self._timeout_ns
            )
        before = self._lead.value
        if self._following:
            self._lead.step(lead, h)
        else:
            self._lead.set(lead)
            before = lead
        ahead = self._lead
        age = (t_ns - reference.t_ns) * 1e-9
        self._look[:] = age - h + before, age + ahead.value, 1.0 + ahead.rate, ahead.slew
        where, pending, joint, distance = follow_into(
            out, self._planned, self._target, self._pending, self._gap, self._state, reference.nodes,
            self._path, reference.time_map, self._look, self._push, self._bounds, self._closing,
            self._closing_rate(), h,
        )  # fmt: skip
        if not self._may_follow(where, joint, distance):
            return False
        if pending and not self._limit(out, h):
            return False
        self._cause, self._reason = "", ""
        return True

    def _closing_rate(self) -> float:
        """Return the rate [1/s] at which gaps are closed."""
        if self._swift > 0.0:
            return self._swift
        overshoot, highest = self._configuration.closing_overshoot, self._configuration.closing_rate
        lead = self._lead.value
        return highest if lead * highest <= overshoot else overshoot / lead

    def _may_follow(self, where: int, joint: int, distance: float) -> bool:
        """Return whether the plan covers the instant looked at and lies near enough for its worst joint."""
        if where == BEFORE_START:
            return self._say("early", "plan begins after the instant looked at")
        if where != INSIDE:
            return self._say("ended", "plan has ended")
        at_start = START_DIFFERENCE + START_SPEED * self._lead.value
        allowed = FOLLOW_DIFFERENCE if self._following else at_start
        if distance <= allowed:
            return True
        if self._following:
            self._latched = True
        return self._say(
            f"far {joint}", "A{} is {:.3f} rad from the plan, {:.3f} allowed: reset and float again",
            joint + 1, distance, allowed,
        )  # fmt: skip

    def _limit(self, out: Array, h: float) -> bool:
        """Let the limiter make the pending joints' step; return False if all must brake instead."""
        try:
            limited = self._limiter.step(self._state, self._target, h)
        except LimiterError as error:
            self._fault, self._latched = str(error), True
            return self._say("limiter", self._fault)
        blocked = settle_into(out, limited, self._pending, self._state, self._bounds, h)
        if blocked < 0:
            return True
        self._latched = True
        return self._say(f"limit {blocked}", "A{} would pass its position limit", blocked + 1)

    def _brake(self, out: Array, h: float) -> None:
        """Write the next state on the way to rest; in closed form should ruckig fail."""
        self._gap[:] = 0.0
        if not self._moving():
            out[:] = self._state
            return
        try:
            out[:] = self._limiter.step(self._state, self._rest, h)
        except LimiterError as error:
            self._fault, self._latched = str(error), True
            self._say("limiter", self._fault)
            stop_into(out, self._state, self._bounds, h)
        standing = (np.abs(out[1]) < REST_VELOCITY) & (np.abs(out[2]) < REST_ACCELERATION)
        out[1:, standing] = 0.0

    def _say(self, cause: str, text: str, *values: object) -> bool:
        """Keep why the arm does not follow, formatted once; return False."""
        if self._latched and cause == "asked":
            return False
        if cause != self._cause:
            self._cause, self._reason = cause, text.format(*values) if values else text
        return False
