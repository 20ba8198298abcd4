"""Where MuJoCo keeps what compiled code must read and edit: contacts and constraint rows.

`mjContact` is written down here (version 4.0.0) and compared, field by field, with a live one. The members
of `mjData` are found in the memory of a small scene, because that structure begins with a long block of
statistics. Both happen once, at start-up; what does not fit is refused.
"""

import ctypes
from functools import cache
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from hil.common.arrays import IntArray
from hil.common.errors import SimulationError

CONTACT_BYTES = 608
CONTACT_DOUBLES = CONTACT_BYTES // 8
# indices of doubles in a contact
DIST, POS, FRAME, MARGIN, FRICTION, SOLREF, SOLREF_FRICTION, SOLIMP, MU = 0, 1, 4, 13, 14, 19, 21, 23, 32
# indices of 32-bit integers in a contact
DIM, GEOM1, GEOM2, GEOM, FLEX, ELEM, VERT, EXCLUDE, EFC_ADDRESS = 138, 139, 140, 141, 143, 145, 147, 149, 150

# entries of the layout array: numbers of 32-bit integers, then of 64-bit pointers, from mjData's address
N_CONTACTS, N_ROWS, CONTACTS, ROW_POS, ROW_MARGIN, ROW_DIAGONAL, ROW_D, ROW_R = 0, 1, 2, 3, 4, 5, 6, 7
ROW_VELOCITY, ROW_REFERENCE, ROW_FORCE, ROW_JACOBIAN = 8, 9, 10, 11
LAYOUT_SIZE = 12
_ARRAYS = {
    ROW_POS: "efc_pos",
    ROW_MARGIN: "efc_margin",
    ROW_DIAGONAL: "efc_diagA",
    ROW_D: "efc_D",
    ROW_R: "efc_R",
    ROW_VELOCITY: "efc_vel",
    ROW_REFERENCE: "efc_aref",
    ROW_FORCE: "efc_force",
    ROW_JACOBIAN: "efc_J",
}

_FIELDS = {  # of mjContact: first index, number of values
    "dist": (DIST, 1),
    "pos": (POS, 3),
    "frame": (FRAME, 9),
    "includemargin": (MARGIN, 1),
    "friction": (FRICTION, 5),
    "solref": (SOLREF, 2),
    "solreffriction": (SOLREF_FRICTION, 2),
    "solimp": (SOLIMP, 5),
    "mu": (MU, 1),
    "dim": (DIM, 1),
    "geom1": (GEOM1, 1),
    "geom2": (GEOM2, 1),
    "geom": (GEOM, 2),
    "flex": (FLEX, 2),
    "elem": (ELEM, 2),
    "vert": (VERT, 2),
    "exclude": (EXCLUDE, 1),
    "efc_address": (EFC_ADDRESS, 1),
}
_FIRST_INTEGER = 138
_SCENE = """<mujoco><option jacobian="dense" cone="elliptic"><flag diagexact="enable"/></option><worldbody>
<geom type="plane" size="9 9 1"/>{}</worldbody>{}</mujoco>"""
_BALL = '<body pos="{} 0 0.09"><freejoint/><geom size="0.1"/><site name="s{}"/></body>'
_TENDON = '<tendon><spatial><site site="s0"/><site site="s1"/></spatial></tendon>'
_CHUNK = 1024  # words that are looked at in one go
_WINDOW = 1 << 16  # words, within which mjData's members must be found


@cache
def data_layout() -> IntArray:
    """Return where the members of `mjData` are, shape (LAYOUT_SIZE,), after all checks.

    Raises:
        SimulationError: the installed MuJoCo does not keep its data as this version expects.
    """
    _check_contact()
    probes = [_touching(3, ""), _touching(5, _TENDON)]
    memory = [_words(data) for data in probes]
    layout = np.zeros(LAYOUT_SIZE, np.int64)
    # the contacts always lie first in the arena, whose address stands in mjData as well
    layout[CONTACTS] = _member(memory, [_contact_address(data) for data in probes], "contact", 2)
    for entry, name in _ARRAYS.items():
        layout[entry] = _member(memory, [getattr(data, name).ctypes.data for data in probes], name)
    layout[N_CONTACTS], layout[N_ROWS] = _counters(probes, memory)
    return layout


