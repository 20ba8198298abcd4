"""Curvature, contact equations, rates: against finite differences and closed forms."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.common.arrays import Array
from sim.surfaces.rates import rates
from sim.surfaces.shape import R, U, V, forms, normal_derivatives, normal_of, own_shape, shape_at
from sim.surfaces.surface import (
    CONE,
    CYLINDER,
    ELLIPSOID,
    PLANE,
    SPHERE,
    TORUS,
    Surface,
    round_edge,
    straight_edge,
    surface,
)
from sim.surfaces.touching import Touch, equations, equations_by_x, touch
from sim.surfaces.tracking import best_chart, kept_touch, nearest_touch

MM = 1e-3
ONE = np.eye(4)
EGG, RING = surface(ELLIPSOID, (0.3, 0.2, 0.15)), surface(TORUS, (0.5, 0.1))
KINDS = [
    surface(PLANE, ()),
    surface(CYLINDER, (0.2,)),
    surface(CONE, (0.2, 0.4), hollow=True),
    surface(SPHERE, (0.3,)),
    RING,
    EGG,
]


def pose(x: float, y: float, z: float, turn: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Array:
    T = np.eye(4)
    T[:3, 3], T[:3, :3] = (x, y, z), Rotation.from_rotvec(turn).as_matrix()
    return T


def slope(f: Callable[[float], Array], h: float = 1e-4) -> Array:
    """Central difference of fourth order."""
    return (8.0 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12.0 * h)


@pytest.mark.parametrize("patch", KINDS, ids=lambda patch: str(patch.kind))
def test_derivatives_of_the_point_and_of_the_normal(patch: Surface) -> None:
    """Weingarten's formulae (20) and the tangents against finite differences."""
    u, v = 0.4, 0.7

    def points(du: float, dv: float) -> Array:
        return own_shape(patch.kind, patch.size, u + du, v + dv)

    shape = points(0.0, 0.0)
    for row, by_u, by_v in ((R, U, V), (U, 3, 4), (V, 4, 5)):
        assert np.abs(slope(lambda h, row=row: points(h, 0.0)[row]) - shape[by_u]).max() < 1e-9
        assert np.abs(slope(lambda h, row=row: points(0.0, h)[row]) - shape[by_v]).max() < 1e-9
    n = normal_of(shape, patch.outward)
    by = normal_derivatives(shape, n)
    for k in range(2):
        turned = slope(lambda h, k=k: normal_of(points(*((h, 0.0), (0.0, h))[k]), patch.outward))
        assert np.abs(turned - by[k]).max() < 1e-8


def test_normals_point_out_of_the_material() -> None:
    """Of a ball, a tube and a cone away from their axis; of a hole towards it."""
    for patch in (surface(SPHERE, (0.3,)), surface(CYLINDER, (0.3,)), surface(CONE, (0.3, 0.1)), EGG):
        shape = own_shape(patch.kind, patch.size, 0.3, 0.2)
        assert normal_of(shape, patch.outward)[:2] @ shape[R][:2] > 0.0
        assert normal_of(shape, -1.0)[:2] @ shape[R][:2] < 0.0
    tube = own_shape(TORUS, RING.size, 0.0, math.pi)
    assert normal_of(tube, 1.0) == pytest.approx((-1.0, 0.0, 0.0))


def printed(s1: Array, n1: Array, s2: Array, n2: Array, gap: float) -> Array:
    """Equation 24 as the paper prints it, with a gap put in."""
    dn = normal_derivatives(s1, n1)
    E, F, G, L, M, N = forms(s2, n2)
    return np.array(
        [
            [s2[U] @ dn[0], s2[U] @ dn[1], -L, -M],
            [s2[V] @ dn[0], s2[V] @ dn[1], -M, -N],
            [s2[U] @ s1[U], s2[U] @ s1[V], -E + gap * L, -F + gap * M],
            [s2[V] @ s1[U], s2[V] @ s1[V], -F + gap * M, -G + gap * N],
        ]
    )


