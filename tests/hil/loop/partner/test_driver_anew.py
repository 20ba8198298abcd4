"""A driver that dies in a grasp and is started again, in lock-step: it lets nothing float."""

import numpy as np
import pytest

from bench.acceptance.partner_trials import two_arms
from hil.common.errors import OperatorError
from hil.loop.driver.core import DriverCore
from hil.loop.grasp.states import GraspState
from hil.loop.judging.state_machine import State
from hil.loop.lockstep import LockStep
from hil.loop.partner.grasp_driver import GraspDriver
from planner.kinematics.arm_model import load_arm_model
from tests.hil.loop.partner.test_grasp_loop import PLAN


def turned(loop: LockStep, cycles: int) -> None:
    """So many cycles."""
    for _ in range(cycles):
        loop.turn()


def without_driver(loop: LockStep, c) -> None:
    """Let the next cycle have another driver, as its process has after it was started again."""
    loop._driver = DriverCore(c, load_arm_model(c.robot.model))
    loop.grasp._driver = loop._driver
    loop.grasp._hearing = GraspDriver(c, loop._driver.touching, 0)
    loop.grasp.watch = loop.grasp._hearing.watch


def test_a_driver_started_anew_floats_nothing_that_is_held(tmp_path):
    """As long as the partner says that it holds on, also when it falls silent; opened, it floats again."""
    file = tmp_path / "quick.toml"
    file.write_text(PLAN)
    c = two_arms(12.0, (f'partner.plan="{file}"',))
    loop = LockStep(c)
    while loop.floated_s < 1.8:
        loop.turn()
    assert loop.grasp.watch.supervision.state is GraspState.GRASPED
    without_driver(loop, c)
    loop.judge.order("fault", "the driver process was ended by signal 9")
    loop._operator = lambda t_ns, judge: None
    turned(loop, 200)
    loop.judge.order("reset")
    turned(loop, 100)
    assert loop.judge.machine.state is State.READY
    assert loop.grasp.watch.supervision.state is GraspState.FREE  # it knows of nothing
    assert loop.grasp.partner.closing
    for speaks in (True, False):
        loop.grasp.speaks = speaks
        turned(loop, 100)
        assert "the second arm holds on to the bar" in loop.judge.status()["float_refused"]
        with pytest.raises(OperatorError, match="the second arm holds on to the bar"):
            loop.judge.order("float")
    assert np.linalg.norm(loop.grasp.partner.wrench_world[:3]) < c.grasp.max_force
    loop.grasp.speaks = True
    loop.grasp.client._followed.released = True  # as it is after a second without the run
    turned(loop, 300)
    loop.judge.order("float")
    turned(loop, 10)
    assert loop.judge.machine.state is State.FLOATING
