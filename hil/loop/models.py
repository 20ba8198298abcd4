"""Every model that a run builds, built once beforehand: what the physics engine refuses is told here."""

from drivers.emulation.arm.arm import EmulatedArm
from drivers.robot.urdf_for_physics import notes_of
from hil.configuration import Configuration
from hil.loop.judging.judge import Judge
from hil.loop.real_port import port_of
from hil.loop.sim_core import SimCore
from hil.loop.solids import ArmPicture, other_frames, surroundings_of
from planner.branches.path_planner import PathPlanner
from planner.kinematics.arm_model import ArmModel


def build_models(configuration: Configuration, arm: ArmModel) -> tuple[str, ...]:
    """Build what the processes of a run build, and return what is not as the files say, a sentence each.

    Args:
        configuration: of the run.
        arm: its robot.

    Raises:
        ZeroGError: one of them cannot be built.
    """
    Judge(configuration)
    SimCore(configuration, arm)
    PathPlanner(arm, configuration)
    ArmPicture(configuration)
    surroundings_of(configuration)
    other_frames(configuration)
    if configuration.robot.kind == "emulated":
        held = EmulatedArm(configuration)
        if configuration.port is not None or configuration.grasp is not None:
            port_of(configuration, held.frames, held.T_world_object)
    return notes_of(configuration.robot.model)
