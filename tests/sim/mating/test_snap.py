"""Snap fasteners: stiffness by integrals and handbooks, ramps and flats by closed forms, the way through."""

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.integrate import quad

from sim.mating.snap import SnapFastener, SnapState
from sim.mating.snap_equilibrium import contact_at, hook_pose, lowest
from sim.mating.snap_schema import SnapSection
from sim.mating.snap_stiffness import (
    PLATE_AS_PRINTED,
    beam,
    beam_compliance,
    beam_strain,
    plate,
    plate_compliance,
    ring,
    torsion_bar,
)

MM = 1e-3
IN = np.array([0.05, 0.0, 0.0, 0.0, 0.0, 0.0])
BEAM = {
    "type": "beam", "length_mm": 40.0, "height_clamp_mm": 5.0, "height_tip_mm": 2.7, "width_clamp_mm": 20.0,
    "width_tip_mm": 20.0, "modulus_mpa": 2700.0,
}  # fmt: skip
PLATE = {
    "type": "plate", "size_x_mm": 32.0, "size_y_mm": 66.0, "thickness_mm": 3.0, "hook_x_mm": 27.0,
    "hook_y_mm": 48.0, "modulus_mpa": 2700.0, "poisson": 0.3, "printed": True,
}  # fmt: skip
RING = {"type": "ring", "radius_mm": 10.0, "thickness_mm": 1.0, "modulus_mpa": 2700.0, "poisson": 0.35}
BAR = {
    "type": "torsion", "length_mm": 6.0, "radius_mm": 1.5, "lever_mm": 20.0, "modulus_mpa": 2700.0,
    "poisson": 0.35,
}  # fmt: skip
HOOK = {"height_mm": 3.0, "entry_deg": 30.0, "flat_mm": 2.0, "exit_deg": 45.0, "width_mm": 20.0}


def snap(
    support: dict[str, Any] = BEAM, hook: dict[str, float] | None = None, **changes: Any
) -> SnapFastener:
    table = {
        "support": support,
        "hook": HOOK | (hook or {}),
        "counterpart_mm": 4.0,
        "mu": 0.2,
        "rule": "corners",
    }
    return SnapFastener(SnapSection.model_validate(table | {"slip_mm_s": 1e-3} | changes))


def way(
    part: SnapFastener, end_mm: float = 16.0, step_mm: float = 0.02, y_turn: float = 0.0
) -> list[dict[str, Any]]:
    """Push it in, and note what there is to see."""
    state, rows = part.begin(), []
    for depth in np.arange(-0.2, end_mm, step_mm):
        T = np.eye(4)
        T[0, 3] = MM * depth - part.front
        wrench, state = part.step(state, T, IN)
        rows.append(
            {"mm": depth, "x": -wrench.load[0], "z": wrench.load[2], "phase": wrench.phase, "state": state}
        )
    return rows


def phases(rows: list[dict[str, Any]]) -> list[str]:
    return [name for name, _ in itertools.groupby(row["phase"] for row in rows)]


def test_beam_matrix_to_the_printed_digits() -> None:
    """The cantilever's stiffness as published, symmetric, and its compliance by adaptive quadrature."""
    K = beam(40 * MM, (5 * MM, 2.7 * MM), (20 * MM, 20 * MM), 2700e6)
    assert K[2, 2] == pytest.approx(45.5448e3, rel=1e-6) and K[4, 4] == pytest.approx(14.285417, rel=1e-6)
    assert K[2, 4] == pytest.approx(638.810, rel=1e-6) and abs(K - K.T).max() < 1e-9
    assert (
        round(K[2, 2] / 1e3, 1) == 45.5 and round(K[2, 4], 1) == 638.8 and round(K[4, 4] * 1e3, 1) == 14285.4
    )
    assert np.count_nonzero(K) == 4

    def bending(x: float) -> float:
        return 1.0 / (2700e6 * 0.02 * (5 * MM - 2.3 * MM * x / 0.04) ** 3 / 12.0)

    found = beam_compliance(40 * MM, (5 * MM, 2.7 * MM), (20 * MM, 20 * MM), 2700e6)
    assert found[0, 0] == pytest.approx(quad(lambda x: (0.04 - x) ** 2 * bending(x), 0.0, 0.04)[0], rel=1e-9)
    assert found[0, 1] == pytest.approx(-quad(lambda x: (0.04 - x) * bending(x), 0.0, 0.04)[0], rel=1e-9)


