"""Scenes of contact handling, for its benchmark and its tests."""

import dataclasses
from collections.abc import Sequence

import mujoco
import numpy as np

from hil.common.arrays import Array
from sim.contact.contact_scene import ContactScene
from sim.contact.interface import Interface, Pins, Plate
from sim.contact.interface_schema import Material

PIN_RADIUS, PIN_LENGTH = 0.0170, 0.060  # [m]
HOLE_RADIUS, HOLE_HEIGHT = 0.0175, 0.045
BODIES = {  # contacts on a plane: geom and inertia of a body whose lowest points are 0.1 m below its centre
    1: '<geom type="sphere" size="0.1"/>',
    2: '<geom type="capsule" size="0.1 0.2" euler="0 90 0"/>',
    4: '<geom type="box" size="0.1 0.1 0.1"/>',
}
_UNTURNED = 1e4  # [kg m2] so that friction does not roll it


def restitution_material(restitution: float, contact_time: float, friction: float = 0.3) -> Material:
    """Return a material of restitution and contact time [s]."""
    return Material.model_validate(
        {"friction": friction, "restitution": restitution, "contact_time_ms": 1e3 * contact_time}
    )


def spring_material(stiffness: float, damping: float, friction: float = 0.3) -> Material:
    """Return a material of stiffness [N/m] and damping [N s/m]."""
    return Material.model_validate(
        {"friction": friction, "stiffness_n_per_m": stiffness, "damping_n_s_per_m": damping}
    )


def on_plane(contacts: int, material: Material, step: float, turning: bool = False) -> ContactScene:
    """Return a body of 2 kg that touches a plane at 1, 2 or 4 points, without gravity.

    Args:
        contacts: number of contact points.
        material: of all.
        step: of the simulation [s].
        turning: whether it turns like a solid cube, or not at all.
    """
    mass = 2.0
    turns = mass * 0.2**2 / 6.0 if turning else _UNTURNED
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option gravity="0 0 0"/><worldbody><geom type="plane" size="5 5 0.1"/>
        <body name="body" pos="0 0 0.1"><freejoint/>
        <inertial pos="0 0 0" mass="{mass}" diaginertia="{turns} {turns} {turns}"/>{BODIES[contacts]}
        </body></worldbody></mujoco>"""
    )
    return ContactScene(model, [], step=step, default=material)


def room(material: Material, step: float) -> ContactScene:
    """Return a box of 20 kg in a closed room of 1.2 m."""
    walls = "".join(
        f'<geom type="plane" size="2 2 0.1" pos="{p}" zaxis="{z}"/>'
        for p, z in (
            ("0 0 -0.6", "0 0 1"),
            ("0 0 0.6", "0 0 -1"),
            ("-0.6 0 0", "1 0 0"),
            ("0.6 0 0", "-1 0 0"),
            ("0 -0.6 0", "0 1 0"),
            ("0 0.6 0", "0 -1 0"),
        )
    )
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option gravity="0 0 0"/><worldbody>{walls}
        <body name="box"><freejoint/><geom type="box" size="0.2 0.15 0.25" mass="20"/></body>
        </worldbody></mujoco>"""
    )
    return ContactScene(model, [], step=step, default=material)