def test_derivative_of_the_contact_equations() -> None:
    """Everywhere against differences; at a root equation 24 with g = n2.rD, not with equation 25."""
    T = pose(0.9, 0.3, 0.2, (0.3, -0.5, 0.2))
    found = nearest_touch(EGG, T, RING, ONE)
    assert found is not None

    def f(x: Array) -> Array:
        s1, s2 = shape_at(EGG, T, x[0], x[1]), shape_at(RING, ONE, x[2], x[3])
        return equations(s1, normal_of(s1, 1.0), s2)

    for x in (found.x, found.x + 0.1):
        s1, s2 = shape_at(EGG, T, x[0], x[1]), shape_at(RING, ONE, x[2], x[3])
        J = equations_by_x(s1, normal_of(s1, 1.0), s2, normal_of(s2, 1.0))
        for k in range(4):
            assert np.abs(slope(lambda h, k=k, x=x: f(x + h * np.eye(4)[k])) - J[:, k]).max() < 1e-8
    x = found.x
    s1, s2 = shape_at(EGG, T, x[0], x[1]), shape_at(RING, ONE, x[2], x[3])
    n1, n2 = normal_of(s1, 1.0), normal_of(s2, 1.0)
    J = equations_by_x(s1, n1, s2, n2)
    gap = float(n2 @ (s1[R] - s2[R]))
    assert gap == pytest.approx(found.gap, abs=1e-12) and gap > 0.0
    assert np.abs(printed(s1, n1, s2, n2, gap) - J).max() < 1e-12
    assert np.abs(printed(s1, n1, s2, n2, -gap) - J).max() > 1e-2 * np.abs(J).max()


def test_newton_from_nearby() -> None:
    """From 0.05 rad away: six steps to the root, whatever the direction."""
    rng = np.random.default_rng(3)
    T = pose(0.9, 0.3, 0.2, (0.3, -0.5, 0.2))
    found = nearest_touch(EGG, T, RING, ONE)
    assert found is not None
    for _ in range(50):
        off = rng.standard_normal(4)
        again = touch(EGG, T, RING, ONE, found.x + 0.05 * off / np.linalg.norm(off))
        assert again.converged and again.steps <= 6
        assert np.abs(again.x - found.x).max() < 1e-12


def test_rates_along_a_motion() -> None:
    """Parameters and gap against differences along a smooth motion, open and closed."""
    for height in (0.0, 0.2):

        def placed(t: float, height: float = height) -> Array:
            T = pose(0.9 + 0.3 * t - 0.2 * t * t, 0.3 - 0.4 * t, 0.2 + height + 0.5 * t**3)
            T[:3, :3] = (
                Rotation.from_rotvec([0.3, -0.5 + 0.6 * t, 0.2]) * Rotation.from_rotvec([t, 0, 0])
            ).as_matrix()
            return T

        found = nearest_touch(EGG, placed(0.0), RING, ONE)
        assert found is not None

        def moved(t: float, x: Array = found.x, placed: Callable[[float], Array] = placed) -> Touch:
            return touch(EGG, placed(t), RING, ONE, x)

        def turning(t: float, placed: Callable[[float], Array] = placed) -> Array:
            W = slope(lambda s: placed(t + s)[:3, :3]) @ placed(t)[:3, :3].T
            return np.array([W[2, 1], W[0, 2], W[1, 0]])

        motion = np.array(
            [slope(lambda h: placed(h)[:3, 3]), turning(0.0), [-0.4, 0.0, 0.0], slope(turning, 1e-3)]
        )
        is_ = rates(EGG, placed(0.0), RING, ONE, found.x, motion)
        assert np.abs(slope(lambda h: moved(h).x) - is_.x).max() < 1e-7
        assert slope(lambda h: np.array(moved(h).gap)) == pytest.approx(is_.gap, abs=1e-8)
        h = 1e-3
        second = (moved(h).gap - 2.0 * found.gap + moved(-h).gap) / h**2
        assert second == pytest.approx(is_.gap_rate, rel=1e-4)
        assert slope(lambda h: moved(h).normal) == pytest.approx(is_.normal, abs=1e-7)


