"""A second arm in a soak, where a configuration has one: others load nothing of it."""

from typing import TYPE_CHECKING

import numpy as np

from drivers.emulation.controller.controller import EmulatedController
from hil.configuration import Configuration
from hil.loop.driver.core import DriverCore
from hil.trials.soak.ledger import Ledger
from planner.kinematics.arm_model import ArmModel

if TYPE_CHECKING:
    from hil.trials.soak.grasp import SoakGrasp

GRASP_CALM = 1.0, 4.5  # [s] of floating until a scenario begins: a grasp is reached after two


def grasp_of(
    configuration: Configuration,
    model: ArmModel,
    controller: EmulatedController,
    driver: DriverCore,
    seed: list[int],
    ledger: Ledger,
) -> "SoakGrasp | None":
    """Return the second arm of one arm's soak; None without one."""
    if configuration.grasp is None:
        return None
    from hil.trials.soak.grasp import SoakGrasp

    return SoakGrasp(configuration, model, controller, driver, np.random.default_rng(seed), ledger)