def pattern(
    name: str, pins: int, material: Material, bodies: Sequence[str] = ("plate", "pegs"), pitch: float = 0.05
) -> Interface:
    """Return an interface of a square pattern of pins that stand on the second body and point down."""
    side = int(np.ceil(np.sqrt(pins)))
    xy = np.array([[i % side, i // side] for i in range(pins)], float) * pitch
    xy -= 0.5 * (side - 1) * pitch
    half = 0.5 * side * pitch + 0.01
    size = np.array([half, half, HOLE_HEIGHT + HOLE_RADIUS + 0.01])
    holes = np.column_stack([xy, np.full(pins, HOLE_RADIUS), np.full(pins, HOLE_HEIGHT)])
    feet = np.column_stack([xy, np.zeros(pins)])
    return Interface(
        name,
        Pins(bodies[1], material, PIN_RADIUS, PIN_LENGTH, np.array([0.0, 0.0, -1.0]), feet),
        Plate(bodies[0], material, np.zeros(3), np.eye(3), size, holes),
    )


def two_bodies(pins: int, material: Material, step: float) -> ContactScene:
    """Return two free bodies, their centres of mass off their frames, with one interface, half inserted."""
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><option gravity="0 0 0"/><worldbody>
        <body name="plate"><freejoint/><inertial pos="0 0 -0.03" mass="20" diaginertia="0.3 0.3 0.4"/>
        <geom type="box" size="0.1 0.1 0.03" contype="0" conaffinity="0"/></body>
        <body name="pegs"><freejoint/><inertial pos="0 0 0.1" mass="10" diaginertia="0.1 0.12 0.15"/>
        <geom type="sphere" size="0.05" contype="0" conaffinity="0"/></body></worldbody></mujoco>"""
    )
    scene = ContactScene(model, [pattern("interface", pins, material)], step=step)
    scene.data.qpos[7:10] = 0.0004, 0.0, 0.03
    return scene


def pushed_together(scene: ContactScene, force: Array, torque: Array) -> None:
    """Apply a wrench at the centre of mass of the second body of `two_bodies`, and its reaction."""
    mujoco.mj_kinematics(scene.model, scene.data)
    lever = scene.data.xipos[2] - scene.data.xipos[1]
    scene.data.xfrc_applied[2] = [*force, *torque]
    scene.data.xfrc_applied[1] = [*-force, *(-torque - np.cross(lever, force))]


def kinetic_energy(scene: ContactScene) -> float:
    """Return the kinetic energy of a scene [J]."""
    mujoco.mj_fwdKinematics(scene.model, scene.data)
    mujoco.mj_makeM(scene.model, scene.data)
    M = np.zeros((scene.model.nv, scene.model.nv))
    mujoco.mj_fullM(scene.model, scene.data, M)
    return float(0.5 * scene.data.qvel @ M @ scene.data.qvel)


def momenta(scene: ContactScene) -> Array:
    """Return momentum and angular momentum about the origin of free bodies, world axes, shape (6,)."""
    model, data = scene.model, scene.data
    mujoco.mj_kinematics(model, data)
    total = np.zeros(6)
    for body in range(1, model.nbody):
        adr = model.body_dofadr[body]
        turn = data.xmat[body].reshape(3, 3)
        axes = data.ximat[body].reshape(3, 3)
        omega = turn @ data.qvel[adr + 3 : adr + 6]
        v = data.qvel[adr : adr + 3] + np.cross(omega, data.xipos[body] - data.xpos[body])
        p = model.body_mass[body] * v
        spin = axes @ (model.body_inertia[body] * (axes.T @ omega))
        total += [*p, *(np.cross(data.xipos[body], p) + spin)]
    return total


def free_pairs(pairs: int, material: Material, step: float, peg: float = 2.0) -> ContactScene:
    """Return free pegs [kg] in free holed boxes of five times their mass, each pair an interface."""
    bodies, interfaces = "", []
    hole, across, along = 0.0075 * peg, 0.0012 * peg, 0.0004 * peg  # [kg m2]
    for i in range(pairs):
        bodies += f"""<body name="hole{i}" pos="{0.3 * i} 0 0"><freejoint/>
            <inertial pos="0 0 -0.03" mass="{5.0 * peg}" diaginertia="{hole} {hole} {hole}"/>
            <geom type="box" size="0.035 0.035 0.036" pos="0 0 -0.036" contype="0" conaffinity="0"/></body>
            <body name="peg{i}" pos="{0.3 * i} 0 -0.012"><freejoint/>
            <inertial pos="0 0 0" mass="{peg}" diaginertia="{across} {across} {along}"/>
            <geom type="capsule" size="0.017 0.03" contype="0" conaffinity="0"/></body>"""
        one = pattern(f"pair {i}", 1, material, (f"hole{i}", f"peg{i}"))
        pins = dataclasses.replace(one.pins, places=np.array([[0.0, 0.0, 0.5 * PIN_LENGTH]]))
        interfaces.append(dataclasses.replace(one, pins=pins))
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option gravity="0 0 0"/><worldbody>{bodies}</worldbody></mujoco>'
    )
    return ContactScene(model, interfaces, step=step, fastest=1000.0)
