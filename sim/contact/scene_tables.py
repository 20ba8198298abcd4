"""The tables that compiled steps work on, made of a model and its interfaces; and what they demand."""

from collections.abc import Mapping, Sequence

import mujoco
import numpy as np

from hil.common.arrays import Array, IntArray, frozen_array
from hil.common.errors import SceneError
from sim.contact.contact_laws import COEFFICIENT, CONTACT_NUMBERS, LAW_SIZE
from sim.contact.free_bodies import free_bodies
from sim.contact.interface import Interface, Pins, Plate
from sim.contact.interface_schema import Material
from sim.contact.material import pair_law
from sim.contact.own_contacts import LABEL_SIZE, OwnPairs, blank_contact
from sim.contact.pairs import pack_pairs
from sim.contact.stepping import COUNTERS, Rooms, Tables, Views
from sim.contact.struct_layout import CONTACT_BYTES, data_layout

MOST_CONTACTS = 2000
FEWEST_CONTACTS = 64  # that MuJoCo's memory must hold besides those of all pins
TOUCHING = 1e-4  # [m] by which a plate's geom may stand out of it
ROWS = 3  # of a contact with friction
_ITERATIONS, _TOLERANCE = 50, 1e-8


def prepare_model(model: mujoco.MjModel, step: float) -> None:
    """Set the options that the compiled step and the contact laws rely on.

    Raises:
        SceneError: the scene has flexible bodies, whose contacts have no law.
    """
    if model.nflex:
        raise SceneError("the scene has flexible bodies (flex): contact handling knows rigid ones only")
    option = model.opt
    option.timestep = step
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    option.solver = mujoco.mjtSolver.mjSOL_NEWTON
    option.iterations, option.tolerance, option.noslip_iterations = _ITERATIONS, _TOLERANCE, 0
    option.impratio = 1.0
    enable, disable = mujoco.mjtEnableBit, mujoco.mjtDisableBit
    option.enableflags |= int(enable.mjENBL_DIAGEXACT)
    option.enableflags &= ~(int(enable.mjENBL_SLEEP) | int(enable.mjENBL_OVERRIDE))
    option.disableflags |= int(disable.mjDSBL_AUTORESET)  # it would hide a divergence
    option.disableflags &= ~(int(disable.mjDSBL_WARMSTART) | int(disable.mjDSBL_CONTACT))


def tables(
    model: mujoco.MjModel,
    interfaces: Sequence[Interface],
    default: Material,
    materials: Mapping[str, Material],
    stands: float,
) -> Tables:
    """Return what of a scene does not change; the interfaces' laws come last in the list of laws.

    Raises:
        SceneError: a material is given to a geom that the scene does not have.
        SimulationError: see `pair_law`.
    """
    kinds: list[Material] = [default]
    geom_material = np.zeros(max(model.ngeom, 1), np.int64)
    for name, material in materials.items():
        geom = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, name)
        if geom < 0:
            names = ", ".join(repr(model.geom(i).name) for i in range(model.ngeom)) or "none"
            raise SceneError(f"there is no geom {name!r} to give a material to; geoms: {names}")
        if material not in kinds:
            kinds.append(material)
        geom_material[geom] = kinds.index(material)
    pairs = np.zeros((len(kinds), len(kinds)), np.int64)
    laws: list[Array] = []
    for i, first in enumerate(kinds):
        for j, second in enumerate(kinds):
            pairs[i, j] = len(laws)
            laws.append(pair_law(first, second))
    laws += [pair_law(each.pins.material, each.plate.material) for each in interfaces]
    addresses, bodies = free_bodies(model)
    weightless = model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_GRAVITY
    return Tables(
        data_layout(),
        geom_material,
        shut_geoms(model, interfaces),
        pairs,
        frozen_array(np.reshape(laws, (-1, LAW_SIZE))),
        addresses,
        bodies,
        np.zeros(3) if weightless else model.opt.gravity.copy(),
        model.geom_bodyid.astype(np.int64),
        model.body_invweight0[:, 0].copy(),
        stands,
    )


def own_pairs(model: mujoco.MjModel, interfaces: Sequence[Interface], known: Tables) -> OwnPairs:
    """Return the interfaces as tables.

    Raises:
        InterfaceError: a body is not there.
        SceneError: a body has no geom.
    """
    pins = pack_pairs(interfaces, model)
    law = known.laws.shape[0] - len(interfaces) + np.arange(len(interfaces))
    plate_geom = [_geom(model, each.plate.body, each.name) for each in interfaces]
    pin_geom = [_geom(model, each.pins.body, each.name) for each in interfaces for _ in each.pins.places]
    return OwnPairs(
        pins,
        np.array(plate_geom, np.int64),
        np.array(pin_geom, np.int64),
        law,
        known.laws[law, COEFFICIENT].copy(),
    )


