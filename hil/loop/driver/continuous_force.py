"""Which force acts for as long as it lasts, if any: that of contacts, or of a second arm's grasp as well."""

from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.loop.driver.touching import Touching
from planner.kinematics.arm_model import ArmModel


def continuous_force(configuration: Configuration, model: ArmModel, frames: Frames) -> Touching | None:
    """Return what stands in the detector's place; None where forces are pushes."""
    if configuration.force.mode == "pushes":
        return None
    if configuration.grasp is None:
        return Touching(configuration, model, frames)
    from hil.loop.driver.grasp_force import GraspForce  # a run without a second arm loads nothing of it

    return GraspForce(configuration, model, frames)
