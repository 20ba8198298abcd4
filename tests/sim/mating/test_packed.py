"""Parts for compiled loops: the same laws, their energy, and what a row of numbers remembers."""

import numpy as np
import pytest

from hil.common.arrays import Array
from sim.mating.o_ring import numbers_of
from sim.mating.o_ring_load import ring_energy, ring_load
from sim.mating.o_ring_schema import ORingSection
from sim.mating.packed import HOLDS, LOAD, WIDTH, WORK, Packed, packed, step_part, stored_energy
from sim.mating.snap import SnapFastener
from sim.mating.snap_schema import SnapSection

BEAM = {
    "type": "beam", "length_mm": 30.0, "height_clamp_mm": 2.5, "height_tip_mm": 1.5, "width_clamp_mm": 8.0,
    "width_tip_mm": 8.0, "modulus_mpa": 2700.0,
}  # fmt: skip
PLATE = {
    "type": "plate", "size_x_mm": 32.0, "size_y_mm": 66.0, "thickness_mm": 3.0, "hook_x_mm": 27.0,
    "hook_y_mm": 48.0, "modulus_mpa": 2700.0, "poisson": 0.3, "printed": True,
}  # fmt: skip
HOOK = {"height_mm": 1.5, "entry_deg": 30.0, "flat_mm": 1.0, "exit_deg": 55.0, "width_mm": 8.0}
SOFT = {"shore_a": 40.0}
STEP = 2e-5  # [m]
SPEED = 0.5  # [m/s], far above the slip speed


def ring(**changes: object) -> ORingSection:
    table = {
        "inner_mm": 38.0, "section_mm": 2.0, "groove_mm": 40.0, "hole_mm": 43.6, "chamfer_mm": 2.0,
        "length_mm": 8.0, "mu": 0.2, "slip_mm_s": 1.0,
    }  # fmt: skip
    return ORingSection.model_validate(table | changes | ({} if "c1_n_per_mm2" in changes else SOFT))


def snap(support: dict[str, object] = BEAM, **changes: object) -> SnapSection:
    table = {"support": support, "hook": HOOK, "counterpart_mm": 3.0, "mu": 0.2, "slip_mm_s": 1.0}
    return SnapSection.model_validate(table | changes)


def along(parts: Packed, axis: int, ways: Array) -> tuple[Array, Array]:
    """Rows (n, WIDTH) and stored energies (n,) along a straight way at a constant speed."""
    row, T, rows, stored = np.zeros(WIDTH), np.eye(4), [], []
    sign = np.sign(ways[1] - ways[0])
    twist = np.zeros(6)
    twist[axis] = sign * SPEED
    for T[axis, 3] in ways:
        step_part(row, parts, 0, T, twist, abs(ways[1] - ways[0]) / SPEED)
        rows.append(row.copy())
        stored.append(stored_energy(row, parts, 0, T))
    return np.array(rows), np.array(stored)


@pytest.mark.parametrize("place", [(0, 0, 1.5), (0.05, 0.02, 0.8), (0.3, 0, -3), (0, 0.05, -9.0)])
@pytest.mark.parametrize("law", [{}, {"c1_n_per_mm2": 16.0, "c2_n_per_mm3": 43.0}])
def test_a_frictionless_ring_pushes_down_its_energy(place: tuple[float, ...], law: dict[str, float]) -> None:
    """On both chamfers and in the hole, concentric and not: the load is the energy's gradient."""
    numbers, T = numbers_of(ring(mu=0.0, **law)), np.eye(4)
    T[:3, 3] = 1e-3 * np.array(place)
    load = ring_load(numbers, T, np.zeros(6))[0]
    for k in range(3):
        ends = []
        for step in (1e-7, -1e-7):
            there = T.copy()
            there[k, 3] += step
            ends.append(ring_energy(numbers, there))
        assert -(ends[0] - ends[1]) / 2e-7 == pytest.approx(load[k], rel=1e-4, abs=1e-3)


@pytest.mark.parametrize(
    ("support", "more"), [(BEAM, {"halves": 2}), (BEAM, {}), (PLATE, {"rule": "corners"})]
)
def test_a_row_is_the_law_with_its_state(support: dict[str, object], more: dict[str, object]) -> None:
    """In and out again, tilted a little: loads and deformations are those of the law's own state."""
    section = snap(support, **more)
    law, parts, row = SnapFastener(section), packed([ring(), section]), np.zeros(WIDTH)
    state, T, twist = law.begin(), np.eye(4), np.zeros(6)
    T[:3, :3] = [[1.0, 0.0, 2e-3], [0.0, 1.0, 0.0], [-2e-3, 0.0, 1.0]]
    T[2, 3] = 1e-4
    inward = np.linspace(-law.front - 1e-3, 2.9e-3, 300)
    for ways, speed in ((inward, SPEED), (inward[::-1], -SPEED)):
        twist[0] = speed
        for T[0, 3] in ways:
            wrench, state = law.step(state, T, twist)
            step_part(row, parts, 1, T, twist, 1e-3)
            if wrench.phase != "held":
                assert row[LOAD : LOAD + 6] == pytest.approx(wrench.load, rel=1e-9, abs=1e-9)


