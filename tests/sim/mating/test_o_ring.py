"""An O-ring's load: against symbolic and closed forms, and the published experiment's numbers."""

import math
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.integrate import quad
from scipy.optimize import brentq

from hil.common.arrays import Array
from sim.mating.o_ring import ORing
from sim.mating.o_ring_load import line_load, ring_load, slope_at
from sim.mating.o_ring_schema import ORingSection, whole_arcs

MM = 1e-3
IN = np.array([0.0, 0.0, -0.05, 0.0, 0.0, 0.0])  # fast against the speed below which friction fades
PAPER = {
    "inner_mm": 20.0, "section_mm": 3.15, "groove_mm": 20.0, "hole_mm": 26.0, "chamfer_mm": 2.0,
    "length_mm": 15.0, "c1_n_per_mm2": 16.0, "c2_n_per_mm3": 43.0, "mu": 0.3, "slip_mm_s": 1e-3,
}  # fmt: skip


def ring(**changes: object) -> ORing:
    return ORing(ORingSection.model_validate(PAPER | changes))


def at(depth_mm: float, x_mm: float = 0.0, y_mm: float = 0.0) -> Array:
    T = np.eye(4)
    T[:3, 3] = MM * x_mm, MM * y_mm, -MM * depth_mm
    return T


def insertion(part: ORing, **place: float) -> tuple[Array, Array]:
    depth = np.linspace(-3.0, 20.0, 2301)
    return depth, np.array([part.wrench(at(d, **place), IN).load[2] for d in depth])


@pytest.mark.parametrize(
    ("groove", "mu", "chamfer", "peak", "where", "plateau", "least"),
    [
        (20.0, 0.3, 2.0, 110.3, -0.34, 90.7, 0.0),
        (20.0, 0.5, 2.0, 216.3, -0.34, 183.4, 0.0),
        (20.6, 0.3, 2.0, 636.9, -0.72, 428.4, -33.9),
        (20.6, 0.3, 5.0, 550.5, -0.82, 428.4, -6.0),
    ],
)
def test_force_over_depth(
    groove: float, mu: float, chamfer: float, peak: float, where: float, plateau: float, least: float
) -> None:
    """A maximum before the ring is inside, then constant; below zero at the exit if the slope says so.

    The figures are those of an independent computation of the experiment.
    """
    part = ring(groove_mm=groove, mu=mu, chamfer_mm=chamfer)
    depth, force = insertion(part)
    assert force.max() == pytest.approx(peak, abs=0.06) and depth[force.argmax()] == pytest.approx(
        where, abs=0.02
    )
    inside = force[(depth > 0.0) & (depth < 15.0)]
    assert inside.mean() == pytest.approx(plateau, abs=0.06) and np.ptp(inside) < 1e-9 * inside.mean()
    assert force.min() == pytest.approx(least, abs=0.06)
    last = 15.0 + brentq(lambda d: part.squeeze(at(15.0 + d)) - 1e-9, 0.0, chamfer + 1.5)
    _, _, sine, cosine = slope_at(part.numbers, MM * last)
    assert (force.min() < -1e-3) == (sine / cosine > mu)


def test_load_in_the_hole_by_closed_form() -> None:
    """Equations 29 to 32 with their signs and factors put right, and the force across is zero."""
    sympy = pytest.importorskip("sympy")
    c1, c2, D, e, phi = sympy.symbols("c1 c2 D e phi", positive=True)
    a = D - e + e * sympy.cos(phi)
    expanded = sympy.Poly(
        sympy.expand(c1 * a + c2 * a**2).subs(sympy.cos(phi), sympy.Symbol("c")), sympy.Symbol("c")
    )
    values = {c1: 16e6, c2: 43e9, D: 0.45 * MM + 0.1 * MM, e: 0.1 * MM}
    k = [float(expanded.coeff_monomial(sympy.Symbol("c") ** n).subs(values)) for n in range(3)]
    assert k[1] == pytest.approx(16e6 * 0.1 * MM + 2 * 43e9 * 0.1 * MM * 0.45 * MM, rel=1e-12)
    load = ring(groove_mm=20.6).wrench(at(5.0, x_mm=0.1), IN).load
    r, mu = 13 * MM, 0.3
    force = np.array([-math.pi * r * k[1], 0.0, mu * r * math.pi * (2.0 * k[0] + k[2])]) / (1.0 - mu**2)
    moment = np.array([0.0, -mu * r**2 * math.pi * k[1] / (1.0 - mu**2), 0.0])
    assert load[:3] == pytest.approx(force, rel=1e-12, abs=1e-9)
    assert load[3:] == pytest.approx(moment, rel=1e-12, abs=1e-12)
    assert load[0] == pytest.approx(-245.0, abs=0.6)
    turned = ring(groove_mm=20.6).wrench(at(5.0, y_mm=0.1), IN).load
    assert turned[[1, 0, 2, 3]] == pytest.approx([load[0], -load[1], load[2], -load[4]], abs=1e-9)