def shut_geoms(model: mujoco.MjModel, interfaces: Sequence[Interface]) -> IntArray:
    """Return, for each geom, as bits of which interfaces' pins and plates it is a part, shape (n, 2).

    MuJoCo's own contact of a pin's geom with the same interface's plate is left out; a scene need not say so.
    """
    shut = np.zeros((max(model.ngeom, 1), 2), np.int64)
    for k, interface in enumerate(interfaces):
        pins, plate = interface.pins, interface.plate
        pin_body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, pins.body)
        plate_body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, plate.body)
        for geom in range(model.ngeom):
            if model.geom_bodyid[geom] == pin_body and _in_a_pin(model, geom, pins):
                shut[geom, 0] |= 1 << k
            if model.geom_bodyid[geom] == plate_body and _in_plate(model, geom, plate):
                shut[geom, 1] |= 1 << k
    return shut


def _in_a_pin(model: mujoco.MjModel, geom: int, pins: Pins) -> bool:
    """Return whether a geom lies on the axis of a pin and is no longer than it."""
    along = np.clip((model.geom_pos[geom] - pins.places) @ pins.axis, 0.0, pins.length)
    off = np.linalg.norm(model.geom_pos[geom] - pins.places - along[:, None] * pins.axis, axis=1)
    return bool(off.min() < 0.1 * pins.radius and model.geom_rbound[geom] < pins.length + 2 * pins.radius)


def _in_plate(model: mujoco.MjModel, geom: int, plate: Plate) -> bool:
    """Return whether the box around a geom lies within the plate."""
    axes = np.zeros(9)
    mujoco.mju_quat2Mat(axes, model.geom_quat[geom])
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    centre, half = model.geom_aabb[geom, :3], model.geom_aabb[geom, 3:]
    corners = model.geom_pos[geom] + (centre + signs * half) @ axes.reshape(3, 3).T
    local = (corners - plate.p_body_plate) @ plate.R_body_plate
    ax, ay, c = plate.size
    low, high = np.array([-ax, -ay, -c]) - TOUCHING, np.array([ax, ay, 0.0]) + TOUCHING
    return bool(np.all(local >= low) and np.all(local <= high))


def check_memory(model: mujoco.MjModel, own: OwnPairs) -> int:
    """Return how many contacts a step may have, so that MuJoCo's memory cannot run out.

    Raises:
        SceneError: there is not enough memory for the pins of the scene.
    """
    # a row: its Jacobian, whitened and sorted by islands, and some numbers; a solver: squares of nv
    row_bytes = 8 * (4 * model.nv + 64)
    free = 0.8 * model.narena - 8 * 6 * model.nv**2
    most = int(min(MOST_CONTACTS, free / (CONTACT_BYTES + ROWS * row_bytes)))
    needed = FEWEST_CONTACTS + 2 * own.pin_geom.shape[0]
    if most < needed:
        raise SceneError(
            f"MuJoCo's memory of {model.narena / 2**20:.0f} MiB holds {most} contacts, at least {needed} are "
            'needed: enlarge it in the scene file, <size memory="200M"/>'
        )
    return most


def rooms(model: mujoco.MjModel, own: OwnPairs, most_contacts: int, state_size: int) -> Rooms:
    """Return room for the numbers of one step."""
    most_rows = 6 * most_contacts + 2 * model.nv + 6 * model.neq + model.ntendon + 64
    return Rooms(
        np.zeros(most_contacts, np.int64),
        np.zeros((most_contacts, LABEL_SIZE), np.int64),
        blank_contact(),
        np.zeros((most_contacts, CONTACT_NUMBERS)),
        np.zeros(most_rows),
        np.zeros((2, model.nv)),
        np.zeros((max(model.nbody, 1), 13)),
        np.zeros(model.nv),
        np.zeros(state_size),
        np.zeros(COUNTERS, np.int64),
        np.zeros(1),
    )


def views(data: mujoco.MjData) -> Views:
    """Return the arrays of the data that compiled steps read and write."""
    return Views(
        data.qpos,
        data.qvel,
        data.qacc,
        data.qacc_warmstart,
        data.ctrl,
        data.qfrc_applied,
        data.qfrc_smooth,
        data.qfrc_bias,
        data.qfrc_constraint,
        data.xpos,
        data.xmat,
    )


def _geom(model: mujoco.MjModel, name: str, interface: str) -> int:
    """Return a geom of a body that the scene has."""
    body = model.body(name).id
    if model.body_geomnum[body] == 0:
        raise SceneError(
            f"body {name!r} (interface {interface!r}) has no geom, by which MuJoCo knows whom a contact "
            'concerns: give it one that is only seen, contype="0" conaffinity="0"'
        )
    return int(model.body_geomadr[body])