def test_beams_against_plastics_makers_formulae() -> None:
    """Uniform, thinner at the tip, narrower at the tip: forces within 0.3 %, strains as in their tables."""
    L, t, b, E = 40 * MM, 4 * MM, 10 * MM, 2700e6

    def force(height: float, width: float) -> float:
        return 1.0 / float(beam_compliance(L, (t, height), (b, width), E)[0, 0])

    rigid = E * b * (t / L) ** 3
    assert force(t, b) == pytest.approx(rigid / 4.0, rel=1e-12)
    assert force(t / 2, b) == pytest.approx(rigid / 6.528, rel=3e-3)
    assert force(t / 2, b) == pytest.approx(rigid / 6.5421, rel=1e-5)
    assert force(t, b / 4) == pytest.approx(rigid / 5.136, rel=3e-3)
    assert force(t, b / 4) == pytest.approx(rigid / 5.1312, rel=1e-5)
    y = 1 * MM
    for height, width, factor in ((t, b, 1.5), (t / 2, b, 0.92), (t, b / 4, 1.17)):
        strain = beam_strain(L, (t, height), (b, width), E, (force(height, width) * y, 0.0))
        assert strain == pytest.approx(factor * t * y / L**2, rel=6e-3)


def test_plate_matrix() -> None:
    """Converged compliance, signs of the couplings as printed, and the diagonal on the coarse grid."""
    size, at = (32 * MM, 66 * MM), (27 * MM, 48 * MM)
    fine = plate_compliance(size, 3 * MM, 2700e6, 0.3, at, (16, 16))
    assert fine[0, 0] == pytest.approx(0.01909e-3, rel=5e-3)
    assert fine[0, 1:] == pytest.approx([2.65e-4, -1.030e-3], rel=2e-2)
    assert fine[0, 0] > plate_compliance(size, 3 * MM, 2700e6, 0.3, at, (4, 4))[0, 0], "Ritz is too stiff"
    assert np.linalg.inv(PLATE_AS_PRINTED)[0, 0] > 1.14 * fine[0, 0], "which no such plate can have"
    K = plate(size, 3 * MM, 2700e6, 0.3, at, (1, 3), 4)[2:5, 2:5]
    assert np.diag(K) == pytest.approx(np.diag(PLATE_AS_PRINTED), rel=5e-2)
    assert (np.sign(K) == np.sign(PLATE_AS_PRINTED)).all() and abs(K - K.T).max() < 1e-6 * K.max()


def test_tube_and_torsion_bar_by_closed_forms() -> None:
    """The stiffness of a tube's end over that of its rings; a bar's by its polar moment."""
    K = ring(10 * MM, 1 * MM, 2700e6, 0.35)[2, 2]
    b = (3.0 * (1.0 - 0.35**2)) ** 0.25 / math.sqrt(10 * MM * 1 * MM)
    hoop = 2700e6 * 1 * MM / (10 * MM) ** 2  # pressure by widening of a free ring
    assert K == pytest.approx(hoop / (2.0 * b) * 2.0 * math.pi * 10 * MM, rel=1e-9)
    G = 2700e6 / 2.7
    assert torsion_bar(6 * MM, 1.5 * MM, 2700e6, 0.35)[4, 4] == pytest.approx(
        2.0 * G * math.pi / 2.0 * (1.5 * MM) ** 4 / (6 * MM), rel=1e-12
    )


