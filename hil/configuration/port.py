"""What a configuration may say about the port that the held mock-up touches in the emulation."""

from pathlib import Path
from typing import Annotated, Literal

import numpy as np

from hil.common.arrays import Array, frozen_array, plain_numbers
from hil.configuration.quantities import Quantity, Section
from hil.configuration.tables.kinds import Degrees3, Millimetres3

MOST_FEET = 16
LEAST_ANGLE = np.deg2rad(1.0)  # between the groove's run and the port's normal


class Port(Section):
    """A port that stands in the emulated arm's way: real contact, without hardware.

    Its face is a plane without end, or a V groove; the mock-up touches it with its feet, and what the port
    exerts reaches the loop as the measured wrench does. Absent: there is no port. In: emulator, dashboard.
    """

    stiffness: Annotated[float, Quantity("n_per_m", ge=1.0, le=1e7)]
    """Of the contact of one foot with one plane; with an exponent above 1 that at a penetration of 1 mm."""
    damping: Annotated[float, Quantity("n_s_per_m", ge=0.0, le=1e5)] = 0.0
    """Beside that spring; with an exponent above 1 that at 1 mm. It never pulls, unless latched."""
    mass: Annotated[float | None, Quantity("kg", ge=0.5, le=1e6)] = None
    """Of a port that floats freely, at rest until it is touched; it does not turn. Absent: it is fixed."""
    point: Millimetres3
    """A point of its face, world axes; of a groove: a point of its bottom."""
    normal: Annotated[Array, Quantity(length=3)]
    """Out of its face towards the mock-up, world axes, of any length but 0."""
    exponent: Annotated[float, Quantity(ge=1.0, le=3.0)] = 1.0
    """Of the force over the penetration: 1 is linear, 1.5 Hertz's contact of spheres."""
    bump: Annotated[float | None, Quantity("mm", gt=0.0, le=100.0)] = None
    """Penetration from which on a second, undamped spring presses as well, as at a bump stop."""
    bump_stiffness: Annotated[float | None, Quantity("n_per_m", gt=0.0, le=1e7)] = None
    """Of that spring; both keys or none."""
    friction: Annotated[float, Quantity(ge=0.0, le=2.0)] = 0.0
    """Coulomb's coefficient between foot and face; a foot sticks on a spring as stiff as the contact's."""
    latch: bool = False
    """True: it pulls as well, at each foot that has touched it."""
    feet: Annotated[Array | None, Quantity("mm", length=3, rows=True)] = None
    """Points of the mock-up that touch it: from the object's centre of mass, object axes. Absent: one foot,
    the middle of that face of the mock-up's cube which looks at the port when the arm begins."""
    groove: Annotated[float | None, Quantity("deg", gt=0.0, le=80.0)] = None
    """By so much the two flanks of a V groove are tilted out of the face. Absent: the face is one plane."""
    groove_axis: Annotated[Array | None, Quantity(length=3)] = None
    """Along which the groove runs, world axes. Absent: the face's horizontal; of a level face, world x."""
    device_stiffness: Annotated[float | None, Quantity("n_per_m", ge=100.0, le=1e7)] = None
    """Of a compliance device that carries the mock-up, the same in all directions. Absent: it is rigid."""
    device_damping: Annotated[float, Quantity("n_s_per_m", ge=0.0, le=1e5)] = 0.0
    """Beside that device's spring; it is damped whether the mock-up touches or not."""
    arm_stiffness: Annotated[float | None, Quantity("n_per_m", ge=100.0, le=1e7)] = None
    """Of the arm behind its encoders, in series with all else, in all directions. Absent: it is rigid."""
    sensor_noise: Annotated[float | None, Quantity("n", ge=0.0, le=100.0)] = None
    """White noise on each force axis of a sensor of the port's own, which measures what the mock-up exerts on
    it about its point: for judging momentum, never for the loop. Absent: it has none."""
    sensor_noise_torque: Annotated[float, Quantity("n_m", ge=0.0, le=100.0)] = 0.0
    """White noise on each torque axis of that sensor."""
    interfaces: Path | None = None
    """Pins and holes in place of feet and a face, TOML (docs/use/interfaces.md), relative to the
    configuration's folder: the mock-up carries the pins of the one interface, the port its plate with the
    holes, whose middle is the point. Stiffness and damping are of each contact of a pin."""
    pins_position: Millimetres3 = frozen_array([0.0, 0.0, 0.0])
    """Origin of the frame that the pins are given in, from the object's centre of mass, object axes."""
    pins_rotvec: Degrees3 = frozen_array([0.0, 0.0, 0.0])
    """Turn of that frame in the object: axis times angle."""
    plate_axis: Annotated[Array | None, Quantity(length=3)] = None
    """Where the plate's x axis points, world axes, as far as it lies in the face. Absent: its horizontal; of
    a level face, world x."""

    @property
    def normal_unit(self) -> Array:
        """The port's normal of length 1, shape (3,)."""
        return frozen_array(self.normal / np.linalg.norm(self.normal))

    @property
    def compliance(self) -> float:
        """What device and arm give together [m/N]; 0: nothing."""
        return sum(1.0 / k for k in (self.device_stiffness, self.arm_stiffness) if k is not None)