def _touching(balls: int, more: str) -> mujoco.MjData:
    """Return the data of some balls on a plane, each with one contact of three rows."""
    bodies = "".join(_BALL.format(i, i) for i in range(balls))
    model = mujoco.MjModel.from_xml_string(_SCENE.format(bodies, more))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return data


def _contact_address(data: mujoco.MjData) -> int:
    return int(data.contact[0].pos.ctypes.data) - 8 * POS


def _words(data: mujoco.MjData) -> NDArray[np.uint64]:
    """Return the structure's memory as 64-bit words, up to its last member, the model's signature."""
    for start in range(0, _WINDOW, _CHUNK):
        array = (ctypes.c_uint64 * (start + _CHUNK)).from_address(data._address)
        words: NDArray[np.uint64] = np.ctypeslib.as_array(array)
        end = np.flatnonzero(words[start:] == data.signature)
        if end.size:
            return words[: start + int(end[0])]
    raise _unknown_layout("mjData.signature")


def _member(memory: list[NDArray[np.uint64]], targets: list[int], name: str, hits: int = 1) -> int:
    """Return the last index of the word, or of so many, that holds these addresses in these data.

    An array without elements has the address of its successor, so one scene would not tell them apart.
    """
    words = min(len(each) for each in memory)
    match = np.ones(words, bool)
    for each, target in zip(memory, targets, strict=True):
        match &= each[:words] == target
    found = np.flatnonzero(match)
    if found.size != hits:
        raise _unknown_layout(f"mjData.{name}")
    return int(found[-1])


def _counters(probes: list[mujoco.MjData], memory: list[NDArray[np.uint64]]) -> tuple[int, int]:
    """Return the indices of ncon and nefc as 32-bit integers: of one block that holds these numbers."""
    sizes = [each.view(np.int32) for each in memory]
    end = min(len(each) for each in sizes) - 4
    # ncon, ne, nf, nl, nefc follow one another (mjdata.h, "variable sizes")
    match = np.ones(end, bool)
    for offset, name in enumerate(("ncon", "ne", "nf", "nl", "nefc")):
        for values, data in zip(sizes, probes, strict=True):
            match &= values[offset : end + offset] == getattr(data, name)
    found = np.flatnonzero(match)
    if found.size != 1:
        raise _unknown_layout("mjData.ncon")
    return int(found[0]), int(found[0]) + 4


def _check_contact() -> None:
    """Write a different value into every field of a contact and look where it arrives."""
    contact = mujoco.MjContact()
    base = contact.pos.ctypes.data - 8 * POS
    doubles = np.ctypeslib.as_array((ctypes.c_double * CONTACT_DOUBLES).from_address(base))
    integers = doubles.view(np.int32)
    value = 1
    for name, (index, count) in _FIELDS.items():
        expected: list[Any] = list(range(value, value + count))
        value += count
        if count == 1:
            setattr(contact, name, expected[0])
        else:
            getattr(contact, name).flat[:] = expected
        memory = doubles if index < _FIRST_INTEGER // 2 else integers
        if list(memory[index : index + count]) != expected:
            raise _unknown_layout(f"mjContact.{name}")
    data = _touching(2, "")
    pitch = data.contact[1].pos.ctypes.data - data.contact[0].pos.ctypes.data
    if pitch != CONTACT_BYTES:
        raise _unknown_layout("the size of mjContact")


def _unknown_layout(what: str) -> SimulationError:
    return SimulationError(
        f"MuJoCo {mujoco.__version__}: {what} is not where contact handling expects it (written for 4.0.0): "
        "install the version that requirements.lock names"
    )
