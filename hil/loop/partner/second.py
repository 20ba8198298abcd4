"""The emulated second controller of a configuration: its joints are those in which the plan can be done."""

from drivers.emulation.grasp.partner_arm import PartnerArm
from drivers.emulation.grasp.second_controller import SecondController
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.loop.grasp.plan_check import checked_plan
from planner.kinematics.arm_model import ArmModel


def second_controller(configuration: Configuration, model: ArmModel, arm: PartnerArm) -> SecondController:
    """Return the controller of an emulated second arm.

    Raises:
        ConfigurationError: the plan cannot be done.
    """
    checked = checked_plan(configuration, model)

    def joints(T_world_tip: Array) -> Array | None:
        return checked.arm.joints(T_world_tip, checked.posture)

    return SecondController(configuration, arm, joints)
