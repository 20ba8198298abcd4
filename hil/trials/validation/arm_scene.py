"""The arm with its peg, and the plate, in the contact simulation."""

from pathlib import Path

import mujoco
import numpy as np

from drivers.robot.model import quat_of
from drivers.robot.stiffness_arm import TOOL, stiffness_arm
from hil.common.arrays import Array, frozen_array
from hil.configuration.frames import pose_of
from hil.trials.validation.parameters import Parameters
from hil.trials.validation.schema import Experiment
from hil.trials.validation.setup import Setup
from sim.contact.contact_scene import ContactScene
from sim.contact.interface import Interface, Pins, Plate
from sim.contact.interface_schema import Material

PLATE = "plate"
# so far that runs of parameters that hardly differ hardly differ; with the contact simulation's defaults a
# joint at rest is kicked now and then by microradians
SMOOTH = 1e-7  # friction at contacts
PRECISE = 1e-12  # the solver of all constraints, dry friction of the joints among them


def arm_scene(setup: Setup, parameters: Parameters, shift: Array, folder: Path | None) -> ContactScene:
    """Return the scene, the arm at the joints zero.

    Args:
        setup: of the experiment.
        parameters: of arm, contact and tool.
        shift: of the plate from its place, world axes [m], shape (3,).
        folder: where the state goes that led to a divergence.

    Raises:
        SimulationError: the contact is too stiff for the step.
    """
    e = setup.experiment
    tool = setup.tool(parameters["tool_mass"])
    spec = stiffness_arm(e.arm.model, setup.T_world_base, parameters.control, tool)
    _add_plate(spec, e, shift)
    interface = _interface(e, parameters)
    scene = ContactScene(spec.compile(), [interface], step=e.simulation.step, folder=folder, stands=SMOOTH)
    scene.model.opt.tolerance = PRECISE
    return scene


def force_on_peg(scene: ContactScene) -> Array:
    """Return the sum of the contacts' forces on the peg in the last step, world axes [N], shape (3,)."""
    total = np.zeros(3)
    for contact in scene.contacts():  # their normals lead from plate to peg
        total += contact["force"][0] * contact["normal"] + contact["force"][1:] @ contact["tangents"]
    return total


def _add_plate(spec: mujoco.MjSpec, e: Experiment, shift: Array) -> None:
    T = pose_of(e.plate.rotvec, e.plate.position + shift)
    body = spec.worldbody.add_body(name=PLATE, pos=T[:3, 3], quat=quat_of(T))
    size = [*e.plate.half_width, 0.5 * e.plate.height]
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX, size=size, pos=[0.0, 0.0, -size[2]], contype=0, conaffinity=0
    )


def _interface(e: Experiment, parameters: Parameters) -> Interface:
    """Return peg and plate; each has half of the way that the contact gives."""
    material = Material.model_validate(
        {
            "friction": parameters["contact_friction"],
            "stiffness_n_per_m": 2.0 * parameters["contact_stiffness"],
            "damping_n_s_per_m": 2.0 * parameters["contact_damping"],
        }
    )
    peg, plate = e.peg, e.plate
    foot = peg.tip - peg.radius - peg.length
    holes = np.array([[*hole.position, hole.radius, hole.depth] for hole in plate.hole])
    return Interface(
        "peg",
        Pins(
            TOOL,
            material,
            peg.radius,
            peg.length,
            frozen_array([0.0, 0.0, 1.0]),
            frozen_array([[0.0, 0.0, foot]]),
        ),
        Plate(
            PLATE,
            material,
            frozen_array([0.0, 0.0, 0.0]),
            frozen_array(np.eye(3)),
            frozen_array([*plate.half_width, plate.height]),
            frozen_array(holes.reshape(-1, 4)),
        ),
    )
