"""Numbers, names and rotations as exported files write them: whoever reads gets the same doubles back."""

import math
import re
from collections.abc import Iterable
from xml.etree import ElementTree

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import AssemblyError

XML = '<?xml version="1.0" encoding="UTF-8"?>\n'


def number(value: float) -> str:
    """Return the shortest text that is read as the same double; zero has no sign.

    Raises:
        AssemblyError: it is not finite.
    """
    if not math.isfinite(value):
        raise AssemblyError(f"a model cannot be exported with the number {value}")
    return repr(float(value) + 0.0)


def numbers(values: Iterable[float]) -> str:
    """Return numbers with blanks between them."""
    return " ".join(number(value) for value in values)


def identifier(name: str) -> str:
    """Return a name as a word of letters, digits and underscores that begins with no digit."""
    word = re.sub(r"\W", "_", name, flags=re.ASCII)
    return f"_{word}" if not word or word[0].isdigit() else word


def roll_pitch_yaw(R: Array) -> Array:
    """Return the angles of `R = Rz(yaw) Ry(pitch) Rx(roll)` [rad], shape (3,), exact at any pitch.

    Yaw is taken off before the others are read: near a pitch of 90 degrees it is any angle, but the three
    still give the same matrix.
    """
    yaw = math.atan2(R[1, 0], R[0, 0])
    c, s = math.cos(yaw), math.sin(yaw)
    rest = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]) @ R
    return np.array([math.atan2(-rest[1, 2], rest[1, 1]), math.atan2(-rest[2, 0], rest[0, 0]), yaw])


def xml_text(root: ElementTree.Element) -> str:
    """Return an element as a document, indented."""
    ElementTree.indent(root)
    return XML + ElementTree.tostring(root, encoding="unicode") + "\n"