def test_a_frictionless_latch_gives_back_all() -> None:
    """Work in is what the beam stores, all along; once it is through, both are nothing."""
    rows, stored = along(packed([snap(mu=0.0)]), 0, np.arange(-6e-3, 3.3e-3, STEP))
    assert stored.max() > 1e-3
    assert np.abs(rows[:, WORK] - stored).max() < 0.02 * stored.max()
    assert abs(rows[-1, WORK]) < 0.01 * stored.max() and stored[-1] < 1e-20


def test_work_is_heat_and_what_is_stored() -> None:
    """With friction heat only grows, and more of it with more friction; the beam stores the same."""
    found = []
    for mu in (0.1, 0.2):
        rows, stored = along(packed([snap(mu=mu)]), 0, np.arange(-6e-3, 3.3e-3, STEP))
        heat = rows[:, WORK] - stored
        assert np.diff(heat).min() > -1e-3 * stored.max()
        assert rows[-1, WORK] == pytest.approx(np.sum(-rows[:-1, LOAD]) * STEP, rel=1e-9)
        found.append((heat[-1], stored.max()))
    assert found[1][0] == pytest.approx(2.0 * found[0][0], rel=0.1)
    assert found[1][1] == pytest.approx(found[0][1], rel=0.05)


def test_a_ring_in_its_hole_turns_all_work_into_heat() -> None:
    """From where the cylinder begins on nothing more is stored: work is plateau times way."""
    rows, stored = along(packed([ring()]), 2, -np.arange(0.0, 6e-3, STEP))
    assert stored == pytest.approx(np.full(len(stored), stored[0]), rel=1e-12) and stored[0] > 0.0
    assert rows[-1, WORK] == pytest.approx(rows[1, LOAD + 2] * STEP * (len(rows) - 1), rel=1e-6)


def test_what_holds() -> None:
    """A ring seals within its hole, off by less than its squeeze; a latch is closed behind the rear edge."""
    seals, _ = along(packed([ring()]), 2, np.arange(4e-3, -9e-3, -1e-4))
    depth = -np.arange(4e-3, -9e-3, -1e-4)
    assert ((seals[:, HOLDS] > 0.0) == ((depth >= 0.0) & (depth <= 8e-3))).all()
    row, T = np.zeros(WIDTH), np.eye(4)
    T[:3, 3] = 0.21e-3, 0.0, -2e-3
    step_part(row, packed([ring()]), 0, T, np.zeros(6), 1e-3)
    assert row[HOLDS] == 0.0, "0.2 mm of squeeze, 0.21 off: nothing is left at the other side"
    notched = ring(notches=[{"at_deg": 0.0, "width_deg": 5.0}])
    T[0, 3] = 0.0
    step_part(row, packed([notched]), 0, T, np.zeros(6), 1e-3)
    assert row[HOLDS] == 0.0 and row[LOAD] == pytest.approx(0.0, abs=1.0)
    ways = np.arange(-6e-3, 3.3e-3, STEP)
    latch, _ = along(packed([snap()]), 0, ways)
    closed = latch[:, HOLDS] > 0.0
    begins = ways[np.argmax(closed)]
    assert closed[np.argmax(closed) :].all()
    assert 3e-3 - 1.5e-3 / np.tan(np.radians(55.0)) - STEP < begins < 3e-3


@pytest.mark.parametrize(("before", "after"), [(5.0, 5.0), (-5.0, 0.0)], ids=["resists", "drives"])
def test_where_friction_holds_a_hook_its_load_stands_while_it_resists(before: float, after: float) -> None:
    """Pulled at a rear ramp of 88 degrees there is no equilibrium, and no load of the law."""
    parts, row = packed([snap(hook=HOOK | {"exit_deg": 88.0})]), np.zeros(WIDTH)
    T, twist = np.eye(4), np.array([SPEED, 0.0, 0.0, 0.0, 0.0, 0.0])
    for T[0, 3] in np.arange(-6e-3, 3.1e-3, STEP):
        step_part(row, parts, 0, T, twist, 1e-3)
    assert row[HOLDS] == 1.0 and row[LOAD] == 0.0
    row[LOAD], T[0, 3] = before, 2.98e-3
    step_part(row, parts, 0, T, -twist, 1e-3)
    assert (row[LOAD], row[HOLDS]) == (after, 0.0)


def test_beside_its_edge_a_latch_does_nothing() -> None:
    """Far below, far aside and turned over there is no load, and nothing is remembered."""
    parts, row = packed([snap()]), np.zeros(WIDTH)
    for place, R in (
        ((0.0, 0.0, -4e-3), np.eye(3)),
        ((0.0, 20e-3, 0.0), np.eye(3)),
        ((0.0, 0.0, 0.0), np.diag([-1.0, 1.0, -1.0])),
    ):
        T = np.eye(4)
        step_part(row, parts, 0, T, np.array([SPEED, 0, 0, 0, 0, 0]), 1e-3)
        assert row[LOAD] < 0.0
        T[:3, :3], T[:3, 3] = R, place
        step_part(row, parts, 0, T, np.zeros(6), 1e-3)
        assert not row[: LOAD + 6].any()
