"""A driver's core on virtual time, fed by hand: no loop, no emulation, no plant."""

import dataclasses

import numpy as np

from drivers.fri.session import FriSample
from hil.configuration import Configuration
from hil.loop.driver.core import DriverCore
from hil.loop.driver.cycle import Cycle
from hil.loop.judging.state_machine import Machine, State
from hil.messaging.messages import Mode, Plan
from planner.following.limits import MotionLimits
from planner.kinematics.arm_model import load_arm_model
from tests.planner.following.following_cases import divided_differences, line, plan_of

SLOWLY = np.array([1.0, 1.0, -1.0, 1.0, 1.0, -1.0, 1.0])  # joints that turn so move the object little
ROUNDING = 1e-6  # of a limit
MOST = 10_000  # cycles of a test: what has not come until then does not come


class Driven:
    """A driver in command mode whose robot is where it was commanded; every cycle's command is kept.

    Over cycles without an answer the robot goes on at its last speed.
    """

    def __init__(self, configuration: Configuration) -> None:
        self.model = load_arm_model(configuration.robot.model)
        self.driver = DriverCore(configuration, self.model)
        self.limits = MotionLimits.from_configuration(self.model, configuration.limits)
        self.dt = configuration.fri.sample_time
        self.start = np.array(configuration.robot.start)
        self.count = self.cycles = 0
        self.q = self.start  # where the robot is, after the last answer,
        self.heard, self.step = -1, np.zeros(7)  # to this packet, and how far it went then in a cycle
        self.t: list[float] = []
        self.commands: list[np.ndarray] = []
        self.slices: list[list[int]] = []
        self.cycle(State.READY)  # its session begins

    @property
    def t_ns(self) -> int:
        """Now; never 0."""
        return 1_000_000_000 + self.count * round(1e9 * self.dt)

    @property
    def echo(self) -> np.ndarray:
        """What the robot commands in this packet."""
        return self.q + max(self.count - self.heard - 1, 0) * self.step if self.heard >= 0 else self.q

    def answered(self, q: np.ndarray) -> None:
        """Let the robot have the answer to the packet of this cycle, which is over."""
        self.step, self.q, self.heard = q - self.echo, q, self.count
        self.t.append(1e-9 * self.t_ns)
        self.commands.append(q)
        self.count += 1

    def sample(self, **changes) -> FriSample:
        """The packet of this cycle; it comes at the instant of its stamp, if nothing else is said."""
        changes = {"arrival_ns": changes.get("t_ns", self.t_ns)} | changes
        plain = FriSample(
            t_ns=self.t_ns, arrival_ns=self.t_ns, count=self.count, q_measured=self.q, q_commanded=self.echo,
            wrench=np.zeros(6), torque_external=np.zeros(7), state=2, quality=3, power_on=True,
            commanding=True, new_session=self.count == 0, late=False, lost=0, missed_answers=0,
            sequence=self.count % 65536, heard=self.heard if self.count else -1,
        )  # fmt: skip
        return dataclasses.replace(plain, **changes)

    def mode(self, state: State, epoch: int = 1) -> Mode:
        """The order of this instant."""
        return Machine(state, epoch).mode(self.t_ns)

    def plan(self, velocity: float | np.ndarray = 0.0, epoch: int = 1, jump: float = 0.0) -> Plan:
        """A plan for joints at constant velocity from where the robot is, less a `jump` [rad].

        `velocity` [rad/s]: of each joint, (7,), or of all, in directions that move the object slowly.
        """
        if np.ndim(velocity) == 0:
            velocity = velocity * SLOWLY
        now = 1e-9 * self.t_ns
        plan = plan_of(line(velocity, self.q + jump, now), now)
        return dataclasses.replace(plan, epoch=epoch, number=self.count + 1)

    def cycle(
        self,
        state: State = State.FLOATING,
        epoch: int = 1,
        plan: Plan | None = None,
        failing: bool = False,
        **changes,
    ) -> Cycle:
        """One packet with an order, and a plan that comes after its answer; `failing` is an emergency."""
        self.cycles += 1
        assert self.cycles <= MOST, "waits for what never comes"
        sample = self.sample(**changes)
        self.driver.observe(sample)
        if failing:
            cycle = self.driver.emergency(sample, RuntimeError("broken on purpose"))
        else:
            cycle = self.driver.cycle(sample, self.mode(state, epoch))
        slices = self.driver.slices_of(cycle)
        self.slices += [[item.impulse_id, item.slice_index, item.revision] for item in slices]
        self.driver.conclude(sample, slices, plan)
        if cycle.q_command is None or cycle.withheld:
            self.count += 1
        else:
            self.answered(cycle.q_command)
        return cycle

    def floated(self, cycles: int, velocity: float | np.ndarray = 0.2) -> None:
        """Follow a plan from where the robot is."""
        self.cycle(plan=self.plan(velocity))
        for _ in range(cycles):
            self.cycle()
        assert self.driver.following, self.driver.reason

    def assert_within_limits(self) -> None:
        """Divided differences of all commands keep velocity, acceleration and jerk."""
        t, q = np.array(self.t), np.array(self.commands)
        bounds = (self.limits.velocity, self.limits.acceleration, self.limits.jerk)
        for order, (rate, bound) in enumerate(
            zip(divided_differences(t - t[0], q), bounds, strict=True), start=1
        ):
            noise = 4e-15 * (2.0 / self.dt) ** order
            assert (np.abs(rate) <= bound * (1.0 + ROUNDING) + noise).all(), (order, rate)
