"""A soak with two arms: grasps under faults, and what it takes for a violation."""

from pathlib import Path

import numpy as np
import pytest

from drivers.emulation.controller.controller import EmulatedController
from hil.loop.driver.core import DriverCore
from hil.loop.real_port import port_of
from hil.trials.soak.campaign import configured, soaked
from hil.trials.soak.faults import GRASP_KINDS, KINDS, kinds_of
from hil.trials.soak.grasp import SoakGrasp
from hil.trials.soak.ledger import Ledger
from planner.kinematics.arm_model import load_arm_model

CONFIGS = Path(__file__).parents[4] / "configs"


def test_two_arms_under_faults():
    """3000 cycles: it grasps, faults meet it, nothing that must not be."""
    ledger = soaked(CONFIGS / "two_arms.toml", (), 1, 3000)
    assert ledger.cycles == 3000
    assert ledger.grasps > 0
    assert ledger.scenarios > 0
    assert 10.0 < ledger.peak_grasp < 40.0
    wrong = ledger.violations, ledger.overforces, ledger.unsettled, ledger.died, ledger.gained
    assert wrong == (0, 0, 0, 0, 0), ledger.findings


def test_the_second_arms_faults_are_drawn_beside_the_first_ones():
    """And only where there is one."""
    two = configured(CONFIGS / "two_arms.toml", [])
    assert set(kinds_of(two)) == {*KINDS, *GRASP_KINDS}
    assert kinds_of(configured(CONFIGS / "cube.toml", [])) == KINDS


@pytest.fixture
def grasp():
    """A second arm before the first cycle."""
    c = configured(CONFIGS / "two_arms.toml", [])
    model, ledger = load_arm_model(c.robot.model), Ledger()
    controller = EmulatedController(c, port_of=port_of)
    made = SoakGrasp(c, model, controller, DriverCore(c, model), np.random.default_rng(1), ledger)
    return made, ledger


def test_more_than_the_grasps_limit_is_found_once_as_long_as_it_lasts(grasp):
    """The true force, with the number."""
    made, ledger = grasp
    for force, found in ((39.9, False), (40.1, True), (50.0, False), (1.0, False), (41.0, True)):
        made._arm.wrench_world[:3] = 0.0, force, 0.0
        told = made._too_much()
        assert bool(told) is found
        if told:
            assert f"{force:.1f} N of the second arm, 40 N at most" in told
    assert ledger.overforces == 2
    assert ledger.peak_grasp == pytest.approx(50.0)