def test_two_balls_and_the_right_root_along_an_orbit() -> None:
    """Of endlessly many roots the one between them; kept while one ball goes round the other."""
    one, two = surface(SPHERE, (0.3,)), surface(SPHERE, (0.5,))
    last: Touch | None = None
    for angle in np.linspace(0.0, 2.0 * math.pi, 100):
        T = pose(1.1 * math.cos(angle), 1.1 * math.sin(angle), 0.2)
        last = nearest_touch(one, T, two, ONE) if last is None else kept_touch(one, T, two, ONE, last)
        assert last is not None and last.opposite
        assert last.gap == pytest.approx(math.hypot(1.1, 0.2) - 0.8, abs=1e-12)


def test_above_a_pole_another_chart_serves() -> None:
    """Straight above the pole the tangent u vanishes; about another axis the root is found."""
    ball, egg = surface(SPHERE, (0.3,)), surface(ELLIPSOID, (0.5, 0.4, 0.3))
    T = pose(0.0, 0.0, 1.0)
    one, two = (
        best_chart(ball, T, np.array([0.0, 0.0, -1.0])),
        best_chart(egg, ONE, np.array([0.0, 0.0, 1.0])),
    )
    found = nearest_touch(one, T, two, ONE)
    assert found is not None and found.gap == pytest.approx(0.4, abs=1e-12)
    assert best_chart(ball, T, np.array([1.0, 0.0, 0.0])) is ball and best_chart(RING, T, T[2, :3]) is RING


def test_the_chamfers_of_a_round_peg() -> None:
    """Torus on torus: the tubes' centre circles less both radii (peg 19.95, 4; hole 20, 6 mm)."""
    offset = math.hypot(2.1, 1.3)
    peg = surface(TORUS, (15.95 * MM, 4 * MM))
    hole = surface(TORUS, (26 * MM, 6 * MM), u=(-np.inf, np.inf))
    for height in (2.0, 4.0, 6.0):
        T = pose(2.1 * MM, 1.3 * MM, height * MM)
        found = nearest_touch(peg, T, hole, ONE)
        expected = math.hypot(10.05 - offset, height) - 10.0
        assert found is not None and found.gap == pytest.approx(expected * MM, abs=1e-12)
    assert math.sqrt(100 - (10.05 - offset) ** 2) - 4.0 == pytest.approx(2.52, abs=0.01)


def test_a_family_of_roots_is_told_and_its_gap_is_right() -> None:
    """A cylinder coaxial in a hole's throat, a cylinder along a cylinder, a plate on a plate."""
    peg, throat = surface(CYLINDER, (19.95 * MM,)), surface(TORUS, (26 * MM, 6 * MM))
    found = nearest_touch(peg, pose(0.0, 0.0, 5 * MM), throat, ONE)
    assert found is not None and found.gap == pytest.approx(0.05 * MM, abs=1e-12) and found.rank == 3
    rods = surface(CYLINDER, (0.1,)), surface(CYLINDER, (0.2,))
    found = nearest_touch(rods[0], pose(0.5, 0.0, 0.3), rods[1], ONE)
    assert found is not None and found.gap == pytest.approx(0.2, abs=1e-12) and found.rank == 3
    plate = surface(PLANE, (), u=(-1.0, 1.0), v=(-1.0, 1.0))
    found = nearest_touch(plate, pose(0.1, 0.2, 0.3, (math.pi, 0.0, 0.0)), plate, ONE)
    assert found is not None and found.gap == pytest.approx(0.3, abs=1e-12) and found.rank == 2


