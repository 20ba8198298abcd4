"""How two arms share a relative motion, and the path of their observer."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.configuration import Configuration, load_configuration
from hil.configuration.schema import Stops
from hil.configuration.stops_axis import nominal_quat
from planner.base.axis_program import KNOT
from planner.base.moving_observer import rotation_of, seen
from planner.base.observer_path import Course, ObserverPath
from planner.base.split import Split, reach, split_of, wanted_place, wanted_turn

DEG = np.pi / 180.0
ACCELERATION, TURNING, COMMITTED = 0.5, 30.0 * DEG, 0.25
ARM = Path(__file__).parents[3] / "configs/shared/arm.toml"


def sets(reach_b: float = 0.08) -> tuple[Stops, Stops]:
    """Two sets face to face; the second one's may be larger along x."""
    a = Stops(
        centre_mm=[790.0, 0.0, 150.0], half_extent_mm=[80.0, 130.0, 130.0], swing_deg=11.0, twist_deg=90.0
    )
    b = Stops(
        centre_mm=[1250.0, 0.0, 150.0], half_extent_mm=[1e3 * reach_b, 130.0, 130.0], axis_yaw_deg=180.0,
        swing_deg=22.0, twist_deg=90.0,
    )  # fmt: skip
    return a, b


def shared(a: Stops, b: Stops, sharing: str = "reach") -> Split:
    """How two arms with these sets and bodies of 60 and 40 kg share."""
    arms: list[Configuration] = []
    for stops, mass in ((a, 60.0), (b, 40.0)):
        c = load_configuration(ARM, [f"object.mass_kg={mass}"])
        arms.append(c.model_copy(update={"stops": stops}))
    return split_of(*arms, sharing)


def course(stops: Stops, v, w, s_0: float = 0.0, p=None) -> Course:
    """A body that drifts from the middle of a set, and turns about a fixed axis."""
    s = s_0 + 0.02 * np.arange(101)
    begin = stops.centre if p is None else p
    quat = Rotation.from_rotvec(np.outer(s, w)) * rotation_of(nominal_quat(stops)[None])
    return Course(
        s_0, 0.02, begin + np.outer(s, v), quat.as_quat(scalar_first=True), np.tile([*v, *w], (len(s), 1))
    )


def shown(path: ObserverPath, body: Course, times: np.ndarray):
    """What the observer sees of a body."""
    return seen(*body.at(times), path.at(times))


def test_shares_add_up_to_the_whole_and_to_nothing_of_what_is_common() -> None:
    """Each arm does its part of way and turn, by what it reaches; what is common leaves none."""
    a, b = sets(0.24)
    split = shared(a, b)
    rng = np.random.default_rng(0)
    d, turn = np.array([0.1, -0.06, 0.02]), Rotation.from_rotvec([0.0, 0.0, 0.09])
    far, common = rng.normal(size=3), Rotation.random(random_state=rng)
    p_a = common.apply(a.centre + d) + far
    p_b = common.apply(np.array(b.centre)) + far
    q_a = (common * rotation_of(nominal_quat(a))).as_quat(scalar_first=True)
    q_b = (common * turn * rotation_of(nominal_quat(b))).as_quat(scalar_first=True)
    quat = wanted_turn(split, q_a[None], q_b[None], np.array([1.0, 0.0, 0.0, 0.0]))
    place = wanted_place(split, p_a[None], p_b[None], quat)
    R = rotation_of(quat[0])
    off = [R.apply(p - place[0], inverse=True) - s.centre for p, s in ((p_a, a), (p_b, b))]
    turned = [
        (R.inv() * rotation_of(q) * rotation_of(nominal_quat(s)).inv()).as_rotvec()
        for q, s in ((q_a, a), (q_b, b))
    ]
    apart = Rotation.from_rotvec([0.0, 0.0, -0.03]).apply(a.centre + d - b.centre) - (a.centre - b.centre)
    assert split.part == pytest.approx([0.25, 0.5, 0.5])
    assert np.abs(off[0] - split.part * apart).max() < 1e-12
    assert np.abs(off[1] + (1.0 - split.part) * apart).max() < 1e-12
    assert turned[0] == pytest.approx([0.0, 0.0, -0.03], abs=1e-12)  # a third: its swing is half as large
    assert turned[1] == pytest.approx([0.0, 0.0, 0.06], abs=1e-12)


