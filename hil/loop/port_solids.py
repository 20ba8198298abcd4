"""What there is to see of an emulated port: a plate for each plane of its face, and its normal."""

import numpy as np

from drivers.emulation.port.geometry import planes_of
from drivers.robot.model import quat_of
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.port import Port
from hil.loop.solid import WORLD, Solid

PORT = "port"  # frame of a port with mass: world axes, at the point of its face
COLOUR = np.array([0.35, 0.55, 0.45, 0.6])
THICK, STICK = 0.01, 0.006  # [m] of a plate, and across the normal
LONG = 0.1  # [m] that the normal reaches out of the face
WIDER = 1.2  # a plate than the mock-up's edge: the face itself has no end


def port_frames(configuration: Configuration) -> list[str]:
    """Return the port's frame, if it can move."""
    port = configuration.port
    return [PORT] if port is not None and port.mass is not None else []


def port_solids(configuration: Configuration) -> list[Solid]:
    """Return the port's solids, on its frame if it can move, else in the world; nothing without one."""
    port = configuration.port
    if port is None:
        return []
    width, planes = WIDER * configuration.mockup.edge, planes_of(port)
    n = port.normal_unit
    solids = [_plate(port, plane[3:], width) for plane in planes]
    size = np.array([STICK, STICK, LONG])
    solids.append(Solid(PORT, "cylinder", size, 0.5 * LONG * n, quat_of(_axes(n)), COLOUR))
    if port_frames(configuration):
        return solids
    return [solid.at(solid.p + port.point, solid.quat).on(WORLD) for solid in solids]


def _plate(port: Port, n: Array, width: float) -> Solid:
    """Return the plate behind a plane with the outward normal `n` (3,): of a flank from the bottom on."""
    up = port.normal_unit - (port.normal_unit @ n) * n
    size = float(np.linalg.norm(up))
    flank = size > 1e-9
    p = -0.5 * THICK * n + (0.5 * width * up / size if flank else 0.0)
    return Solid(
        PORT, "box", np.array([width, width, THICK]), p, quat_of(_axes(n, up if flank else None)), COLOUR
    )


def _axes(z: Array, x: Array | None = None) -> Array:
    """Return axes (3, 3) with this z, of length 1, and x as near to `x` as that allows."""
    wanted = np.eye(3)[int(np.argmin(np.abs(z)))] if x is None else x
    y = np.cross(z, wanted)
    y /= np.linalg.norm(y)
    return np.column_stack((np.cross(y, z), y, z))
