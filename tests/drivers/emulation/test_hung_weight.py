"""A weight at the emulated arm: what the controller measures of it, against statics."""

import numpy as np
import pytest

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.operator.hung_weight import HungWeight
from drivers.fri.codec import decode_monitor
from hil.configuration.frames import Frames
from tests.drivers.emulation.loops import configured

MASS = 1.5  # [kg]


def wire(lever: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """How the wrench on the wire of a quiet estimate changes by the weight, and the tool's axes."""
    quiet = {"noise_force_n": 0.0, "noise_torque_n_m": 0.0, "motion_noise": False}
    c = configured(emulator={"wrench": quiet, "control": "kinematic"})
    controller, readings = EmulatedController(c), []
    for weight in (None, HungWeight(Frames.from_configuration(c), MASS, np.array(lever))):
        controller.operator.weight = weight
        for _ in range(3):
            controller.send()
            controller.advance()
        readings.append(decode_monitor(controller.send()).wrench_external.copy())
    return readings[1] - readings[0], controller.arm.T_base_tcp[:3, :3]


@pytest.mark.parametrize("lever", [[0.0, 0.0, 0.0], [0.0, 0.1, 0.0], [0.05, -0.1, 0.2]])
def test_a_weight_pulls_down_at_its_lever(lever: list[float]) -> None:
    """About the tcp in base axes: `[0, 0, -m g]` and `r x f`."""
    wrench, R = wire(lever)
    force = np.array([0.0, 0.0, -MASS * 9.81])
    np.testing.assert_allclose(wrench[:3], force, atol=1e-4)
    np.testing.assert_allclose(wrench[3:], np.cross(R @ lever, force), atol=1e-4)


def test_it_is_taken_off_again() -> None:
    """Nothing is left of it in the wrench that acts."""
    c = configured()
    controller = EmulatedController(c)
    controller.operator.weight = HungWeight(Frames.from_configuration(c), MASS, np.zeros(3))
    controller.advance()
    assert controller.operator.wrench_world[2] == pytest.approx(-MASS * 9.81)
    controller.operator.weight = None
    controller.advance()
    assert not controller.operator.wrench_world.any()