def test_no_other_part_reaches_farther() -> None:
    """Brute force over parts: by reach they are the best, and the reach is where the first arm's set ends."""
    a, b = sets(0.24)
    found = reach(shared(a, b), a.half_extent, b.half_extent)
    assert found == pytest.approx(a.half_extent + b.half_extent)
    for part in np.linspace(0.01, 0.99, 99):
        farthest = next(
            d for d in np.arange(1.0, 0.0, -1e-3) if part * d <= 0.08 and (1.0 - part) * d <= 0.24
        )
        other = reach(shared(a, b)._replace(part=np.full(3, part)), a.half_extent, b.half_extent)[0]
        assert other == pytest.approx(farthest, abs=2e-3)
        assert other <= found[0] + 1e-12
    assert reach(shared(a, b, "first"), a.half_extent, b.half_extent) == pytest.approx(a.half_extent)
    assert shared(a, b, "mass").part == pytest.approx([0.4] * 3)


def test_by_mass_no_touch_moves_the_observer() -> None:
    """Opposite impulses on both bodies: whoever watches their centre of mass stays as he is."""
    a, b = sets()
    split, near = shared(a, b, "mass"), np.array([1.0, 0.0, 0.0, 0.0])
    quats = [nominal_quat(stops)[None] for stops in (a, b)]
    quat = wanted_turn(split, *quats, near)
    p_a, p_b, J = a.centre + 0.01, b.centre - 0.02, np.array([-1.0, 0.3, 0.0])
    before = wanted_place(split, p_a[None], p_b[None], quat)
    after = wanted_place(split, (p_a + J / 60.0)[None], (p_b - J / 40.0)[None], quat)
    assert np.abs(after - before).max() < 1e-15


@pytest.mark.parametrize("sharing", ["reach", "mass", "first", "second"])
def test_two_drifts_are_shared_from_the_first_instant(sharing) -> None:
    """Common motion of 40 mm/s for half a minute is not shown; the relative one as the sharing says."""
    a, b = sets()
    path = ObserverPath(shared(a, b, sharing), ACCELERATION, TURNING, COMMITTED)
    v_a, v_b = np.array([0.002, 0.04, 0.0]), np.array([-0.001, 0.04, 0.0])
    path.begin(course(a, v_a, np.zeros(3)), course(b, v_b, np.zeros(3)))
    part = {"reach": 0.5, "mass": 0.4, "first": 1.0, "second": 0.0}[sharing]
    for s in np.arange(0.0, 30.0, 0.2):
        bodies = [course(x, v, np.zeros(3), s) for x, v in ((a, v_a), (b, v_b))]
        path.plan(float(s), *bodies)
        now = np.array([s, s + 0.3])
        apart = (now[:, None]) * (v_a - v_b)
        assert np.abs(shown(path, bodies[0], now).p - a.centre - part * apart).max() < 1e-6, s
        assert np.abs(shown(path, bodies[1], now).p - b.centre + (1.0 - part) * apart).max() < 1e-6, s