def test_where_the_squeeze_would_be_negative_nothing_touches() -> None:
    """Far off the middle a part of the ring hangs free: quadrature of what is left."""
    part = ring()
    load = part.wrench(at(5.0, x_mm=0.4), IN).load
    deepest = 0.55 * MM
    half = math.acos(1.0 - deepest / (0.4 * MM)) if deepest < 0.8 * MM else math.pi

    def p(angle: float) -> float:
        return line_load(part.numbers, deepest - 0.4 * MM * (1.0 - math.cos(angle))) / (1.0 - 0.09) * 13 * MM

    assert half < math.pi
    assert load[2] == pytest.approx(0.3 * 2.0 * quad(p, 0.0, half, epsabs=1e-13)[0], rel=1e-6)
    across = quad(lambda angle: p(angle) * math.cos(angle), 0.0, half, epsabs=1e-13)[0]
    assert load[0] == pytest.approx(-2.0 * across, rel=1e-6)


def test_without_friction_a_pull_gives_back_what_the_push_took() -> None:
    """mu = 0: a potential; with friction resting it is the same, and out again mirrors in."""
    part, slippery = ring(), ring(mu=0.0)
    depth, force = insertion(slippery)
    assert abs(np.trapezoid(force, depth)) < 1e-3 * np.trapezoid(np.abs(force), depth)
    still = part.wrench(at(-0.3), np.zeros(6)).load
    assert still == pytest.approx(slippery.wrench(at(-0.3), IN).load, rel=1e-12)
    out = part.wrench(at(15.3), -IN).load[2]
    assert out == pytest.approx(-part.wrench(at(-0.3), IN).load[2], rel=1e-12)


def test_notches_take_their_part_away() -> None:
    """A notch of 60 degrees: five sixths of the axial force, and a side force towards it; anywhere about."""
    whole = ring().wrench(at(5.0), IN).load
    for middle in (0.0, 170.0, 350.0, -90.0):
        cut = ring(notches=[{"at_deg": middle, "width_deg": 60.0}]).wrench(at(5.0), IN).load
        assert cut[2] == pytest.approx(whole[2] * 5.0 / 6.0, rel=1e-12)
        side = whole[2] / 0.3 / (2.0 * math.pi) * 2.0 * math.sin(math.pi / 6.0)
        assert cut[:2] == pytest.approx(
            side * np.array([math.cos(math.radians(middle)), math.sin(math.radians(middle))]), abs=1e-9
        )
    arcs = whole_arcs([(0.0, 0.5), (0.2, 0.5), (3.0, 0.2)])
    assert (arcs[:, 1] - arcs[:, 0]).sum() == pytest.approx(2.0 * math.pi - 0.7 - 0.2)


def test_a_notch_over_the_turns_seam_is_whole() -> None:
    """In whatever order notches lie, an angle is in a gap or in an arc."""
    rng = np.random.default_rng(7)
    for _ in range(1000):
        notches = [(a, w) for a, w in zip(rng.uniform(-7.0, 7.0, 2), rng.uniform(0.1, 5.0, 2), strict=True)]
        arcs, angle = whole_arcs(notches), rng.uniform(0.0, 2.0 * math.pi)
        gap = any(
            abs((angle - at + math.pi) % (2.0 * math.pi) - math.pi) < width / 2 for at, width in notches
        )
        arc = any(low < angle + turn < high for low, high in arcs for turn in (0.0, 2.0 * math.pi))
        assert gap is not arc, (notches, angle)


@pytest.mark.parametrize("off", [0.0, 0.1, 0.4])
def test_there_and_back_costs_work(off: float) -> None:
    """In, back, on and out again, eccentric too: friction takes work; without it there is none to take."""
    depth = np.concatenate([np.linspace(-3, 8, 500), np.linspace(8, 3, 300), np.linspace(3, 19, 700)])
    depth = np.concatenate([depth, np.linspace(19, -3, 1000)])
    for part, least in ((ring(groove_mm=20.4), 0.1), (ring(groove_mm=20.4, mu=0.0), -1e-4)):
        way = np.append(1.0, np.sign(np.diff(depth)))
        force = [
            part.wrench(at(d, x_mm=off), IN * (s or 1.0)).load[2] for d, s in zip(depth, way, strict=True)
        ]
        work = np.trapezoid(force, MM * depth)
        assert work > least
        assert least > 0.0 or work < 1e-3


