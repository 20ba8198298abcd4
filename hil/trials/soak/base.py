"""A base in a soak: its vehicle, the driver's share of it, and what goes wrong with both.

What is commanded is checked by bounds of its own: never faster than the vehicle may drive, and never changed
faster than it can follow, whatever it tells.
"""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from hil.common.arrays import Array
from hil.common.clock import nanoseconds
from hil.configuration import Configuration
from hil.loop.carried.base_driver import BaseDriver
from hil.loop.carried.carried_arm import CarriedArm
from hil.loop.carried.plan_pair import PlanPair
from hil.loop.carried.stand_in import StandIn
from hil.messaging.base_messages import BaseCommand, BasePlan, BaseReport, BaseState
from hil.messaging.codec import over_the_wire
from hil.messaging.messages import Mode, Plan
from hil.trials.soak.faults import Fault
from planner.kinematics.arm_model import ArmModel

STATE_PERIOD_NS, COMMAND_PERIOD_NS = 4_000_000, 8_000_000
LONGEST_STEP = 0.02  # [s] for which a command may change at once
LATEST = 0.15  # [s] by which poses are late
JUMP = np.array([1.0, 1.0, math.pi])  # of a pose at most [m, rad]
UNKNOWN = ("vehicle's pose unknown", "vehicle stopped by hand")
DEAF = ("vehicle frozen", "commands to the vehicle lost")
ROUNDING = 1e-9


class SoakBase:
    """Between the loop and a vehicle, whose time is the emulation's.

    Attributes:
        arm: what the driver knows of the base.
    """

    def __init__(self, c: Configuration, model: ArmModel, seed: int, find: Callable[[str], None]) -> None:
        """Stand at the origin; `find` is told of commands that must not be."""
        self._rng = np.random.default_rng([seed, 3])
        self._stand_in, self.arm = StandIn(c, 0), CarriedArm(c, model)
        self._driver, self._pair = BaseDriver(c, self.arm, 0), PlanPair()
        self._base, self._find = c.base, find
        self._cycle_ns, self._t_ns = nanoseconds(c.fri.sample_time), 0
        self._told: deque[BaseState] = deque(maxlen=1 + round(LATEST * 1e9 / STATE_PERIOD_NS))
        self._told_ns = self._commanded_ns = 0
        self._coming: BasePlan | None = None
        self._on_way: BaseCommand | None = None  # to the vehicle, by the emulation's time

    def advance(self, active: dict[str, Fault]) -> Array:
        """Move the vehicle on by a cycle; return its motion, shape (3, 3)."""
        vehicle = self._stand_in.vehicle
        vehicle.stuck = "vehicle stuck" in active or "vehicle stopped by hand" in active
        command, self._on_way = self._on_way, None
        if command is not None and not any(name in active for name in DEAF):
            if slip := active.get("wheels slip"):
                command = replace(command, velocity=(1.0 - 0.5 * slip.size) * command.velocity)
            self._stand_in.obey(over_the_wire(command))
        self._t_ns += self._cycle_ns
        self._stand_in.advance(self._t_ns)
        return vehicle.motion

    def hear(self, host_ns: int, active: dict[str, Fault]) -> None:
        """Let the driver hear where the vehicle is, or says that it is, at host time."""
        if self._t_ns - self._told_ns < STATE_PERIOD_NS:
            return
        self._told_ns = self._t_ns
        self._told.append(self._stand_in.state())
        if "vehicle silent" in active or "vehicle frozen" in active:
            return
        late = active.get("poses late")
        state = self._told[
            -1 if late is None else -min(len(self._told), 1 + round(late.size * (self._told.maxlen or 1)))
        ]
        state = replace(state, t_ns=host_ns - (self._t_ns - state.t_ns))
        self._driver.hear(0, over_the_wire(self._spoiled(state, active)))

    def _spoiled(self, state: BaseState, active: dict[str, Fault]) -> BaseState:
        """Return a state with what is wrong with it at present."""
        if any(name in active for name in UNKNOWN):
            state = replace(state, valid=False)
        if jump := active.get("poses jump"):
            state = replace(state, pose=state.pose + JUMP * (jump.size - 0.5))
        if "poses not finite" in active:
            pose = np.array(state.pose)
            pose[self._rng.integers(3)] = self._rng.choice([np.nan, np.inf])
            state = replace(state, pose=pose)
        return state

    def arrives(self, plan: BasePlan | None, active: dict[str, Fault]) -> None:
        """Take a plan of the base that reaches the driver with its next turn, with what is wrong with it."""
        if plan is None:
            return
        motion = np.array(plan.motion)
        if jump := active.get("base plans jump"):
            motion += 10.0 ** (4.0 * jump.size - 3.0) * self._rng.standard_normal(9)
        if "base plans not finite" in active:
            motion.flat[self._rng.integers(motion.size)] = np.nan
        self._coming = replace(plan, motion=motion)

    def paired(self, plan: Plan | None) -> Plan | None:
        """Return the arm's plan when that of the base is there as well; both are followed."""
        coming, self._coming = self._coming, None
        found = self._pair.take(plan, coming)
        if found is None:
            return None
        self._driver.take(found[1])
        return found[0]

    def drive(self, host_ns: int, order: Mode | None) -> None:
        """Command the vehicle if that is due, at host time."""
        passed_ns = host_ns - self._commanded_ns
        if passed_ns < COMMAND_PERIOD_NS:
            return
        self._commanded_ns = host_ns
        before, dt = self._driver.velocity, min(1e-9 * passed_ns, LONGEST_STEP)
        now = self._driver.command(0, host_ns, dt, order)
        self._driver.log.block(host_ns)  # nobody records it
        self._look_at(before, now, dt)
        self._on_way = BaseCommand(self._t_ns, now)

    def _look_at(self, before: Array, now: Array, dt: float) -> None:
        """Find a command that no vehicle may be given."""
        base = self._base
        most = base.max_speed, base.max_turn, base.max_acceleration * dt, base.max_turn_acceleration * dt
        change = now - before
        found = math.hypot(*now[:2]), abs(now[2]), math.hypot(*change[:2]), abs(change[2])
        if not all(value <= bound * (1.0 + ROUNDING) for value, bound in zip(found, most, strict=True)):
            self._find(f"the vehicle is told {now.tolist()}, {dt:g} s after {before.tolist()}")

    def report(self, host_ns: int) -> BaseReport:
        """Return what the driver tells of the base."""
        return over_the_wire(self.arm.report(host_ns, self._driver.velocity))