@pytest.mark.parametrize(
    ("entry", "exit_", "mu", "most", "at", "least"),
    [
        (30.0, 45.0, 0.2, 40.5, 4.88, -18.1),
        (30.0, 45.0, 0.3, 49.7, 4.88, -14.2),
        (25.0, 60.0, 0.2, 37.1, 6.1, -33.3),
    ],
)
def test_beam_snap_over_depth(
    entry: float, exit_: float, mu: float, most: float, at: float, least: float
) -> None:
    """The published order of contacts and the levels of an independent computation."""
    rows = way(snap(hook={"entry_deg": entry, "exit_deg": exit_}, mu=mu))
    assert phases(rows) == ["", "ramp1", "corner1", "corner2", "ramp2", ""]
    top = max(rows, key=lambda row: row["x"])
    assert top["x"] == pytest.approx(most, abs=0.35) and top["mm"] == pytest.approx(at, abs=0.04)
    assert min(row["x"] for row in rows) == pytest.approx(least, abs=0.5)
    assert rows[-1]["x"] == 0.0 and rows[-1]["z"] == 0.0


@pytest.mark.parametrize("rule", ["corners", "whole"])
def test_ratios_on_ramps_and_on_the_flat(rule: str) -> None:
    """Fx / Fz is tan(slope + atan mu), the slope with the beam's own turn; on a corner it is mu."""
    for row in way(snap(rule=rule)):
        phi, friction = row["state"].deformations[0, 4], math.atan(0.2)
        if row["phase"] == "ramp1" and row["z"] > 1e-3:
            assert row["x"] / row["z"] == pytest.approx(
                math.tan(math.radians(30.0) - phi + friction), rel=1e-9
            )
        elif row["phase"] == "ramp2" and row["z"] > 1e-3:
            assert row["x"] / row["z"] == pytest.approx(
                -math.tan(math.radians(45.0) + phi - friction), rel=1e-9
            )
        elif row["phase"] == "corner2" or (row["phase"] == "corner1" and rule == "corners"):
            assert row["x"] / row["z"] == pytest.approx(0.2, rel=1e-9)
        elif row["phase"] == "corner1":  # the turned flat climbs on over the counterpart's edge
            assert row["x"] / row["z"] == pytest.approx(math.tan(-phi + friction), rel=1e-9)


def test_nothing_penetrates_by_the_whole_rule() -> None:
    """No part of hook or counterpart lies in the other; by the corners' rule the edge lies in the flat."""
    part = snap(rule="whole")
    from sim.mating.snap_equilibrium import hook_pose

    def deepest(part: SnapFastener) -> float:
        least = 0.0
        for row in way(part):
            T = np.eye(4)
            T[0, 3] = MM * row["mm"] - part.front
            least = min(least, lowest(part.numbers, hook_pose(T, row["state"].deformations[0]), True))
        return least

    assert deepest(part) > -1e-8
    assert deepest(snap()) == pytest.approx(-0.23 * MM, abs=0.02 * MM)


def test_equilibrium_of_the_support() -> None:
    """What the support gives back is the contact's load about the hook: against the printed stiffness."""
    part = snap()
    for row in way(part, step_mm=0.5):
        state: SnapState = row["state"]
        elastic = part.numbers.K @ state.deformations[0]
        assert elastic[2] == pytest.approx(row["z"], rel=1e-8, abs=1e-9)
        if row["phase"]:
            hook = np.array([0.001 * row["mm"] - part.front, 0.0, state.deformations[0, 2]])
            force = np.array([-row["x"], 0.0, row["z"]])
            assert np.cross(state.points[0, 0] - hook, force)[1] == pytest.approx(elastic[4], rel=1e-8)


def test_both_halves_double_the_force_and_cancel_its_side() -> None:
    """Fx twice, Fz zero."""
    one, two = way(snap(), step_mm=0.5), way(snap(halves=2), step_mm=0.5)
    for a, b in zip(one, two, strict=True):
        assert b["x"] == pytest.approx(2.0 * a["x"], rel=1e-9, abs=1e-12) and abs(b["z"]) < 1e-9