def test_edges_touch_between_their_faces() -> None:
    """A straight and a round edge over a plate; an edge across an edge; none from below the faces."""
    plate = surface(PLANE, (), u=(-1.0, 1.0), v=(-1.0, 1.0))
    faces = np.array([[0.0, 1.0, -1.0], [0.0, -1.0, -1.0]]) / math.sqrt(2.0)
    ridge = straight_edge(np.array([-0.2, 0.0, 0.0]), np.array([0.2, 0.0, 0.0]), 1e-6, (faces[0], faces[1]))
    found = nearest_touch(ridge, pose(0.0, 0.1, 0.25), plate, ONE)
    assert found is not None and found.gap == pytest.approx(0.25, abs=1e-12)
    upside = np.diag([1.0, -1.0, -1.0, 1.0])
    upside[2, 3] = 0.25
    assert nearest_touch(ridge, upside, plate, ONE) is None
    rim = round_edge(0.1, 1e-6)
    found = nearest_touch(rim, pose(0.0, 0.0, 0.25, (0.3, 0.0, 0.0)), plate, ONE)
    assert found is not None and found.gap == pytest.approx(0.25 - 0.1 * math.sin(0.3), abs=1e-12)
    other = straight_edge(np.array([0.0, -0.3, 0.0]), np.array([0.0, 0.3, 0.0]), 1e-6)
    found = nearest_touch(
        straight_edge(np.array([-0.2, 0.0, 0.0]), np.array([0.2, 0.0, 0.0]), 1e-6),
        pose(0.05, 0.1, 0.25),
        other,
        ONE,
    )
    assert found is not None and found.gap == pytest.approx(0.25, abs=1e-12)
    assert found.point == pytest.approx((0.0, 0.1, 0.0), abs=1e-9)


@pytest.mark.parametrize("tube", [1e-5, 1e-9, 1e-13])
def test_an_edge_may_be_as_thin_as_it_likes(tube: float) -> None:
    """The gap is that of the two middle lines; its rates are the motion's along the normal."""
    ends = np.array([0.2, 0.0, 0.0]), np.array([0.0, 0.3, 0.0])
    one, two = (straight_edge(-end, end, tube) for end in ends)
    T = pose(0.05, 0.1, 0.25, (0.0, 0.2, 0.1))
    found = nearest_touch(one, T, two, ONE)
    n = np.cross(T[:3, 0], [0.0, 1.0, 0.0])
    n /= np.linalg.norm(n) * np.sign(n[2])
    assert found is not None and found.rank == 4
    assert found.gap == pytest.approx(n @ T[:3, 3], abs=1e-9)
    motion = np.zeros((4, 3))
    motion[0] = 0.3, -0.1, -0.2
    assert rates(one, T, two, ONE, found.x, motion).gap == pytest.approx(n @ motion[0], abs=1e-9)


def test_where_there_is_no_tangent_nothing_is_found_and_nothing_breaks() -> None:
    """The tip of a cone, a ball without size, a pose that is no number."""
    plate = surface(PLANE, (), u=(-1.0, 1.0), v=(-1.0, 1.0))
    tip = touch(surface(CONE, (0.2, -1.0)), pose(0.0, 0.0, 1.0), plate, ONE, np.array([0.0, 0.2, 0.0, 0.0]))
    assert not tip.opposite
    assert nearest_touch(surface(SPHERE, (0.0,)), pose(0.0, 0.0, 0.5), plate, ONE) is None
    lost = touch(surface(SPHERE, (0.3,)), pose(math.nan, 0.0, 0.0), plate, ONE, np.zeros(4))
    assert not lost.converged and not lost.opposite and lost.rank == 0


def test_a_root_outside_its_patch_is_none() -> None:
    """A ball beside a plate touches no face."""
    plate = surface(PLANE, (), u=(-1.0, 1.0), v=(-1.0, 1.0))
    assert nearest_touch(surface(SPHERE, (0.3,)), pose(1.5, 0.0, 0.4), plate, ONE) is None
