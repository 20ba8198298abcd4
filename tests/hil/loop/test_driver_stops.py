"""The driver's own stops, in the whole loop on virtual time: a stale order, an exception in a cycle."""

from collections.abc import Callable

import numpy as np
import pytest

from bench.fidelity import changed
from drivers.fri.session import FriSample
from hil.configuration import Configuration
from hil.loop.driver.core import DriverCore
from hil.loop.driver.cycle import Cycle
from hil.loop.driver.leaving import longest_brake
from hil.loop.judging.state_machine import MODE_TIMEOUT_NS
from hil.loop.lockstep import MODE_PERIOD_NS, LockStep
from hil.messaging.messages import Mode
from planner.following.limits import MotionLimits
from planner.kinematics.arm_model import load_arm_model

FLOATED_NS = 500_000_000  # until the disturbance
DURATION_S = 2.0
ROUNDING = 1e-6  # of a limit

Disturbed = Callable[[DriverCore, FriSample, Mode | None], Cycle]


class Watched:
    """A lock-step run of the default configuration whose driver is disturbed from 0.5 s on."""

    def __init__(self, configuration: Configuration, disturbed: Disturbed) -> None:
        self.loop = LockStep(configuration)
        self.driver = self.loop._driver
        self.t_disturbed = 0
        self.rows: list[tuple[int, bool]] = []
        self.commands: list[np.ndarray] = []
        plain = self.driver.cycle
        began = 0

        def cycle(sample: FriSample, mode: Mode | None) -> Cycle:
            nonlocal began
            began = began or (sample.t_ns if self.driver.following else 0)
            if began and sample.t_ns - began >= FLOATED_NS:
                self.t_disturbed = self.t_disturbed or sample.t_ns
                self.driver.cycle = plain
                result = disturbed(self.driver, sample, mode)
                self.driver.cycle = cycle
            else:
                result = plain(sample, mode)
            self.rows.append((sample.t_ns, self.driver.following))
            if result.q_command is not None:
                self.commands.append(result.q_command)
            return result

        self.driver.cycle = cycle
        self.loop.run(DURATION_S)

    def last_following(self) -> int:
        """The last instant at which the arm followed a plan [ns], after the disturbance began."""
        return max(t for t, following in self.rows if following) - self.t_disturbed


@pytest.fixture
def kept(cube: Configuration) -> Callable[[list[np.ndarray]], None]:
    """A check that commands keep velocity, acceleration and jerk by their differences, and end at rest."""
    limits = MotionLimits.from_configuration(load_arm_model(cube.robot.model), cube.limits)
    dt = cube.fri.sample_time

    def check(commands: list[np.ndarray]) -> None:
        q = np.array(commands)
        for order, bound in enumerate((limits.velocity, limits.acceleration, limits.jerk), start=1):
            rate = np.abs(np.diff(q, order, axis=0)) / dt**order
            assert (rate <= bound * (1.0 + ROUNDING) + 4e-15 * (2.0 / dt) ** order).all()
        assert np.array_equal(q[-1], q[-50])

    return check


def test_stale_order_brakes(cube: Configuration, kept: Callable[[list[np.ndarray]], None]) -> None:
    """The daemon hangs, plans still come: half a second later the arm brakes to rest, within limits."""
    last: list[Mode | None] = []

    def disturbed(driver: DriverCore, sample: FriSample, mode: Mode | None) -> Cycle:
        last.append(mode)
        return driver.cycle(sample, last[0])

    watched = Watched(cube, disturbed)
    period_ns = round(1e9 * cube.fri.sample_time)
    oldest_ns = MODE_PERIOD_NS + 2 * period_ns  # of an order when it is given for the last time
    assert MODE_TIMEOUT_NS - oldest_ns <= watched.last_following() < MODE_TIMEOUT_NS + period_ns
    kept(watched.commands)


def test_without_an_order_the_arm_stands_before_the_driver_leaves(
    cube: Configuration, kept: Callable[[list[np.ndarray]], None]
) -> None:
    """A driver that is to end obeys no order: at rest within the longest brake, and within limits."""
    c = changed(cube, "operator.random", first=0.3)  # still pushing when the driver is to end
    standing: list[int] = []

    def disturbed(driver: DriverCore, sample: FriSample, mode: Mode | None) -> Cycle:
        if not standing:
            assert driver.moving
        cycle = driver.cycle(sample, None)
        if not driver.moving:
            standing.append(sample.t_ns)
        return cycle

    watched = Watched(c, disturbed)
    assert watched.last_following() < 0
    took = 1e-9 * (standing[0] - watched.t_disturbed)
    assert 0.02 < took < longest_brake(c.limits) + 2 * c.fri.sample_time
    assert len(standing) > 100 and watched.loop._controller.monitor.violations == 0
    assert not watched.driver.fault
    kept(watched.commands)


def test_exception_in_a_cycle_brakes(cube: Configuration, kept: Callable[[list[np.ndarray]], None]) -> None:
    """One cycle raises: fault at once, braked to rest within limits, and it stays so."""
    failed = []

    def disturbed(driver: DriverCore, sample: FriSample, mode: Mode | None) -> Cycle:
        if failed:
            return driver.cycle(sample, mode)
        failed.append(sample)
        return driver.emergency(sample, RuntimeError("broken on purpose"))

    watched = Watched(cube, disturbed)
    assert watched.last_following() < 0
    assert "broken on purpose" in watched.driver.fault
    kept(watched.commands)


def test_failure_after_the_answer_brakes(
    cube: Configuration, kept: Callable[[list[np.ndarray]], None]
) -> None:
    """What follows an answer fails once: the very next answer brakes, to rest within limits."""

    def disturbed(driver: DriverCore, sample: FriSample, mode: Mode | None) -> Cycle:
        if not driver.fault:

            def broken(*_: object) -> None:
                del driver._delay.step  # from then on the class's own again
                raise RuntimeError("broken on purpose")

            driver._delay.step = broken
        return driver.cycle(sample, mode)

    watched = Watched(cube, disturbed)
    assert watched.last_following() == 0
    assert "broken on purpose" in watched.driver.fault
    kept(watched.commands)


def test_push_that_the_simulation_refuses_is_given_back_gently(cube: Configuration) -> None:
    """No plan ever contains it: the arm comes back to the plan, no faster than certified, within limits."""
    c = changed(cube, "operator.random", first=1.0)
    loop = LockStep(c)
    step = loop._sim.step
    loop._sim.step = lambda t_ns, mode, robot, slices, *rest: step(t_ns, mode, robot, [], *rest)
    trace = loop.run(4.0)
    assert not loop._driver.fault and loop._controller.monitor.violations == 0
    arm, sim = trace.p_world_object_arm, trace.p_world_object_sim
    apart = np.linalg.norm(arm - sim, axis=1)
    late = np.linalg.norm(np.gradient(arm - sim, trace.t, axis=0), axis=1)  # the arm seen from the plan
    pushed = late[(trace.t - trace.t[0] > 1.0) & (trace.t - trace.t[0] < 1.4)].max()
    assert pushed > 5e-3, "the push was there"
    assert late.max() < 3.0 * pushed
    assert apart.max() > 2e-3 and apart[-1] < 5e-4