def test_mating_force_of_an_annular_snap_by_the_handbook() -> None:
    """W = P (mu + tan a) / (1 - mu tan a) exactly, where nothing turns; its side forces cancel."""
    part = snap(RING, {"height_mm": 0.3})
    rows = [row for row in way(part, end_mm=0.5, step_mm=0.05) if row["phase"] == "ramp1"]
    assert len(rows) > 5
    for row in rows:
        P = part.numbers.K[2, 2] * row["mm"] * MM * math.tan(math.radians(30.0))
        t = math.tan(math.radians(30.0))
        assert row["x"] == pytest.approx(P * (0.2 + t) / (1.0 - 0.2 * t), rel=1e-8) and row["z"] == 0.0


def test_torsional_snap_turns_about_its_bars() -> None:
    """The lever's turn follows from the hook's height, and the moment is the bars' stiffness times it."""
    part = snap(BAR, {"height_mm": 2.0}, rule="whole")
    rows = way(part, end_mm=12.0)
    assert phases(rows)[:2] == ["", "ramp1"] and phases(rows)[-1] == ""
    for row in rows:
        if row["phase"] == "corner2":
            phi, rear = row["state"].deformations[0, 4], part.numbers.hook[2]
            turned = -math.sin(phi) * rear[0] + math.cos(phi) * rear[1]
            assert turned == pytest.approx(0.0, abs=1e-9)


def test_plate_snap_in_three_dimensions() -> None:
    """The plate tilts about x: the hook comes to rest on one end of its width, later on both, and leaves."""
    rows = way(snap(PLATE, rule="whole"))
    assert phases(rows) == ["", "ramp1", "corner1", "corner2", "ramp2", ""]
    sides = [int((row["state"].contacts[0] >= 0).sum()) for row in rows if row["phase"]]
    assert sides[0] == 1 and sides[-1] == 2
    for row in rows:
        forces, state = row["state"].forces[0], row["state"]
        assert (forces >= -1e-9).all()
        if row["phase"].startswith("corner2"):
            assert forces.sum() == pytest.approx(row["z"], rel=1e-9) and state.deformations[
                0, 3
            ] == pytest.approx(0.0, abs=1e-9)
        elastic = PLATE_AS_PRINTED @ state.deformations[0, 2:5]
        assert elastic[0] == pytest.approx(row["z"], rel=1e-7, abs=1e-7)
    softer = max(row["x"] for row in way(snap()))
    assert max(row["x"] for row in rows) > 1.5 * softer


@pytest.mark.parametrize("rule", ["corners", "whole"])
def test_on_a_ramp_neither_end_of_the_width_cuts_through_the_edge(rule: str) -> None:
    """The plate tilts its hook: on both ramps the other end rests as well before it would lie in the edge."""
    part = snap(support=PLATE, rule=rule)
    numbers, both = part.numbers, 0
    for row in way(part, end_mm=16.0, step_mm=0.1):
        if not row["phase"].startswith("ramp"):
            continue
        T = np.eye(4)
        T[0, 3] = MM * row["mm"] - part.front
        pose, contacts = hook_pose(T, row["state"].deformations[0]), row["state"].contacts[0]
        edge = int(contacts.max())
        gaps = [contact_at(numbers, pose, side, edge)[0] for side in range(2)]
        assert min(gaps) > -1e-8
        both += bool((contacts == edge).all())
    assert both > 20


