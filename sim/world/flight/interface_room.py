"""A room with pins and plates: the object's interface meets one that stands still, or the other way round."""

import mujoco
import numpy as np

from hil.common.arrays import Array
from hil.common.errors import InterfaceError
from hil.common.geometry import quat_from_matrix
from hil.configuration.schema import EmulatedObject
from hil.configuration.schema import Scene as SceneSection
from sim.contact.contact_scene import ContactScene
from sim.contact.interface import load_interfaces
from sim.contact.interface_schema import Material
from sim.world.flight.contact import Surroundings
from sim.world.flight.free import NO_DOCKING
from sim.world.scene.model import checked_model


def interface_room(
    section: SceneSection, body: EmulatedObject, step: float, foresight_step: float
) -> Surroundings:
    """Return the scene of a section that names a file of interfaces.

    MuJoCo's own contacts have the section's restitution, friction and contact time; pins and plates have
    their file's materials.

    Args:
        section: with `interfaces`.
        body: mass and inertia of the emulated object.
        step: of the simulation's grid [s].
        foresight_step: of predictions [s].

    Raises:
        SceneError: the scene is refused.
        InterfaceError: its pins and plates are.
    """
    scene, foresight = _contact_scene(section, body, step), _contact_scene(section, body, foresight_step)
    number = scene.model.body(section.body).id

    def place(T_world_object: Array, twist: Array) -> None:
        data = scene.data
        mujoco.mj_resetData(scene.model, data)
        data.qpos[:3] = T_world_object[:3, 3]
        data.qpos[3:] = quat_from_matrix(np.ascontiguousarray(T_world_object[:3, :3]))
        data.qvel[:3], data.qvel[3:] = twist[:3], T_world_object[:3, :3].T @ twist[3:]

    return Surroundings(scene, foresight, number, place, lambda: NO_DOCKING)


def _contact_scene(section: SceneSection, body: EmulatedObject, step: float) -> ContactScene:
    model = checked_model(section)
    number = model.body(section.body).id
    model.body_mass[number], model.body_inertia[number] = body.mass, body.inertia
    model.body_ipos[number], model.body_iquat[number] = 0.0, [1.0, 0.0, 0.0, 0.0]
    model.opt.gravity[:] = 0.0
    mujoco.mj_setConst(model, mujoco.MjData(model))
    told = {
        "restitution": section.restitution,
        "contact_time_ms": 1e3 * section.contact_time,
        "friction": section.friction,
    }
    assert section.interfaces is not None
    interfaces = load_interfaces(section.interfaces)
    for interface in interfaces:
        if interface.seals or interface.snaps:
            raise InterfaceError(
                f"{section.interfaces}: interface {interface.name!r} has seals or latches (seal, snap), "
                "which a room has not: use a docking ([docking] in place of [scene]), or take them out"
            )
    return ContactScene(model, interfaces, step=step, default=Material.model_validate(told))