def port_faults(
    port: Port, control: Literal["position", "impedance", "kinematic"], elastic: bool
) -> list[str]:
    """Return what no single key of the table shows, a sentence each.

    Args:
        port: the table.
        control: `emulator.control`.
        elastic: `emulator.elastic`.
    """
    faults = []
    if not np.linalg.norm(port.normal) > 0.0:
        faults.append(
            f"port.normal = {plain_numbers(port.normal)} has no direction: write where its face looks, as "
            "[-1.0, 0.0, 0.0]"
        )
    if port.feet is not None and len(port.feet) > MOST_FEET:
        faults.append(f"port.feet_mm has {len(port.feet)} feet; it may have {MOST_FEET} at most")
    if (port.bump is None) != (port.bump_stiffness is None):
        there, lacks = ("bump_mm", "bump_stiffness_n_per_m")[:: 1 if port.bump_stiffness is None else -1]
        faults.append(f"port.{there} stands there without port.{lacks}: write both, or take it out")
    if port.device_damping > 0.0 and port.device_stiffness is None:
        faults.append(
            "port.device_damping_n_s_per_m stands there without port.device_stiffness_n_per_m: write "
            "both, or take it out"
        )
    if port.groove_axis is not None and port.groove is None:
        faults.append("port.groove_axis stands there without port.groove_deg: write it, or take the axis out")
    elif port.groove_axis is not None and not faults and _runs_into_face(port.normal, port.groove_axis):
        faults.append(
            f"port.groove_axis = {plain_numbers(port.groove_axis)} must not lie along port.normal = "
            f"{plain_numbers(port.normal)}: write where the groove runs within the face"
        )
    faults += _pin_faults(port) if not faults else []
    if control == "impedance" or elastic:
        key = "emulator.elastic = true" if elastic else "emulator.control = 'impedance'"
        faults.append(
            f"port is refused with {key}: its force is a function of a stiff arm's pose; write "
            'emulator.control = "position" and give the arm\'s elasticity by port.arm_stiffness_n_per_m'
        )
    return faults


def _pin_faults(port: Port) -> list[str]:
    """Return what a port with holes has no use for, or pins without holes, a sentence each."""
    if port.interfaces is None:
        pins = {
            "pins_position_mm": bool(port.pins_position.any()),
            "pins_rotvec_deg": bool(port.pins_rotvec.any()),
            "plate_axis": port.plate_axis is not None,
        }
        return [
            f"port.{key} stands there without port.interfaces: name the file of pins and holes, or take it "
            "out"
            for key, given in pins.items()
            if given
        ]
    beside = {
        "mass_kg": port.mass, "bump_mm": port.bump, "feet_mm": port.feet, "groove_deg": port.groove,
        "device_stiffness_n_per_m": port.device_stiffness, "arm_stiffness_n_per_m": port.arm_stiffness,
    }  # fmt: skip
    faults = [
        f"port.{key} is refused beside port.interfaces: a plate with holes is fixed, and its pins are rigid; "
        "take it out"
        for key, value in beside.items()
        if value is not None
    ]
    if port.plate_axis is not None and _runs_into_face(port.normal, port.plate_axis):
        faults.append(
            f"port.plate_axis = {plain_numbers(port.plate_axis)} must not lie along port.normal = "
            f"{plain_numbers(port.normal)}: write where the plate's x axis points within the face"
        )
    return faults


def _runs_into_face(normal: Array, axis: Array) -> bool:
    size = float(np.linalg.norm(normal) * np.linalg.norm(axis))
    return not float(np.linalg.norm(np.cross(normal, axis))) > np.sin(LEAST_ANGLE) * size