def test_what_friction_holds_is_told() -> None:
    """mu tan a >= 1 locks: said beforehand, and as a phase; the load is not made up."""
    part = snap(hook={"entry_deg": 60.0}, mu=0.7)
    assert part.section.locks and not snap().section.locks
    rows = way(part, end_mm=3.0)
    assert rows[-1]["phase"] == "held" and rows[-1]["x"] == 0.0 and rows[-1]["state"].held <= 0.0
    T = np.eye(4)
    T[0, 3] = 3.0 * MM - part.front
    resting = replace(rows[-1]["state"], contacts=np.array([[0]]))  # as it had come to rest on its ramp
    assert not part.derivative(resting, T, IN).by_pose.any()
    assert part.derivative(replace(resting, held=np.nan), T, IN).by_pose.any()


def test_derivative_with_contacts_kept() -> None:
    """On the ramp: dFx/dx against a second pose nearby; across, nothing."""
    part = snap()
    rows = way(part, end_mm=2.0)
    T = np.eye(4)
    T[0, 3] = MM * rows[-1]["mm"] - part.front
    found = part.derivative(rows[-1]["state"], T, IN)
    near = T.copy()
    near[0, 3] += 1e-6
    slope = (part.step(rows[-1]["state"], near, IN)[0].load[0] + rows[-1]["x"]) / 1e-6
    assert found.by_pose[0, 0] == pytest.approx(slope, rel=1e-3) and slope < 0.0
    assert np.abs(found.by_pose[:3, 1]).max() < 1.0


def test_strain_is_that_of_the_deflected_beam() -> None:
    """At the corner: of the order of 1.5 t y / L^2, from the load at the tip."""
    part = snap()
    top = max(way(part), key=lambda row: row["x"])
    assert 0.5 < part.strain(top["state"]) / (1.5 * 3.85 * 3.0 / 1600.0) < 1.5


def journey(part: SnapFastener, *turns: float, step_mm: float = 0.04) -> tuple[float, list[str]]:
    """Push it to and fro between depths [mm]; the work that this takes [J], and the phases."""
    state, work, passed, last = part.begin(), 0.0, [""], (0.0, 0.0)
    for begin, end in itertools.pairwise(turns):
        way = 1.0 if end > begin else -1.0
        for depth in np.arange(begin, end, way * step_mm):
            T = np.eye(4)
            T[0, 3] = MM * depth - part.front
            wrench, state = part.step(state, T, way * IN)
            now = float(T[0, 3]), -float(wrench.load[0])
            work += 0.5 * (now[1] + last[1]) * (now[0] - last[0])
            last = now
            passed += [wrench.phase] if wrench.phase != passed[-1] else []
    return work, passed


@pytest.mark.parametrize("rule", ["corners", "whole"])
def test_there_and_back_costs_work_and_goes_the_same_way(rule: str) -> None:
    """In and out again, and turned round on the flat: the ramp comes back on its own edge; work is lost."""
    there = ["", "ramp1", "corner1", "corner2", "ramp2", ""]
    work, found = journey(snap(rule=rule), -0.2, 16.0, -0.4)
    assert found == there + there[-2::-1] and work > 0.0
    work, found = journey(snap(rule=rule), -0.2, 5.4, -0.4)
    assert found == ["", "ramp1", "corner1", "ramp1", ""] and work > 0.0
    assert abs(journey(snap(rule=rule, mu=0.0), -0.2, 4.0, -0.4)[0]) < 1e-9


@pytest.mark.parametrize(
    ("support", "hook"), [(BEAM, {}), (RING, {"height_mm": 0.3}), (BAR, {"height_mm": 2.0})]
)
@pytest.mark.parametrize("factor", [1e-12, 1e-3, 1e3, 1e9])
def test_all_forces_go_with_the_modulus(
    support: dict[str, Any], hook: dict[str, float], factor: float
) -> None:
    """As soft as a feather or harder than diamond: the same phases, and forces in proportion."""
    as_it_is = snap(support, hook)
    other = SnapFastener(as_it_is.section)
    stiff = as_it_is.numbers._replace(K=factor * as_it_is.numbers.K, force=factor * as_it_is.numbers.force)
    other.numbers = stiff
    for a, b in zip(way(as_it_is, step_mm=0.5), way(other, step_mm=0.5), strict=True):
        assert a["phase"] == b["phase"]
        assert b["x"] == pytest.approx(factor * a["x"], rel=1e-7, abs=1e-7 * factor)


