"""A second arm, where a configuration has one: a run without one loads nothing of it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from hil.configuration import Configuration
from hil.messaging.codec import Message
from planner.kinematics.arm_model import ArmModel, load_arm_model

if TYPE_CHECKING:
    from drivers.emulation.controller.controller import EmulatedController
    from drivers.emulation.grasp.second_controller import SecondController
    from hil.loop.driver.core import DriverCore
    from hil.loop.partner.lockstep_grasp import LockStepGrasp


def grasp_of(
    configuration: Configuration,
    model: ArmModel,
    controller: "EmulatedController",
    driver: "DriverCore",
    tell: Callable[[str, Message], None],
) -> "LockStepGrasp | None":
    """Return the second arm of a lock-step loop, whose listener is told what is said; None: there is none.

    Raises:
        ConfigurationError: its plan cannot be done.
    """
    if configuration.grasp is None:
        return None
    from hil.loop.partner.lockstep_grasp import LockStepGrasp

    return LockStepGrasp(configuration, model, controller, driver, tell)


def second_of(configuration: Configuration, controller: "EmulatedController") -> "SecondController | None":
    """Return the emulated controller of a second arm; None where there is none.

    Raises:
        ConfigurationError: its plan cannot be done.
    """
    if configuration.grasp is None:
        return None
    from drivers.emulation.grasp.partner_arm import PartnerArm
    from hil.loop.partner.second import second_controller

    assert isinstance(controller.port, PartnerArm)
    return second_controller(configuration, load_arm_model(configuration.robot.model), controller.port)


def grasp_in_words(configuration: Configuration, model: ArmModel) -> list[str]:
    """Return what a second arm comes to, a line each; nothing without one.

    Raises:
        ConfigurationError: its plan cannot be done.
    """
    if configuration.grasp is None:
        return []
    from hil.loop.grasp.plan_check import told_grasp

    return told_grasp(configuration, model)
