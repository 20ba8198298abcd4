"""Landings in six dimensions through joints: the same feet, faces and motions as on the simple plant.

The body cannot be let go right before the port, for the arm has to set off: it flies, and turns, on its way.
So the port is turned with it, and at the touch it lies as it does on the simple plant.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from bench.acceptance.joint_trials import CYCLE, SETTLED, WAY, Case, configured
from bench.contact_plant import Port
from bench.contact_trials import LANDINGS, MASS, ideal_flight
from drivers.emulation.port.emulated_port import EmulatedPort
from hil.common.arrays import Array
from hil.loop.lockstep import LockStep
from hil.messaging.codec import Message
from hil.messaging.messages import SimState

CENTRE = np.array([0.79, 0.0, 0.15])  # [m] world, of the body when it begins
OBJECT = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])  # its axes there
DOWN = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])  # the landings' axes: down is world x
GROOVE = "C"
TILT = 0.01  # [rad] of the port, drawn
SWING = 30.0  # [deg] to the stop: a landing turns the body fast
SET_OFF = 0.2  # [s] that object time stands and gains pace when it begins
ASIDE, ABOVE = 0.001, 0.002  # [m] of the groove's bottom, before the way of the last cycle


class Landed(NamedTuple):
    """Errors of velocity and of spin (at 0.2 m), over the speed before; why the arm braked, if it did."""

    velocity: float
    spin: float
    fault: str = ""


class Landing(NamedTuple):
    """Where feet and port are, and how the body sets off: feet in object axes, all else in world axes."""

    feet: Array
    normal: Array
    point: Array
    along: Array
    twist: Array


def landing(name: str, seed: int) -> Landing:
    """Return one of `LANDINGS`, such that a foot touches after `WAY`."""
    feet, _, spin, velocity = LANDINGS[name]
    rng = np.random.default_rng(2000 + seed)
    v, w = DOWN @ np.array(velocity), DOWN @ np.radians(spin)
    turned = Rotation.from_rotvec(WAY * w)
    port = turned * Rotation.from_rotvec(DOWN @ rng.normal(0.0, TILT, 3)) * Rotation.from_matrix(DOWN)
    across, along, normal = port.as_matrix().T
    there = turned.apply(np.array(feet, float) @ DOWN.T)  # from the centre, when they touch
    point = CENTRE + WAY * v + ((there @ normal).min() - CYCLE * rng.random() * np.linalg.norm(v)) * normal
    if name == GROOVE:
        point = point - ASIDE * across - ABOVE * normal
    return Landing(np.array(feet, float) @ DOWN.T @ OBJECT, normal, point, along, np.concatenate((v, w)))


def keys(case: Case, name: str) -> list[str]:
    """Return what sets the configuration to it."""
    planned = landing(name, case.seed)
    share = len(planned.feet)
    damping = 2.0 * case.z * math.sqrt(case.k * MASS)
    groove = ["port.groove_deg=45", f"port.groove_axis={listed(planned.along)}"]
    return [
        *case.keys(),
        f"port.feet_mm={[listed(1e3 * foot) for foot in planned.feet]}",
        f"port.point_mm={listed(1e3 * planned.point)}",
        f"port.normal={listed(planned.normal)}",
        f"port.stiffness_n_per_m={case.k / share}",
        f"port.damping_n_s_per_m={damping / share}",
        f"object.initial_velocity_mm_s={listed(1e3 * planned.twist[:3])}",
        f"object.initial_spin_deg_s={listed(np.degrees(planned.twist[3:]))}",
        f"stops.swing_deg={SWING}",
        *(groove if name == GROOVE else []),
    ]


def listed(numbers: Array) -> list[float]:
    """Return numbers as a file has them."""
    return [round(float(x), 9) for x in numbers]


def landed(case: Case, name: str) -> Landed:
    """Let the body land, in the loop and as it would without any delay, over the same object time."""
    last: list[SimState] = []

    def hear(_: str, message: Message) -> None:
        if isinstance(message, SimState):
            last[:] = [message]

    loop = LockStep(configured(keys(case, name)), None, hear)
    own = loop.port
    assert isinstance(own, EmulatedPort)
    seconds = SET_OFF + WAY + SETTLED + (0.5 if name == GROOVE else 0.0) + 2.0 * case.delay + 9.0 / case.rate
    trace = loop.run(seconds)
    if loop.fault:
        return Landed(math.nan, math.nan, loop.fault)
    damping = 2.0 * case.z * math.sqrt(case.k * MASS)
    faces = np.ascontiguousarray(own.planes[:, :3]), np.ascontiguousarray(own.planes[:, 3:])
    port = Port(own.feet, *faces, case.k / len(own.feet), damping / len(own.feet))
    p, quat, twist = (
        trace.p_world_object_sim[0],
        trace.quat_world_object_sim[0],
        trace.twist_world_object_sim[0],
    )
    end, _ = ideal_flight(port, p, quat, twist, last[0].object_time)
    error, speed = last[0].twist_world_object - end, float(np.linalg.norm(twist[:3]))
    return Landed(float(np.linalg.norm(error[:3])) / speed, 0.2 * float(np.linalg.norm(error[3:])) / speed)
