"""IK parameters, as TOML: what an inverse kinematics needs to know of a chain.

source: Krenn et al., the list of "Model Export, Inverse Kinematics": number of joints, their types, distance
vector and rotation matrix from each link's input marker to its output marker, weights of the criteria. Limits
stand beside them. All in SI units, angles in rad.
"""

from collections.abc import Iterable

import numpy as np

from hil.common.arrays import Array
from sim.assembly.manipulator import Manipulator
from sim.exports.text import number

HEAD = """\
# Pose of the tip in the base: the product over the links i = 0 ... n of [rotation_i distance_i; 0 1] and,
# before each link but the first, of joint i's motion about (revolute) or along (linear) its axis.
# Units: m, rad, s, N, N m. Marker frames: the input marker of link i is the frame of joint i, which moves
# with the link; its output marker is where joint i + 1 is at zero, for the last link the tip.
"""


def ik_text(manipulator: Manipulator) -> str:
    """Return the IK parameters of a manipulator as TOML."""
    chain, n = manipulator.chain, len(manipulator.axes)
    lines = [HEAD, f'name = "{manipulator.name}"', f"joints = {n}", f"gravity = {_list(manipulator.gravity)}"]
    for i, T in enumerate([*chain.placements, chain.T_last_tip]):
        lines += ["", "[[link]]", f'name = "link_{i}"', f"distance = {_list(T[:3, 3])}"]
        lines.append("rotation = [" + ", ".join(_list(row) for row in T[:3, :3]) + "]")
    for i, axis in enumerate(manipulator.axes):
        kind = "linear" if axis.linear else "revolute"
        lines += ["", "[[joint]]", f'name = "{axis.name}"', f'type = "{kind}"']
        lines += [f"axis = {_list(chain.axes[i])}", f"lower = {number(axis.joint.lower)}"]
        lines += [f"upper = {number(axis.joint.upper)}", f"speed = {number(axis.joint.speed)}"]
        lines.append(f"effort = {number(axis.effort)}")
    lines += ["", "[weights]  # diagonals of P in f = x P x; torque and power by what the joints can"]
    lines += [f"{name} = {_list(values)}" for name, values in weights_of(manipulator).items()]
    return "\n".join(lines) + "\n"


def weights_of(manipulator: Manipulator) -> dict[str, Array]:
    """Return the default weights of each criterion: (n,) of the joints', (6,) of the base's wrench."""
    n = len(manipulator.axes)
    most = manipulator.efforts
    return {
        "position": np.ones(n),
        "speed": np.ones(n),
        "acceleration": np.ones(n),
        "torque": 1.0 / most**2,
        "power": 1.0 / (most * manipulator.speeds) ** 2,
        "base_wrench": np.ones(6),
    }


def _list(values: Iterable[float]) -> str:
    return "[" + ", ".join(number(value) for value in values) + "]"