def test_a_steel_beam_is_no_jam() -> None:
    """Twice as stiff again: found by the force's own scale, not by newtons."""
    hard = way(snap(BEAM | {"modulus_mpa": 2.7e6}), step_mm=0.5)
    assert phases(hard) == phases(way(snap(), step_mm=0.5))
    assert max(row["x"] for row in hard) == pytest.approx(
        1e3 * max(row["x"] for row in way(snap(), step_mm=0.5))
    )


def test_held_on_the_way_out_lets_go_on_the_way_in() -> None:
    """A hook with a steep rear is held when it is pulled, and is free again when it is pushed."""
    _, found = journey(snap(hook={"exit_deg": 89.0}), -0.2, 16.0, 6.0, 16.0)
    assert found[-3:] == ["", "held", ""]
    part = snap(hook={"exit_deg": 89.0})
    state, T = way(part)[-1]["state"], np.eye(4)
    for depth in np.arange(16.0, 6.0, -0.04):
        T[0, 3] = MM * depth - part.front
        wrench, state = part.step(state, T, -IN)
    assert wrench.phase == "held" and not part.derivative(state, T, -IN).by_pose.any()


def test_exactly_between_two_contacts_there_is_one() -> None:
    """Bisected to the last bit: either the ramp's end or the corner carries, wherever the part stands."""
    part, T = snap(), np.eye(4)
    rows = way(part, end_mm=6.0, step_mm=0.1)
    at = next(k for k, row in enumerate(rows) if row["phase"] == "corner1")
    low, high, state = MM * rows[at - 1]["mm"], MM * rows[at]["mm"], rows[at - 1]["state"]
    for _ in range(60):
        T[0, 3] = 0.5 * (low + high) - part.front
        found = part.step(state, T, IN)[0].phase
        assert found in ("ramp1", "corner1")
        low, high = (0.5 * (low + high), high) if found == "ramp1" else (low, 0.5 * (low + high))


def test_a_nose_below_the_face_is_lost_and_not_held() -> None:
    """Three millimetres too low no equilibrium is found, with friction or without."""
    part, T = snap(mu=0.5), np.eye(4)
    T[0, 3], T[2, 3] = -part.front + 1e-5, -3.0 * MM
    slippery = snap(mu=0.0)
    assert slippery.step(slippery.begin(), T, IN)[0].phase == "lost"
    assert part.step(part.begin(), T, IN)[0].phase == "lost"


def test_without_any_equilibrium_nobody_speaks_of_friction() -> None:
    """A pose that is no number: lost, not held."""
    part, T = snap(), np.eye(4)
    T[0, 3], T[2, 3] = -part.front + 1e-3, np.nan
    assert part.step(part.begin(), T, IN)[0].phase == "lost"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"hook": {"entry_deg": 90.0}}, "entry_deg = 90"),
        ({"hook": {"height_mm": -1.0}}, "hook.height"),
        ({"support": BEAM | {"modulus_mpa": 0.0}}, "support.beam.modulus"),
        ({"support": PLATE | {"hook_x_mm": 40.0}}, "beyond the plate"),
        ({"support": PLATE | {"printed": False, "grid": [0, 3]}}, "1 to 40 cells"),
        ({"support": {"type": "spring"}}, "support"),
        ({"counterpart_mm": 0.0}, "counterpart"),
        ({"slip_mm_s": 1e-322}, "slip"),
        ({"support": BEAM | {"modulus_mpa": 1e300}}, "support.beam.modulus"),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, Any], words: str) -> None:
    """No ramp, no stiffness, a hook off its plate."""
    with pytest.raises(ValidationError, match=words):
        snap(changes.pop("support", BEAM), changes.pop("hook", None), **changes)