def test_turned_about_the_axis_the_load_turns_with_it() -> None:
    """No direction across is marked."""
    part, c, s = ring(groove_mm=20.6), math.cos(1.1), math.sin(1.1)
    one, two = part.wrench(at(-0.3, x_mm=0.2), IN).load, part.wrench(at(-0.3, 0.2 * c, 0.2 * s), IN).load
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    assert two[:3] == pytest.approx(R @ one[:3], abs=1e-8) and two[3:] == pytest.approx(R @ one[3:], abs=1e-9)


def test_a_slope_that_friction_holds_is_told() -> None:
    """With mu = 1.2 the chamfer is steeper than friction lets it slide: jammed, as a phase."""
    found = {ring(mu=1.2).wrench(at(d), IN).phase for d in np.linspace(-1.0, 1.0, 21)}
    assert "jammed" in found
    assert ring().wrench(at(-5.0), IN).phase == "" and ring().wrench(at(5.0), IN).phase == "hole"


def test_derivatives_are_those_of_the_load() -> None:
    """By pose against wider differences; in the hole nothing changes along it, and friction by its tanh."""
    part = ring(slip_mm_s=2.0)
    slow = np.array([0.0, 0.0, -1e-3, 0.0, 0.0, 0.0])
    found = part.derivative(at(-0.3, x_mm=0.05), slow)
    h = 1e-6
    for k in range(3):
        step = np.zeros((4, 4))
        step[k, 3] = h
        wide = (
            ring_load(part.numbers, at(-0.3, x_mm=0.05) + step, slow)[0]
            - ring_load(part.numbers, at(-0.3, x_mm=0.05) - step, slow)[0]
        ) / (2.0 * h)
        assert found.by_pose[:, k] == pytest.approx(wide, rel=1e-4, abs=1.0)
    inside = part.derivative(at(5.0), slow)
    assert np.abs(inside.by_pose[:, 2]).max() < 1e-3
    normal = part.wrench(at(5.0), IN).load[2] / 0.3 * (1.0 - 0.09)
    assert inside.by_twist[2, 2] < 0.0
    s = math.tanh(0.5)
    slope = normal * 0.3 * (1.0 - s * s) / 2e-3 * (1.0 + 0.09 * s * s) / (1.0 - 0.09 * s * s) ** 2
    assert inside.by_twist[2, 2] == pytest.approx(-slope, rel=1e-5)


def test_rubber_by_its_hardness() -> None:
    """Gent's modulus of 70 Shore A is 5.52 MPa; Lindley's law gives the line load."""
    section = ORingSection.model_validate(
        {k: v for k, v in PAPER.items() if not k.startswith("c")} | {"chamfer_mm": 2.0, "shore_a": 70.0}
    )
    assert section.modulus == pytest.approx(5.52e6, rel=1e-3)
    part = ORing(section)
    c = 0.15 / 3.15
    expected = section.modulus * 3.15 * MM * (1.25 * c**1.5 + 50.0 * c**6)
    assert line_load(part.numbers, 0.15 * MM) == pytest.approx(expected, rel=1e-12)
    assert line_load(part.numbers, 0.3 * MM) < line_load(ring().numbers, 0.3 * MM) / 10.0


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"groove_mm": 19.0}, "smaller than the ring's inner_mm"),
        ({"hole_mm": 27.0}, "must lie between 0 and section_mm"),
        ({"hole_mm": 19.0}, "must lie between 0 and section_mm"),
        ({"shore_a": 70.0}, "either both c1_n_per_mm2 and c2_n_per_mm3, or shore_a"),
        ({"mu": -0.1}, "mu"),
        ({"chamfer_mm": 0.0}, "chamfer"),
        ({"slip_mm_s": 1e-322}, "slip"),
        ({"c1_n_per_mm2": 1e300}, "c1"),
        ({"c1_n_per_mm2": 0.0, "c2_n_per_mm3": 0.0}, "are both 0"),
        ({"notches": [{"at_deg": a, "width_deg": 200.0} for a in (0.0, 180.0)]}, "leave nothing of the hole"),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, Any], words: str) -> None:
    """A loose ring, no squeeze, two materials at once, a friction that gives energy."""
    with pytest.raises(ValidationError, match=words):
        ring(**changes)