def test_what_is_committed_never_changes_and_all_belongs_together() -> None:
    """Through pushes and turns no plan moves the near future; twist, acceleration are the pose's rates."""
    a, b = sets()
    path = ObserverPath(shared(a, b), ACCELERATION, TURNING, COMMITTED)
    rng = np.random.default_rng(5)
    bodies = [course(a, np.zeros(3), np.zeros(3)), course(b, np.zeros(3), np.zeros(3))]
    path.begin(*bodies)
    for k in range(150):
        s = 0.04 * k
        if k % 20 == 7:  # a push
            v, w = 0.1 * rng.normal(size=3), 5.0 * DEG * rng.normal(size=3)
            bodies[k % 2] = course((a, b)[k % 2], v, w, s, bodies[k % 2].at(np.array([s]))[0][0] - s * v)
        near = s + np.linspace(0.0, COMMITTED, 26)
        before = path.at(near)
        path.plan(s, *bodies)
        after = path.at(near)
        if k:
            assert np.abs(before.p - after.p).max() < 1e-12, k
            assert np.abs(before.quat - after.quat).max() < 1e-12, k
        h = 1e-4
        middle = s + KNOT * (np.arange(12) + 0.5)
        low, high, now = path.at(middle - h), path.at(middle + h), path.at(middle)
        v = (high.p - low.p) / (2.0 * h)
        w = (rotation_of(high.quat) * rotation_of(low.quat).inv()).as_rotvec() / (2.0 * h)
        assert np.abs(np.hstack((v, w)) - now.twist).max() < 1e-6, k
        assert np.abs((high.twist - low.twist) / (2.0 * h) - now.acceleration).max() < 1e-5, k
        lever, turn = (
            rotation_of(now.quat).apply(np.tile(0.5 * (a.centre + b.centre), (12, 1))),
            now.twist[:, 3:],
        )
        of_middle = now.acceleration[:, :3] + np.cross(now.acceleration[:, 3:], lever)
        of_middle += np.cross(turn, np.cross(turn, lever))
        assert np.abs(of_middle).max() < ACCELERATION + 1e-9, k
        knots = KNOT * np.arange(path.first, path.first + 20)
        low, high = path.at(knots[1:] - 1e-9), path.at(knots[1:] + 1e-9)
        assert np.abs(low.p - high.p).max() < 1e-7
        assert np.abs(low.twist - high.twist).max() < 1e-7


def test_a_common_turn_goes_on_for_whole_turns() -> None:
    """Two bodies that turn together by 20 deg/s about their common middle stay where they are."""
    a, b = sets()
    path = ObserverPath(shared(a, b), ACCELERATION, TURNING, COMMITTED)
    w, middle = np.array([0.0, 0.0, 20.0 * DEG]), 0.5 * (a.centre + b.centre)

    def circling(stops: Stops, s_0: float) -> Course:
        s = s_0 + 0.02 * np.arange(101)
        R = Rotation.from_rotvec(np.outer(s, w))
        p = middle + R.apply(stops.centre - middle)
        quat = (R * rotation_of(nominal_quat(stops)[None])).as_quat(scalar_first=True)
        return Course(s_0, 0.02, p, quat, np.hstack((np.cross(w, p - middle), np.tile(w, (len(s), 1)))))

    path.begin(circling(a, 0.0), circling(b, 0.0))
    for s in np.arange(0.0, 40.0, 0.2):
        bodies = circling(a, s), circling(b, s)
        path.plan(float(s), *bodies)
        for stops, body in zip((a, b), bodies, strict=True):
            now = shown(path, body, np.array([s, s + 0.2]))
            assert np.abs(now.p - stops.centre).max() < 2e-3, s
            turned = rotation_of(nominal_quat(stops)[None]).inv() * rotation_of(now.quat)
            assert turned.magnitude().max() < 1.0 * DEG, s


def test_a_push_is_shared_later_with_bounded_acceleration() -> None:
    """Closed form, as a base's: off the share by `dv T + dv^2 / (2 A)` at most, dv the observer's."""
    a, b = sets()
    path = ObserverPath(shared(a, b), ACCELERATION, TURNING, COMMITTED)
    rests = course(b, np.zeros(3), np.zeros(3))
    path.begin(course(a, np.zeros(3), np.zeros(3)), rests)
    path.plan(0.0, course(a, np.zeros(3), np.zeros(3)), rests)
    v, most = np.array([0.1, 0.0, 0.0]), 0.0
    for s in np.arange(0.1, 1.5, 0.05):
        pushed = course(a, v, np.zeros(3), s, a.centre - 0.1 * v)
        path.plan(float(s), pushed, course(b, np.zeros(3), np.zeros(3), s))
        times = s + np.linspace(0.0, 0.05, 6)
        off = shown(path, pushed, times).p[:, 0] - a.centre[0] - 0.5 * 0.1 * (times - 0.1)
        most = max(most, float(off.max()))
    dv, T = 0.05, COMMITTED + KNOT
    assert 0.4 * dv * COMMITTED < most < dv * T + dv**2 / (2.0 * ACCELERATION) + 1e-3
    assert abs(off[-1]) < 2e-3
